/** What a person perceives in each state of PassGate: its sentence, its buttons in their order, and what axe finds. */
import { ServiceError } from '@service/sdk';
import axe from 'axe-core';
import { describe, expect, it, vi } from 'vitest';
import { rules } from './support/dapp.ts';
import { of, part, useGatePage } from './support/gate.ts';
import { settled } from './support/render.ts';

const page = useGatePage();

const KINDS = {
  '[role=status]': 'status',
  '[role=alert]': 'alert',
  button: 'button',
  li: 'reason',
  progress: 'progress',
};

/** Returns what assistive technology gets, in its order. An empty live region says nothing. */
function perceived(): string[] {
  return of('[data-pass-gate] *').flatMap((element) => {
    const [, kind] = Object.entries(KINDS).find(([selector]) => element.matches(selector)) ?? [];
    const words = element.getAttribute('aria-label') ?? element.textContent;
    const busy = element.getAttribute('aria-disabled') === 'true' ? ' (busy)' : '';
    return kind && words ? [`${kind}: ${words}${busy}`] : [];
  });
}

/** Waits for a state with this content. A keyboard reaches each button, and axe finds nothing. */
async function shows(state: string, ...content: string[]): Promise<void> {
  await vi.waitFor(() => expect([page.state(), ...perceived()]).toEqual([state, ...content]), {
    timeout: 60_000,
    interval: 5,
  });
  const gate = of('[data-pass-gate]')[0]!;
  expect(gate.getAttribute('aria-busy')).toBe(String(['loading', 'proving'].includes(state)));
  // The children are content of the page.
  expect(gate.getAttribute('role')).toBe(state === 'open' ? null : 'group');
  for (const button of of('[data-pass-gate] button') as HTMLButtonElement[]) {
    expect(button.tabIndex).toBe(0);
    button.focus();
    expect(document.activeElement).toBe(button);
  }
  (document.activeElement as HTMLElement).blur();
  // Without styles and without a page around it, there is no contrast and there are no landmarks.
  const rules = { 'color-contrast': { enabled: false }, region: { enabled: false } };
  const { violations } = await axe.run(gate, { rules });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)).toEqual([]);
}

/** Returns a promise that the test resolves, and what resolves it. */
function held() {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { until, release: () => release() };
}

type Phase = 'artifacts' | 'proof' | 'verification';
const begins =
  (phase: Phase) =>
  ({
    onProgress,
  }: {
    readonly onProgress?: ((progress: { phase: Phase; fraction: number }) => void) | undefined;
  }) =>
    onProgress?.({ phase, fraction: 0 });

const SIGN_IN = 'status: Sign in with your wallet. This signs a message and costs nothing.';
const VERIFY = 'status: You need to be verified once. Only the verifier sees your data.';
const PROVE = 'status: Prove that you meet the rules. Your data stays on this device.';
const LEAVE = 'button: Use another wallet';

describe('PassGate', () => {
  it('says that it loads', async () => {
    page.dapp.instead = () => new Promise(() => {});
    await page.showConnected();
    await shows('loading', 'status: One moment…');
  });

  it('asks for a wallet, also without one, while the person confirms, and after a refusal', async () => {
    await page.show();
    const none = 'No wallet was found in this browser. Install one for Solana, then reload the page.';
    await shows('connect', `status: ${none}`);
    page.install();
    const ask = ['status: Connect a wallet to continue.', 'button: Connect Test wallet'];
    await shows('connect', ...ask);
    const { until, release } = held();
    page.waits = until;
    await page.click('connect');
    await shows('connect', 'status: Confirm in your wallet.', 'button: Connect Test wallet (busy)');
    page.refusal = 'No.';
    release();
    const refused = 'Test wallet did not connect: No. Nothing was sent. Choose a wallet again.';
    await shows('connect', ...ask, `alert: ${refused}`);
  });

  it('asks for the sign-in, while the person confirms, and after a refusal', async () => {
    await page.showConnected();
    await shows('signIn', SIGN_IN, 'button: Sign in', LEAVE);
    const { until, release } = held();
    page.waits = until;
    await page.click('signIn');
    const confirm = 'status: Confirm the sign-in in your wallet.';
    await shows('signIn', confirm, 'button: Sign in (busy)', LEAVE);
    page.refusal = 'No.';
    release();
    await vi.waitFor(() => expect(part('error')).toBeDefined());
    const alert = `alert: ${part('error')!.textContent}`;
    expect(alert).toContain('The wallet did not sign the message: No.');
    await shows('signIn', SIGN_IN, 'button: Sign in', LEAVE, alert);
  });

  it('asks for the verification, once', async () => {
    await page.signIn();
    await page.showConnected();
    await shows('verify', VERIFY, 'button: Get verified', LEAVE);
    const { until, release } = held();
    page.dapp.instead = async (request) => {
      if (!request.url.endsWith('/verification-sessions')) return undefined;
      await until;
      return Response.json({ error: { code: 'INTERNAL', message: 'It failed.' } }, { status: 500 });
    };
    await page.click('verify');
    await shows('verify', VERIFY, 'button: Get verified (busy)', LEAVE);
    const asked = page.dapp.requested.length;
    await page.click('verify');
    expect(page.dapp.requested.length).toBe(asked);
    release();
    await vi.waitFor(() => expect(part('error')).toBeDefined());
    await shows('verify', VERIFY, 'button: Get verified', LEAVE, `alert: ${part('error')!.textContent}`);
  });

  it('says that the page has the witness of another wallet', async () => {
    page.comeBack({ ...page.witness, wallet: page.dapp.other.address });
    await page.signIn();
    await page.showConnected();
    const other = 'status: You verified another wallet. Choose that wallet to continue with it.';
    await shows('verify', other, 'button: Get verified', LEAVE);
  });

  it.each([
    [{}, 'You are verified. Your credential is on its way.'],
    [
      { pendingSince: '1700000000' },
      'The verifier reviews your data. This can take days, and you can close the page.',
    ],
  ])('says what the credential waits for: %j', async (fields, words) => {
    await page.givesCredential();
    page.comeBack();
    page.passportHas('ISSUING', fields, { commitment: 'ab'.repeat(32) });
    await page.showConnected();
    await shows('waiting', `status: ${words}`, LEAVE);
  });

  it('says what is missing, and offers what can help', async () => {
    await page.givesCredential();
    const clauses = [{ regions: ['DE'], statuses: ['professional'], minAge: 18 }] as const;
    const { rule } = await page.dapp.otherPage().createRuleSet(page.dapp.holder, { ...rules, clauses });
    page.comeBack();
    await page.showConnected({ rule });
    const blocked = ['status: You cannot get a pass now:', 'reason: You do not meet the rules.'];
    await shows('blocked', ...blocked, 'button: Check again', 'button: Get verified', LEAVE);
  });

  it('asks for the proof, and says why it failed', async () => {
    await page.givesCredential();
    page.comeBack();
    await page.showConnected();
    await shows('prove', PROVE, 'button: Prove', LEAVE);
    page.refusal = 'No.';
    await page.click('prove');
    await vi.waitFor(() => expect(part('error')).toBeDefined(), { timeout: 60_000 });
    const alert = `alert: ${part('error')!.textContent}`;
    expect(alert).toContain('The wallet did not sign the transaction: No.');
    await shows('prove', PROVE, 'button: Prove', LEAVE, alert);
  });

  type Options = NonNullable<Parameters<typeof page.client.prove>[2]>;
  const operation = { operationId: crypto.randomUUID() } as never;
  it.each<readonly [step: string, words: string, reaches: (options: Options) => unknown]>([
    ['checks', 'Checking what you need.', () => undefined],
    ['artifacts', 'Loading the proof artifacts.', begins('artifacts')],
    ['proof', 'Your device makes the proof.', begins('proof')],
    ['verification', 'Your device checks the proof.', begins('verification')],
    ['wallet', 'Confirm in your wallet.', ({ onPrepared }) => onPrepared?.(operation)],
    ['finality', 'Waiting for the network.', ({ onState }) => onState?.('SUBMITTED', operation)],
    [
      'confirmed',
      'Confirmed. It will be final in about 12 seconds.',
      ({ onConfirmed }) => onConfirmed?.({ slot: 5n, finalIn: 12, seenAt: 0 }),
    ],
    [
      'confirmed, without an estimate',
      'Confirmed. Waiting until it is final.',
      ({ onConfirmed }) => onConfirmed?.({ slot: 5n, finalIn: null, seenAt: 0 }),
    ],
  ])('says how far the proof is: %s', async (step, words, reaches) => {
    await page.givesCredential();
    page.comeBack();
    vi.spyOn(page.client, 'prove').mockImplementation((_wallet, _request, options = {}) => {
      reaches(options);
      return new Promise(() => {});
    });
    await page.showConnected();
    await page.reaches('prove');
    await page.click('prove');
    const isSigned = step === 'finality' || step.startsWith('confirmed');
    const cancel = isSigned ? [] : ['button: Cancel'];
    await shows('proving', `status: ${words}`, `progress: ${words}`, ...cancel);
    const { value, max } = part('progress') as HTMLProgressElement;
    expect([max, value > 0]).toEqual([1, step !== 'checks']);
  });

  it('says what failed, and asks again', async () => {
    await page.signIn();
    const error = new ServiceError('RPC_ERROR', { message: 'Your RPC does not respond. Try again.' });
    vi.spyOn(page.client, 'checkProof').mockRejectedValue(error);
    await page.showConnected();
    const alert = 'alert: Your RPC does not respond. Try again.';
    await shows('failed', 'status: Something went wrong.', alert, 'button: Check again', LEAVE);
  });

  it('shows only its children while the pass is open', async () => {
    await page.givesCredential();
    await page.open();
    await page.showConnected({ children: 'Members only' });
    await shows('open');
    expect(page.rendered.text()).toBe('Members only');
  });

  it('says each change in one live region, which is there from the start', async () => {
    page.install();
    await page.show();
    await page.reaches('connect');
    const status = part('status');
    await page.click('connect');
    await page.reaches('signIn');
    await page.click('signIn');
    await page.reaches('verify');
    expect(of('[role=status]')).toEqual([status]);
  });

  it('keeps the focus at the button that the person pressed until it is gone', async () => {
    await page.showConnected();
    await page.reaches('signIn');
    const { until, release } = held();
    page.waits = until;
    part('signIn')!.focus();
    await page.click('signIn');
    await vi.waitFor(() => expect(part('status')!.textContent).toContain('Confirm'));
    // Browsers take the focus from a disabled button.
    expect(part('signIn')!.matches(':disabled')).toBe(false);
    expect(document.activeElement).toBe(part('signIn'));
    release();
    await page.reaches('verify');
    expect(document.activeElement).toBe(of('[data-pass-gate]')[0]);
  });

  it('forgets the witness when the person leaves for another wallet', async () => {
    await page.givesCredential();
    page.comeBack();
    await page.showConnected();
    await page.reaches('prove');
    const stored = () => JSON.stringify({ ...sessionStorage });
    expect(stored()).toContain(page.witness.salt);
    await page.click('leave');
    await page.reaches('connect');
    expect(stored()).not.toContain(page.witness.salt);
    await page.click('connect');
    await page.reaches('signIn');
    await page.click('signIn');
    await page.reaches('verify');
    await settled();
  });
});

/** One progress from the first check to the final pass, with a real proof and the events of the real prover. */
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { artifactsFrom, disposeProver, type PlainWallet, type Witness } from '@service/sdk';
import { type ProveProgress, proveWithProgress } from '@service/sdk/query';
import { testCredential, testWallet } from '@service/testing';
import { type Address, signBytes } from '@solana/kit';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Dapp, dapp, rules } from './support/dapp.ts';

const STEPS = ['checks', 'artifacts', 'proof', 'verification', 'wallet', 'finality', 'done'];

let page: Dapp;
let rule: Address;
let witness: Witness;

beforeAll(async () => {
  const { digest } = await readArtifacts();
  const { address } = await testWallet('holder');
  const artifacts = artifactsFrom({ digest, files: artifactsDirectory });
  page = await dapp({ credentials: [address], artifacts });
  await page.client.authenticate(page.holder, page.client.deployment.genesisHash);
  witness = (await testCredential(address)).witness;
});
afterAll(disposeProver);

/** Creates a rule set, so that each test opens a pass of its own. */
async function newRule(): Promise<void> {
  ({ rule } = await page.client.createRuleSet(page.holder, rules));
  page.requested.length = 0;
}

/** Checks that a progress only goes forward. */
function expectForward(seen: readonly ProveProgress[]): void {
  for (const [index, { fraction, step }] of seen.entries()) {
    const before = seen[index - 1];
    expect(fraction).toBeGreaterThanOrEqual(before?.fraction ?? 0);
    expect(STEPS.indexOf(step)).toBeGreaterThanOrEqual(STEPS.indexOf(before?.step ?? 'checks'));
    expect(Object.isFrozen(seen[index])).toBe(true);
  }
}

it('goes from 0 to 1 through every step, and never back', async () => {
  await newRule();
  const seen: ProveProgress[] = [];
  const onState = vi.fn();
  const onPrepared = vi.fn();
  const options = { onProgress: (next: ProveProgress) => seen.push(next), onState, onPrepared };
  const opened = await proveWithProgress(page.client, page.holder, { rule, witness }, options);
  expectForward(seen);
  expect(seen[0]).toEqual({ fraction: 0, step: 'checks', canCancel: true });
  const { operationId } = opened;
  expect(seen.at(-1)).toEqual({ fraction: 1, step: 'done', canCancel: false, operationId });
  expect([...new Set(seen.map(({ step }) => step))]).toEqual(STEPS);
  expect(new Set(seen.map(({ fraction }) => fraction)).size).toBeGreaterThan(10);
  expect(seen.find(({ step }) => step === 'wallet')).toMatchObject({ canCancel: true, operationId });
  expect(seen.filter(({ fraction }) => fraction === 1)).toHaveLength(1);
  // The caller’s own listeners are called too.
  expect(onPrepared).toHaveBeenCalledOnce();
  expect(onState).toHaveBeenCalled();
});

it('goes on after an error of the listener, which it reports', async () => {
  await newRule();
  const reported = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const failure = new Error('a mistake of the page');
  const onProgress = () => {
    throw failure;
  };
  await proveWithProgress(page.client, page.holder, { rule, witness }, { onProgress });
  expect(reported).toHaveBeenCalledWith(failure);
  reported.mockRestore();
});

it.each(['checks', 'artifacts', 'proof'] as const)('a cancel during %s signs nothing', async (step) => {
  await newRule();
  const cancel = new AbortController();
  const seen: ProveProgress[] = [];
  const proving = proveWithProgress(
    page.client,
    page.holder,
    { rule, witness },
    {
      signal: cancel.signal,
      onProgress(next) {
        seen.push(next);
        if (next.step === step) cancel.abort();
      },
    },
  );
  await expect(proving).rejects.toMatchObject({ code: 'ABORTED' });
  expect(seen.at(-1)?.step).toBe(step);
  expect(page.requested.filter((path) => /proofs$|submit/.test(path))).toEqual([]);
});

it('a cancel while the wallet is asked sends nothing, also if the wallet answers later', async () => {
  await newRule();
  const cancel = new AbortController();
  const { wallet, asked, answer } = slowWallet();
  const proving = proveWithProgress(page.client, wallet, { rule, witness }, { signal: cancel.signal });
  const ended = expect(proving).rejects.toMatchObject({ code: 'ABORTED' });
  await asked;
  cancel.abort();
  await ended;
  await answer();
  expect(page.requested.filter((path) => path.includes('submit'))).toEqual([]);

  // The wallet can still send what it signed. The next proof says so before the work, not after it.
  const steps: string[] = [];
  const onProgress = ({ step }: ProveProgress) => void steps.push(step);
  const next = proveWithProgress(page.client, page.holder, { rule, witness }, { onProgress });
  await expect(next).rejects.toMatchObject({ code: 'SIGNED_OPERATION_PENDING' });
  expect(steps).toEqual(['checks']);
});

it.each([
  ['before the bytes leave', 0.6],
  ['during the wait', 0.65],
])('a cancel after the signature, %s, ends only the wait, and names the operation', async (_, least) => {
  const { client, holder } = page;
  const second = page.otherPage();
  await second.authenticate(holder, client.deployment.genesisHash);
  ({ rule } = await second.createRuleSet(holder, rules));
  const cancel = new AbortController();
  let operationId = '';
  const proving = proveWithProgress(
    second,
    holder,
    { rule, witness },
    {
      signal: cancel.signal,
      onProgress(next) {
        if (next.fraction < least) return;
        expect(next.canCancel).toBe(false);
        operationId = next.operationId!;
        cancel.abort();
      },
    },
  );
  const error = await proving.catch((thrown: unknown) => thrown);
  expect(operationId).not.toBe('');
  expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', context: { operationId } });
});

/** A wallet that answers when the test says so. */
function slowWallet() {
  let noteAsked = () => {};
  let allow = () => {};
  const asked = new Promise<void>((resolve) => {
    noteAsked = resolve;
  });
  const allowed = new Promise<void>((resolve) => {
    allow = resolve;
  });
  let answered: Promise<unknown> = Promise.resolve();
  const wallet: PlainWallet = {
    address: page.holder.address,
    signMessage: (message) => signBytes(page.holder.keyPair.privateKey, message),
    signTransaction(wire) {
      noteAsked();
      const signing = allowed.then(async () => {
        const signature = await signBytes(page.holder.keyPair.privateKey, wire.subarray(65));
        return Uint8Array.from([1, ...signature, ...wire.subarray(65)]);
      });
      answered = signing;
      return signing;
    },
  };
  const answer = async () => {
    allow();
    await answered;
  };
  return { wallet, asked, answer };
}

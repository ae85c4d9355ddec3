/** The hooks show that a write is confirmed and when it is final, and have no result before it is. */
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { CLOCK_SYSVAR } from '@service/protocol';
import { artifactsFrom, disposeProver, tokenAccountOf } from '@service/sdk';
import { type ProveProgress, proveWithProgress } from '@service/sdk/query';
import { useFinalIn, useOperation, useSnapshot, useTransfer } from '@service/sdk/react';
import { quickClock, testCredential, testWallet } from '@service/testing';
import { createElement as element } from 'react';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withValue } from '../support/node.ts';
import { type Dapp, dapp, holdings, rules } from './support/dapp.ts';
import { type Rendered, render, settled } from './support/render.ts';

const artifacts = artifactsFrom({ digest: (await readArtifacts()).digest, files: artifactsDirectory });
const { address: mint } = await testWallet('mint');
let page: Dapp;
let rendered: Rendered | undefined;
/** Whether the node shows what has landed only as confirmed. */
let isHeld = true;

afterAll(disposeProver);
beforeEach(async () => {
  page = await dapp({ artifacts, ...(await holdings(mint, 5n)) });
  await page.client.authenticate(page.holder, page.client.deployment.genesisHash);
  isHeld = true;
  const clockAt = (slot: bigint, time: bigint) => {
    const data = Buffer.alloc(40);
    data.writeBigUInt64LE(slot);
    data.writeBigInt64LE(time, 32);
    return { data: [data.toString('base64'), 'base64'], executable: false, lamports: 1, owner: CLOCK_SYSVAR };
  };
  page.edits = {
    getTransaction: (result) => (isHeld ? null : result),
    getSignatureStatuses: (result: { value: ({ slot: bigint } | null)[] }) =>
      withValue(
        result,
        result.value.map((status) => status && { ...status, slot: 1_031, confirmationStatus: 'confirmed' }),
      ),
    // 32 slots took 16 seconds, and 31 are left.
    getMultipleAccounts(result: object, params) {
      const [addresses, { commitment }] = params as [string[], { commitment?: string }];
      if (addresses.length > 1 || addresses[0] !== CLOCK_SYSVAR) return result;
      return withValue(result, [commitment === 'confirmed' ? clockAt(1_032n, 516n) : clockAt(1_000n, 500n)]);
    },
  };
});
afterEach(async () => {
  vi.useRealTimers();
  await rendered?.unmount();
  rendered = undefined;
});

/** Creates a rule set on a node that shows it as final. */
async function createRule() {
  isHeld = false;
  const created = await page.client.createRuleSet(page.holder, rules);
  isHeld = true;
  return created;
}

describe('useTransfer', () => {
  it('is confirmed, counts down, and has its data only at the end', async () => {
    const { client, holder, other } = page;
    const { rule } = await createRule();
    isHeld = false;
    await client.bindMint(holder, { mint, rule, requireSource: false });
    await client.authenticate(other, client.deployment.genesisHash);
    await client.prove(other, { rule, witness: (await testCredential(other.address)).witness });
    // No wait of this page runs out of time.
    const limit = () => new Promise<void>(() => undefined);
    const waiting = page.otherPage({ clock: { ...quickClock(), elapsed: () => performance.now(), limit } });
    await waiting.authenticate(holder, client.deployment.genesisHash);
    isHeld = true;
    const [source, destination] = await Promise.all(
      [holder, other].map(({ address: owner }) => tokenAccountOf({ mint, owner })),
    );
    const request = { mint, source: source!, destination: destination!, amount: 2n };
    const Page = () => {
      const { mutate, confirmed, data, error } = useTransfer(holder);
      const finalIn = useFinalIn(confirmed);
      const { operations } = useSnapshot();
      const { underWay } = useOperation(operations[0]?.operationId);
      const others = `${useFinalIn(underWay?.confirmed)} ${underWay?.state}`;
      const state = data ? data.state : confirmed ? `confirmed, final in ${finalIn} s` : 'nothing';
      return element(
        'button',
        { type: 'button', onClick: () => mutate(request) },
        `${error?.message ?? ''}${state} | ${others}`,
      );
    };
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.now() });
    rendered = await render(waiting, Page);
    await rendered.shows('nothing');
    document.querySelector('button')!.click();
    await rendered.shows('confirmed, final in 16 s | 16');
    await vi.advanceTimersByTimeAsync(6_000);
    await rendered.shows('confirmed, final in 10 s | 10');
    await vi.advanceTimersByTimeAsync(60_000);
    await rendered.shows('confirmed, final in 0 s');
    isHeld = false;
    await rendered.shows('FINALIZED | null undefined');
    await settled();
  });
});

describe('proveWithProgress', () => {
  it('has a step for it, which is no result', async () => {
    const { rule } = await createRule();
    const { witness } = await testCredential(page.holder.address);
    const seen: ProveProgress[] = [];
    const onConfirmed = vi.fn();
    const onProgress = (progress: ProveProgress) => {
      seen.push(progress);
      // The chain goes on once the page shows it.
      if (progress.step === 'confirmed') isHeld = false;
    };
    const request = { rule, witness };
    const opened = await proveWithProgress(page.client, page.holder, request, { onProgress, onConfirmed });
    const steps = [...new Set(seen.map(({ step }) => step))];
    expect(steps.slice(-3)).toEqual(['finality', 'confirmed', 'done']);
    const shown = seen.find(({ step }) => step === 'confirmed')!;
    const { operationId } = opened;
    const confirmed = { slot: 1_031n, finalIn: 16, seenAt: expect.any(Number) };
    expect(shown).toMatchObject({ confirmed, operationId, canCancel: false });
    expect(shown.fraction).toBeLessThan(1);
    expect(onConfirmed).toHaveBeenCalledExactlyOnceWith(shown.confirmed);
    expect(seen.at(-1)).toEqual({ fraction: 1, step: 'done', canCancel: false, operationId });
  });
});

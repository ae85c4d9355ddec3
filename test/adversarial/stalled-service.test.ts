/** A service that stalls, or shows nothing, does not hold up what the caller's own chain proves. */
import type { OperationState, WaitOptions } from '@service/sdk';
import type { Signature } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { countingWallet } from '../support/counting-wallet.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { refusal } from '../support/hostile-service.ts';
import { useStillChain } from '../support/still-chain.ts';
import { creating, land, prepare, start } from './answers/actions.ts';

const chain = useStillChain();
let stage: ReturnType<typeof start>;
beforeEach(() => {
  stage = start(chain, {});
});

async function signAndLand(): Promise<void> {
  const prepared = await prepare(chain, stage, creating(chain));
  await stage.service.client.signAndSubmit(countingWallet(chain.wallet), prepared);
  await land(chain, stage.service.submitted.at(-1)!);
}

const answer = (response: () => Response | Promise<Response>) =>
  stage.service.instead.set(`/api/operations/${stage.service.operationId}`, response as () => Response);
const wait = (options?: WaitOptions) =>
  stage.service.client.waitForOperation(stage.service.operationId, options);
/** Opens the page again. */
const reload = () => {
  stage = start(chain, {}, stage.service.operationId);
};

describe('a proven operation is not indexed, a few seconds later,', () => {
  it.each<[string, () => Response | Promise<Response>]>([
    [
      'of a service that does not answer',
      () => {
        // Time passes only in pauses.
        void stage.clock.pause(6_000, undefined);
        return new Promise<Response>(() => undefined);
      },
    ],
    ['of a service that fails', () => refusal('UNAVAILABLE', 503)],
    ['of a service that still says SUBMITTED', () => stage.service.operation('SUBMITTED')],
    [
      'of an index that stands still',
      () => stage.service.operation('FINALIZED', { slot: 1n, indexed: false }),
    ],
  ])('%s', async (_name, response) => {
    await signAndLand();
    answer(response);
    const started = stage.clock.elapsed();
    await expect(wait()).resolves.toMatchObject({ state: 'FINALIZED', indexed: false });
    const seconds = (stage.clock.elapsed() - started) / 1000;
    expect(seconds).toBeLessThan(22);
  });
});

it('a service that answers in time is waited for', async () => {
  await signAndLand();
  let answers = 0;
  answer(() => stage.service.operation('FINALIZED', { slot: 1n, indexed: ++answers > 5 }));
  await expect(wait()).resolves.toMatchObject({ indexed: true });
});

it('the page learns that the operation is final while the wait goes on for the index', async () => {
  await signAndLand();
  answer(() => stage.service.operation('SUBMITTED'));
  const states: [OperationState, unknown][] = [];
  await wait({
    onState: (state, operation) => states.push([state, 'indexed' in operation && operation.indexed]),
  });
  expect(states).toEqual([
    ['SUBMITTED', false],
    ['FINALIZED', false],
  ]);
});

describe('a page that opens again', () => {
  let signature: Signature | undefined;
  beforeEach(async () => {
    await signAndLand();
    signature = stage.service.signature;
    reload();
  });

  it('does not wait long for a service that hangs once the outcome is proven', async () => {
    let answers = 0;
    answer(() => {
      if (answers++ === 0)
        return stage.service.operation('SUBMITTED', { kind: 'CREATE_RULE_SET', signature });
      // Time passes only in pauses.
      void stage.clock.pause(6_000, undefined);
      return new Promise<Response>(() => undefined);
    });
    const started = stage.clock.elapsed();
    await expect(wait({ wallet: chain.wallet.address })).resolves.toMatchObject({ indexed: false });
    expect((stage.clock.elapsed() - started) / 1000).toBeLessThan(22);
  }, 10_000);

  it('learns from the chain, and not from the service, what is final', async () => {
    const { other, rule: otherRule } = chain;
    const lie = { kind: 'TRANSFER', wallet: other.address, rule: otherRule, signature: undefined };
    answer(() => stage.service.operation('EXPIRED', lie));
    const records: object[] = [];
    const result = await wait({
      wallet: chain.wallet.address,
      onState: (state, record) => void (state === 'FINALIZED' && records.push(record)),
    });
    const { kind, wallet, rule } = result;
    expect(kind).toBe('CREATE_RULE_SET');
    expect(records).toEqual([expect.objectContaining({ kind, wallet, rule })]);
  });
});

it('a draft that expires while the session is read is not sent', async () => {
  const prepared = await prepare(chain, stage, creating(chain));
  const { wallet } = chain;
  const late = async () => {
    await stage.clock.pause(91_000, undefined);
    return Response.json({ wallet: wallet.address });
  };
  stage.service.instead.set('/api/auth/session', late as unknown as () => Response);
  await expectRefusal(stage.service.client.signAndSubmit(countingWallet(wallet), prepared), 'DRAFT_EXPIRED');
  expect(stage.service.submitted).toEqual([]);
});

describe('without a session', () => {
  it('the chain is searched for the wallet', async () => {
    await signAndLand();
    reload();
    answer(() => refusal('AUTHENTICATION_REQUIRED', 401));
    const found = wait({ wallet: chain.wallet.address });
    await expect(found).resolves.toMatchObject({ state: 'FINALIZED', indexed: false });
  });

  it('the caller signs in if no wallet is known', async () => {
    answer(() => refusal('SESSION_EXPIRED', 401));
    await expectRefusal(wait(), 'SESSION_EXPIRED');
  });
});

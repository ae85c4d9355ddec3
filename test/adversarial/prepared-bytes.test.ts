/**
 * Changes bytes of the prepared transaction of each kind: signAndSubmit rejects it, asks no wallet and submits nothing.
 * FULL=1 changes every byte, otherwise a tenth of them is changed.
 */
import { OPERATION_KINDS } from '@service/contract';
import { programAddresses } from '@service/protocol';
import { isServiceError } from '@service/sdk';
import { describe, expect, it } from 'vitest';
import { countingWallet } from '../support/counting-wallet.ts';
import { hostileService } from '../support/hostile-service.ts';
import { sampled } from '../support/sample.ts';
import { honestWire, useStillChain } from '../support/still-chain.ts';

const chain = useStillChain();

describe.each([...OPERATION_KINDS, 'a takeover'] as const)('%s', (name) => {
  async function setUp() {
    const kind = name === 'a takeover' ? chain.takeover : chain.kinds[name];
    const rule = await programAddresses(chain.deployment.program).ruleSet(chain.wallet.address, 7n);
    const service = hostileService(chain, { rule });
    /** Signs and submits this transaction. Returns the state or the error, and what was asked and submitted. */
    const offer = async (wire: Uint8Array) => {
      service.transaction = wire;
      const wallet = countingWallet(chain.wallet);
      const before = service.submitted.length;
      const outcome: unknown = await kind
        .prepare(service.client)
        .then((prepared) => service.client.signAndSubmit(wallet, prepared))
        .catch((error: unknown) => error);
      return { outcome, asked: wallet.asked, submitted: service.submitted.length - before };
    };
    return { service, offer, wire: await honestWire(chain, kind) };
  }

  it('is signed and submitted unchanged', async () => {
    const { service, offer, wire } = await setUp();

    expect(await offer(wire)).toMatchObject({ outcome: { state: 'QUEUED' }, asked: 1, submitted: 1 });
    expect(service.submitted[0]!.slice(65)).toEqual(wire.slice(65));
  });

  it('is rejected with any one byte changed', async () => {
    const { offer, wire } = await setUp();
    const accepted: number[] = [];
    for (const index of sampled([...wire.keys()])) {
      const changed = wire.slice();
      changed[index]! ^= 1 << (index % 8);
      const { outcome, asked, submitted } = await offer(changed);
      const isRejected =
        isServiceError(outcome, 'PREPARED_MISMATCH') || isServiceError(outcome, 'BLOCKHASH_INVALID');
      if (!isRejected || asked !== 0 || submitted !== 0) accepted.push(index);
    }
    expect(accepted).toEqual([]);
  });
});

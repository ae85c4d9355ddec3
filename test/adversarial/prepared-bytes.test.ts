/**
 * Changes bytes of the prepared transaction of each kind: signAndSubmit refuses it, asks no wallet and submits nothing.
 * `npm run campaign:bytes` changes every byte, `npm test` every seventh.
 */
import { programAddresses } from '@service/protocol';
import { isServiceError } from '@service/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostileService } from '../support/hostile-service.ts';
import { honestMessage, type Kind, kindsOn, OPERATION_ID, unsigned } from '../support/kinds.ts';
import { countingWallet, offer } from '../support/offer.ts';
import { type StillChain, stillChain } from '../support/still-chain.ts';

const STEP = process.env.CAMPAIGN === 'bytes' ? 1 : 7;

let chain: StillChain;
let kinds: Kind[];

beforeAll(async () => {
  chain = await stillChain();
  kinds = kindsOn(chain);
});
afterAll(() => chain?.stop());

describe.each(['CREATE_RULE_SET', 'BIND_MINT', 'PROVE', 'ISSUE', 'TRANSFER'])('%s', (name) => {
  const setUp = async () => {
    const kind = kinds.find(({ intent }) => intent.kind === name)!;
    const rule = await programAddresses(chain.deployment.program).ruleSet(chain.wallet.address, 7n);
    const service = hostileService(chain, { rule });
    service.operationId = OPERATION_ID;
    return { kind, service, wire: unsigned(await honestMessage(chain, kind.intent)) };
  };

  it('is signed and submitted unchanged', async () => {
    const { kind, service, wire } = await setUp();
    const result = await offer({ service, kind, wallet: countingWallet(chain.wallet), wire });

    expect(result).toMatchObject({ outcome: 'QUEUED', asked: 1, submitted: 1 });
    expect(service.submitted[0]!.slice(65)).toEqual(wire.slice(65));
  });

  it('is refused with any one byte changed', async () => {
    const { kind, service, wire } = await setUp();
    const accepted: number[] = [];
    for (let index = 0; index < wire.length; index += STEP) {
      const changed = wire.slice();
      changed[index]! ^= 1 << (index % 8);
      const result = await offer({ service, kind, wallet: countingWallet(chain.wallet), wire: changed });
      const isRefused =
        isServiceError(result.outcome, 'PREPARED_MISMATCH') ||
        isServiceError(result.outcome, 'BLOCKHASH_INVALID');
      if (!isRefused || result.asked !== 0 || result.submitted !== 0) accepted.push(index);
    }
    expect(accepted).toEqual([]);
  });
});

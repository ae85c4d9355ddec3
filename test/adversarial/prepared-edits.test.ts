/**
 * Valid transactions that say something else than what was asked for, for each operation kind: signAndSubmit refuses
 * every one, asks no wallet and submits nothing.
 */
import { programAddresses } from '@service/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isServiceError, ServiceError } from '../../packages/sdk/src/index.ts';
import { type StillChain, stillChain } from './_chain.ts';
import { type Edit, requestEdits, transactionEdits } from './_edits.ts';
import { hostileService } from './_hostile-service.ts';
import { honestMessage, type Kind, kindsOn, OPERATION_ID, unsigned } from './_kinds.ts';
import { countingWallet, offer } from './_offer.ts';

let chain: StillChain;
let kinds: Kind[];

beforeAll(async () => {
  chain = await stillChain();
  kinds = kindsOn(chain);
}, 60_000);
afterAll(() => chain?.stop());

const LEAST_EDITS = { CREATE_RULE_SET: 40, BIND_MINT: 45, PROVE: 50, ISSUE: 45, TRANSFER: 45 };

describe.each(['CREATE_RULE_SET', 'BIND_MINT', 'PROVE', 'ISSUE', 'TRANSFER'] as const)('%s', (name) => {
  it('is refused in every other transaction', async () => {
    const kind = kinds.find(({ intent }) => intent.kind === name)!;
    const rule = await programAddresses(chain.deployment.program).ruleSet(chain.wallet.address, 7n);
    const service = hostileService(chain, { rule });
    service.operationId = OPERATION_ID;
    const honest = unsigned(await honestMessage(chain, kind.intent));
    const edits: Edit[] = [
      ...(await requestEdits(chain, kind.intent)),
      ...(await transactionEdits(chain, kind.intent)),
    ];
    expect(edits.length).toBeGreaterThanOrEqual(LEAST_EDITS[name]);

    const wrong: string[] = [];
    for (const [edit, wire] of edits) {
      // An edit that edits nothing would prove nothing.
      if (Buffer.from(wire).equals(Buffer.from(honest))) wrong.push(`${edit}: is the honest transaction`);
      const result = await offer({ service, kind, wallet: countingWallet(chain.wallet), wire });
      const code = result.outcome instanceof ServiceError ? result.outcome.code : String(result.outcome);
      const wanted = edit === 'a blockhash of another cluster' ? 'BLOCKHASH_INVALID' : 'PREPARED_MISMATCH';
      if (code !== wanted || result.asked !== 0 || result.submitted !== 0) wrong.push(`${edit}: ${code}`);
      else if (
        isServiceError(result.outcome, 'PREPARED_MISMATCH') &&
        result.outcome.context.differences.length === 0
      ) {
        wrong.push(`${edit}: no difference is told`);
      }
    }
    expect(wrong).toEqual([]);

    const result = await offer({ service, kind, wallet: countingWallet(chain.wallet), wire: honest });
    expect(result).toMatchObject({ outcome: 'QUEUED', asked: 1, submitted: 1 });
  });
});

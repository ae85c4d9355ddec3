/** Checks that the chain lets an issuer or a creator act, before the wallet is asked. Uses the caller's own RPC. */
import { checkPower, checkRemoval, type Intent } from '@service/protocol';
import { readChainTime } from '../rpc/accounts.ts';
import { type Chain, readForPlan } from '../rpc/chain.ts';
import { readyRow } from './check-receiver.ts';
import { checkOwners, sharedOf } from './receivers.ts';

/**
 * Checks what the program requires of a RECOVER, REDEEM, SUSPEND or GRANT, at finalized commitment. Other operations pass.
 *
 * @throws ServiceError the codes of the endpoint except those of fees, MINT_PAUSED, those of {@link readyRow},
 *   RPC_ERROR, ABORTED
 */
export async function checkAct(chain: Chain, intent: Intent, signal: AbortSignal | undefined): Promise<void> {
  switch (intent.kind) {
    case 'RECOVER':
    case 'REDEEM': {
      const issue = { chain, issuer: intent.wallet, mint: intent.mint, signal };
      const [found, chainTime] = await Promise.all([
        readForPlan(chain, signal, (reader) => checkRemoval(reader, intent)),
        readChainTime(chain, signal),
      ]);
      const shared = sharedOf(issue, { ...found, chainTime });
      if (intent.kind === 'REDEEM') return;
      readyRow(issue, await checkOwners(issue, shared, [intent], [found.destination]));
      return;
    }
    case 'SUSPEND':
    case 'GRANT': {
      const chainTime = await readChainTime(chain, signal);
      await readForPlan(chain, signal, (reader) => checkPower(reader, intent, chainTime));
    }
  }
}

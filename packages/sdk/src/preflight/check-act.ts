/** Checks that the chain lets an issuer or a creator act, before the wallet is asked. Uses the caller's own RPC. */
import { ActError, checkPower, checkRemoval, type Intent, PlanError } from '@service/protocol';
import { ServiceError } from '../errors.ts';
import { type Chain, callRpc, readerOf } from '../rpc/chain.ts';
import { readChainTime } from '../rpc/pass-life.ts';
import { checkReceiver } from './check-receiver.ts';
import { readShared } from './receivers.ts';

/**
 * Checks what the program requires of a RECOVER, REDEEM, SUSPEND or GRANT, at finalized commitment. Other operations pass.
 *
 * @throws ServiceError the codes of the endpoint except those of fees, MINT_PAUSED, those of {@link checkReceiver},
 *   RPC_ERROR, ABORTED
 */
export async function checkAct(chain: Chain, intent: Intent, signal: AbortSignal | undefined): Promise<void> {
  switch (intent.kind) {
    case 'RECOVER':
    case 'REDEEM': {
      const issue = { chain, issuer: intent.wallet, mint: intent.mint, signal };
      await checked(chain, signal, (reader) => checkRemoval(reader, intent));
      await (intent.kind === 'RECOVER' ? checkReceiver(issue, intent) : readShared(issue));
      return;
    }
    case 'SUSPEND':
    case 'GRANT': {
      const chainTime = await readChainTime(chain, signal);
      await checked(chain, signal, (reader) => checkPower(reader, intent, chainTime));
    }
  }
}

/** Runs a check of the protocol. Throws its problem as a ServiceError, RPC_ERROR, ABORTED. */
function checked(
  chain: Chain,
  signal: AbortSignal | undefined,
  check: (reader: ReturnType<typeof readerOf>) => Promise<unknown>,
): Promise<unknown> {
  return callRpc(chain, 'Reading the accounts of the operation', signal, async (_rpc, bounds) => {
    try {
      return await check(readerOf(chain, bounds));
    } catch (error) {
      if (!(error instanceof ActError || error instanceof PlanError)) throw error;
      throw new ServiceError(error.code, {
        message: `Nothing was sent, because your own RPC shows a problem. ${error.message}`,
      });
    }
  });
}

import { programAddresses } from '../addresses.ts';
import { type AccountOf, type ChainReader, type Found, readAccounts } from '../state/read.ts';
import { permanentDelegateOf } from '../token/mint.ts';
import type { RecoverIntent, RedeemIntent } from './intent.ts';
import { ownBindingOf, ownerOf, PlanError } from './plan-instruction.ts';

/** The accounts that were read for the removal of tokens. */
export interface RemovalAccounts {
  readonly config: Found<AccountOf<'config'>> | null;
  readonly binding: Found<AccountOf<'mintBinding'>>;
  readonly mint: AccountOf<'mint'>;
  /** The destination of a recovery. */
  readonly destination: Found<AccountOf<'tokenAccount'>> | null;
}

/**
 * Checks that the wallet may take tokens of the mint from the token account. An operation has one action, so it cannot thaw a
 * frozen account. Returns what it read, so that the caller need not read it again.
 *
 * @throws PlanError MINT_NOT_BOUND, NOT_ISSUER, TOKEN_ACCOUNT_NOT_FOUND, RECOVERY_NOT_ENABLED or INVALID_REQUEST
 */
export async function checkRemoval(
  reader: ChainReader,
  intent: RecoverIntent | RedeemIntent,
): Promise<RemovalAccounts> {
  const { mint: address, source } = intent;
  const destination = intent.kind === 'RECOVER' ? intent.destination : null;
  if (source === destination) {
    throw new PlanError(
      'INVALID_REQUEST',
      'The source and the destination are the same token account. Use two accounts.',
    );
  }
  const at = programAddresses(reader.program);
  const [config, binding, mint, from, to] = await readAccounts(reader, [
    ['config', await at.config()],
    ['mintBinding', await at.mintBinding(address)],
    ['mint', address],
    ['tokenAccount', source],
    ['tokenAccount', destination ?? source],
  ]);
  ownBindingOf(binding, intent);
  if (!mint || !binding || permanentDelegateOf(mint.data) !== binding.address) {
    throw new PlanError(
      'RECOVERY_NOT_ENABLED',
      `The permanent delegate of the mint ${address} is not its binding, so nobody can take its tokens.`,
    );
  }
  ownerOf(from?.data, 'source', intent);
  if (destination) ownerOf(to?.data, 'destination', intent);
  const frozen = [from, to].find((account) => account?.data.frozen);
  if (frozen) {
    throw new PlanError(
      'INVALID_REQUEST',
      `The token account ${frozen.address} is frozen. Thaw it first, with thawAccount of @service/sdk/chain.`,
    );
  }
  return { config, binding, mint: mint.data, destination: destination ? to : null };
}

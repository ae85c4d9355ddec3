/** Checks that an operation does not move more tokens than its wallet can send or its mint can issue. */
import { type AccountOf, decodeAccount, type PostedIntent } from '@service/protocol';
import type { Address, MaybeEncodedAccount } from '@solana/kit';
import { ServiceError } from '../errors.ts';

/** The most base units that a mint or a token account has. */
export const U64_MAX = 2n ** 64n - 1n;

/** Returns the account that limits the amount of an operation: the source of tokens, or the mint of an issue. */
export function limitingAccount(intent: PostedIntent): Address | null {
  if ('source' in intent) return intent.source;
  return intent.kind === 'ISSUE' ? intent.mint : null;
}

/**
 * Returns the highest amount of an operation in base units: what its wallet can send or take from the source, or what the
 * mint can still issue. Returns zero if that account has been closed.
 */
export function mostOf(program: Address, intent: PostedIntent, limiting: MaybeEncodedAccount): bigint {
  if ('source' in intent) {
    const source = decodeAccount(program, 'tokenAccount', limiting)?.data;
    if (!source) return 0n;
    return intent.kind === 'TRANSFER' ? spendableBy(intent.wallet, source) : source.amount;
  }
  if (intent.kind !== 'ISSUE') return U64_MAX;
  const mint = decodeAccount(program, 'mint', limiting);
  return mint ? U64_MAX - mint.data.supply : 0n;
}

/** Returns the base units that a wallet can send from a token account. */
function spendableBy(
  wallet: Address,
  { owner, amount, delegate, delegatedAmount }: AccountOf<'tokenAccount'>,
): bigint {
  // If a wallet is owner and delegate, Token-2022 treats it as the delegate and limits it to the delegated amount.
  if (delegate === wallet) return delegatedAmount < amount ? delegatedAmount : amount;
  return owner === wallet ? amount : 0n;
}

/** Throws ServiceError AMOUNT_TOO_HIGH if an operation moves more than the highest amount. */
export function checkAmount(intent: PostedIntent, most: bigint): void {
  if (!('amount' in intent) || intent.amount <= most) return;
  const { amount, wallet, mint } = intent;
  const limit =
    'source' in intent
      ? `the wallet ${wallet} can ${intent.kind === 'TRANSFER' ? 'send' : 'take'} at most ${most} from the token account ${intent.source}`
      : `the mint ${mint} can issue at most ${most} more`;
  throw new ServiceError('AMOUNT_TOO_HIGH', {
    message: `The amount is ${amount} base units, but ${limit}. Use a lower amount. Nothing was sent.`,
    context: { amount, most },
  });
}

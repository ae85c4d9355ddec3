/** Gives a transaction a durable nonce: it is valid until the nonce is advanced, and not only for a minute. */
import { SYSTEM_PROGRAM } from '@service/protocol';
import { ServiceError } from '@service/sdk';
import { type Address, fetchEncodedAccount, isOffCurveAddress, type Nonce } from '@solana/kit';
import { getNonceDecoder, getNonceSize, NonceState, NonceVersion } from '@solana-program/system';
import { type Options, UsageError } from '../options.ts';
import { callRpc } from './call-rpc.ts';
import type { OpenChain } from './open-chain.ts';

export const NONCE_OPTIONS = {
  'nonce-account': 'the address of a nonce account: the transaction is valid until its nonce is advanced',
  'nonce-authority': 'the address that signs for the nonce account; the default is the signer',
};

/** A nonce, its account, and the address that signs for the account. */
export interface DurableNonce {
  readonly nonce: Nonce;
  readonly nonceAccountAddress: Address;
  readonly nonceAuthorityAddress: Address;
}

/** The nonce account of the command line, and the address that signs for it. */
interface Named {
  readonly account: Address;
  readonly authority: Address;
}

/**
 * Returns what the options say about a nonce account, or null if they name none.
 *
 * @throws UsageError also for an address without a key, which can sign no transaction
 */
export function readNonceOptions(options: Options, signer: Address): Named | null {
  if (!options.has('nonce-account')) {
    if (options.has('nonce-authority')) throw new UsageError('Pass --nonce-authority with --nonce-account.');
    return null;
  }
  const account = options.address('nonce-account');
  const authority = options.has('nonce-authority') ? options.address('nonce-authority') : signer;
  if (options.has('key') && authority !== signer)
    throw new UsageError(`The key signs for ${signer}. Pass --unsigned, so that ${authority} can sign too.`);
  const keyless = [signer, authority].find((each) => isOffCurveAddress(each));
  if (!keyless) return { account, authority };
  throw new UsageError(
    `${keyless} has no key, so it may be the vault of a multisig. Leave out --nonce-account: a multisig stores the instructions, which do not expire.`,
  );
}

/**
 * Reads a nonce at finalized commitment.
 *
 * @throws ServiceError ACCOUNT_NOT_FOUND, INVALID_ARGUMENT unless it is a usable nonce account of this authority, RPC_ERROR
 */
export async function readNonce({ rpc }: OpenChain, { account, authority }: Named): Promise<DurableNonce> {
  const found = await callRpc('Reading the nonce account', (options) =>
    fetchEncodedAccount(rpc, account, { commitment: 'finalized', ...options }),
  );
  if (!found.exists) {
    throw new ServiceError('ACCOUNT_NOT_FOUND', {
      message: `There is no nonce account at ${account}, at finalized commitment. Create it with solana create-nonce-account, or wait until it is final. Nothing was signed.`,
      context: { address: account },
    });
  }
  if (found.programAddress !== SYSTEM_PROGRAM || found.data.length !== getNonceSize())
    throw unusable(`${account} is not a nonce account. Create one with solana create-nonce-account.`);
  const state = getNonceDecoder().decode(found.data);
  if (state.state !== NonceState.Initialized || state.version !== NonceVersion.Current)
    throw unusable(
      `The nonce account ${account} is not initialized, or has an old version. Use another one.`,
    );
  if (state.authority !== authority) {
    throw unusable(
      `${state.authority} signs for the nonce account ${account}, not ${authority}. Pass --nonce-authority, or another account.`,
    );
  }
  const nonce = state.blockhash as string as Nonce;
  return { nonce, nonceAccountAddress: account, nonceAuthorityAddress: authority };
}

function unusable(message: string): ServiceError {
  const context = { field: 'nonce-account' };
  return new ServiceError('INVALID_ARGUMENT', { message: `${message} Nothing was signed.`, context });
}

/** Returns the error for a nonce that was advanced after it was read. */
export function usedNonce({ nonceAccountAddress }: DurableNonce): ServiceError {
  return new ServiceError('BLOCKHASH_INVALID', {
    message: `The nonce account ${nonceAccountAddress} was advanced after its nonce was read. Run the command again. Nothing was signed.`,
  });
}

/** What the functions of an issuer have in common: the binding or the mint, read through the caller's own RPC. */
import {
  type AccountOf,
  decodeAccount,
  decodeMintConfig,
  type Found,
  type MintConfig,
  mintConfigAddress,
  permanentDelegateOf,
  programAddresses,
} from '@service/protocol';
import type { Address, Instruction } from '@solana/kit';
import type { ServiceError } from '../errors.ts';
import { checkAddresses, invalidArgument } from '../lib/check-arguments.ts';
import { readAdditions } from '../operations/additions/addition-options.ts';
import { accountNotFound, readTogether } from '../rpc/accounts.ts';
import { type Chain, checkGenesisHash } from '../rpc/chain.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type ChainWriteOptions, chainWith } from './options.ts';
import { type FinalizedTransaction, sendTransaction } from './send.ts';

/** Options of every function of an issuer. */
export interface MintOptions extends ChainWriteOptions {
  /** Base58 address of the Token-2022 mint. */
  readonly mint: Address;
}

/** A mint at finalized commitment, and how the wallet sends instructions about it. */
export interface MintState {
  readonly chain: Chain;
  /** Address of the wallet. */
  readonly wallet: Address;
  readonly address: Address;
  readonly mint: AccountOf<'mint'>;
  readonly binding: Found<AccountOf<'mintBinding'>> | null;
  /** The configuration of Token ACL, if it is the freeze authority; null if not. */
  readonly mintConfig: MintConfig | null;
  readonly send: (what: string, ...instructions: readonly Instruction[]) => Promise<FinalizedTransaction>;
}

/** The options that are addresses, and a check of the others. */
interface Check<O> {
  readonly addresses?: readonly (keyof O & string)[];
  readonly rest?: (options: O) => unknown;
}

/** Reads a mint and its binding. Throws ServiceError ACCOUNT_NOT_FOUND if there is no mint, and those of the options. */
export async function readMint<O extends MintOptions>(
  wallet: Wallet,
  options: O,
  check: Check<O> = {},
): Promise<MintState> {
  const signer = signerOf(wallet);
  const chain = chainWith(options, ['mint']);
  checkAddresses(Object.fromEntries((check.addresses ?? []).map((field) => [field, options[field]])));
  check.rest?.(options);
  const limits = readAdditions(options);
  const { mint: address, signal } = options;
  await checkGenesisHash(chain, signal);
  const { program } = chain.deployment;
  const configAddress = await mintConfigAddress(address);
  const addresses = [address, await programAddresses(program).mintBinding(address), configAddress];
  const reading = { what: 'Reading the mint', commitment: 'finalized', signal } as const;
  const { mint, binding, config } = await readTogether(
    chain,
    addresses,
    reading,
    ([mint, binding, config]) => ({
      mint: decodeAccount(program, 'mint', mint!)?.data,
      binding: decodeAccount(program, 'mintBinding', binding!),
      config: decodeMintConfig(config!),
    }),
  );
  if (!mint) throw accountNotFound('Token-2022 mint', address);
  const mintConfig = mint.freezeAuthority === configAddress ? config : null;
  // Only those that take tokens call another program.
  const send: MintState['send'] = (what, ...instructions) =>
    sendTransaction(chain, { signer, instructions, limits, what, action: 'RECOVER', signal });
  return { chain, wallet: signer.address, address, mint, binding, mintConfig, send };
}

/** A mint that is bound. */
export interface BoundMintState extends MintState {
  readonly binding: Found<AccountOf<'mintBinding'>>;
}

/**
 * Reads what {@link readMint} reads.
 *
 * @throws ServiceError ACCOUNT_NOT_FOUND also if the mint is not bound; INVALID_ARGUMENT if it has a gate instead
 */
export async function readBoundMint<O extends MintOptions>(
  wallet: Wallet,
  options: O,
  check: Check<O> = {},
): Promise<BoundMintState> {
  return boundOf(await readMint(wallet, options, check));
}

async function boundOf(state: MintState): Promise<BoundMintState> {
  const { address, binding, mintConfig, chain } = state;
  if (binding) return { ...state, binding };
  if (mintConfig) {
    throw invalidArgument(
      'mint',
      `The mint ${address} has a gate and no binding. Change its gate with setGate. Nothing was signed.`,
    );
  }
  const { mintBinding } = programAddresses(chain.deployment.program);
  throw accountNotFound(`binding of the mint ${address}`, await mintBinding(address));
}

/** Reads what {@link readBoundMint} reads. Throws ServiceError INVALID_ARGUMENT also if the wallet is not the issuer. */
export async function readAsIssuer<O extends MintOptions>(
  wallet: Wallet,
  options: O,
  check: Check<O> = {},
): Promise<BoundMintState> {
  const state = await readBoundMint(wallet, options, check);
  checkIssuer(state);
  return state;
}

function checkIssuer({ binding, wallet }: BoundMintState): void {
  const { issuer } = binding.data;
  if (issuer !== wallet) throw otherWallet(`The issuer of the mint is ${issuer}.`);
}

/**
 * Reads a mint whose tokens the wallet can take: through the binding, or as the permanent delegate if the mint has a gate and
 * no binding.
 *
 * @throws ServiceError those of {@link readBoundMint}; INVALID_ARGUMENT also if the wallet cannot take tokens
 */
export async function readAsTaker<O extends MintOptions>(
  wallet: Wallet,
  options: O,
  check: Check<O>,
): Promise<MintState> {
  const state = await readMint(wallet, options, check);
  const delegate = permanentDelegateOf(state.mint);
  const lacksPower = () =>
    invalidArgument(
      'mint',
      `The mint was created without the power to take tokens, and cannot get it. ${OTHER_TEMPLATE}`,
    );
  if (!state.binding && state.mintConfig) {
    if (!delegate) throw lacksPower();
    if (delegate !== state.wallet) throw otherWallet(`The permanent delegate of the mint is ${delegate}.`);
    return state;
  }
  const bound = await boundOf(state);
  checkIssuer(bound);
  if (delegate !== bound.binding.address) throw lacksPower();
  return bound;
}

/** Says what to do about a mint that lacks a power. */
export const OTHER_TEMPLATE = 'Create another mint, with the template security or fund.';

/** Returns the error for a wallet that lacks an authority. */
export const otherWallet = (fact: string): ServiceError =>
  invalidArgument('wallet', `${fact} Use this wallet. Nothing was signed.`);

/** Checks who would receive new tokens, at finalized commitment: what the program requires of an issue and of a recovery. */
import { type AccountOf, decodeAccount, type Found, isMintPaused, programAddresses } from '@service/protocol';
import type { Address } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { accountNotFound, readChainTime, readFinalAccounts, readTogether } from '../rpc/accounts.ts';
import type { Chain } from '../rpc/chain.ts';
import { passLifeOf } from '../rpc/pass-life.ts';
import type { CheckReason } from './check-reason.ts';
import type { TransferCheckReason } from './transfer-check-types.ts';
import { transferReasons } from './transfer-reasons.ts';
import type { TokenAccount, TransferState } from './transfer-state.ts';

/** The issuer and the mint. */
export interface Issue {
  readonly chain: Chain;
  readonly issuer: Address;
  readonly mint: Address;
  readonly signal: AbortSignal | undefined;
}

/** Tokens for a token account. */
export interface Row {
  readonly destination: Address;
  /** Base units. */
  readonly amount: bigint;
}

/** A row that the chain would accept now, with what its instruction needs. */
export interface ReadyRow<R extends Row = Row> {
  readonly row: R;
  readonly rule: Address;
  readonly destinationOwner: Address;
}

/** A row that the chain would reject now. */
export interface RejectedRow<R extends Row = Row> {
  readonly row: R;
  /** At least one. */
  readonly reasons: readonly ReceiverReason[];
}

/** Why a token account cannot receive tokens. */
export type ReceiverReason = TransferCheckReason | CredentialRevoked;

/** The owner of the destination has no credential, or it was revoked. That person verifies again. */
export type CredentialRevoked = CheckReason<'CREDENTIAL_REVOKED', 'recipient'> & {
  /** Base58 address of the owner. */
  readonly wallet: Address;
};

/** Accounts that every row needs. */
export interface Shared {
  readonly config: TransferState['config'];
  readonly binding: TransferState['binding'];
  readonly mint: AccountOf<'mint'>;
  readonly rule: Address;
  readonly chainTime: bigint;
}

/**
 * Reads what every row needs. What concerns every row is an error and not a reason.
 *
 * @throws ServiceError those of {@link sharedOf}, RPC_ERROR, ABORTED
 */
export async function readShared(issue: Issue): Promise<Shared> {
  const { chain, mint: address, signal } = issue;
  const { program } = chain.deployment;
  const at = programAddresses(program);
  const addresses = [await at.config(), await at.mintBinding(address), address];
  const reading = { what: 'Reading the mint', commitment: 'finalized', signal } as const;
  const [found, chainTime] = await Promise.all([
    readTogether(chain, addresses, reading, ([config, binding, found]) => ({
      config: decodeAccount(program, 'config', config!),
      binding: decodeAccount(program, 'mintBinding', binding!),
      mint: decodeAccount(program, 'mint', found!)?.data,
    })),
    readChainTime(chain, signal),
  ]);
  return sharedOf(issue, { ...found, chainTime });
}

/** Accounts that were read for every row; null or undefined for each that does not exist. */
interface SharedAccounts extends Pick<Shared, 'config' | 'binding' | 'chainTime'> {
  readonly mint: AccountOf<'mint'> | undefined;
}

/**
 * Checks what concerns every row.
 *
 * @throws ServiceError MINT_NOT_BOUND, NOT_ISSUER, PROTOCOL_PAUSED, MINT_PAUSED, ACCOUNT_NOT_FOUND
 */
export function sharedOf(
  { issuer, mint: address }: Issue,
  { config, binding, mint, chainTime }: SharedAccounts,
): Shared {
  if (!mint) throw accountNotFound('Token-2022 mint', address);
  if (!binding || !config)
    throw refused(
      'MINT_NOT_BOUND',
      `The mint ${address} is not bound to a rule set. Bind it first. A mint with a gate needs no binding: mint with Token-2022.`,
    );
  const { issuer: owner, rule } = binding.data;
  if (owner !== issuer) throw refused('NOT_ISSUER', `The issuer of the mint is ${owner}. Use this wallet.`);
  if (config.data.paused)
    throw refused('PROTOCOL_PAUSED', 'The protocol is paused. Wait until governance ends the pause.');
  if (isMintPaused(mint)) throw mintPaused(address);
  return { config, binding, mint, rule, chainTime };
}

/** Returns the error for a mint that its authority paused. */
export const mintPaused = (mint: Address): ServiceError =>
  refused('MINT_PAUSED', `The mint ${mint} is paused. Its pause authority can call resumeMint.`);

function refused(
  code: 'MINT_NOT_BOUND' | 'NOT_ISSUER' | 'PROTOCOL_PAUSED' | 'MINT_PAUSED',
  message: string,
): ServiceError {
  return new ServiceError(code, { message: `Your own RPC shows a problem. ${message}` });
}

const READING = 'Reading the accounts of the rows';

/** The rows that the chain would accept now, and the others. */
interface CheckedRows<R extends Row> {
  readonly ready: readonly ReadyRow<R>[];
  readonly rejected: readonly RejectedRow<R>[];
}

/** Checks the destinations of rows, and their owners. Throws ServiceError RPC_ERROR, ABORTED. */
export async function checkReceivers<R extends Row>(
  issue: Issue,
  shared: Shared,
  rows: readonly R[],
): Promise<CheckedRows<R>> {
  const { program } = issue.chain.deployment;
  const targets = rows.map(({ destination }) => destination);
  const found = await readFinalAccounts(issue.chain, targets, { what: READING, signal: issue.signal });
  const destinations = found.map((account) => decodeAccount(program, 'tokenAccount', account));
  return checkOwners(issue, shared, rows, destinations);
}

/** Checks destinations that were read, in the order of the rows, and their owners. Throws ServiceError RPC_ERROR, ABORTED. */
export async function checkOwners<R extends Row>(
  issue: Issue,
  shared: Shared,
  rows: readonly R[],
  destinations: readonly TokenAccount[],
): Promise<CheckedRows<R>> {
  const { program } = issue.chain.deployment;
  const reading = { what: READING, signal: issue.signal };
  const at = programAddresses(program);
  const owned = await Promise.all(
    destinations.map(async (destination) =>
      destination
        ? [await at.pass(shared.rule, destination.data.owner), await at.credential(destination.data.owner)]
        : [],
    ),
  );
  const records = await readFinalAccounts(issue.chain, owned.flat(), reading);
  const recordAt = new Map(owned.flat().map((address, index) => [address, records[index]!]));
  const ready: ReadyRow<R>[] = [];
  const rejected: RejectedRow<R>[] = [];
  rows.forEach((row, index) => {
    const destination = destinations[index]!;
    const [pass, credential] = owned[index]!.map((address) => recordAt.get(address)!);
    const reasons = reasonsOf(issue, row, shared, {
      destination,
      pass: pass ? decodeAccount(program, 'pass', pass) : null,
      credential: credential ? decodeAccount(program, 'credential', credential) : null,
    });
    if (reasons.length > 0) rejected.push({ row, reasons });
    else ready.push({ row, rule: shared.rule, destinationOwner: destination!.data.owner });
  });
  return { ready, rejected };
}

/** The accounts of one row; null for each that does not exist. */
interface RowState {
  readonly destination: TokenAccount;
  readonly pass: TransferState['destinationPass'];
  readonly credential: Found<AccountOf<'credential'>> | null;
}

function reasonsOf(
  { issuer, mint }: Issue,
  { destination: address, amount }: Row,
  shared: Shared,
  { destination, pass, credential }: RowState,
): ReceiverReason[] {
  const { config, binding, rule, chainTime } = shared;
  const state = {
    config,
    binding,
    rule,
    chainTime,
    isMintPaused: false,
    destination,
    destinationPass: pass,
    destinationCredential: credential,
    source: null,
    sourcePass: null,
    sourceCredential: null,
    funds: null,
  };
  const facts = {
    chainTime,
    rule,
    requireSource: false,
    destinationPass: passLifeOf(pass, shared),
    sourcePass: null,
  };
  const request = { mint, destination: address, amount };
  const reasons: readonly TransferCheckReason[] = transferReasons(request, state, facts, issuer);
  const isOfMint = destination?.data.mint === mint;
  // A granted pass counts without a proof, and so without a credential.
  const isCovered = pass?.data.granted || (credential && !credential.data.revoked);
  if (!isOfMint || isCovered) return [...reasons];
  return [...reasons, { code: 'CREDENTIAL_REVOKED', who: 'recipient', wallet: destination.data.owner }];
}

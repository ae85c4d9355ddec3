/** Checks rows against the chain, right before they are packed: one bad row would fail its whole transaction. */
import {
  type AccountOf,
  decodeAccount,
  type Found,
  programAddresses,
  SIGNATURE_FEE_LAMPORTS,
} from '@service/protocol';
import type { Address, MaybeEncodedAccount } from '@solana/kit';
import { ServiceError } from '../../errors.ts';
import type { TransferCheckReason } from '../../preflight/transfer-check-types.ts';
import { transferReasons } from '../../preflight/transfer-reasons.ts';
import type { TokenAccount, TransferState } from '../../preflight/transfer-state.ts';
import { accountNotFound, readTogether } from '../../rpc/accounts.ts';
import { U64_MAX } from '../../rpc/amount.ts';
import type { Chain } from '../../rpc/chain.ts';
import { checkCanPay, fundsQueryOf } from '../../rpc/funds.ts';
import { passLifeOf, readChainTime } from '../../rpc/pass-life.ts';
import type { RowReason } from './report.ts';
import type { CheckedRow } from './rows.ts';

/** The issuer and the mint of an issue to many. */
export interface Issue {
  readonly chain: Chain;
  readonly issuer: Address;
  readonly mint: Address;
  readonly signal: AbortSignal | undefined;
}

/** A row that the chain would accept now, with what its instruction needs. */
export interface ReadyRow {
  readonly row: CheckedRow;
  readonly rule: Address;
  readonly destinationOwner: Address;
}

/** A row that the chain would reject now. */
export interface RejectedRow {
  readonly row: CheckedRow;
  /** At least one. */
  readonly reasons: readonly RowReason[];
}

/** The most accounts that RPCs return at once. */
const MOST_ACCOUNTS = 100;

/** Accounts that every row needs. */
interface Shared {
  readonly config: TransferState['config'];
  readonly binding: TransferState['binding'];
  readonly rule: Address | null;
  readonly chainTime: bigint;
}

/**
 * Checks rows at finalized commitment. What concerns every row is an error and not a reason.
 *
 * @param left base units of all rows that are not issued yet, with these
 * @throws ServiceError MINT_NOT_BOUND, NOT_ISSUER, PROTOCOL_PAUSED, AMOUNT_TOO_HIGH, ACCOUNT_NOT_FOUND, RPC_ERROR, ABORTED
 */
export async function checkRows(
  issue: Issue,
  rows: readonly CheckedRow[],
  left: bigint,
): Promise<{ readonly ready: readonly ReadyRow[]; readonly rejected: readonly RejectedRow[] }> {
  const { chain, signal } = issue;
  const { program } = chain.deployment;
  const shared = await readShared(issue, left);
  const found = await readAll(
    issue,
    rows.map(({ destination }) => destination),
  );
  const destinations = found.map((account) => decodeAccount(program, 'tokenAccount', account));
  const at = programAddresses(program);
  const owned = await Promise.all(
    destinations.map(async (destination) =>
      destination && shared.rule
        ? [await at.pass(shared.rule, destination.data.owner), await at.credential(destination.data.owner)]
        : [],
    ),
  );
  const records = await readAll({ chain, signal }, owned.flat());
  const recordAt = new Map(owned.flat().map((address, index) => [address, records[index]!]));
  const ready: ReadyRow[] = [];
  const rejected: RejectedRow[] = [];
  rows.forEach((row, index) => {
    const destination = destinations[index]!;
    const [pass, credential] = owned[index]!.map((address) => recordAt.get(address)!);
    const reasons = reasonsOf(issue, row, shared, {
      destination,
      pass: pass ? decodeAccount(program, 'pass', pass) : null,
      credential: credential ? decodeAccount(program, 'credential', credential) : null,
    });
    if (reasons.length > 0) rejected.push({ row, reasons });
    else ready.push({ row, rule: shared.rule!, destinationOwner: destination!.data.owner });
  });
  return { ready, rejected };
}

async function readShared({ chain, issuer, mint, signal }: Issue, left: bigint): Promise<Shared> {
  const { program } = chain.deployment;
  const at = programAddresses(program);
  const addresses = [await at.config(), await at.mintBinding(mint), mint];
  const reading = { what: 'Reading the mint', commitment: 'finalized', signal } as const;
  const [shared, chainTime] = await Promise.all([
    readTogether(chain, addresses, reading, ([config, binding, found]) => ({
      config: decodeAccount(program, 'config', config!),
      binding: decodeAccount(program, 'mintBinding', binding!),
      mint: decodeAccount(program, 'mint', found!),
    })),
    readChainTime(chain, signal),
  ]);
  const { config, binding } = shared;
  if (!shared.mint) throw accountNotFound('Token-2022 mint', mint);
  if (!binding || !config)
    throw refused('MINT_NOT_BOUND', `The mint ${mint} is not bound to a rule set. Bind it first.`);
  const { issuer: owner, rule } = binding.data;
  if (owner !== issuer) throw refused('NOT_ISSUER', `The issuer of the mint is ${owner}. Use this wallet.`);
  if (config.data.paused)
    throw refused('PROTOCOL_PAUSED', 'The protocol is paused. Wait until governance ends the pause.');
  const most = U64_MAX - shared.mint.data.supply;
  if (left > most) {
    throw new ServiceError('AMOUNT_TOO_HIGH', {
      message: `The rows that are not issued yet add up to ${left} base units, but the mint ${mint} can issue at most ${most} more. Nothing was signed for them. Use lower amounts, with a new ledger.`,
      context: { amount: left, most },
    });
  }
  return { config, binding, rule, chainTime };
}

function refused(code: 'MINT_NOT_BOUND' | 'NOT_ISSUER' | 'PROTOCOL_PAUSED', message: string): ServiceError {
  return new ServiceError(code, { message: `Your own RPC shows a problem. ${message}` });
}

/** Reads accounts at finalized commitment, in as few requests as RPCs allow. */
async function readAll(
  { chain, signal }: Pick<Issue, 'chain' | 'signal'>,
  addresses: readonly Address[],
): Promise<MaybeEncodedAccount[]> {
  const reading = { what: 'Reading the accounts of the rows', commitment: 'finalized', signal } as const;
  const found: MaybeEncodedAccount[] = [];
  for (let from = 0; from < addresses.length; from += MOST_ACCOUNTS) {
    const some = addresses.slice(from, from + MOST_ACCOUNTS);
    found.push(...(await readTogether(chain, some, reading, (accounts) => accounts)));
  }
  return found;
}

/** The accounts of one row; null for each that does not exist. */
interface RowState {
  readonly destination: TokenAccount;
  readonly pass: TransferState['destinationPass'];
  readonly credential: Found<AccountOf<'credential'>> | null;
}

function reasonsOf(
  { issuer, mint }: Issue,
  { destination: address, amount }: CheckedRow,
  shared: Shared,
  { destination, pass, credential }: RowState,
): RowReason[] {
  const state = {
    ...shared,
    destination,
    destinationPass: pass,
    source: null,
    sourcePass: null,
    funds: null,
  };
  const facts = {
    chainTime: shared.chainTime,
    rule: shared.rule,
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

/**
 * Checks that the issuer can pay the fees of so many transactions, at confirmed commitment. The network drops what nobody
 * can pay.
 *
 * @throws ServiceError INSUFFICIENT_FUNDS, RPC_ERROR, ABORTED
 */
export async function checkFees({ chain, issuer, mint, signal }: Issue, transactions: number): Promise<void> {
  const intent = { kind: 'ISSUE', wallet: issuer, mint, destination: mint, amount: 1n } as const;
  const { addresses, fundsOf } = await fundsQueryOf(chain, { intent });
  const reading = { what: 'Reading the balance of the wallet', commitment: 'confirmed', signal } as const;
  const funds = await readTogether(chain, addresses, reading, fundsOf);
  checkCanPay({ ...funds, fee: SIGNATURE_FEE_LAMPORTS * BigInt(transactions) });
}

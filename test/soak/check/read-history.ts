/** Reads what the service says over HTTP, its sessions from the database, and what happened from the chain itself. */
import { memoText, programAddresses, readAccount } from '@service/protocol';
import type { Database } from '@service/server';
import type { Address } from '@solana/kit';
import pMap from 'p-map';
import type { Journal, SubmittedOperation } from '../load/journal.ts';
import { ignoreEnd, type Service } from '../load/send-request.ts';
import type { Chain } from '../system/chain.ts';
import type { EventReceiver } from '../system/event-receiver.ts';
import { type Hindrance, longestClearMs } from './clear-time.ts';
import type { CredentialHistory, History, Landed, OperationEvent, OperationHistory } from './history.ts';

const AT_ONCE = 8;
const PAGE = 1_000;
/** Milliseconds in which a transaction can land: its blockhash is valid for 150 slots of 100 ms, and is some slots old. */
const LIFE_MS = 12_000;

/** What the service says about each operation, by id; null for an operation that it does not know. */
export type Records = ReadonlyMap<string, OperationHistory['record']>;

/** Reads every operation as its wallet sees it. The service does not know those for which it gives no answer. */
export async function readRecords({ operations }: Journal, over: Service): Promise<Records> {
  const read = async ({ id, client }: SubmittedOperation) => {
    const reply = await client.operation(id, over).catch(ignoreEnd);
    return [
      id,
      reply?.status === 200 ? (reply.body as unknown as OperationHistory['record']) : null,
    ] as const;
  };
  return new Map(await pMap(operations, read, { concurrency: AT_ONCE }));
}

/** Where the history is read from besides the chain and the journal. */
export interface HistoryOptions {
  readonly records: Records;
  readonly database: Database;
  readonly receiver: EventReceiver;
  /** When faults hindered operations. */
  readonly hindrances: readonly Hindrance[];
  /** Returns whether the cluster dropped a transaction for good. */
  readonly isGone: (signature: string) => boolean;
}

/** Puts everything side by side. */
export async function readHistory(
  chain: Chain,
  journal: Journal,
  { records, database, receiver, hindrances, isGone }: HistoryOptions,
): Promise<History> {
  const balances = new Map<string, bigint>();
  for (const account of journal.tokenAccounts) balances.set(account, await balanceOf(chain, account));
  return {
    operations: await readOperations(chain, journal, { records, hindrances, isGone }),
    events: operationEvents(receiver),
    repeatedEvents: receiver.repeated(),
    answers: journal.surprises,
    credentials: await readCredentials(chain, journal, database),
    balances,
  };
}

/** Returns the events of operations, in the order of their arrival. */
export function operationEvents(receiver: Pick<EventReceiver, 'events'>): OperationEvent[] {
  return receiver.events().flatMap(({ type, wallet, data: { operationId } }) => {
    return operationId === undefined ? [] : [{ type, wallet, operationId }];
  });
}

async function readOperations(
  chain: Chain,
  { operations }: Journal,
  { records, hindrances, isGone }: Pick<HistoryOptions, 'records' | 'hindrances' | 'isGone'>,
): Promise<OperationHistory[]> {
  const byWallet = new Map<Address, Awaited<ReturnType<typeof transactionsOf>>>();
  for (const { client } of operations) {
    if (!byWallet.has(client.address))
      byWallet.set(client.address, await transactionsOf(chain, client.address));
  }
  return operations.map(({ id, isAcknowledged, client, move, preparedMs }) => {
    const memo = memoText(id);
    const landed = byWallet.get(client.address)!.filter((each) => each.memo?.includes(memo));
    const record = records.get(id) ?? null;
    const life = { from: preparedMs, to: preparedMs + LIFE_MS };
    const clearMs = isGone(record?.signature ?? '') ? 0 : longestClearMs(hindrances, life);
    return { id, isAcknowledged, clearMs, move, record, landed };
  });
}

async function readCredentials(
  chain: Chain,
  journal: Journal,
  { db }: Database,
): Promise<CredentialHistory[]> {
  const sessions = await db.selectFrom('verification_session').select(['id', 'state', 'failure']).execute();
  const revocations = await db.selectFrom('credential_revocation').select(['wallet', 'state']).execute();
  const delivered = (type: string) => journal.messages.filter((message) => message.type === type);
  return pMap(delivered('verification.completed'), async (message) => {
    const { wallet, sessionId, isAcknowledged, time, commitment } = message;
    const revocation = delivered('credential.revoked').find((each) => each.wallet === wallet);
    return {
      wallet,
      credential: { isAcknowledged, issuedAt: time, commitment: commitment ?? '' },
      revocation: revocation
        ? { isAcknowledged: revocation.isAcknowledged, revokedAt: revocation.time }
        : null,
      session: sessions.find(({ id }) => id === sessionId) ?? null,
      revocationState: revocations.find((each) => each.wallet === wallet)?.state ?? null,
      ...(await credentialOf(chain, wallet)),
    };
  });
}

async function credentialOf(
  chain: Chain,
  wallet: Address,
): Promise<Pick<CredentialHistory, 'onChain' | 'successes'>> {
  const { rpc, program } = chain;
  const address = await programAddresses(program).credential(wallet);
  const account = await readAccount({ rpc, program, commitment: 'finalized' }, 'credential', address);
  const transactions = await transactionsOf(chain, address);
  return {
    onChain: account && {
      commitment: Buffer.from(account.data.commitment).toString('hex'),
      issuedAt: account.data.issuedAt,
      revoked: account.data.revoked,
    },
    // A proof reads the credential, and has a memo.
    successes: transactions.filter(({ err, memo }) => err === null && memo === null).length,
  };
}

async function balanceOf({ rpc }: Chain, account: Address): Promise<bigint> {
  const { value } = await rpc.getTokenAccountBalance(account, { commitment: 'finalized' }).send();
  return BigInt(value.amount);
}

/** Returns all finalized transactions of an address. */
async function transactionsOf(
  { rpc }: Chain,
  address: Address,
): Promise<(Landed & { memo: string | null })[]> {
  const found: (Landed & { memo: string | null })[] = [];
  for (;;) {
    const last = found.at(-1)?.signature;
    const page = await rpc
      .getSignaturesForAddress(address, {
        commitment: 'finalized',
        limit: PAGE,
        ...(last ? { before: last as never } : {}),
      })
      .send();
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}

/** Whether the index can be read, and how far it is. */
import type { IndexPosition } from '@service/contract';
import type { Signature } from '@solana/kit';
import { ServiceFault } from '../http/failures/fault.ts';
import type { Service } from '../service.ts';
import { type ChainTip, readChainTip } from './chain-tip.ts';
import { type Position, readPosition } from './position.ts';

/** A position of the index that is fresh enough, and the chain that it was compared with. */
export interface Freshness {
  readonly index: IndexPosition;
  /** The newest finalized slot and the chain time that programs see in it. */
  readonly tip: ChainTip;
}

const RETRY_AFTER_SECONDS = 1;

/**
 * Whether a position is no further from the chain's finalized slot than `settings.maxIndexLagSeconds` of chain time. One that
 * is ahead by more than the difference between two nodes came of a wrong answer or of another chain: it moves no more.
 */
export function isNearTip(
  position: Pick<Position, 'time'> | undefined,
  { time }: Pick<ChainTip, 'time'>,
  { maxIndexLagSeconds }: Pick<Service['settings'], 'maxIndexLagSeconds'>,
): boolean {
  if (!position) return false;
  const lag = time - position.time;
  return (lag < 0n ? -lag : lag) <= BigInt(maxIndexLagSeconds);
}

/**
 * The index's position, when it lags the chain's finalized slot by no more than `settings.maxIndexLagSeconds` of chain
 * time (SPEC.md section 7), and is no further ahead of it either.
 *
 * @throws ServiceFault INDEX_STALE with Retry-After; what the RPC throws when the chain cannot be asked.
 */
export async function assertIndexFresh(
  service: Service,
  signal: AbortSignal = service.signal,
): Promise<Freshness> {
  const [position, tip] = await Promise.all([readPosition(service.db), readChainTip(service, signal)]);
  if (!position || !isNearTip(position, tip, service.settings)) {
    throw new ServiceFault('INDEX_STALE', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  return { index: { slot: position.slot, time: position.time }, tip };
}

/**
 * Whether what a transaction of the program changed in a finalized slot is in the index: it has come that far, and a node
 * that lists the signature late has listed it, or the slot is settled.
 */
export async function isIndexed(
  { db }: Pick<Service, 'db'>,
  { slot, signature }: { readonly slot: bigint; readonly signature: Signature },
): Promise<boolean> {
  const found = await db
    .selectFrom('index_position')
    .select('id')
    .where('slot', '>=', slot)
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb('settled_slot', '>=', slot),
        exists(selectFrom('indexed_signature').select('slot').where('signature', '=', signature)),
      ]),
    )
    .executeTakeFirst();
  return found !== undefined;
}

/** The finalized slot that the index has come to; -1 before its first reading. */
export async function indexedSlot(service: Pick<Service, 'db'>): Promise<bigint> {
  return (await readPosition(service.db))?.slot ?? -1n;
}

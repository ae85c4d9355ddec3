/** Freshness of the index. */
import type { IndexPosition } from '@service/contract';
import type { Signature } from '@solana/kit';
import { type ChainTip, finalizedTip } from '../chain-head/index.ts';
import { ServiceFault } from '../http/failures/fault.ts';
import type { Service } from '../service.ts';
import { type Position, readPosition } from './position.ts';

/** A position of the index that is fresh enough, and the chain tip that it was compared with. */
export interface Freshness {
  readonly index: IndexPosition;
  /** The newest finalized slot and the chain time that programs see in it. */
  readonly tip: ChainTip;
}

const RETRY_AFTER_SECONDS = 1;

/**
 * Returns whether a position is at most `settings.maxIndexLagSeconds` of chain time from the chain's finalized slot. A
 * position that is further ahead comes from a wrong answer of a node or from another chain, and would never move again.
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

/** Returns INDEX_STALE with Retry-After. */
export function indexStale(): ServiceFault {
  return new ServiceFault('INDEX_STALE', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/**
 * Returns the position of the index if it is at most `settings.maxIndexLagSeconds` of chain time behind or ahead of the
 * chain's finalized slot (SPEC.md section 7).
 *
 * @throws ServiceFault INDEX_STALE with Retry-After; the errors of the RPC
 */
export async function assertIndexFresh(service: Service): Promise<Freshness> {
  const [position, tip] = await Promise.all([readPosition(service.db), finalizedTip(service)]);
  if (!position || !isNearTip(position, tip, service.settings)) {
    throw indexStale();
  }
  return { index: { slot: position.slot, time: position.time }, tip };
}

/**
 * Returns whether the changes of a finalized transaction are in the index. The index must have reached its slot. A node may
 * list a signature late, so the slot must also be settled, or the signature listed.
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

/** Returns the finalized slot of the index, or -1 before its first reading. */
export async function indexedSlot(service: Pick<Service, 'db'>): Promise<bigint> {
  return (await readPosition(service.db))?.slot ?? -1n;
}

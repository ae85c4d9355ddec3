/** The table of events. Times are Unix milliseconds. The database sets `created_at`, and the service the others. */
import type { EventType } from '@service/contract';
import type { Address } from '@solana/kit';
import type { ColumnType } from 'kysely';
import type { LeaseColumnsWithDefaults } from '../database/tables.ts';

export interface EventTables {
  event: EventTable;
}

/** An event. A trigger of `operation` writes those of operations. */
export interface EventTable extends LeaseColumnsWithDefaults {
  /** The database makes it. */
  id: ColumnType<string, never, never>;
  /** The place in the order of commits. A trigger sets it at the commit, so no reader sees null. */
  position: ColumnType<bigint, never, never>;
  wallet: ColumnType<Address, Address, never>;
  type: ColumnType<EventType, EventType, never>;
  /** What the event is about. It is unique, so that one cause has one event. */
  cause: ColumnType<string, string, never>;
  /** The `data` of the wire, as its JSON. */
  data: ColumnType<unknown, string, never>;
  created_at: ColumnType<bigint, never, never>;
  /** When the receiver of webhooks accepted it. */
  delivered_at: ColumnType<bigint | null, never, bigint>;
  /** Deliveries that failed. */
  attempts: ColumnType<number, never, number>;
}

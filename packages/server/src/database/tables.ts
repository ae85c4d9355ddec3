/** The table `deployment`, and columns that tables of several folders share. */
import type { Address } from '@solana/kit';
import type { ColumnType } from 'kysely';

/** Columns of a table whose rows are leased. Times are Unix milliseconds of the service's clock. */
interface LeaseColumns {
  /** A new id for each lease, so that the owner of an expired lease differs from the new owner. */
  lease_owner: string | null;
  lease_until: bigint | null;
  /** When to process the row next. */
  due_at: bigint;
}

/** The same columns, which an insert leaves to their defaults. */
export type LeaseColumnsWithDefaults = {
  [K in keyof LeaseColumns]: ColumnType<LeaseColumns[K], LeaseColumns[K] | undefined, LeaseColumns[K]>;
};

export interface DeploymentTables {
  deployment: DeploymentTable;
}

/** The deployment that the database belongs to. There is no row before the first start. */
export interface DeploymentTable {
  /** Always 1. */
  id: number;
  program: Address;
  /** Base58. */
  genesis_hash: string;
}

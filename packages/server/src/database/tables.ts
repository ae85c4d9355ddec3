/** The table `deployment`, and columns that tables of several folders share. */
import type { Address } from '@solana/kit';

/** Columns of a table whose rows are leased. Times are Unix milliseconds of the service's clock. */
export interface LeaseColumns {
  /** A new id for each lease, so that the owner of an expired lease differs from the new owner. */
  lease_owner: string | null;
  lease_until: bigint | null;
  /** When to process the row next. */
  due_at: bigint;
}

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

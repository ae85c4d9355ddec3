/** The table of the database's own, and the columns that tables of several parts share. */
import type { Address } from '@solana/kit';

/** Columns of a table whose rows are worked on under a lease; times in Unix milliseconds of the service's clock. */
export interface LeaseColumns {
  /** Made anew for each taking, so that an owner who was away too long cannot be taken for the new one. */
  lease_owner: string | null;
  lease_until: bigint | null;
  /** When the row wants attention next. */
  due_at: bigint;
}

export interface DeploymentTables {
  deployment: DeploymentTable;
}

/** What the first start was told; no row before it. */
export interface DeploymentTable {
  /** Always 1. */
  id: number;
  program: Address;
  /** Base58. */
  genesis_hash: string;
}

/** The schema: the tables that each folder declares. */
import type { AuthTables } from '../auth/tables.ts';
import type { IndexTables } from '../chain-index/tables.ts';
import type { EventTables } from '../events/tables.ts';
import type { OperationTables } from '../operations/tables.ts';
import type { VerificationTables } from '../verification/tables.ts';
import type { DeploymentTables } from './tables.ts';

/** All tables of the database. */
export interface Schema
  extends AuthTables,
    OperationTables,
    IndexTables,
    VerificationTables,
    EventTables,
    DeploymentTables {}

/** The migrations of the verifier's database. */
import type { Migrations } from '@service/database';
import * as tables from './0001-tables.ts';

export const MIGRATIONS: Migrations = { '0001-tables': tables };

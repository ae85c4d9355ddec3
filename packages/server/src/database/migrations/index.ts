/** The migrations of the service's database. */
import type { Migrations } from '@service/database';
import * as tables from './0001-tables.ts';
import * as welcomePayments from './0002-welcome-payments.ts';
import * as issuerOperations from './0003-issuer-operations.ts';
import * as keeper from './0004-keeper.ts';
import * as sessionOrigin from './0005-session-origin.ts';
import * as verifierOfSession from './0006-verifier-of-session.ts';
import * as reviewOfSession from './0007-review-of-session.ts';
import * as firstEventOfWallet from './0008-first-event-of-wallet.ts';

export const MIGRATIONS: Migrations = {
  '0001-tables': tables,
  '0002-welcome-payments': welcomePayments,
  '0003-issuer-operations': issuerOperations,
  '0004-keeper': keeper,
  '0005-session-origin': sessionOrigin,
  '0006-verifier-of-session': verifierOfSession,
  '0007-review-of-session': reviewOfSession,
  '0008-first-event-of-wallet': firstEventOfWallet,
};

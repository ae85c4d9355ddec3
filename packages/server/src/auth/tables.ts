/** Tables of sign-in. Times are Unix milliseconds of the service's clock. */
import type { Address } from '@solana/kit';

export interface AuthTables {
  challenge: ChallengeTable;
  session: SessionTable;
}

/** An issued sign-in message. The first answer deletes it. */
export interface ChallengeTable {
  id: string;
  wallet: Address;
  message: string;
  expires_at: bigint;
}

/** A session. The table has only the hash of its token, so a reader of the table cannot use the session. */
export interface SessionTable {
  /** SHA-256 of the token, hex. */
  token_hash: string;
  wallet: Address;
  created_at: bigint;
  expires_at: bigint;
}

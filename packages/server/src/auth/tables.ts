/** Tables of sign-in. Times are Unix milliseconds of the service's clock. */
import type { Address } from '@solana/kit';

export interface AuthTables {
  challenge: ChallengeTable;
  session: SessionTable;
}

/** A sign-in message. Answering it deletes it. */
export interface ChallengeTable {
  id: string;
  wallet: Address;
  message: string;
  expires_at: bigint;
}

/** A session under the hash of its token, so that a reader of the table cannot use it. */
export interface SessionTable {
  /** SHA-256 of the token, hex. */
  token_hash: string;
  wallet: Address;
  created_at: bigint;
  expires_at: bigint;
}

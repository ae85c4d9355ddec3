// The fixed input of all vectors. Keys come from texts that anyone can read: they guard nothing.
import { encodeBase58, sha256 } from './bytes.mjs';
import { addressOfSeed } from './credential.mjs';

export const PROGRAM = '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi';

/** 32 bytes of a name. */
export const bytesOf = (name) => sha256(Buffer.from(`vector ${name}`));
/** An address that nobody has the key of. */
export const addressOf = (name) => encodeBase58(bytesOf(name));
/** The address of a key. */
export const walletOf = (name) => addressOfSeed(bytesOf(name));

export const OPERATION_ID = '3f2b8c1e-6d47-4a90-9b15-c0ffee123456';
export const BLOCKHASH = addressOf('blockhash');
export const GENESIS_HASH = addressOf('genesis hash');
export const CIRCUIT_ID = 'eligibility-1';

export const MAX_PASS_AGE_SECONDS = '2592000';
/** 2025-11-08T08:53:20Z, 30 days after 2025-10-09. */
export const PASS_EXPIRES_AT = '1762592000';
export const CREDENTIAL_ISSUED_AT = '1759900000';
export const CREDENTIAL_EXPIRES_AT = '1791436000';

export const ATTRIBUTES = {
  region: 56,
  status: 1,
  birthDate: '1990-02-28',
  salt: '9876543210987654321098765432109876543210987654321098765432109876543210987',
};

/** Indexes of regions and statuses; the second clause is the one that holds for ATTRIBUTES. */
export const CLAUSES = [
  { regions: [0, 252], statuses: [31], minAge: 21 },
  { regions: [13, 56, 74, 180], statuses: [0, 1, 2, 3], minAge: 18 },
  {
    regions: Array.from({ length: 253 }, (_, index) => index),
    statuses: Array.from({ length: 32 }, (_, index) => index),
    minAge: 255,
  },
];

export const EIGHT_CLAUSES = Array.from({ length: 8 }, (_, index) => ({
  regions: [index, index * 31],
  statuses: [index * 4],
  minAge: index * 9,
}));

/** Signs credential statements. Attributes and witness exist only in memory, until the person has the witness. */
import { randomBytes } from 'node:crypto';
import { regionIndexOf, statusIndexOf, type Witness, witnessRecord } from '@service/contract';
import { type CredentialStatement, credentialMessage } from '@service/protocol';
import {
  bytesToField,
  commitmentOf,
  FIELD_ORDER,
  fieldToBytes,
  parseBirthDate,
} from '@service/protocol/eligibility';
import type { Address } from '@solana/kit';
import * as z from 'zod/mini';
import type { AttestationKey, PersonKey } from '../keys/keys.ts';
import type { Attested } from '../policy/apply-policy.ts';
import type { SignedFor } from '../sites/agreed-sites.ts';

/** A statement to sign. */
export interface AttestOptions {
  readonly attested: Attested;
  readonly wallet: Address;
  readonly signedFor: SignedFor;
  /** Unix seconds. */
  readonly issuedAt: bigint;
  readonly attestationKey: AttestationKey;
  readonly personKey: PersonKey;
}

/** A signed statement, and the witness of its commitment. Only the person gets the witness. */
export interface Attestation {
  readonly statement: CredentialStatement;
  /** 64 bytes. */
  readonly signature: Uint8Array;
  readonly witness: Witness;
}

/** Commits to the attributes and the person with a random salt, and signs the statement. @throws KeyError */
export async function attest(options: AttestOptions): Promise<Attestation> {
  const { wallet, issuedAt, signedFor } = options;
  const { region, status, birthDate, personId, expiresAt } = options.attested;
  const salt = randomFieldElement();
  const person = await personOf(options.personKey, personId);
  const commitment = commitmentOf({
    region: indexOf(regionIndexOf, region),
    status: indexOf(statusIndexOf, status),
    birthDate: parseBirthDate(birthDate),
    salt,
    person,
  });
  const { program, genesisHash } = signedFor;
  const statement = {
    program,
    genesisHash,
    wallet,
    commitment: fieldToBytes(commitment),
    issuedAt,
    expiresAt,
  };
  const signature = await options.attestationKey.sign(credentialMessage(statement));
  const witness = { wallet, region, status, birthDate, salt: salt.toString(), person: person.toString() };
  return { statement, signature, witness };
}

/** Encodes a witness as a URL fragment: base64url of its JSON. */
export function witnessFragment(witness: Witness): string {
  return `witness=${Buffer.from(JSON.stringify(z.encode(witnessRecord, witness))).toString('base64url')}`;
}

/**
 * Returns what the database keeps to recognize a person. It is another keyed hash than the person of the witness, because
 * whoever knows that one sees all wallets of the person in limited rule sets.
 */
export async function personHashOf(key: PersonKey, personId: string): Promise<string> {
  return Buffer.from(await key.mac(textBytes(`recognize\n${personId}`))).toString('hex');
}

/** Derives the person of a witness: the same for all wallets of a person, and nobody without the key can compute it. */
async function personOf(key: PersonKey, personId: string): Promise<bigint> {
  const digest = Buffer.from(await key.mac(textBytes(`person\n${personId}`))).toString('hex');
  // Without its three highest bits, it is below the order of the field.
  return BigInt.asUintN(253, BigInt(`0x${digest}`));
}

/** Draws a uniform field element: a value that is not below the order is drawn again. */
function randomFieldElement(): bigint {
  for (;;) {
    const bytes = randomBytes(32);
    bytes[0] = bytes[0]! & 0x3f;
    if (BigInt(`0x${bytes.toString('hex')}`) < FIELD_ORDER) return bytesToField(bytes);
  }
}

function indexOf(find: (code: string) => number | undefined, code: string): number {
  const index = find(code);
  if (index === undefined) throw new RangeError('Apply the policy to a decision before you attest it.');
  return index;
}

function textBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

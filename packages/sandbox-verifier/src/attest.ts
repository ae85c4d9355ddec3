/** Signs credential statements and revocations with the verifier's key. */
import { createHmac, randomBytes } from 'node:crypto';
import { regionIndexOf, statusIndexOf, type Witness, witnessRecord } from '@service/contract';
import {
  type CredentialStatement,
  credentialMessage,
  type RevocationStatement,
  revocationMessage,
} from '@service/protocol';
import {
  bytesToField,
  commitmentOf,
  FIELD_ORDER,
  fieldToBytes,
  parseBirthDate,
} from '@service/protocol/eligibility';
import { type Address, type KeyPairSigner, signBytes } from '@solana/kit';
import * as z from 'zod/mini';
import type { FormResult } from './read-form.ts';

/** Options of `attest`. */
export interface AttestOptions extends Omit<Extract<FormResult, { ok: true }>, 'ok'> {
  /** 32 bytes. */
  readonly personKey: Uint8Array;
  readonly wallet: Address;
  readonly program: Address;
  readonly genesisHash: string;
  /** Unix seconds. */
  readonly issuedAt: bigint;
  readonly expiresAt: bigint;
  /** The verifier authority's private key. */
  readonly privateKey: KeyPairSigner['keyPair']['privateKey'];
}

/** A signed statement, and the witness of its commitment. Only the person gets the witness. */
export interface Attestation {
  readonly statement: CredentialStatement;
  /** 64 bytes. */
  readonly signature: Uint8Array;
  readonly witness: Witness;
}

/** Commits to the attributes and the person with a random salt, and signs the statement. */
export async function attest(options: AttestOptions): Promise<Attestation> {
  const { attributes, wallet, program, genesisHash, issuedAt, expiresAt } = options;
  const salt = randomFieldElement();
  const person = personOf(options);
  const commitment = commitmentOf({
    region: indexOf(regionIndexOf, attributes.region),
    status: indexOf(statusIndexOf, attributes.status),
    birthDate: parseBirthDate(attributes.birthDate),
    salt,
    person,
  });
  const statement = {
    program,
    genesisHash,
    wallet,
    commitment: fieldToBytes(commitment),
    issuedAt,
    expiresAt,
  };
  const signature = await signBytes(options.privateKey, credentialMessage(statement));
  const witness = { wallet, ...attributes, salt: salt.toString(), person: person.toString() };
  return { statement, signature, witness };
}

/** Signs a revocation with the verifier authority's key. Returns 64 bytes. */
export function signRevocation(
  privateKey: AttestOptions['privateKey'],
  statement: RevocationStatement,
): Promise<Uint8Array> {
  return signBytes(privateKey, revocationMessage(statement));
}

/** Encodes a witness as a URL fragment: base64url of its JSON. */
export function witnessFragment(witness: Witness): string {
  return `witness=${Buffer.from(JSON.stringify(z.encode(witnessRecord, witness))).toString('base64url')}`;
}

/**
 * Derives the person from what the verifier recognizes someone by, so that all wallets of a person get the same one, and
 * nobody without the key can compute it. A person without a document is recognized by the attributes.
 */
function personOf({ personKey, document, attributes }: AttestOptions): bigint {
  const { region, status, birthDate } = attributes;
  const recognizedBy = document ? [document] : [region, status, birthDate];
  const digest = createHmac('sha256', personKey).update(JSON.stringify(recognizedBy)).digest('hex');
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
  if (index === undefined) throw new RangeError('Read the form before you attest it');
  return index;
}

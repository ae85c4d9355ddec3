/** Credentials: attributes, the verifier's signature, and the two instructions that put one on chain. */
import {
  credentialMessage,
  ed25519Instruction,
  INSTRUCTIONS_SYSVAR,
  revocationMessage,
  SYSTEM_PROGRAM,
} from '@service/protocol';
import { commitmentOf, fieldToBytes, type WitnessAttributes } from '@service/protocol/eligibility';
import {
  getCredentialDecoder,
  getIssueCredentialInstruction,
  getRevokeCredentialInstruction,
} from '@service/protocol/generated';
import { getBase58Decoder, type Instruction, signBytes } from '@solana/kit';
import { addressOf, type Chain, DAY, GENESIS_HASH, keyOf, NOW, noop, PROGRAM } from './chain.ts';
import { at } from './governance.ts';

/** Region 1, status 1, born on 1 May 1990: meets the clause of the tests' rule sets. */
export const ATTRIBUTES: WitnessAttributes = {
  region: 1,
  status: 1,
  birthDate: 90 * 512 + 5 * 32 + 1,
  salt: 0x5a17n,
};

/** When the credentials of the tests expire. */
export const CREDENTIAL_EXPIRY = NOW + 365n * DAY;

/** The commitment to some attributes in 32 bytes. */
export function commitmentBytes(attributes: WitnessAttributes = ATTRIBUTES): Uint8Array {
  return fieldToBytes(commitmentOf(attributes));
}

/** What a credential is issued of. */
export interface CredentialChange {
  wallet?: string;
  verifier?: string;
  /** Verifier of the credential that is replaced. */
  previousVerifier?: string;
  commitment?: Uint8Array;
  issuedAt?: bigint;
  expiresAt?: bigint;
}

/** The statement of a credential for the holder, issued now for a year, unless the arguments say otherwise. */
export async function statementOf(change: CredentialChange = {}) {
  return {
    program: PROGRAM,
    genesisHash: getBase58Decoder().decode(GENESIS_HASH),
    wallet: await addressOf(change.wallet ?? 'holder'),
    commitment: change.commitment ?? commitmentBytes(),
    issuedAt: change.issuedAt ?? NOW,
    expiresAt: change.expiresAt ?? CREDENTIAL_EXPIRY,
  };
}

/** The ed25519 signature of the key of a name, 64 bytes. */
export async function signatureOf(name: string, message: Uint8Array): Promise<Uint8Array> {
  const { keyPair } = await keyOf(name);
  return new Uint8Array(await signBytes(keyPair.privateKey, message));
}

/** The precompile's instruction in which the key of a name signs a message. */
export async function signedBy(name: string, message: Uint8Array): Promise<Instruction> {
  const [publicKey, signature] = [await addressOf(name), await signatureOf(name, message)];
  return ed25519Instruction({ publicKey, signature, message });
}

/** `issue-credential` alone, without the signature that must stand before it. */
export async function issueAlone(change: CredentialChange = {}): Promise<Instruction> {
  const { wallet, commitment, issuedAt, expiresAt } = await statementOf(change);
  const verifier = await at.verifier(await addressOf(change.verifier ?? 'verifier'));
  const previous = change.previousVerifier;
  return getIssueCredentialInstruction({
    payer: await noop('payer'),
    wallet,
    verifier,
    credential: await at.credential(wallet),
    previousVerifier: previous ? await at.verifier(await addressOf(previous)) : verifier,
    config: await at.config(),
    instructionsSysvar: INSTRUCTIONS_SYSVAR,
    systemProgram: SYSTEM_PROGRAM,
    commitment,
    issuedAt,
    expiresAt,
  });
}

/** The verifier's signature and then `issue-credential`. */
export async function issueCredential(change: CredentialChange = {}): Promise<Instruction[]> {
  const message = credentialMessage(await statementOf(change));
  return [await signedBy(change.verifier ?? 'verifier', message), await issueAlone(change)];
}

/** Puts a credential on chain. */
export async function addCredential(chain: Chain, change: CredentialChange = {}): Promise<void> {
  await chain.confirm(issueCredential(change));
}

/** What a credential is revoked with. */
export interface RevocationChange {
  wallet?: string;
  verifier?: string;
  revokedAt?: bigint;
}

/** The statement of a revocation for the holder, now, unless the arguments say otherwise. */
export async function revocationOf(change: RevocationChange = {}) {
  const { program, genesisHash, wallet } = await statementOf(change.wallet ? { wallet: change.wallet } : {});
  return { program, genesisHash, wallet, revokedAt: change.revokedAt ?? NOW };
}

/** `revoke-credential` alone, without the signature that must stand before it. */
export async function revokeAlone(change: RevocationChange = {}): Promise<Instruction> {
  const { wallet, revokedAt } = await revocationOf(change);
  return getRevokeCredentialInstruction({
    verifier: await at.verifier(await addressOf(change.verifier ?? 'verifier')),
    credential: await at.credential(wallet),
    config: await at.config(),
    instructionsSysvar: INSTRUCTIONS_SYSVAR,
    revokedAt,
  });
}

/** The verifier's signature and then `revoke-credential`. */
export async function revokeCredential(change: RevocationChange = {}): Promise<Instruction[]> {
  const message = revocationMessage(await revocationOf(change));
  return [await signedBy(change.verifier ?? 'verifier', message), await revokeAlone(change)];
}

/** Revokes a credential of the first verifier. */
export async function revoke(chain: Chain, wallet = 'holder'): Promise<void> {
  await chain.confirm(revokeCredential({ wallet }));
}

/** A credential as it is on chain. */
export async function credentialOf(chain: Chain, wallet = 'holder') {
  return getCredentialDecoder().decode(chain.data(await at.credential(await addressOf(wallet))));
}

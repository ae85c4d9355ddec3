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
  getDiscardCredentialInstruction,
  getIssueCredentialInstruction,
  getRevokeCredentialInstruction,
} from '@service/protocol/generated';
import { AccountRole, type Address, getBase58Decoder, type Instruction, signBytes } from '@solana/kit';
import { addressOf, type Chain, DAY, GENESIS_HASH, keyOf, NOW, noop, PROGRAM } from './chain.ts';
import { at, CONFIG, credentialAt, verifierAt } from './governance.ts';
import { withAccount } from './instruction.ts';

/** Region 1, status 1, born on 1 May 1990: meets the clause of the tests' rule sets. */
export const ATTRIBUTES: WitnessAttributes = {
  region: 1,
  status: 1,
  birthDate: 90 * 512 + 5 * 32 + 1,
  salt: 0x5a17n,
  person: 0x9e125n,
};

export const CREDENTIAL_EXPIRY = NOW + 365n * DAY;

const DOMAIN = { program: PROGRAM, genesisHash: getBase58Decoder().decode(GENESIS_HASH) };

export function commitmentBytes(attributes: WitnessAttributes = ATTRIBUTES): Uint8Array {
  return fieldToBytes(commitmentOf(attributes));
}

/** Returns the statement that the verifier signs: a credential for the holder, issued now for a year. */
export async function statementOf({
  wallet = 'holder',
  commitment = commitmentBytes(),
  issuedAt = NOW,
  expiresAt = CREDENTIAL_EXPIRY,
} = {}) {
  return { ...DOMAIN, wallet: await addressOf(wallet), commitment, issuedAt, expiresAt };
}

/** Returns the ed25519 signature of a named key, 64 bytes. */
export async function signatureOf(name: string, message: Uint8Array): Promise<Uint8Array> {
  const { keyPair } = await keyOf(name);
  return new Uint8Array(await signBytes(keyPair.privateKey, message));
}

/** Returns the instruction of the precompile in which a named key signs a message. */
export async function signedBy(name: string, message: Uint8Array): Promise<Instruction> {
  const [publicKey, signature] = [await addressOf(name), await signatureOf(name, message)];
  return ed25519Instruction({ publicKey, signature, message });
}

/** A change of a credential. `previousVerifier` is the verifier of the credential that it replaces. */
export type CredentialChange = NonNullable<Parameters<typeof statementOf>[0]> & {
  verifier?: string;
  previousVerifier?: string;
  /** Whether the wallet signs too, so that another verifier may replace a valid credential. */
  byWallet?: boolean;
};

/** `issue-credential` without the signature that must come before it. */
export async function issueAlone({
  verifier = 'verifier',
  previousVerifier,
  ...change
}: CredentialChange = {}) {
  const { wallet, commitment, issuedAt, expiresAt } = await statementOf(change);
  return getIssueCredentialInstruction({
    payer: await noop('payer'),
    wallet,
    verifier: await verifierAt(verifier),
    credential: await at.credential(wallet),
    previousVerifier: await verifierAt(previousVerifier ?? verifier),
    config: CONFIG,
    instructionsSysvar: INSTRUCTIONS_SYSVAR,
    systemProgram: SYSTEM_PROGRAM,
    commitment,
    issuedAt,
    expiresAt,
  });
}

/** The verifier's signature and `issue-credential`. */
export async function issueCredential({
  byWallet = false,
  ...change
}: CredentialChange = {}): Promise<Instruction[]> {
  const message = credentialMessage(await statementOf(change));
  const [signature, issue] = await Promise.all([
    signedBy(change.verifier ?? 'verifier', message),
    issueAlone(change),
  ]);
  return [
    signature,
    byWallet ? withAccount(issue, WALLET_INDEX, { role: AccountRole.READONLY_SIGNER }) : issue,
  ];
}

/** The index of the wallet in `issue-credential`. */
const WALLET_INDEX = 1;

/** Returns the statement that the verifier signs to revoke the credential of the holder now. */
export async function revocationOf({ wallet = 'holder', revokedAt = NOW } = {}) {
  return { ...DOMAIN, wallet: await addressOf(wallet), revokedAt };
}

type RevocationChange = NonNullable<Parameters<typeof revocationOf>[0]> & {
  verifier?: string;
  /** Passes of the wallet to end. */
  passes?: Address[];
};

/** `revoke-credential` without the signature that must come before it. */
export async function revokeAlone({ verifier = 'verifier', passes = [], ...change }: RevocationChange = {}) {
  const { wallet, revokedAt } = await revocationOf(change);
  return getRevokeCredentialInstruction({
    payer: await noop('payer'),
    wallet,
    verifier: await verifierAt(verifier),
    credential: await at.credential(wallet),
    config: CONFIG,
    instructionsSysvar: INSTRUCTIONS_SYSVAR,
    systemProgram: SYSTEM_PROGRAM,
    passes,
    revokedAt,
  });
}

/** The verifier's signature and `revoke-credential`. */
export async function revokeCredential(change: RevocationChange = {}): Promise<Instruction[]> {
  const message = revocationMessage(await revocationOf(change));
  return [await signedBy(change.verifier ?? 'verifier', message), await revokeAlone(change)];
}

export async function revoke(chain: Chain, wallet = 'holder'): Promise<void> {
  await chain.confirm(revokeCredential({ wallet }));
}

/** `discard-credential` by the wallet. */
export async function discardCredential({
  wallet = 'holder',
  passes = [],
}: {
  wallet?: string;
  passes?: Address[];
} = {}) {
  return getDiscardCredentialInstruction({
    wallet: await noop(wallet),
    credential: await credentialAt(wallet),
    passes,
  });
}

export async function credentialOf(chain: Chain, wallet = 'holder') {
  return getCredentialDecoder().decode(chain.data(await credentialAt(wallet)));
}

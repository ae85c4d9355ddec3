/** The instructions that issue and revoke a credential: the verifier's signature, then the instruction of the program. */
import { type Address, createNoopSigner, getAddressEncoder, type Instruction } from '@solana/kit';
import { ED25519_PROGRAM, INSTRUCTIONS_SYSVAR, programAddresses, SYSTEM_PROGRAM } from '../addresses.ts';
import { getIssueCredentialInstruction } from '../generated/instructions/issueCredential';
import { getRevokeCredentialInstruction } from '../generated/instructions/revokeCredential';
import {
  type CredentialStatement,
  credentialMessage,
  type RevocationStatement,
  revocationMessage,
} from './message.ts';

/** Bytes before the key in an ed25519 instruction: count, padding, one record of offsets. */
const HEADER_BYTES = 16;
/** Index that means "this same instruction". */
const THIS_INSTRUCTION = 0xffff;

/** The most passes that fit the transaction of a revocation, together with the signature of its payer. */
export const MAX_PASSES_PER_REVOCATION = 17;

/** Returns an ed25519 precompile instruction with one signature. It contains key, signature and message itself. */
export function ed25519Instruction(options: {
  publicKey: Address;
  signature: Uint8Array;
  message: Uint8Array;
}): Instruction {
  if (options.signature.length !== 64) throw new RangeError('signature must be 64 bytes');
  const keyOffset = HEADER_BYTES;
  const signatureOffset = keyOffset + 32;
  const messageOffset = signatureOffset + 64;
  const data = new Uint8Array(messageOffset + options.message.length);
  const view = new DataView(data.buffer);
  view.setUint8(0, 1);
  view.setUint16(2, signatureOffset, true);
  view.setUint16(4, THIS_INSTRUCTION, true);
  view.setUint16(6, keyOffset, true);
  view.setUint16(8, THIS_INSTRUCTION, true);
  view.setUint16(10, messageOffset, true);
  view.setUint16(12, options.message.length, true);
  view.setUint16(14, THIS_INSTRUCTION, true);
  data.set(getAddressEncoder().encode(options.publicKey), keyOffset);
  data.set(options.signature, signatureOffset);
  data.set(options.message, messageOffset);
  return { programAddress: ED25519_PROGRAM, accounts: [], data };
}

/** Returns the instructions that issue a credential. `payer` signs the transaction and pays rent. The verifier signed the statement. */
export async function issueCredentialInstructions(options: {
  payer: Address;
  statement: CredentialStatement;
  verifierAuthority: Address;
  /** The verifier authority's ed25519 signature over credentialMessage(statement), 64 bytes. */
  signature: Uint8Array;
  /** Verifier account of the credential that is replaced, if there is one. */
  previousVerifier?: Address | undefined;
}): Promise<Instruction[]> {
  const { statement } = options;
  const addresses = programAddresses(statement.program);
  const verifier = await addresses.verifier(options.verifierAuthority);
  return [
    ed25519Instruction({
      publicKey: options.verifierAuthority,
      signature: options.signature,
      message: credentialMessage(statement),
    }),
    getIssueCredentialInstruction(
      {
        payer: createNoopSigner(options.payer),
        wallet: statement.wallet,
        verifier,
        credential: await addresses.credential(statement.wallet),
        previousVerifier: options.previousVerifier ?? verifier,
        config: await addresses.config(),
        instructionsSysvar: INSTRUCTIONS_SYSVAR,
        systemProgram: SYSTEM_PROGRAM,
        commitment: statement.commitment,
        issuedAt: statement.issuedAt,
        expiresAt: statement.expiresAt,
      },
      { programAddress: statement.program },
    ),
  ];
}

/**
 * Returns the instructions that revoke a credential and end passes of its wallet. `payer` signs the transaction, and pays
 * rent if the wallet has no credential. The verifier signed the statement.
 */
export async function revokeCredentialInstructions(options: {
  payer: Address;
  statement: RevocationStatement;
  verifierAuthority: Address;
  /** The verifier authority's ed25519 signature over revocationMessage(statement), 64 bytes. */
  signature: Uint8Array;
  /** Addresses of passes of the wallet, at most {@link MAX_PASSES_PER_REVOCATION}. */
  passes?: readonly Address[];
}): Promise<Instruction[]> {
  const { statement } = options;
  const addresses = programAddresses(statement.program);
  return [
    ed25519Instruction({
      publicKey: options.verifierAuthority,
      signature: options.signature,
      message: revocationMessage(statement),
    }),
    getRevokeCredentialInstruction(
      {
        payer: createNoopSigner(options.payer),
        wallet: statement.wallet,
        verifier: await addresses.verifier(options.verifierAuthority),
        credential: await addresses.credential(statement.wallet),
        config: await addresses.config(),
        instructionsSysvar: INSTRUCTIONS_SYSVAR,
        systemProgram: SYSTEM_PROGRAM,
        passes: [...(options.passes ?? [])],
        revokedAt: statement.revokedAt,
      },
      { programAddress: statement.program },
    ),
  ];
}

import { findProgramDataAddress } from '@service/protocol';
import { type Address, type Commitment, getAddressEncoder, type KeyPairSigner } from '@solana/kit';
import { DeployError } from './deploy-error.ts';
import {
  BUFFER_HEADER_BYTES,
  createLoaderAccount,
  deployInstruction,
  initializeBufferInstruction,
  PROGRAM_BYTES,
} from './instructions.ts';
import { pause } from './pause.ts';
import { assertResumable, findBuffer, writeDrafts } from './program-buffer.ts';
import { abortOf, type DeployRpc, sendAll } from './send.ts';
import type { Draft } from './sign-draft.ts';

export interface DeployProgramOptions {
  /** Any Solana RPC, through kit. */
  rpc: DeployRpc;
  /** The program's own key. Its address becomes the address of the program. */
  programKeypair: KeyPairSigner;
  /** The key that can upgrade the program later. */
  upgradeAuthority: KeyPairSigner;
  /** Pays rent and fees: about 0.007 SOL per kilobyte, and twice that while the buffer exists. */
  payer: KeyPairSigner;
  /** The program: an SBF shared object. */
  so: Uint8Array;
  /**
   * Commitment that the deployment must reach. With `processed` the call does not wait for the next slot either, in
   * which a real cluster first runs the program. @default 'confirmed'
   */
  commitment?: Commitment;
  signal?: AbortSignal;
}

export interface DeployedProgram {
  program: Address;
  programData: Address;
  /** Slot of the deployment. The program can be called from the next slot on. */
  slot: bigint;
  /** Number of transactions sent; smaller when an earlier try had written a part. */
  transactions: number;
}

/**
 * Deploys a program through the upgradeable loader by signed transactions: creates a buffer, writes it in parallel,
 * deploys, and compares the bytes on chain. Resolves when the program can be called. A second call continues where a
 * failed one stopped, because both derive the same buffer from program and bytes.
 *
 * @throws DeployError: NOT_A_PROGRAM before anything is sent, ALREADY_DEPLOYED when the address has an account, REFUSED or
 * FAILED_ON_CHAIN with the reason, EXPIRED when transactions did not land in time, MISMATCH when the bytes on chain differ.
 */
export async function deployProgram(options: DeployProgramOptions): Promise<DeployedProgram> {
  const { rpc, programKeypair, upgradeAuthority, payer, so, commitment = 'confirmed', signal } = options;
  assertIsProgram(so);
  const program = programKeypair.address;
  const authority = upgradeAuthority.address;
  if (await readAccount(options, program, 'processed')) {
    throw new DeployError(
      'ALREADY_DEPLOYED',
      `The address ${program} already has an account. Upgrade the program, or use a new key.`,
    );
  }
  const buffer = await findBuffer(programKeypair, so);
  const earlier = await readAccount(options, buffer.address, 'processed');
  if (earlier) assertResumable(earlier, { buffer: buffer.address, authority, so });
  const programData = await findProgramDataAddress(program);
  const newAccount = async (account: Address, space: number) => {
    const lamports = await rpc.getMinimumBalanceForRentExemption(BigInt(space)).send(abortOf(signal));
    return createLoaderAccount({ payer: payer.address, account, lamports, space });
  };

  const create: Draft = {
    payer,
    signers: [buffer],
    instructions: [
      await newAccount(buffer.address, BUFFER_HEADER_BYTES + so.length),
      initializeBufferInstruction(buffer.address, authority),
    ],
  };
  const written = earlier?.subarray(BUFFER_HEADER_BYTES);
  const writes = await writeDrafts({ payer, upgradeAuthority, buffer: buffer.address, so, written });
  const deploy: Draft = {
    payer,
    signers: [programKeypair, upgradeAuthority],
    instructions: [
      await newAccount(program, PROGRAM_BYTES),
      deployInstruction({
        payer: payer.address,
        programData,
        program,
        buffer: buffer.address,
        authority,
        maxDataLength: so.length,
      }),
    ],
  };

  // The first two steps need only be processed: if a fork drops one, deploying fails or the bytes on chain differ.
  const creates = earlier ? [] : [create];
  const common = { rpc, signal, preflight: true };
  await sendAll({ ...common, drafts: creates, commitment: 'processed', what: 'Creating the buffer' });
  await sendAll({
    ...common,
    drafts: writes,
    commitment: 'processed',
    what: 'Writing the buffer',
    preflight: false,
  });
  await sendAll({ ...common, drafts: [deploy], commitment, what: 'Deploying' });
  const slot = await verifyDeployed(options, programData);
  return { program, programData, slot, transactions: creates.length + writes.length + 1 };
}

/** Throws NOT_A_PROGRAM unless the bytes begin like a 64-bit little-endian ELF for (S)BPF. */
function assertIsProgram(so: Uint8Array): void {
  const isElf =
    so.length > 64 && Buffer.from(so.subarray(0, 6)).equals(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]));
  const machine = isElf ? so[18]! | (so[19]! << 8) : 0;
  if (machine !== 247 && machine !== 263) {
    throw new DeployError(
      'NOT_A_PROGRAM',
      'These bytes are not an SBF program. Use the .so file that the build wrote.',
    );
  }
}

/** Compares the program data (tag, slot, authority, code) with what was sent. Waits for the next slot and returns this one. */
async function verifyDeployed(options: DeployProgramOptions, programData: Address): Promise<bigint> {
  const { rpc, upgradeAuthority, so, commitment = 'confirmed', signal } = options;
  const data = await readAccount(options, programData, commitment);
  const authority = getAddressEncoder().encode(upgradeAuthority.address);
  const expected = Buffer.concat([Buffer.from([1]), Buffer.from(authority), so]);
  if (!data || Buffer.compare(data.subarray(12), expected) !== 0) {
    throw new DeployError(
      'MISMATCH',
      `The program data at ${programData} differs from what was sent. Deploy again.`,
    );
  }
  const slot = Buffer.from(data.subarray(4, 12)).readBigUInt64LE();
  if (commitment === 'processed') return slot;
  while ((await rpc.getSlot({ commitment: 'processed' }).send(abortOf(signal))) <= slot)
    await pause(50, signal);
  return slot;
}

/** Reads the data of an account; null if it does not exist. */
async function readAccount(
  { rpc, signal }: DeployProgramOptions,
  address: Address,
  commitment: Commitment,
): Promise<Uint8Array | null> {
  const config = { encoding: 'base64', commitment } as const;
  const { value } = await rpc.getAccountInfo(address, config).send(abortOf(signal));
  return value && Buffer.from(value.data[0], 'base64');
}

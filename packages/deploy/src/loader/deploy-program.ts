import { createHash } from 'node:crypto';
import {
  type Address,
  type Commitment,
  createKeyPairSignerFromPrivateKeyBytes,
  getAddressEncoder,
  getTransactionEncoder,
  isSolanaError,
  type KeyPairSigner,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  signBytes,
} from '@solana/kit';
import { DeployError } from './deploy-error.ts';
import {
  BUFFER_HEADER_BYTES,
  createLoaderAccount,
  deployInstruction,
  findProgramDataAddress,
  initializeBufferInstruction,
  PROGRAM_BYTES,
  writeInstruction,
} from './instructions.ts';
import { abortOf, type DeployRpc, type Draft, pause, sendAll, signDraft } from './send.ts';

export interface DeployOptions {
  /** Any Solana RPC, through kit. */
  rpc: DeployRpc;
  /** The program's own key: its address is where the program will live. */
  programKeypair: KeyPairSigner;
  /** Who may upgrade the program later; recorded in its program data. */
  upgradeAuthority: KeyPairSigner;
  /** Who pays rent and fees; about 0.007 SOL per kilobyte, twice that while the buffer lives. */
  payer: KeyPairSigner;
  /** The program: an SBF shared object. */
  so: Uint8Array;
  /**
   * What the deployment itself must reach before this resolves. With `processed` it does not wait for
   * the next slot either, before which a real cluster does not run the program. @default 'confirmed'
   */
  commitment?: Commitment;
  signal?: AbortSignal;
}

export interface DeployedProgram {
  program: Address;
  programData: Address;
  /** The slot in which the program was deployed; it can be called from the next on. */
  slot: bigint;
  /** How many transactions it took: fewer when an earlier try had written a part. */
  transactions: number;
}

/**
 * Deploys a program through the upgradeable loader by signed transactions: create a buffer, write it
 * in parallel, deploy, and read back what is on chain. Resolves when the program can be called. The buffer
 * follows from program and bytes, so that a try after one that broke off goes on where that one was.
 *
 * Throws a {@link DeployError}: NOT_A_PROGRAM before anything is sent, ALREADY_DEPLOYED when the
 * address is taken, REFUSED or FAILED_ON_CHAIN with the reason, EXPIRED when transactions did not
 * land in time, MISMATCH when the chain holds other bytes.
 */
export async function deployProgram(options: DeployOptions): Promise<DeployedProgram> {
  const { rpc, programKeypair, upgradeAuthority, payer, so, commitment = 'confirmed', signal } = options;
  assertIsProgram(so);
  const program = programKeypair.address;
  if (await readAccount(rpc, program, 'processed', signal)) {
    throw new DeployError(
      'ALREADY_DEPLOYED',
      `There is an account at ${program} already; upgrade it or take a new key`,
    );
  }
  const buffer = await findBuffer(programKeypair, so);
  const begun = await readAccount(rpc, buffer.address, 'processed', signal);
  assertIsResumable(begun, { buffer: buffer.address, authority: upgradeAuthority.address, so });
  const programData = await findProgramDataAddress(program);
  const [bufferLamports, programLamports] = await Promise.all(
    [BUFFER_HEADER_BYTES + so.length, PROGRAM_BYTES].map((bytes) =>
      rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send(abortOf(signal)),
    ),
  );
  const authority = upgradeAuthority.address;

  const create: Draft = {
    payer,
    signers: [buffer],
    instructions: [
      createLoaderAccount({
        payer: payer.address,
        account: buffer.address,
        lamports: bufferLamports!,
        space: BUFFER_HEADER_BYTES + so.length,
      }),
      initializeBufferInstruction(buffer.address, authority),
    ],
  };
  const written = begun?.subarray(BUFFER_HEADER_BYTES);
  const writes = await writeDrafts({ payer, upgradeAuthority, buffer: buffer.address, so, written });
  const deploy: Draft = {
    payer,
    signers: [programKeypair, upgradeAuthority],
    instructions: [
      createLoaderAccount({
        payer: payer.address,
        account: program,
        lamports: programLamports!,
        space: PROGRAM_BYTES,
      }),
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

  // The steps before the last need only be processed: if a fork drops one, deploying fails or the
  // bytes read back at the end differ.
  const common = { rpc, signal };
  const creates = begun ? [] : [create];
  await refusing(() =>
    sendAll({
      ...common,
      drafts: creates,
      commitment: 'processed',
      what: 'Creating the buffer',
      preflight: true,
    }),
  );
  await sendAll({
    ...common,
    drafts: writes,
    commitment: 'processed',
    what: 'Writing the buffer',
    preflight: false,
  });
  await refusing(() =>
    sendAll({ ...common, drafts: [deploy], commitment, what: 'Deploying', preflight: true }),
  );
  const slot = await verifyDeployed(rpc, programData, upgradeAuthority.address, so, commitment, signal);
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
      'These bytes are no SBF program: give the .so file that the build wrote',
    );
  }
}

/**
 * The key of the buffer that a program's bytes are gathered in. It follows from the program's key, of which it tells
 * nothing: a buffer of a random key would be lost with its rent when a deployment breaks off.
 */
export async function findBuffer(programKeypair: KeyPairSigner, so: Uint8Array): Promise<KeyPairSigner> {
  const text = `deployment buffer ${createHash('sha256').update(so).digest('hex')}`;
  const signature = await signBytes(programKeypair.keyPair.privateKey, new TextEncoder().encode(text));
  return createKeyPairSignerFromPrivateKeyBytes(createHash('sha256').update(signature).digest());
}

/** Throws REFUSED unless a buffer that stands already is of this size and authority. */
function assertIsResumable(
  begun: Uint8Array | null,
  { buffer, authority, so }: { buffer: Address; authority: Address; so: Uint8Array },
): void {
  if (!begun) return;
  const header = Buffer.from([1, 0, 0, 0, 1, ...getAddressEncoder().encode(authority)]);
  const isOurs =
    begun.length === BUFFER_HEADER_BYTES + so.length && header.equals(begun.subarray(0, BUFFER_HEADER_BYTES));
  if (isOurs) return;
  throw new DeployError(
    'REFUSED',
    `The buffer ${buffer} of an earlier try is not of the upgrade authority ${authority}: take the one of that try, or close the buffer with solana program close`,
  );
}

/** Cuts the program into writes that each just fit a transaction, without those that an earlier try has made. */
async function writeDrafts(input: {
  payer: KeyPairSigner;
  upgradeAuthority: KeyPairSigner;
  buffer: Address;
  so: Uint8Array;
  written: Uint8Array | undefined;
}): Promise<Draft[]> {
  const { payer, upgradeAuthority, buffer, so, written } = input;
  const draft = (offset: number, bytes: Uint8Array): Draft => ({
    payer,
    signers: [upgradeAuthority],
    instructions: [writeInstruction({ buffer, authority: upgradeAuthority.address, offset, bytes })],
  });
  const size = await chunkBytes(draft(0, new Uint8Array()));
  const drafts: Draft[] = [];
  for (let offset = 0; offset < so.length; offset += size) {
    const bytes = so.subarray(offset, offset + size);
    const isWritten = written && Buffer.compare(bytes, written.subarray(offset, offset + size)) === 0;
    if (!isWritten) drafts.push(draft(offset, bytes));
  }
  return drafts;
}

const MAX_TRANSACTION_BYTES = 1232;
const ANY_BLOCKHASH = {
  blockhash: '11111111111111111111111111111111',
  lastValidBlockHeight: 0n,
} as Parameters<typeof signDraft>[1];

/** How many bytes fit into a write: what an empty one leaves, less the longer length prefix of its data. */
async function chunkBytes(empty: Draft): Promise<number> {
  const bytes = getTransactionEncoder().encode(await signDraft(empty, ANY_BLOCKHASH)).length;
  return MAX_TRANSACTION_BYTES - bytes - 1;
}

/** Reads the program data back (tag, slot, authority, code), checks it, and waits for the slot after. */
async function verifyDeployed(
  rpc: DeployRpc,
  programData: Address,
  authority: Address,
  so: Uint8Array,
  commitment: Commitment,
  signal: AbortSignal | undefined,
): Promise<bigint> {
  const data = await readAccount(rpc, programData, commitment, signal);
  const expected = Buffer.concat([Buffer.from([1]), Buffer.from(getAddressEncoder().encode(authority)), so]);
  if (!data || Buffer.compare(data.subarray(12), expected) !== 0) {
    throw new DeployError(
      'MISMATCH',
      `The program data at ${programData} is not what was sent; deploy again`,
    );
  }
  const slot = Buffer.from(data.subarray(4, 12)).readBigUInt64LE();
  if (commitment === 'processed') return slot;
  while ((await rpc.getSlot({ commitment: 'processed' }).send(abortOf(signal))) <= slot)
    await pause(50, signal);
  return slot;
}

/** The data of an account, or null where there is none. */
async function readAccount(
  rpc: DeployRpc,
  address: Address,
  commitment: Commitment,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | null> {
  const { value } = await rpc
    .getAccountInfo(address, { encoding: 'base64', commitment })
    .send(abortOf(signal));
  return value && Buffer.from(value.data[0], 'base64');
}

/** Turns a preflight refusal into a {@link DeployError} with its reason and logs. */
export async function refusing<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE))
      throw error;
    const logs = error.context.logs ?? [];
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    throw new DeployError(
      'REFUSED',
      `The cluster refuses the deployment: ${reason} ${logs.join(' | ')}`.trim(),
      {
        cause: error,
        logs,
      },
    );
  }
}

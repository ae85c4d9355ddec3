import { MEMO_PROGRAM } from '@service/protocol';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  type Blockhash,
  type Commitment,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createNoopSigner,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  type Signature,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { Localnet, type LocalnetOptions } from '../../src/index.ts';

export const SOL = 1_000_000_000n;

/** Starts a cluster with a fixed clock. Its slots advance only when the test advances them. */
export function stillLocalnet(options: LocalnetOptions = {}) {
  const net = Localnet.start({ slotMs: 'manual', now: () => 1_700_000_000_000, ...options });
  return Object.assign(net, callsTo(net), { wallet: (lamports?: bigint) => fundedWallet(net, lamports) });
}

/** A cluster with short forms of the calls that tests make. */
export type StillLocalnet = ReturnType<typeof stillLocalnet>;

/** Creates a wallet with SOL (10 by default) at every commitment. */
export async function fundedWallet(net: Localnet, lamports = 10n * SOL): Promise<KeyPairSigner> {
  const wallet = await generateKeyPairSigner();
  net.airdrop(wallet.address, lamports);
  return wallet;
}

export function transferInstruction(from: Address, destination: Address, amount: bigint): Instruction {
  return getTransferSolInstruction({ source: createNoopSigner(from), destination, amount });
}

export function memoInstruction(text: string, programAddress: Address = MEMO_PROGRAM): Instruction {
  return { programAddress, data: new TextEncoder().encode(text) };
}

export interface Signed {
  wire: Base64EncodedWireTransaction;
  signature: Signature;
  lastValidBlockHeight: bigint;
}

interface SignOptions {
  /** The blockhash to use, or the commitment of the newest one (processed by default). */
  blockhash?: Blockhash | undefined;
  commitment?: Commitment;
  version?: 0 | 'legacy';
  /** Address lookup tables, for version 0. */
  tables?: Record<Address, Address[]>;
}

/** Returns short forms of the calls that tests make to a cluster. */
export function callsTo({ rpc }: Pick<Localnet, 'rpc'>) {
  /** Signs a transaction of these instructions. The first signer pays. */
  async function sign(
    signers: readonly [KeyPairSigner, ...KeyPairSigner[]],
    instructions: readonly Instruction[],
    { blockhash, commitment = 'processed', version = 0, tables = {} }: SignOptions = {},
  ): Promise<Signed> {
    const { value: latest } = await rpc.getLatestBlockhash({ commitment }).send();
    const lifetime = blockhash ? { ...latest, blockhash } : latest;
    const message = pipe(
      // Only a type: lookup tables need version 0, and without tables nothing changes.
      createTransactionMessage({ version: version as 0 }),
      (each) => setTransactionMessageFeePayer(signers[0].address, each),
      (each) => setTransactionMessageLifetimeUsingBlockhash(lifetime, each),
      (each) => appendTransactionMessageInstructions(instructions, each),
      (each) => compressTransactionMessageUsingAddressLookupTables(each, tables),
    );
    const keys = signers.map(({ keyPair }) => keyPair);
    const transaction = await partiallySignTransaction(keys, compileTransaction(message));
    return {
      wire: getBase64EncodedWireTransaction(transaction),
      signature: getSignatureFromTransaction(transaction),
      lastValidBlockHeight: latest.lastValidBlockHeight,
    };
  }

  /** Sends without preflight, so that a failure happens on chain. */
  const sendRaw = ({ wire }: Pick<Signed, 'wire'>) =>
    rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();

  /** Returns the status of a signature, or null if the transaction did not land. */
  async function statusOf(signature: Signature) {
    const { value } = await rpc.getSignatureStatuses([signature]).send();
    return value[0] ?? null;
  }

  return {
    sign,
    sendRaw,
    statusOf,

    /** Sends without preflight and returns the status. */
    outcomeOf: async (signed: Signed) => statusOf(await sendRaw(signed)),

    /** Signs and sends a transaction in the current slot. Throws unless it succeeds. */
    async land(...[signers, instructions]: Parameters<typeof sign>) {
      const { wire, signature } = await sign(signers, instructions);
      await rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'processed' }).send();
      const status = await statusOf(signature);
      if (!status || status.err) throw new Error(`The transaction failed: ${JSON.stringify(status?.err)}`);
      return signature;
    },

    /** Returns a transaction, with its message as JSON. */
    async transactionOf(signature: Signature, commitment: 'confirmed' | 'finalized' = 'confirmed') {
      const config = { encoding: 'json', commitment, maxSupportedTransactionVersion: 0 } as const;
      return (await rpc.getTransaction(signature, config).send())!;
    },

    /** Returns the confirmed signatures of an account, newest first, with their details. */
    entriesOf: (of: Address) => rpc.getSignaturesForAddress(of, { commitment: 'confirmed' }).send(),

    /** Returns the lamports of an account. */
    balanceOf: async (of: Address, commitment: Commitment = 'processed') =>
      (await rpc.getBalance(of, { commitment }).send()).value,
  };
}

/** Returns the error of a rejected promise. Throws if it resolves. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  const resolved = Symbol();
  const error = await promise.then(
    () => resolved,
    (reason: unknown) => reason,
  );
  if (error === resolved) throw new Error('Expected an error.');
  return error;
}

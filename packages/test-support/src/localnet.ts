import { Localnet, type LocalnetOptions } from '@service/localnet';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '@service/protocol';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  type Blockhash,
  compileTransaction,
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

export const SOL = 1_000_000_000n;

/** Starts a cluster with a fixed clock. Its slots advance only when the test advances them. */
export function stillLocalnet(options: LocalnetOptions = {}): Localnet {
  return Localnet.start({ slotMs: 'manual', now: () => 1_700_000_000_000, ...options });
}

/** Creates a wallet with SOL (10 by default) at every commitment. */
export async function fundedWallet(net: Localnet, lamports = 10n * SOL): Promise<KeyPairSigner> {
  const wallet = await generateKeyPairSigner();
  net.airdrop(wallet.address, lamports);
  return wallet;
}

export function transferInstruction(from: Address, to: Address, lamports: bigint): Instruction {
  const data = new Uint8Array(12);
  const view = new DataView(data.buffer);
  view.setUint32(0, 2, true);
  view.setBigUint64(4, lamports, true);
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      { address: from, role: AccountRole.WRITABLE_SIGNER },
      { address: to, role: AccountRole.WRITABLE },
    ],
    data,
  };
}

export function memoInstruction(
  text: string | Uint8Array,
  programAddress: Address = MEMO_PROGRAM,
): Instruction {
  return { programAddress, data: typeof text === 'string' ? new TextEncoder().encode(text) : text };
}

export interface Signed {
  wire: Base64EncodedWireTransaction;
  signature: Signature;
  lastValidBlockHeight: bigint;
}

/** Signs a transaction of these instructions. The first signer pays. */
export async function sign(
  net: Localnet,
  signers: [KeyPairSigner, ...KeyPairSigner[]],
  instructions: readonly Instruction[],
  options: { blockhash?: Blockhash; version?: 0 | 'legacy' } = {},
): Promise<Signed> {
  const { value: latest } = await net.rpc.getLatestBlockhash({ commitment: 'processed' }).send();
  const lifetime = { ...latest, ...(options.blockhash ? { blockhash: options.blockhash } : {}) };
  const transaction = await partiallySignTransaction(
    signers.map(({ keyPair }) => keyPair),
    pipe(
      createTransactionMessage({ version: options.version ?? 0 }),
      (message) => setTransactionMessageFeePayer(signers[0].address, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
      (message) => compileTransaction(message),
    ),
  );
  return {
    wire: getBase64EncodedWireTransaction(transaction),
    signature: getSignatureFromTransaction(transaction),
    lastValidBlockHeight: latest.lastValidBlockHeight,
  };
}

/** Sends without preflight, so that a failure happens on chain. */
export function sendRaw(net: Localnet, { wire }: Signed): Promise<Signature> {
  return net.rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
}

/** Signs and sends a transaction in the current slot. Throws unless it succeeds. */
export async function land(
  net: Localnet,
  signers: [KeyPairSigner, ...KeyPairSigner[]],
  instructions: readonly Instruction[],
): Promise<Signature> {
  const signed = await sign(net, signers, instructions);
  await net.rpc.sendTransaction(signed.wire, { encoding: 'base64', preflightCommitment: 'processed' }).send();
  const status = await statusOf(net, signed.signature);
  if (!status || status.err) throw new Error(`The transaction failed: ${JSON.stringify(status?.err)}`);
  return signed.signature;
}

export async function statusOf(net: Localnet, signature: Signature) {
  const { value } = await net.rpc.getSignatureStatuses([signature]).send();
  return value[0] ?? null;
}

/** Returns the error of a rejected promise. Throws if it resolves. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`Expected an error, got ${String(value)}`);
    },
    (error: unknown) => error,
  );
}

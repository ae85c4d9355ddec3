/** Builds, signs, simulates and sends the transaction that puts a credential or a revocation on chain. */
import {
  appendTransactionMessageInstructions,
  assertIsSendableTransaction,
  type Base64EncodedWireTransaction,
  createTransactionMessage,
  getBase64Decoder,
  getSignatureFromTransaction,
  getTransactionEncoder,
  type Instruction,
  pipe,
  type Signature,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import type { Service } from '../../service.ts';

/** A signed transaction. */
export interface CredentialTransaction {
  readonly wire: Uint8Array;
  readonly signature: Signature;
  /** Block height after which it can no longer land. */
  readonly lastValid: bigint;
}

/** Builds a transaction with the newest confirmed blockhash. The service signs and pays. Throws the RPC's errors. */
export async function buildCredentialTransaction(
  { rpc, feePayer }: Pick<Service, 'rpc' | 'feePayer'>,
  instructions: readonly Instruction[],
  abortSignal: AbortSignal,
): Promise<CredentialTransaction> {
  const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send({ abortSignal });
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(feePayer, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
    (draft) => appendTransactionMessageInstructions(instructions.map(withoutSigners), draft),
  );
  const transaction = await signTransactionMessageWithSigners(message);
  assertIsSendableTransaction(transaction);
  return {
    wire: new Uint8Array(getTransactionEncoder().encode(transaction)),
    signature: getSignatureFromTransaction(transaction),
    lastValid: lifetime.lastValidBlockHeight,
  };
}

/** Simulates the transaction on the newest confirmed state. Returns its error or null. Throws the RPC's errors. */
export async function simulateCredentialTransaction(
  { rpc }: Pick<Service, 'rpc'>,
  wire: Uint8Array,
  abortSignal: AbortSignal,
) {
  const { value } = await rpc
    .simulateTransaction(base64(wire), { commitment: 'confirmed', encoding: 'base64' })
    .send({ abortSignal });
  return value.err;
}

/** Sends the bytes without preflight, because only the chain decides whether they land. Throws the RPC's errors. */
export async function sendCredentialTransaction(
  { rpc }: Pick<Service, 'rpc'>,
  wire: Uint8Array,
  abortSignal: AbortSignal,
): Promise<void> {
  await rpc.sendTransaction(base64(wire), { encoding: 'base64', skipPreflight: true }).send({ abortSignal });
}

/** Removes the plan's signers, which cannot sign. The fee payer's own signer replaces them. */
function withoutSigners({ accounts, ...instruction }: Instruction): Instruction {
  return {
    ...instruction,
    accounts: (accounts ?? []).map(({ address, role }) => ({ address, role })) as never,
  };
}

function base64(wire: Uint8Array): Base64EncodedWireTransaction {
  return getBase64Decoder().decode(wire) as Base64EncodedWireTransaction;
}

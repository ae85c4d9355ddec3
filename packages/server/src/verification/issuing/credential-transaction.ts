/** The transaction that puts a credential or its revocation on chain: built, signed, and later sent as the same bytes. */
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
  /** Block height after which it cannot land any more. */
  readonly lastValid: bigint;
}

/** Builds a transaction on the newest confirmed blockhash, signed and paid by the service. Throws what the RPC throws. */
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

/** The error that the transaction would fail with on the newest confirmed state, or null. Throws what the RPC throws. */
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

/** Sends the bytes. Without preflight: whether they land is for the chain to say. Throws what the RPC throws. */
export async function sendCredentialTransaction(
  { rpc }: Pick<Service, 'rpc'>,
  wire: Uint8Array,
  abortSignal: AbortSignal,
): Promise<void> {
  await rpc.sendTransaction(base64(wire), { encoding: 'base64', skipPreflight: true }).send({ abortSignal });
}

/** The plan names its payer by a signer that signs nothing; the fee payer's own signer takes its place. */
function withoutSigners({ accounts, ...instruction }: Instruction): Instruction {
  return {
    ...instruction,
    accounts: (accounts ?? []).map(({ address, role }) => ({ address, role })) as never,
  };
}

function base64(wire: Uint8Array): Base64EncodedWireTransaction {
  return getBase64Decoder().decode(wire) as Base64EncodedWireTransaction;
}

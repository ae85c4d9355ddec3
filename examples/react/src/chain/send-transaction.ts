import type { Wallet } from '@service/sdk';
import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getBase64Decoder,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  type Rpc,
  type SolanaRpcApi,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';

/** What a transaction needs beside its instructions. */
interface Sending {
  readonly rpc: Rpc<SolanaRpcApi>;
  /** Pays the network fee, and is asked to sign. */
  readonly wallet: Wallet;
  /** Other keys that sign, such as the key of a new mint. */
  readonly keys?: readonly KeyPairSigner[];
}

const POLL_MS = 500;

/**
 * Sends instructions that are not of the service, as any dApp does, and waits until they are final. Throws if the transaction
 * fails, or if its blockhash expires before it lands.
 */
export async function sendTransaction(
  { rpc, wallet, keys = [] }: Sending,
  instructions: readonly Instruction[],
): Promise<void> {
  if (!('signTransaction' in wallet)) throw new Error('This wallet cannot sign transactions here.');
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (each) => setTransactionMessageFeePayer(wallet.address, each),
    (each) => setTransactionMessageLifetimeUsingBlockhash(lifetime, each),
    (each) => appendTransactionMessageInstructions(instructions, each),
  );
  const pairs = keys.map(({ keyPair }) => keyPair);
  const transaction = await partiallySignTransaction(pairs, compileTransaction(message));
  const signed = await wallet.signTransaction(new Uint8Array(getTransactionEncoder().encode(transaction)));
  const wire = getBase64Decoder().decode(signed) as Parameters<typeof rpc.sendTransaction>[0];
  const signature = await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
  for (;;) {
    const { value } = await rpc.getSignatureStatuses([signature]).send();
    if (value[0]?.err) throw new Error('The chain rejected the transaction. Nothing changed but the fee.');
    if (value[0]?.confirmationStatus === 'finalized') return;
    const height = await rpc.getBlockHeight({ commitment: 'finalized' }).send();
    if (!value[0] && height > lifetime.lastValidBlockHeight)
      throw new Error('The transaction did not reach the chain in time. Nothing changed. Try again.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

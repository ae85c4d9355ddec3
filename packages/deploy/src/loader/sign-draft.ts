import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce,
} from '@solana/kit';

/** One transaction of a deployment, without its lifetime. The payer signs first. */
export interface Draft {
  payer: KeyPairSigner;
  signers: readonly KeyPairSigner[];
  instructions: readonly Instruction[];
}

type DurableNonce = Parameters<typeof setTransactionMessageLifetimeUsingDurableNonce>[0];

/** A blockhash, or a nonce. With a nonce, the transaction first advances it. */
export type Lifetime = Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[0] | DurableNonce;

/** Returns a transaction with its lifetime, without signatures. */
export function compileDraft(payer: Address, instructions: readonly Instruction[], lifetime: Lifetime) {
  const message = pipe(createTransactionMessage({ version: 0 }), (message) =>
    appendTransactionMessageInstructions(instructions, setTransactionMessageFeePayer(payer, message)),
  );
  return 'nonce' in lifetime
    ? compileTransaction(setTransactionMessageLifetimeUsingDurableNonce(lifetime, message))
    : compileTransaction(setTransactionMessageLifetimeUsingBlockhash(lifetime, message));
}

/** Signs a draft with a blockhash or a nonce. */
export async function signDraft({ payer, signers, instructions }: Draft, lifetime: Lifetime) {
  return partiallySignTransaction(
    [payer, ...signers].map(({ keyPair }) => keyPair),
    compileDraft(payer.address, instructions, lifetime),
  );
}

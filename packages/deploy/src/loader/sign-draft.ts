import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';

/** One transaction of a deployment, without its blockhash. The payer signs first. */
export interface Draft {
  payer: KeyPairSigner;
  signers: readonly KeyPairSigner[];
  instructions: readonly Instruction[];
}

export type Lifetime = Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[0];

/** Signs a draft with a blockhash. */
export async function signDraft({ payer, signers, instructions }: Draft, lifetime: Lifetime) {
  const transaction = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(payer.address, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => compileTransaction(message),
  );
  return partiallySignTransaction(
    [payer, ...signers].map(({ keyPair }) => keyPair),
    transaction,
  );
}

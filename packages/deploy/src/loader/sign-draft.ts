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
} from '@solana/kit';

/** One transaction of a deployment, without its blockhash. The payer signs first. */
export interface Draft {
  payer: KeyPairSigner;
  signers: readonly KeyPairSigner[];
  instructions: readonly Instruction[];
}

export type Lifetime = Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[0];

/** Returns a transaction with a blockhash, without signatures. */
export function compileDraft(payer: Address, instructions: readonly Instruction[], lifetime: Lifetime) {
  return pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => compileTransaction(message),
  );
}

/** Signs a draft with a blockhash. */
export async function signDraft({ payer, signers, instructions }: Draft, lifetime: Lifetime) {
  return partiallySignTransaction(
    [payer, ...signers].map(({ keyPair }) => keyPair),
    compileDraft(payer.address, instructions, lifetime),
  );
}

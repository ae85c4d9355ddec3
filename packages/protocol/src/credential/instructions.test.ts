import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getTransactionSize,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { expect, it } from 'vitest';
import { MAX_PASSES_PER_REVOCATION, revokeCredentialInstructions } from './instructions.ts';

/** The most bytes of a transaction. */
const LIMIT = 1_232;

it('a revocation has room for the stated number of passes, and for no more', async () => {
  const newAddress = async () => (await generateKeyPairSigner()).address;
  const [payer, program, wallet, verifierAuthority] = await Promise.all([1, 2, 3, 4].map(newAddress));
  const sizeWith = async (count: number) => {
    const statement = { program: program!, genesisHash: program!, wallet: wallet!, revokedAt: 1n };
    const instructions = await revokeCredentialInstructions({
      payer: payer!,
      statement,
      verifierAuthority: verifierAuthority!,
      signature: new Uint8Array(64),
      passes: await Promise.all(Array.from({ length: count }, newAddress)),
    });
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (draft) => setTransactionMessageFeePayer(payer!, draft),
      (draft) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: program as never, lastValidBlockHeight: 1n },
          draft,
        ),
      (draft) => appendTransactionMessageInstructions(instructions, draft),
    );
    return getTransactionSize(compileTransaction(message));
  };
  expect(await sizeWith(MAX_PASSES_PER_REVOCATION)).toBeLessThanOrEqual(LIMIT);
  expect(await sizeWith(MAX_PASSES_PER_REVOCATION + 1)).toBeGreaterThan(LIMIT);
});

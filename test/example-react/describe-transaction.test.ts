import { getCreateRuleSetInstruction, getProveInstruction } from '@service/protocol/generated';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { expect, test } from 'vitest';
import { describeTransaction } from '../../examples/react/src/development-wallet/describe-transaction.ts';

const PAYER = '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi' as Address;
const OTHER = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;
const SERVICE = 'So11111111111111111111111111111111111111112' as Address;
const SYSTEM = '11111111111111111111111111111111' as Address;
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;

function describe(...instructions: Instruction[]) {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayer(PAYER, draft),
    (draft) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: PAYER as string as Blockhash, lastValidBlockHeight: 0n },
        draft,
      ),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  );
  const wire = new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)));
  return describeTransaction(wire, SERVICE).map(({ what }) => what);
}

test('names who receives SOL', () => {
  const source = createNoopSigner(PAYER);
  const [what] = describe(getTransferSolInstruction({ source, destination: OTHER, amount: 5_000_000n }));
  expect(what).toBe('sends 0.005 SOL to Memo…fcHr');
});

test('names what the program of the service does', () => {
  const wallet = createNoopSigner(PAYER);
  const config = { programAddress: SERVICE };
  const proof = new Uint8Array(256);
  const proving = getProveInstruction(
    {
      wallet,
      config: SYSTEM,
      ruleSet: OTHER,
      credential: SYSTEM,
      verifier: SYSTEM,
      circuit: SYSTEM,
      pass: SYSTEM,
      expiresAt: 5n,
      asOf: 1,
      proof,
      systemProgram: SYSTEM,
    },
    config,
  );
  const clauses = [{ regionMask: new Uint8Array(32), statusMask: 1, minAge: 18 }];
  const creating = getCreateRuleSetInstruction(
    {
      creator: wallet,
      ruleSet: OTHER,
      config: SYSTEM,
      nonce: 1n,
      name: 'French',
      maxPassAgeSeconds: 1n,
      clauses,
      systemProgram: SYSTEM,
    },
    config,
  );
  expect(describe(creating, proving)).toEqual([
    'creates a rule set',
    'opens or renews your pass of the rule set Memo…fcHr',
  ]);
});

test.each([
  ['assigns an account', SYSTEM, [1, 0, 0, 0]],
  ['sends SOL in a form that is too short', SYSTEM, [2, 0, 0, 0, 1]],
  ['approves a delegate', TOKEN_2022, [4, 1, 0, 0, 0, 0, 0, 0, 0]],
  ['sets an authority', TOKEN_2022, [6, 0, 0]],
  ['sets governance', SERVICE, [1]],
])('does not call harmless an instruction that %s', (_name, programAddress, data) => {
  const [what] = describe({ programAddress, data: Uint8Array.from(data) });
  expect(what).toMatch(/^\d+ bytes of data/);
});

import {
  createMintConfigInstruction,
  freezeWithoutPassInstruction,
  setGateInstruction,
  thawByPassInstruction,
  togglePermissionlessInstruction,
} from '@service/protocol';
import {
  getCreateRuleSetInstruction,
  getEndGrantInstruction,
  getGrantPassInstruction,
  getProveInstruction,
  getRecoverInstruction,
  getRedeemInstruction,
  getSuspendPassInstruction,
} from '@service/protocol/generated';
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
import { issueGatedInstructions } from '../../examples/react/src/gated/gated-mint.ts';

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

test('names the wallet whose pass a proof ends', () => {
  const proving = {
    ...{ wallet: createNoopSigner(PAYER), config: SYSTEM, ruleSet: OTHER, credential: SYSTEM },
    ...{ verifier: SYSTEM, circuit: SYSTEM, pass: SYSTEM, systemProgram: SYSTEM, place: SYSTEM },
    ...{ expiresAt: 5n, asOf: 1, proof: new Uint8Array(256), claim: { number: 0, tag: new Uint8Array(32) } },
  };
  const replaced = { replacedWallet: TOKEN_2022, replacedPass: SYSTEM };
  const config = { programAddress: SERVICE };
  expect(
    describe(getProveInstruction(proving, config), getProveInstruction({ ...proving, ...replaced }, config)),
  ).toEqual([
    'opens or renews your pass of the rule set Memo…fcHr',
    'opens or renews your pass of the rule set Memo…fcHr, and ends the pass of Toke…xuEb',
  ]);
});

test('names what an issuer and a creator do to others', () => {
  const issuer = createNoopSigner(PAYER);
  const config = { programAddress: SERVICE };
  const taking = {
    ...{ issuer, config: SYSTEM, mintBinding: SYSTEM, mint: SYSTEM, tokenProgram: TOKEN_2022 },
    ...{ source: OTHER, amount: 5n, reason: 1 },
  };
  const ofPass = { creator: issuer, ruleSet: OTHER, wallet: OTHER, pass: SYSTEM, systemProgram: SYSTEM };
  const given = { destination: PAYER, pass: SYSTEM, credential: SYSTEM };
  const ended = { sender: issuer, pass: OTHER, ruleSet: SYSTEM, creator: PAYER, config: SYSTEM };
  expect(
    describe(
      getRecoverInstruction({ ...taking, ...given }, config),
      getRedeemInstruction(taking, config),
      getSuspendPassInstruction({ ...ofPass, until: 9n }, config),
      getSuspendPassInstruction({ ...ofPass, until: 0n }, config),
      getGrantPassInstruction({ ...ofPass, config: SYSTEM, expiresAt: 9n }, config),
      getEndGrantInstruction(ended, config),
    ),
  ).toEqual([
    'takes 5 base units from the token account Memo…fcHr for 7cqE…rKVi',
    'burns 5 base units of the token account Memo…fcHr',
    'suspends Memo…fcHr',
    'lifts the suspension of Memo…fcHr',
    'grants a pass of the rule set Memo…fcHr to Memo…fcHr',
    'ends the grant Memo…fcHr',
  ]);
});

const TOKEN_ACL = 'TACLkU6CiCdkQN2MjoyDkVg2yAH9zkxiHDsiztQ52TP' as Address;

test('names what happens to a gated mint and its accounts', async () => {
  const gated = { authority: PAYER, mint: OTHER };
  const asked = { caller: PAYER, mint: OTHER, tokenAccount: OTHER, owner: PAYER, rule: OTHER };
  const startsFrozen = { programAddress: TOKEN_2022, data: Uint8Array.of(28, 0, 2) };
  expect(
    describe(
      startsFrozen,
      await createMintConfigInstruction({ ...gated, gate: SERVICE }),
      await setGateInstruction(SERVICE, { ...gated, rule: OTHER, honoursGranted: false }),
      await togglePermissionlessInstruction({ ...gated, canThaw: true, canFreeze: true }),
      await togglePermissionlessInstruction({ ...gated, canThaw: false, canFreeze: false }),
      await thawByPassInstruction(SERVICE, asked),
      await freezeWithoutPassInstruction(SERVICE, asked),
      ...issueGatedInstructions({
        ...{ mint: OTHER, issuer: PAYER, owner: PAYER, token: OTHER },
        ...{ state: 'missing', amount: 7n, decimals: 2 },
      }),
    ),
  ).toEqual([
    'freezes new accounts of a token',
    'gives Token ACL the freeze authority of the mint Memo…fcHr',
    'has passes of the rule set Memo…fcHr open the gate of the mint Memo…fcHr',
    'lets anybody thaw and freeze what the gate allows',
    'lets nobody thaw or freeze by the gate',
    'thaws the token account Memo…fcHr by a pass',
    'freezes the token account Memo…fcHr without a pass',
    'creates a token account',
    'thaws the token account Memo…fcHr',
    'issues 7 base units to the token account Memo…fcHr',
  ]);
});

test.each([
  ['assigns an account', SYSTEM, [1, 0, 0, 0]],
  ['sends SOL in a form that is too short', SYSTEM, [2, 0, 0, 0, 1]],
  ['approves a delegate', TOKEN_2022, [4, 1, 0, 0, 0, 0, 0, 0, 0]],
  ['sets an authority', TOKEN_2022, [6, 0, 0]],
  ['sets another default state of accounts', TOKEN_2022, [28, 0, 1]],
  ['gives a gate to another authority', TOKEN_ACL, [1, ...new Uint8Array(32)]],
  ['sets governance', SERVICE, [1]],
])('does not call harmless an instruction that %s', (_name, programAddress, data) => {
  const [what] = describe({ programAddress, data: Uint8Array.from(data) });
  expect(what).toMatch(/^\d+ bytes of data/);
});

import { COORDINATE_ORDER } from '@service/protocol/eligibility';
import { HOLDER_EXPIRY } from '../../support/bindings.ts';
import { addressOf, type Chain, NOW } from '../../support/chain.ts';
import { at, CIRCUIT_ID, PASS_FEE, setCircuit, VERIFYING_KEY } from '../../support/governance.ts';
import { addPass, eligibleChain, prove } from '../../support/passes.ts';
import { LATEST_EXPIRY, proofOf } from '../../support/proofs.ts';
import { addRuleSet, MAX_PASS_AGE, ruleAddress } from '../../support/rule-sets.ts';
import { casesOf, U64_MAX } from '../cases.ts';
import { each } from '../expectation.ts';
import type { DataCase, Row, Scene } from '../row.ts';

/** A chain on which the holder can prove; the other holder has a pass already. */
async function holderChain(): Promise<Chain> {
  const chain = await eligibleChain({ wallets: ['holder', 'other holder'] });
  await addPass(chain, { wallet: 'other holder' });
  return chain;
}

const otherPass = async () => at.pass(await ruleAddress(), await addressOf('other holder'));

/** The program has borrowed Config to change it when it reads the other accounts. */
const BEING_CHANGED = each('DUPLICATE_ACCOUNT', 'config');

const accounts: Scene<'prove'>['accounts'] = {
  wallet: { cells: { otherWallet: 'WRONG_ADDRESS' } },
  config: {},
  treasury: {
    // The program has created the pass when it checks the treasury, and still borrows the other accounts.
    same: {
      ...each('DUPLICATE_ACCOUNT', 'config', 'credential', 'circuit'),
      pass: 'WRONG_ACCOUNT_TYPE',
    },
  },
  ruleSet: {
    // It has the same clauses, but the proof names its rule set.
    other: (chain) => addRuleSet(chain, { nonce: 2n, passFunds: PASS_FEE }),
    cells: { other: 'PROOF_INVALID' },
    same: BEING_CHANGED,
  },
  credential: {
    other: async () => at.credential(await addressOf('other holder')),
    cells: {
      other: 'WRONG_ADDRESS',
      ...each(
        'CREDENTIAL_MISSING',
        'otherWallet',
        'systemOwned',
        'otherProgramOwned',
        'posingToken',
        'missing',
      ),
    },
    same: BEING_CHANGED,
  },
  verifier: {
    other: async () => at.verifier(await addressOf('second verifier')),
    cells: {
      ...each('VERIFIER_MISMATCH', 'other', 'otherWallet', 'posing', 'posingToken'),
    },
  },
  circuit: {
    other: async (chain) => {
      const key = VERIFYING_KEY;
      const verifyingKey = Uint8Array.of(...key.slice(0, 448), ...key.slice(512), ...key.slice(448, 512));
      const previousCircuit = await at.circuit(CIRCUIT_ID);
      await chain.confirm(setCircuit({ id: 'next', previousCircuit, verifyingKey }));
      return at.circuit('next');
    },
    cells: { other: 'PROOF_INVALID' },
    same: BEING_CHANGED,
  },
  pass: { is: 'made if missing', same: BEING_CHANGED },
  systemProgram: {},
};

const expiring = casesOf(async (expiresAt: bigint) => prove({ expiresAt, proof: await proofOf() }));

/** Where the proof begins in the data. */
const PROOF_AT = 9;
const proofWith = (what: string, change: (proof: Uint8Array) => ArrayLike<number>): DataCase => ({
  what,
  expected: 'PROOF_INVALID',
  data: (data) => [...data.slice(0, PROOF_AT), ...Array.from(change(data.slice(PROOF_AT)))],
});

/** Where each point of the proof begins and ends in it. */
const POINTS = { A: [0, 64], B: [64, 192], C: [192, 256] } as const;
const number = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const hex = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const put = (proof: Uint8Array, offset: number, bytes: ArrayLike<number>) => {
  proof.set(bytes, offset);
  return proof;
};

const whole: Scene<'prove'>['whole'] = { paused: 'PROTOCOL_PAUSED', twice: 'PASS_RENEWAL_TOO_EARLY' };

/** The row of `prove`. */
export const row: Row<'prove'> = {
  scenes: {
    'of a new pass': {
      ready: async () => ({ chain: await holderChain(), instruction: await prove() }),
      accounts,
      whole,
    },
    'of a renewal': {
      ready: async () => {
        const chain = await holderChain();
        await addPass(chain, { expiresAt: HOLDER_EXPIRY });
        chain.setTime(NOW + MAX_PASS_AGE / 2n);
        return { chain, instruction: await prove() };
      },
      accounts: {
        ...accounts,
        // The program checks the rule set of the pass before it verifies the proof.
        ruleSet: { ...accounts.ruleSet, cells: { other: 'WRONG_ADDRESS' } },
        pass: {
          other: otherPass,
          is: 'changed',
          cells: { other: 'WRONG_ADDRESS', reopened: 'PASS_RENEWAL_TOO_EARLY' },
          same: BEING_CHANGED,
        },
      },
      whole,
    },
  },
  data: {
    expiresAt: [
      expiring('is zero', 0n, 'PASS_EXPIRY_INVALID'),
      expiring('is now', NOW, 'PASS_EXPIRY_INVALID'),
      expiring('is not that of the proof', NOW + 1n, 'PROOF_INVALID'),
      expiring('is a second before that of the proof', LATEST_EXPIRY - 1n, 'PROOF_INVALID'),
      expiring('is a second later than the rule set allows', LATEST_EXPIRY + 1n, 'PASS_EXPIRY_INVALID'),
      expiring('is the largest number', U64_MAX, 'PASS_EXPIRY_INVALID'),
    ],
    proof: [
      proofWith('is zeros', () => new Uint8Array(256)),
      proofWith('is ones', () => new Uint8Array(256).fill(255)),
      proofWith('is numbers', () => Array.from({ length: 256 }, (_, index) => index % 31)),
      ...Object.entries(POINTS).flatMap(([name, [start, end]]) => [
        proofWith(`has ${name} off its curve`, (proof) => proof.with(end - 1, proof[end - 1]! ^ 1)),
        proofWith(`has ${name} at infinity`, (proof) => put(proof, start, new Uint8Array(end - start))),
        proofWith(`has ${name} with a coordinate above the modulus`, (proof) =>
          put(proof, start, hex(number(proof.slice(start, start + 32)) + COORDINATE_ORDER)),
        ),
      ]),
      proofWith('has A not negated', (proof) =>
        put(proof, 32, hex(COORDINATE_ORDER - number(proof.slice(32, 64)))),
      ),
      proofWith('has A and C in each other’s place', (proof) =>
        Uint8Array.of(...proof.slice(192), ...proof.slice(64, 192), ...proof.slice(0, 64)),
      ),
    ],
  },
};

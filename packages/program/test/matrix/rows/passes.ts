import { COORDINATE_ORDER } from '@service/protocol/eligibility';
import { type Chain, HOUR, NOW } from '../../support/chain.ts';
import { issueCredential } from '../../support/credentials.ts';
import {
  credentialAt,
  endPasses,
  PASS_FEE,
  retireCircuit,
  rotateCircuit,
  setVerifier,
  VERIFYING_KEY,
  verifierAt,
} from '../../support/governance.ts';
import { HOLDER_EXPIRY, holdersChain } from '../../support/market.ts';
import {
  closePass,
  eligibleChain,
  LATEST_EXPIRY,
  type ProveChange,
  proofOf,
  prove,
  TODAY,
  tagBytes,
} from '../../support/passes.ts';
import {
  addLimitedRuleSet,
  heldForAnHour,
  LIMITED_RULE,
  LIMITED_TERMS,
  placeAt,
  proveInPlace,
} from '../../support/places.ts';
import { addRuleSet, MAX_PASS_AGE, passAt, RULE } from '../../support/rule-sets.ts';
import { casesOf, U64_MAX, WHILE_PAUSED, withChange } from '../cases.ts';
import { NOT_OF_PROGRAM, OTHER_ADDRESS } from '../columns.ts';
import {
  type AccountRow,
  type Accounts,
  allowed,
  type Cells,
  type Expectation,
  each,
  notTested,
  type Rows,
  type Scene,
} from '../row.ts';

/** Returns a chain on which the holder can prove. The other holder has a pass already. */
async function holderChain(): Promise<Chain> {
  const chain = await eligibleChain({ wallets: ['holder', 'other holder'] });
  await chain.confirm(prove({ wallet: 'other holder' }));
  return chain;
}

const otherPass = () => passAt('other holder');
const otherCredential = () => credentialAt('other holder');
const secondVerifier = () => verifierAt('second verifier');

/** The program still reads these accounts when it borrows the rule set to change it. */
const BEING_READ = each('DUPLICATE_ACCOUNT', 'config', 'credential', 'circuit');
/** The program has borrowed the rule set to change it when it reads the pass. */
const BEING_CHANGED = each('DUPLICATE_ACCOUNT', 'ruleSet');

const LEFT_OUT = { is: 'left out', otherWallet: 'WRONG_ACCOUNT_COUNT' } as const;

const accounts: Accounts<'prove'> = {
  wallet: { otherWallet: 'WRONG_ADDRESS' },
  config: {},
  ruleSet: {
    // It has the same clauses, but the proof names its rule set.
    another: (chain) => addRuleSet(chain, { nonce: 2n, passFunds: PASS_FEE }),
    sameKind: 'PROOF_INVALID',
    same: BEING_READ,
  },
  credential: {
    another: otherCredential,
    sameKind: 'WRONG_ADDRESS',
    ...each('CREDENTIAL_MISSING', ...NOT_OF_PROGRAM),
  },
  verifier: { another: secondVerifier, ...each('VERIFIER_MISMATCH', ...OTHER_ADDRESS) },
  circuit: {
    another: (chain) => {
      const key = VERIFYING_KEY;
      const verifyingKey = Uint8Array.of(...key.slice(0, 448), ...key.slice(512), ...key.slice(448, 512));
      return rotateCircuit(chain, { verifyingKey });
    },
    sameKind: 'PROOF_INVALID',
  },
  pass: { is: 'made if missing', same: BEING_CHANGED },
  systemProgram: {},
  place: LEFT_OUT,
  replacedWallet: LEFT_OUT,
  replacedPass: LEFT_OUT,
};

/** Returns a chain like that of {@link holderChain}, with a rule set in which each person has two places. */
async function placesChain(): Promise<Chain> {
  const chain = await holderChain();
  await addLimitedRuleSet(chain);
  return chain;
}

const inPlace: Accounts<'prove'> = {
  ...accounts,
  ruleSet: {
    ...accounts.ruleSet,
    another: (chain) => addRuleSet(chain, { nonce: 2n, passFunds: PASS_FEE, terms: LIMITED_TERMS }),
  },
};

/** Lets the outsider hold the second place of the person. */
async function holdSecondPlace(chain: Chain): Promise<void> {
  await chain.confirm(issueCredential({ wallet: 'outsider' }));
  await chain.confirm(proveInPlace({ wallet: 'outsider', place: 1 }));
}

const secondPlace = () => placeAt(1);

const claiming = casesOf(async (change: ProveChange) => {
  const { claim = null } = change;
  return proveInPlace({ proof: await proofOf({ rule: LIMITED_RULE, place: 0 }), ...change, claim });
});
const TAG = await tagBytes(0, { rule: LIMITED_RULE });

const expiring = casesOf(async (expiresAt: bigint) => prove({ expiresAt, proof: await proofOf() }));

const counting = casesOf(async (asOf: number) => prove({ asOf, proof: await proofOf() }));

/** Where the proof begins in the data. */
const PROOF_AT = 13;
const proofWith = (what: string, change: (proof: Uint8Array) => ArrayLike<number>) =>
  withChange(what, 'PROOF_INVALID', (data) => [
    ...data.slice(0, PROOF_AT),
    ...Array.from(change(data.slice(PROOF_AT))),
  ]);

const POINTS = { A: [0, 64], B: [64, 192], C: [192, 256] } as const;
const number = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const hex = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const put = (proof: Uint8Array, offset: number, bytes: ArrayLike<number>) => {
  proof.set(bytes, offset);
  return proof;
};

const proving = { paused: 'PROTOCOL_PAUSED', twice: 'PASS_RENEWAL_TOO_EARLY' } as const;

const NOT_READ = each(
  allowed(
    'The pass names it, and there is a reason to close the pass already: the program does not read it.',
  ),
  ...(['systemOwned', 'otherProgramOwned', 'otherType', 'otherVersion'] as const),
  ...(['shorter', 'longer', 'zeros', 'missing'] as const),
);

const verifier = (cells: Cells): AccountRow => ({
  another: secondVerifier,
  ...each('WRONG_ADDRESS', ...OTHER_ADDRESS),
  ...cells,
});

const circuit = (cells: Cells): AccountRow => ({ ...verifier(cells), another: rotateCircuit });

const closing = (
  prepare: (chain: Chain) => unknown,
  reopened: Expectation,
  named: Pick<Accounts<'closePass'>, 'verifier' | 'circuit'>,
  { isEarly = false } = {},
): Scene<keyof Accounts<'closePass'>> => ({
  ready: async () => {
    const chain = await holdersChain();
    // In the hour after its proof, it only ends.
    chain.setTime(isEarly ? NOW + HOUR - 1n : NOW + HOUR);
    await prepare(chain);
    return { chain, instruction: await closePass() };
  },
  accounts: {
    pass: { another: otherPass, sameKind: 'WRONG_ADDRESS', reopened },
    wallet: { otherWallet: 'WRONG_ADDRESS' },
    ruleSet: {
      another: (chain) => addRuleSet(chain, { creator: 'outsider' }),
      ...each('WRONG_ADDRESS', ...OTHER_ADDRESS),
    },
    credential: {
      another: otherCredential,
      sameKind: 'WRONG_ADDRESS',
      // The program is changing the pass when it reads the credential and Config.
      same: { pass: 'DUPLICATE_ACCOUNT' },
    },
    config: { same: { pass: 'DUPLICATE_ACCOUNT' } },
    ...named,
  },
  paused: WHILE_PAUSED,
  twice: isEarly ? 'PASS_LIVE' : 'WRONG_OWNER',
});

export const PASSES: Rows<'prove' | 'closePass'> = {
  prove: {
    scenes: {
      'of a new pass': {
        ready: async () => ({ chain: await placesChain(), instruction: await prove() }),
        accounts,
        ...proving,
      },
      'of a renewal': {
        ready: async () => {
          const chain = await holderChain();
          await chain.confirm(prove({ expiresAt: HOLDER_EXPIRY }));
          chain.setTime(NOW + MAX_PASS_AGE / 2n);
          return { chain, instruction: await prove() };
        },
        accounts: {
          ...accounts,
          // The program checks the rule set of the pass before it verifies the proof.
          ruleSet: { ...accounts.ruleSet, sameKind: 'WRONG_ADDRESS' },
          pass: {
            another: otherPass,
            is: 'changed',
            sameKind: 'WRONG_ADDRESS',
            reopened: 'PASS_RENEWAL_TOO_EARLY',
            same: BEING_CHANGED,
          },
        },
        ...proving,
      },
      'of a new pass in a free place': {
        ready: async () => ({ chain: await placesChain(), instruction: await proveInPlace() }),
        accounts: { ...inPlace, place: { is: 'made if missing', same: { pass: 'WRONG_ACCOUNT_TYPE' } } },
        ...proving,
      },
      'of a renewal in its place': {
        ready: async () => {
          const chain = await placesChain();
          await chain.confirm(proveInPlace({ expiresAt: HOLDER_EXPIRY }));
          await holdSecondPlace(chain);
          chain.setTime(NOW + MAX_PASS_AGE / 2n);
          return { chain, instruction: await proveInPlace() };
        },
        accounts: {
          ...inPlace,
          ruleSet: { ...inPlace.ruleSet, sameKind: 'WRONG_ADDRESS' },
          pass: {
            another: otherPass,
            is: 'changed',
            sameKind: 'WRONG_ADDRESS',
            reopened: notTested('The scene without a limit tests it.'),
            same: BEING_CHANGED,
          },
          place: { is: 'changed', another: secondPlace, sameKind: 'WRONG_ADDRESS' },
        },
        ...proving,
      },
      'of a new pass in the place of another wallet': {
        ready: async () => {
          const chain = await placesChain();
          await heldForAnHour(chain, { wallet: 'other holder' });
          await holdSecondPlace(chain);
          return { chain, instruction: await proveInPlace({ replaces: 'other holder' }) };
        },
        accounts: {
          ...inPlace,
          place: {
            another: secondPlace,
            sameKind: 'WRONG_ADDRESS',
            ...each('PLACE_NOT_HELD', ...NOT_OF_PROGRAM),
            same: { ...BEING_READ, pass: 'WRONG_ACCOUNT_TYPE', systemProgram: 'NOT_WRITABLE' },
          },
          replacedWallet: { otherWallet: 'PLACE_NOT_HELD' },
          replacedPass: {
            another: otherPass,
            ...each('WRONG_ADDRESS', ...OTHER_ADDRESS),
            ...each(
              allowed('Then nothing is left to end.'),
              ...(['systemOwned', 'otherProgramOwned', 'missing', 'closed'] as const),
            ),
            reopened: notTested('The wallet can prove again only in a place.'),
            same: { systemProgram: 'NOT_WRITABLE' },
          },
        },
        ...proving,
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
      asOf: [
        counting('is zero', 0, 'PROOF_INVALID'),
        counting('is a day before that of the proof', TODAY - 1, 'PROOF_INVALID'),
        counting('is a day later than today', TODAY + 1, 'AS_OF_INVALID'),
        counting('is the largest number', 2 ** 32 - 1, 'AS_OF_INVALID'),
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
      claim: [
        claiming('is missing', {}, 'PLACE_NOT_IN_RULE_SET'),
        claiming('is that of the proof', { claim: { number: 0, tag: TAG } }, allowed('It is valid.')),
        claiming('has another number', { claim: { number: 1, tag: TAG } }, 'PROOF_INVALID'),
        ...[2, 3, 128, 255].map((number) =>
          claiming(`has the number ${number}`, { claim: { number, tag: TAG } }, 'PLACE_NOT_IN_RULE_SET'),
        ),
        claiming('has zeros', { claim: { number: 0, tag: new Uint8Array(32) } }, 'PROOF_INVALID'),
        claiming('has ones', { claim: { number: 0, tag: new Uint8Array(32).fill(255) } }, 'HASH_FAILED'),
        claiming(
          'is of a rule set without a limit',
          { rule: RULE, claim: { number: 0, tag: TAG } },
          'PLACE_NOT_IN_RULE_SET',
        ),
      ],
    },
  },

  closePass: {
    scenes: {
      'of an expired one': closing((chain) => chain.setTime(HOLDER_EXPIRY), 'PASS_LIVE', {
        verifier: verifier(NOT_READ),
        circuit: circuit(NOT_READ),
      }),
      'of one that governance ended': closing(
        async (chain) => {
          await chain.confirm(endPasses());
          chain.setTime(NOW + HOUR + 1n);
        },
        'PASS_LIVE',
        { verifier: verifier(NOT_READ), circuit: circuit(NOT_READ) },
      ),
      'of an inactive verifier': closing(
        (chain) => chain.confirm(setVerifier({ active: false })),
        'PASS_LIVE',
        { verifier: verifier({}), circuit: circuit(NOT_READ) },
      ),
      'of an inactive verifier, in the hour after its proof': closing(
        (chain) => chain.confirm(setVerifier({ active: false })),
        'PASS_LIVE',
        { verifier: verifier({}), circuit: circuit(NOT_READ) },
        { isEarly: true },
      ),
      'of an unsound circuit': closing(
        (chain) => chain.confirm(retireCircuit({ unsound: true })),
        notTested('Nothing can be proved with an unsound circuit.'),
        { verifier: verifier({}), circuit: circuit({}) },
      ),
    },
    data: {},
  },
};

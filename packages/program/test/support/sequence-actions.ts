/** The steps of a sequence: what each sends, mostly good and at times not, and what it books when it went through. */
import type { WitnessAttributes } from '@service/protocol/eligibility';
import { getPassDecoder } from '@service/protocol/generated';
import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getApproveInstruction, getBurnInstruction } from '@solana-program/token';
import fc from 'fast-check';
import { addMarket, issueTokens } from './bindings.ts';
import { addressOf, type Chain, DAY, HOUR, NOW } from './chain.ts';
import {
  ATTRIBUTES,
  addCredential,
  commitmentBytes,
  issueCredential,
  revokeCredential,
} from './credentials.ts';
import {
  at,
  CIRCUIT_ID,
  configOf,
  PASS_FEE,
  readyChain,
  retireCircuit,
  setCircuit,
  setGovernance,
  setVerifier,
  withdrawFees,
} from './governance.ts';
import { placeOf, withAccount } from './instruction.ts';
import { credentialOf } from './invariants.ts';
import { type Ledger, passExists } from './ledger.ts';
import { expectDone, type Outcome } from './outcome.ts';
import { addPass, closePassOf, prove } from './passes.ts';
import { proofOf } from './proofs.ts';
import { addRuleSet, MAX_PASS_AGE, withdrawPassFunds } from './rule-sets.ts';
import { BOTH, ONE, token2022, tokens, transfer } from './transfers.ts';

const WALLETS = ['holder', 'other holder', 'outsider'] as const;
const VERIFIERS = ['verifier', 'second verifier'] as const;
const CIRCUITS = [CIRCUIT_ID, 'second', 'third'] as const;
const MINTS = [ONE, BOTH] as const;
/** Nonces of the issuer's rule sets; the longest pass lives are 30 days and 2. */
const RULES = [1n, 2n] as const;
const SHORT_AGE = 2n * DAY;
/** The ends that passes are proved to: few, since each wants a proof of its own for each wallet and rule set. */
const ENDS = [NOW + HOUR, NOW + DAY, NOW + 3n * DAY, NOW + 20n * DAY, NOW + 45n * DAY] as const;
const ATTRIBUTE_SETS: readonly WitnessAttributes[] = [ATTRIBUTES, { ...ATTRIBUTES, salt: 0x2a17n }];

const wallet = fc.constantFrom(...WALLETS);
const nonce = fc.constantFrom(...RULES);
const mint = fc.constantFrom(...MINTS);
const verifier = fc.constantFrom(...VERIFIERS);
const circuit = fc.constantFrom(...CIRCUITS);
const seldom = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);
const lamports = fc.constantFrom(1n, 1_000_000n, PASS_FEE, 40_000_000n);
const step = <K extends string, T>(kind: K, rest: { [P in keyof T]: fc.Arbitrary<T[P]> }) =>
  fc.record({ kind: fc.constant(kind), ...rest }) as fc.Arbitrary<{ kind: K } & T>;

const seconds = fc.constantFrom(1n, 200n, HOUR - 1n, HOUR, 2n * HOUR, 12n * HOUR, DAY, 15n * DAY);

/** Every kind of step, with how often it comes. */
export const actions = fc.oneof(
  { weight: 4, arbitrary: step('time', { seconds }) },
  {
    weight: 4,
    arbitrary: step('credential', {
      wallet,
      verifier,
      attributes: fc.constantFrom(0, 0, 0, 0, 1),
      ahead: fc.constantFrom(0n, 0n, 0n, -10n, 200n, 300n, 301n),
      days: fc.constantFrom(5n, 60n, 60n),
    }),
  },
  { weight: 1, arbitrary: step('revoke', { wallet, verifier, ahead: fc.constantFrom(0n, 200n) }) },
  {
    weight: 12,
    arbitrary: step('prove', {
      wallet,
      nonce,
      end: fc.nat({ max: 5 }),
      circuit: fc.constantFrom(null, null, null, null, null, null, ...CIRCUITS),
      isPosing: seldom,
      isMixed: seldom,
    }),
  },
  { weight: 5, arbitrary: step('close', { wallet, nonce }) },
  { weight: 1, arbitrary: step('outlive', { wallet, verifier }) },
  { weight: 1, arbitrary: step('lapse', { wallet, early: fc.constantFrom(0n, 1n) }) },
  {
    weight: 1,
    arbitrary: step('edge', { wallet, nonce, end: fc.nat({ max: 4 }), early: fc.constantFrom(0n, 1n) }),
  },
  { weight: 1, arbitrary: step('fund', { to: fc.constantFrom('treasury' as const, ...RULES), lamports }) },
  {
    weight: 1,
    arbitrary: step('withdrawFees', { by: fc.constantFrom('governance', 'governance', 'issuer'), lamports }),
  },
  {
    weight: 1,
    arbitrary: step('withdrawPassFunds', {
      by: fc.constantFrom('issuer', 'issuer', 'governance'),
      nonce,
      lamports,
    }),
  },
  { weight: 1, arbitrary: step('verifier', { verifier, active: seldom.map((is) => !is) }) },
  { weight: 1, arbitrary: step('circuit', { circuit, grace: fc.constantFrom(0n, DAY, 31n * DAY) }) },
  {
    weight: 1,
    arbitrary: step('retire', { circuit, grace: fc.constantFrom(0n, DAY), unsound: seldom }),
  },
  {
    weight: 1,
    arbitrary: step('governance', {
      paused: seldom,
      fee: fc.constantFrom(PASS_FEE, PASS_FEE, PASS_FEE, 1_000_000n, 0n, null),
    }),
  },
  { weight: 3, arbitrary: step('issue', { mint, wallet, amount: fc.constantFrom(0n, 1n, 500n) }) },
  {
    weight: 4,
    arbitrary: step('transfer', { mint, from: wallet, to: wallet, amount: fc.constantFrom(0n, 1n, 300n) }),
  },
  { weight: 1, arbitrary: step('delegate', { mint, from: wallet, to: wallet, by: wallet }) },
  { weight: 1, arbitrary: step('burn', { mint, wallet, amount: fc.constantFrom(1n, 100n) }) },
);

/** A step of a sequence. */
export type Action = typeof actions extends fc.Arbitrary<infer T> ? T : never;

/** Two rule sets with funds for a few passes, two mints, token accounts and credentials of three wallets. */
export async function sequenceChain(): Promise<Chain> {
  const chain = await readyChain();
  for (const nonce of RULES) {
    const maxPassAgeSeconds = nonce === 1n ? MAX_PASS_AGE : SHORT_AGE;
    await addRuleSet(chain, { nonce, maxPassAgeSeconds, passFunds: 20n * PASS_FEE });
  }
  for (const wallet of WALLETS) await addCredential(chain, { wallet });
  for (const wallet of ['holder', 'other holder']) await addPass(chain, { wallet, expiresAt: ENDS[3] });
  for (const mint of MINTS) {
    await addMarket(chain, { mint, requireSource: mint === BOTH });
    expectDone(await chain.send(issueTokens({ mint })));
  }
  return chain;
}

const ruleOf = async (nonce: bigint): Promise<Address> => at.ruleSet(await addressOf('issuer'), nonce);

/** Does a step and books it; null when there was nothing to send. Fails the test when it did what must never happen. */
export async function act(chain: Chain, ledger: Ledger, action: Action): Promise<Outcome | null> {
  const send = async (...instructions: Instruction[]): Promise<Outcome> => {
    const outcome = await chain.send(...instructions);
    const signers = instructions
      .flatMap(({ accounts = [] }) => accounts)
      .filter(({ role }) => role >= 2)
      .map(({ address }) => address);
    ledger.observe(outcome, { signers: new Set(signers), byVerifier: instructions.length > 1 });
    return outcome;
  };
  const booked = async (outcome: Outcome, book: () => unknown): Promise<Outcome> => {
    if (!outcome.refusal) await book();
    return outcome;
  };

  const credential = async (of: {
    wallet: string;
    verifier: string;
    attributes: number;
    ahead: bigint;
    expiresAt: bigint;
  }): Promise<Outcome> => {
    const { wallet, verifier, expiresAt } = of;
    const [address, issuedAt] = [await addressOf(wallet), chain.time + of.ahead];
    const previous = credentialOf(ledger.world, address)?.verifier;
    const previousVerifier = previous ? await nameOfVerifier(previous) : verifier;
    const commitment = commitmentBytes(ATTRIBUTE_SETS[of.attributes]!);
    const change = { wallet, verifier, previousVerifier, commitment, issuedAt, expiresAt };
    return booked(await send(...(await issueCredential(change))), () => ledger.credentialIssued(address));
  };

  switch (action.kind) {
    case 'time':
      chain.setTime(chain.time + action.seconds);
      return null;
    case 'fund': {
      const to = action.to === 'treasury' ? await at.treasury() : await ruleOf(action.to);
      chain.fund(to, action.lamports);
      ledger.gift(to, action.lamports);
      return null;
    }
    case 'credential':
      return credential({ ...action, expiresAt: chain.time + action.days * DAY });
    case 'outlive': {
      // A credential that ends one second before a pass would.
      const end = ENDS.find((at) => at > chain.time + HOUR && at <= chain.time + MAX_PASS_AGE);
      if (!end) return null;
      const { wallet, verifier } = action;
      await credential({ wallet, verifier, attributes: 0, ahead: 0n, expiresAt: end - 1n });
      const whole = { kind: 'prove' as const, wallet, nonce: 1n as const, end: 0 };
      const good = { circuit: null, isPosing: false, isMixed: false };
      return proveStep(chain, ledger, { ...whole, ...good }, send, end);
    }
    case 'revoke': {
      const { wallet, verifier, ahead } = action;
      if (!credentialOf(ledger.world, await addressOf(wallet))) return null;
      return send(...(await revokeCredential({ wallet, verifier, revokedAt: chain.time + ahead })));
    }
    case 'prove':
      return proveStep(chain, ledger, action, send);
    case 'edge': {
      // The first second at which a pass may have this end, or the second before.
      const end = ENDS[action.end]!;
      const first = end - (action.nonce === 1n ? MAX_PASS_AGE : SHORT_AGE);
      if (first - action.early > chain.time) chain.setTime(first - action.early);
      const whole = { ...action, kind: 'prove' as const, circuit: null, isPosing: false, isMixed: false };
      return end > chain.time ? proveStep(chain, ledger, whole, send, end) : null;
    }
    case 'lapse': {
      // The second at which a pass ends, or the one before; then transfers from and to its wallet.
      const pass = ledger.world.get(await at.pass(await ruleOf(1n), await addressOf(action.wallet)));
      if (!pass) return null;
      const end = getPassDecoder().decode(pass.data).expiresAt - action.early;
      if (end > chain.time) chain.setTime(end);
      for (const mint of MINTS) {
        for (const other of WALLETS.filter((name) => name !== action.wallet)) {
          await send(await transfer({ mint, from: action.wallet, to: other, amount: 1n }));
          await send(await transfer({ mint, from: other, to: action.wallet, amount: 1n }));
        }
      }
      return null;
    }
    case 'close': {
      const [rule, address] = [await ruleOf(action.nonce), await addressOf(action.wallet)];
      const pass = await at.pass(rule, address);
      if (!passExists(ledger.world, pass)) return null;
      const frees = ledger.willBeFreed(pass);
      return booked(await send(await closePassOf(chain, action.wallet, rule)), () => {
        if (frees) ledger.freed(rule, address);
      });
    }
    case 'withdrawFees': {
      const { by: authority, lamports } = action;
      const treasury = await at.treasury();
      return booked(await send(await withdrawFees({ authority, lamports })), () =>
        ledger.withdrawn(treasury, lamports),
      );
    }
    case 'withdrawPassFunds': {
      const [rule, { by: creator, lamports }] = [await ruleOf(action.nonce), action];
      return booked(await send(await withdrawPassFunds({ creator, rule, lamports })), () =>
        ledger.withdrawn(rule, lamports),
      );
    }
    case 'verifier':
      return send(await setVerifier({ verifier: action.verifier, active: action.active }));
    case 'circuit': {
      const previousCircuit = await activeCircuit(chain);
      const id = action.circuit;
      return send(await setCircuit({ id, previousCircuit, graceSeconds: action.grace }));
    }
    case 'retire': {
      const { circuit: id, unsound } = action;
      if (!chain.account(await at.circuit(id))) return null;
      return send(await retireCircuit({ id, unsound, graceSeconds: action.grace }));
    }
    case 'governance':
      return send(await setGovernance({ paused: action.paused, passFee: action.fee }));
    case 'issue': {
      const { mint, wallet: holder, amount } = action;
      const rule = await ruleOf(1n);
      return booked(await send(await issueTokens({ mint, holder, amount, rule })), async () =>
        ledger.issued(await addressOf(mint), amount),
      );
    }
    case 'transfer':
      return send(await transfer(action));
    case 'delegate': {
      const owner = createNoopSigner(await addressOf(action.from));
      const source = await tokens(action.from, action.mint);
      const delegate = await addressOf(action.by);
      await send(getApproveInstruction({ source, delegate, owner, amount: 50n }, token2022));
      const { mint, from, to, by: authority } = action;
      return send(await transfer({ mint, from, to, authority, amount: 2n }));
    }
    case 'burn': {
      const { amount } = action;
      const mint = await addressOf(action.mint);
      const authority = createNoopSigner(await addressOf(action.wallet));
      const account = await tokens(action.wallet, action.mint);
      return booked(await send(getBurnInstruction({ account, mint, authority, amount }, token2022)), () =>
        ledger.issued(mint, -amount),
      );
    }
  }
}

/** Proves with the credential that is on chain; posing: with another wallet's proof; mixed: for the other rule set. */
async function proveStep(
  chain: Chain,
  ledger: Ledger,
  action: Extract<Action, { kind: 'prove' }>,
  send: (...instructions: Instruction[]) => Promise<Outcome>,
  exactEnd?: bigint,
): Promise<Outcome | null> {
  const [rule, address] = [await ruleOf(action.nonce), await addressOf(action.wallet)];
  const held = credentialOf(ledger.world, address);
  if (!held) return null;
  const isShort = action.nonce === 2n;
  const attributes = ATTRIBUTE_SETS.find((set) =>
    Buffer.from(commitmentBytes(set)).equals(Buffer.from(held.commitment)),
  )!;
  const latest = chain.time + (isShort ? SHORT_AGE : MAX_PASS_AGE);
  const isPossible = (end: bigint) => end > chain.time && end <= latest && end <= held.expiresAt;
  // The last of the choices is any end, whether it can be or not.
  const ends = [...ENDS.filter(isPossible), ENDS[action.end % ENDS.length]!];
  const end = exactEnd ?? ends[action.end % ends.length]!;
  const facts = {
    wallet: action.isPosing ? 'holder' : action.wallet,
    attributes,
    rule: action.isMixed ? await ruleOf(1n) : rule,
    expiresAt: end,
    maxPassAgeSeconds: isShort && !action.isMixed ? SHORT_AGE : MAX_PASS_AGE,
  };
  // An end that has passed is refused whatever the proof, and proofs take long to make.
  const proof = end > chain.time ? await proofOf(facts) : new Uint8Array(256);
  const proving = await prove({
    wallet: action.wallet,
    rule,
    verifier: await nameOfVerifier(held.verifier),
    circuitId: action.circuit ?? CIRCUIT_ID,
    expiresAt: end,
    proof,
  });
  // The active circuit, unless another is asked for that may not be there.
  const active = { address: await activeCircuit(chain) };
  const place = placeOf('prove', 'circuit');
  const outcome = await send(action.circuit ? proving : withAccount(proving, place, active));
  if (!outcome.refusal) await ledger.proved(rule, address);
  return outcome;
}

async function nameOfVerifier(account: Address): Promise<string> {
  for (const name of VERIFIERS) if ((await at.verifier(await addressOf(name))) === account) return name;
  throw new Error(`${account} is no verifier of the tests.`);
}

async function activeCircuit(chain: Chain): Promise<Address> {
  const { activeCircuit } = await configOf(chain);
  if (activeCircuit.__option === 'None') throw new Error('No circuit is active.');
  return activeCircuit.value;
}

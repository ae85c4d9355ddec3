/** The steps of a sequence: what each sends, mostly valid and sometimes not, and what it records when it succeeds. */
import type { WitnessAttributes } from '@service/protocol/eligibility';
import { getPassDecoder } from '@service/protocol/generated';
import type { Address, Instruction } from '@solana/kit';
import fc from 'fast-check';
import { addMarket, issueTokens } from './bindings.ts';
import { addressOf, type Chain, DAY, HOUR, NOW } from './chain.ts';
import { ATTRIBUTES, commitmentBytes, issueCredential, revokeCredential } from './credentials.ts';
import {
  at,
  CIRCUIT,
  CIRCUIT_ID,
  configOf,
  PASS_FEE,
  readyChain,
  retireCircuit,
  setCircuit,
  setGovernance,
  setVerifier,
  TREASURY,
  verifierAt,
  withdrawFees,
} from './governance.ts';
import { withAddress } from './instruction.ts';
import { isInvalidated } from './invariants.ts';
import type { Ledger } from './ledger.ts';
import type { Outcome } from './outcome.ts';
import { closePassOf, prove } from './passes.ts';
import { proofOf } from './proofs.ts';
import { addRuleSet, MAX_PASS_AGE, withdrawPassFunds } from './rule-sets.ts';
import { approve, BOTH, burn, ONE, tokens } from './token-instructions.ts';
import { transfer } from './transfers.ts';

const WALLETS = ['holder', 'other holder', 'outsider'] as const;
const VERIFIERS = ['verifier', 'second verifier'] as const;
const CIRCUITS = [CIRCUIT_ID, 'second', 'third'] as const;
const MINTS = [ONE, BOTH] as const;
/** Nonces of the issuer's rule sets; the longest pass lives are 30 days and 2. */
const RULES = [1n, 2n] as const;
const SHORT_AGE = 2n * DAY;
/** The expiries of passes: few, because each needs its own proof for each wallet and rule set. */
const ENDS = [NOW + HOUR, NOW + DAY, NOW + 3n * DAY, NOW + 20n * DAY, NOW + 45n * DAY] as const;
const ATTRIBUTE_SETS: readonly WitnessAttributes[] = [ATTRIBUTES, { ...ATTRIBUTES, salt: 0x2a17n }];

const wallet = fc.constantFrom(...WALLETS);
const nonce = fc.constantFrom(...RULES);
const mint = fc.constantFrom(...MINTS);
const verifier = fc.constantFrom(...VERIFIERS);
const circuit = fc.constantFrom(...CIRCUITS);
const seldom = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);
const lamports = fc.constantFrom(1n, 1_000_000n, PASS_FEE, 40_000_000n);
const seconds = fc.constantFrom(1n, 200n, HOUR - 1n, HOUR, 2n * HOUR, 12n * HOUR, DAY, 15n * DAY);

/** A kind of step: how often it is chosen, and its parameters. */
const step = <K extends string, T>(
  weight: number,
  kind: K,
  rest: { [P in keyof T]: fc.Arbitrary<T[P]> },
) => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant(kind), ...rest }) as fc.Arbitrary<{ kind: K } & T>,
});

/** Every kind of step. */
export const actions = fc.oneof(
  step(4, 'time', { seconds }),
  step(4, 'credential', {
    wallet,
    verifier,
    attributes: fc.constantFrom(0, 0, 0, 0, 1),
    ahead: fc.constantFrom(0n, 0n, 0n, -10n, 200n, 300n, 301n),
    days: fc.constantFrom(5n, 60n, 60n),
  }),
  step(1, 'revoke', { wallet, verifier, ahead: fc.constantFrom(0n, 200n) }),
  step(12, 'prove', {
    wallet,
    nonce,
    end: fc.nat({ max: 5 }),
    circuit: fc.constantFrom(null, null, null, null, null, null, ...CIRCUITS),
    proofOfOtherWallet: seldom,
    proofOfOtherRuleSet: seldom,
  }),
  step(5, 'close', { wallet, nonce }),
  step(1, 'outlive', { wallet, verifier }),
  step(1, 'lapse', { wallet, early: fc.constantFrom(0n, 1n) }),
  step(1, 'edge', { wallet, nonce, end: fc.nat({ max: 4 }), early: fc.constantFrom(0n, 1n) }),
  step(1, 'fund', { to: fc.constantFrom('treasury' as const, ...RULES), lamports }),
  step(1, 'withdrawFees', { by: fc.constantFrom('governance', 'governance', 'issuer'), lamports }),
  step(1, 'withdrawPassFunds', { by: fc.constantFrom('issuer', 'issuer', 'governance'), nonce, lamports }),
  step(1, 'verifier', { verifier, active: seldom.map((is) => !is) }),
  step(1, 'circuit', { circuit, grace: fc.constantFrom(0n, DAY, 31n * DAY) }),
  step(1, 'retire', { circuit, grace: fc.constantFrom(0n, DAY), unsound: seldom }),
  step(1, 'governance', {
    paused: seldom,
    fee: fc.constantFrom(PASS_FEE, PASS_FEE, PASS_FEE, 1_000_000n, 0n, null),
  }),
  step(3, 'issue', { mint, wallet, amount: fc.constantFrom(0n, 1n, 500n) }),
  step(4, 'transfer', { mint, from: wallet, to: wallet, amount: fc.constantFrom(0n, 1n, 300n) }),
  step(1, 'delegate', { mint, from: wallet, to: wallet, by: wallet }),
  step(1, 'burn', { mint, wallet, amount: fc.constantFrom(1n, 100n) }),
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
  for (const wallet of WALLETS) await chain.confirm(issueCredential({ wallet }));
  for (const wallet of ['holder', 'other holder']) await chain.confirm(prove({ wallet, expiresAt: ENDS[3] }));
  for (const mint of MINTS) {
    await addMarket(chain, { mint, requireSource: mint === BOTH });
    await chain.confirm(issueTokens({ mint }));
  }
  return chain;
}

/** A prove with the active circuit and the right proof. */
const VALID_PROVE = {
  kind: 'prove',
  circuit: null,
  proofOfOtherWallet: false,
  proofOfOtherRuleSet: false,
} as const;

const ruleOf = async (nonce: bigint): Promise<Address> => at.ruleSet(await addressOf('issuer'), nonce);

/** Runs a step and records it. Returns null when it had nothing to send. Fails the test when an invariant is broken. */
export async function act(chain: Chain, ledger: Ledger, action: Action): Promise<Outcome | null> {
  const send = async (...instructions: Instruction[]): Promise<Outcome> => {
    const outcome = await chain.send(...instructions);
    ledger.world.observe(outcome, instructions);
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
    const previous = ledger.world.credentialOf(address)?.verifier;
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
      const to = action.to === 'treasury' ? TREASURY : await ruleOf(action.to);
      chain.fund(to, action.lamports);
      ledger.received(to, action.lamports);
      return null;
    }
    case 'credential':
      return credential({ ...action, expiresAt: chain.time + action.days * DAY });
    case 'outlive': {
      // A credential that expires one second before the pass would.
      const end = ENDS.find((at) => at > chain.time + HOUR && at <= chain.time + MAX_PASS_AGE);
      if (!end) return null;
      const { wallet, verifier } = action;
      await credential({ wallet, verifier, attributes: 0, ahead: 0n, expiresAt: end - 1n });
      return proveStep(chain, ledger, { ...VALID_PROVE, wallet, nonce: 1n, end: 0 }, send, end);
    }
    case 'revoke': {
      const { wallet, verifier, ahead } = action;
      if (!ledger.world.credentialOf(await addressOf(wallet))) return null;
      return send(...(await revokeCredential({ wallet, verifier, revokedAt: chain.time + ahead })));
    }
    case 'prove':
      return proveStep(chain, ledger, action, send);
    case 'edge': {
      // The first second at which a pass may have this expiry, or the second before.
      const end = ENDS[action.end]!;
      const first = end - (action.nonce === 1n ? MAX_PASS_AGE : SHORT_AGE);
      if (first - action.early > chain.time) chain.setTime(first - action.early);
      const whole = { ...action, ...VALID_PROVE };
      return end > chain.time ? proveStep(chain, ledger, whole, send, end) : null;
    }
    case 'lapse': {
      // The second at which a pass expires, or the one before; then transfers from and to its wallet.
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
      const account = ledger.world.get(pass);
      if (!account) return null;
      const frees = isInvalidated(ledger.world, account);
      return booked(await send(await closePassOf(chain, action.wallet, rule)), () => {
        if (frees) ledger.freed(rule, address);
      });
    }
    case 'withdrawFees': {
      const outcome = await send(await withdrawFees({ authority: action.by, lamports: action.lamports }));
      return booked(outcome, async () => ledger.received(TREASURY, -action.lamports));
    }
    case 'withdrawPassFunds': {
      const [rule, { by: creator, lamports }] = [await ruleOf(action.nonce), action];
      const outcome = await send(await withdrawPassFunds({ creator, rule, lamports }));
      return booked(outcome, () => ledger.received(rule, -lamports));
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
      const outcome = await send(await issueTokens({ mint, holder, amount, rule: await ruleOf(1n) }));
      return booked(outcome, async () => ledger.issued(await addressOf(mint), amount));
    }
    case 'transfer':
      return send(await transfer(action));
    case 'delegate': {
      const { mint, from, to, by: authority } = action;
      await send(await approve(mint, authority, { amount: 50n, owner: from }));
      return send(await transfer({ mint, from, to, authority, amount: 2n }));
    }
    case 'burn': {
      const { amount, mint, wallet } = action;
      const account = await tokens(wallet, mint);
      const outcome = await send(await burn(amount, { mint, authority: wallet, account }));
      return booked(outcome, async () => ledger.issued(await addressOf(mint), -amount));
    }
  }
}

/** Proves with the credential that is on chain, sometimes with the proof of another wallet or rule set. */
async function proveStep(
  chain: Chain,
  ledger: Ledger,
  action: Extract<Action, { kind: 'prove' }>,
  send: (...instructions: Instruction[]) => Promise<Outcome>,
  exactEnd?: bigint,
): Promise<Outcome | null> {
  const [rule, address] = [await ruleOf(action.nonce), await addressOf(action.wallet)];
  const held = ledger.world.credentialOf(address);
  if (!held) return null;
  const isShort = action.nonce === 2n;
  const attributes = ATTRIBUTE_SETS.find((set) =>
    Buffer.from(commitmentBytes(set)).equals(Buffer.from(held.commitment)),
  )!;
  const latest = chain.time + (isShort ? SHORT_AGE : MAX_PASS_AGE);
  const isPossible = (end: bigint) => end > chain.time && end <= latest && end <= held.expiresAt;
  // The last choice is any expiry, valid or not.
  const ends = [...ENDS.filter(isPossible), ENDS[action.end % ENDS.length]!];
  const end = exactEnd ?? ends[action.end % ends.length]!;
  const facts = {
    wallet: action.proofOfOtherWallet ? 'holder' : action.wallet,
    attributes,
    rule: action.proofOfOtherRuleSet ? await ruleOf(1n) : rule,
    expiresAt: end,
    maxPassAgeSeconds: isShort && !action.proofOfOtherRuleSet ? SHORT_AGE : MAX_PASS_AGE,
  };
  // The program rejects an expiry in the past whatever the proof is, and a proof takes long to make.
  const proof = end > chain.time ? await proofOf(facts) : new Uint8Array(256);
  const proving = await prove({
    wallet: action.wallet,
    rule,
    verifier: await nameOfVerifier(held.verifier),
    circuitId: action.circuit ?? CIRCUIT_ID,
    expiresAt: end,
    proof,
  });
  // The active circuit, unless the step names another one, which may not exist.
  const active = withAddress(proving, CIRCUIT, await activeCircuit(chain));
  const outcome = await send(action.circuit ? proving : active);
  if (!outcome.refusal) ledger.proved(rule, address);
  return outcome;
}

async function nameOfVerifier(account: Address): Promise<string> {
  for (const name of VERIFIERS) if ((await verifierAt(name)) === account) return name;
  throw new Error(`${account} is not a verifier of the tests.`);
}

async function activeCircuit(chain: Chain): Promise<Address> {
  const { activeCircuit } = await configOf(chain);
  if (activeCircuit.__option === 'None') throw new Error('No circuit is active.');
  return activeCircuit.value;
}

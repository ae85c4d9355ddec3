/** The steps of a sequence: what each sends, mostly valid and sometimes not, and what it records when it succeeds. */
import { isDeepStrictEqual } from 'node:util';
import type { WitnessAttributes } from '@service/protocol/eligibility';
import { getPassDecoder } from '@service/protocol/generated';
import { type Address, unwrapOption } from '@solana/kit';
import fc from 'fast-check';
import { addressOf, type Chain, DAY, HOUR, NOW, type Sendable } from './chain.ts';
import {
  ATTRIBUTES,
  commitmentBytes,
  discardCredential,
  issueCredential,
  revokeCredential,
} from './credentials.ts';
import {
  at,
  CIRCUIT,
  CIRCUIT_ID,
  configOf,
  endPasses,
  PASS_FEE,
  pause,
  readyChain,
  retireCircuit,
  setCircuit,
  setGuardian,
  setPassFee,
  setVerifier,
  TREASURY,
  unpause,
  verifierAt,
  withdrawFees,
} from './governance.ts';
import { withAddress } from './instruction.ts';
import { isInvalidated } from './invariants.ts';
import type { Ledger } from './ledger.ts';
import { addMarket, issueTokens, transfer } from './market.ts';
import type { Outcome } from './outcome.ts';
import { closePassOf, proofOf, prove } from './passes.ts';
import {
  addRuleSet,
  collectFees,
  MAX_PASS_AGE,
  passAt,
  setMaxPassFee,
  withdrawPassFunds,
} from './rule-sets.ts';
import { approve, BOTH, burn, ONE, tokens } from './token-instructions.ts';

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

export const actions = fc.oneof(
  step(4, 'time', { seconds }),
  step(4, 'credential', {
    wallet,
    verifier,
    attributes: fc.constantFrom(0, 0, 0, 0, 1),
    ahead: fc.constantFrom(0n, 0n, 0n, -10n, 200n, 300n, 301n),
    days: fc.constantFrom(5n, 60n, 60n),
    byWallet: fc.boolean(),
  }),
  step(1, 'revoke', { wallet, verifier, ahead: fc.constantFrom(0n, 200n), withPasses: fc.boolean() }),
  step(1, 'discard', { wallet, withPasses: fc.boolean() }),
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
  step(2, 'collectFees', { nonce }),
  step(1, 'verifier', { verifier, active: seldom.map((is) => !is) }),
  step(1, 'circuit', { circuit, grace: fc.constantFrom(0n, DAY, 31n * DAY) }),
  step(1, 'retire', { circuit, grace: fc.constantFrom(0n, DAY), unsound: seldom }),
  step(1, 'pause', { by: fc.constantFrom('governance', 'guardian', 'issuer'), paused: seldom }),
  step(1, 'fee', { fee: fc.constantFrom(PASS_FEE, PASS_FEE, 2n * PASS_FEE, 1_000_000n, 0n, null) }),
  step(1, 'maxFee', { by: fc.constantFrom('issuer', 'issuer', 'governance'), nonce, lamports }),
  step(1, 'endPasses', { by: fc.constantFrom('governance', 'governance', 'guardian') }),
  step(3, 'issue', { mint, wallet, amount: fc.constantFrom(0n, 1n, 500n) }),
  step(4, 'transfer', { mint, from: wallet, to: wallet, amount: fc.constantFrom(0n, 1n, 300n) }),
  step(1, 'delegate', { mint, from: wallet, to: wallet, by: wallet }),
  step(1, 'burn', { mint, wallet, amount: fc.constantFrom(1n, 100n) }),
);

export type Action = typeof actions extends fc.Arbitrary<infer T> ? T : never;

/** Two rule sets with funds for a few passes, two mints, token accounts and credentials of three wallets. */
export async function sequenceChain(): Promise<Chain> {
  const chain = await readyChain();
  await chain.confirm(setGuardian());
  for (const nonce of RULES) {
    await addRuleSet(chain, { nonce, maxPassAgeSeconds: longestLife(nonce), passFunds: 20n * PASS_FEE });
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
const longestLife = (nonce: bigint) => (nonce === 1n ? MAX_PASS_AGE : SHORT_AGE);

/** Sends instructions and checks what they changed. Records them in the ledger if they succeed. */
type Send = (sent: Sendable, record?: () => unknown) => Promise<Outcome>;

/** Runs a step and records it. Returns null if there was nothing to send. Fails the test if an invariant is broken. */
export async function act(chain: Chain, ledger: Ledger, action: Action): Promise<Outcome | null> {
  const send: Send = async (sent, record) => {
    const instructions = [await sent].flat();
    const outcome = await chain.send(...instructions);
    ledger.world.observe(outcome, instructions);
    if (!outcome.refusal) await record?.();
    return outcome;
  };

  const credential = async (
    wallet: string,
    verifier: string,
    attributes: number,
    ahead: bigint,
    end: bigint,
    byWallet = false,
  ) => {
    const address = await addressOf(wallet);
    const previous = ledger.world.credentialOf(address)?.verifier;
    const previousVerifier = previous ? await nameOfVerifier(previous) : verifier;
    const commitment = commitmentBytes(ATTRIBUTE_SETS[attributes]!);
    const times = { issuedAt: chain.time + ahead, expiresAt: end };
    const change = { wallet, verifier, previousVerifier, commitment, byWallet, ...times };
    return send(issueCredential(change), () => ledger.credentialIssued(address));
  };

  const passesToEnd = async ({ wallet, withPasses }: { wallet: string; withPasses: boolean }) => {
    const passes = await Promise.all(RULES.map(async (nonce) => passAt(wallet, await ruleOf(nonce))));
    return withPasses ? passes.filter((pass) => ledger.world.get(pass)) : [];
  };
  const free = async (wallet: string, passes: readonly Address[]) => {
    const address = await addressOf(wallet);
    for (const nonce of RULES) {
      const rule = await ruleOf(nonce);
      if (passes.includes(await passAt(wallet, rule))) ledger.freed(rule, address);
    }
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
    case 'credential': {
      const { wallet, verifier, attributes, ahead, days, byWallet } = action;
      return credential(wallet, verifier, attributes, ahead, chain.time + days * DAY, byWallet);
    }
    case 'outlive': {
      // A credential that expires one second before the pass would.
      const end = ENDS.find((at) => at > chain.time + HOUR && at <= chain.time + MAX_PASS_AGE);
      if (!end) return null;
      const { wallet, verifier } = action;
      await credential(wallet, verifier, 0, 0n, end - 1n);
      return proveStep(chain, ledger, { ...VALID_PROVE, wallet, nonce: 1n, end: 0 }, send, end);
    }
    case 'revoke': {
      const { wallet, verifier, ahead } = action;
      const passes = await passesToEnd(action);
      const revoking = revokeCredential({ wallet, verifier, revokedAt: chain.time + ahead, passes });
      return send(revoking, () => free(action.wallet, passes));
    }
    case 'discard': {
      const passes = await passesToEnd(action);
      const { wallet } = action;
      return send(discardCredential({ wallet, passes }), () => free(wallet, passes));
    }
    case 'prove':
      return proveStep(chain, ledger, action, send);
    case 'edge': {
      // The first second at which a pass may have this expiry, or the second before.
      const end = ENDS[action.end]!;
      const time = end - longestLife(action.nonce) - action.early;
      if (time > chain.time) chain.setTime(time);
      return end > chain.time ? proveStep(chain, ledger, { ...action, ...VALID_PROVE }, send, end) : null;
    }
    case 'lapse': {
      // The second at which a pass expires, or the one before. Then transfers from and to its wallet.
      const pass = ledger.world.get(await passAt(action.wallet));
      if (!pass) return null;
      const end = getPassDecoder().decode(pass.data).expiresAt - action.early;
      if (end > chain.time) chain.setTime(end);
      for (const mint of MINTS) {
        for (const other of WALLETS.filter((name) => name !== action.wallet)) {
          await send(transfer({ mint, from: action.wallet, to: other, amount: 1n }));
          await send(transfer({ mint, from: other, to: action.wallet, amount: 1n }));
        }
      }
      return null;
    }
    case 'close': {
      const [rule, address] = [await ruleOf(action.nonce), await addressOf(action.wallet)];
      const pass = ledger.world.get(await at.pass(rule, address));
      if (!pass) return null;
      const frees = isInvalidated(ledger.world, pass);
      return send(closePassOf(chain, action.wallet, rule), () => frees && ledger.freed(rule, address));
    }
    case 'withdrawFees': {
      const { by: authority, lamports } = action;
      return send(withdrawFees({ authority, lamports }), () => ledger.received(TREASURY, -lamports));
    }
    case 'withdrawPassFunds': {
      const [rule, { by: creator, lamports }] = [await ruleOf(action.nonce), action];
      return send(withdrawPassFunds({ creator, rule, lamports }), () => ledger.received(rule, -lamports));
    }
    case 'collectFees': {
      const rule = await ruleOf(action.nonce);
      return send(collectFees({ rule }), () => ledger.collected(rule));
    }
    case 'verifier':
      return send(setVerifier({ verifier: action.verifier, active: action.active }));
    case 'circuit': {
      const previousCircuit = activeCircuit(chain);
      return send(setCircuit({ id: action.circuit, previousCircuit, graceSeconds: action.grace }));
    }
    case 'retire': {
      const { circuit: id, unsound } = action;
      if (!chain.account(await at.circuit(id))) return null;
      return send(retireCircuit({ id, unsound, graceSeconds: action.grace }));
    }
    case 'pause':
      return send((action.paused ? pause : unpause)({ authority: action.by }));
    case 'fee':
      return send(setPassFee({ passFee: action.fee }));
    case 'maxFee': {
      const { by: creator, lamports } = action;
      return send(setMaxPassFee({ creator, rule: await ruleOf(action.nonce), lamports }));
    }
    case 'endPasses':
      return send(endPasses({ authority: action.by }), () => ledger.passesEnded());
    case 'issue': {
      const { mint, wallet: holder, amount } = action;
      const address = await addressOf(mint);
      return send(issueTokens({ mint, holder, amount }), () => ledger.issued(address, amount));
    }
    case 'transfer':
      return send(transfer(action));
    case 'delegate': {
      const { mint, from, to, by: authority } = action;
      await send(approve(mint, authority, { amount: 50n, owner: from }));
      return send(transfer({ mint, from, to, authority, amount: 2n }));
    }
    case 'burn': {
      const { amount, mint, wallet: authority } = action;
      const [address, account] = [await addressOf(mint), await tokens(authority, mint)];
      return send(burn(amount, { mint, authority, account }), () => ledger.issued(address, -amount));
    }
  }
}

/** Proves with the current credential, sometimes with the proof of another wallet or rule set. */
async function proveStep(
  chain: Chain,
  ledger: Ledger,
  { wallet, nonce, circuit, ...action }: Extract<Action, { kind: 'prove' }>,
  send: Send,
  exactEnd?: bigint,
): Promise<Outcome | null> {
  const [rule, address] = [await ruleOf(nonce), await addressOf(wallet)];
  const held = ledger.world.credentialOf(address);
  if (!held) return null;
  const isHeld = (set: WitnessAttributes) => isDeepStrictEqual(commitmentBytes(set), held.commitment);
  const latest = chain.time + longestLife(nonce);
  const isPossible = (end: bigint) => end > chain.time && end <= latest && end <= held.expiresAt;
  // The last choice is any expiry, valid or not.
  const ends = [...ENDS.filter(isPossible), ENDS[action.end % ENDS.length]!];
  const expiresAt = exactEnd ?? ends[action.end % ends.length]!;
  const provedNonce = action.proofOfOtherRuleSet ? 1n : nonce;
  // The program rejects an expiry in the past whatever the proof is, and a proof takes long to make.
  const proof =
    expiresAt <= chain.time
      ? new Uint8Array(256)
      : await proofOf({
          wallet: action.proofOfOtherWallet ? 'holder' : wallet,
          attributes: ATTRIBUTE_SETS.find(isHeld)!,
          rule: await ruleOf(provedNonce),
          expiresAt,
        });
  const verifier = await nameOfVerifier(held.verifier);
  const proving = await prove({ wallet, rule, verifier, circuitId: circuit ?? CIRCUIT_ID, expiresAt, proof });
  // The active circuit, unless the step names another one, which may not exist.
  const sent = circuit ? proving : withAddress(proving, CIRCUIT, activeCircuit(chain));
  return send(sent, () => ledger.proved(rule, address));
}

async function nameOfVerifier(account: Address): Promise<string> {
  for (const name of VERIFIERS) if ((await verifierAt(name)) === account) return name;
  throw new Error(`${account} is not a verifier of the tests.`);
}

const activeCircuit = (chain: Chain): Address => unwrapOption(configOf(chain).activeCircuit)!;

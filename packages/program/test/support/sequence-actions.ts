/** The steps of a sequence: what each sends, mostly valid and sometimes not, and what it records when it succeeds. */
import { isDeepStrictEqual } from 'node:util';
import type { WitnessAttributes } from '@service/protocol/eligibility';
import { getPassDecoder, type Pass } from '@service/protocol/generated';
import { type AccountRole, type Address, type Instruction, unwrapOption } from '@solana/kit';
import fc from 'fast-check';
import { expect } from 'vitest';
import { addressOf, Chain, DAY, HOUR, NOW, type Sendable } from './chain.ts';
import {
  ATTRIBUTES,
  commitmentBytes,
  discardCredential,
  issueCredential,
  revokeCredential,
} from './credentials.ts';
import { addGatedMarket, addTokenAcl, freeze, GATED, setGate, thaw } from './gates.ts';
import {
  acceptAuthority,
  at,
  CIRCUIT,
  CIRCUIT_ID,
  configOf,
  credentialAt,
  endPasses,
  nominateAuthority,
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
import { expectSupported, isInvalidated } from './invariants.ts';
import {
  acceptIssuer,
  addSecurity,
  announceRule,
  applyRule,
  nominateIssuer,
  recover,
  redeem,
  SECURITY,
} from './issuers.ts';
import type { Ledger } from './ledger.ts';
import { addMarket, bindMint, issueTokens, transfer } from './market.ts';
import { addMint, addTokenAccount, permanentDelegate, transferHook } from './mints.ts';
import { nameOfCode, type Outcome } from './outcome.ts';
import {
  closePassOf,
  endGrant,
  grantPass,
  proofOf,
  prove,
  suspendPass,
  tagBytes,
  UNTIL_LIFTED,
} from './passes.ts';
import { addLimitedRuleSet, LIMITED_NONCE, LIMITED_RULE, placeAt, proveInPlace } from './places.ts';
import {
  addRuleSet,
  collectFees,
  createRuleSet,
  MAX_PASS_AGE,
  passAt,
  setMaxPassFee,
  withdrawPassFunds,
} from './rule-sets.ts';
import { approve, BOTH, burn, ONE, READS_BOTH, tokens } from './token-instructions.ts';

const WALLETS = ['holder', 'other holder', 'outsider'] as const;
const VERIFIERS = ['verifier', 'second verifier'] as const;
const CIRCUITS = [CIRCUIT_ID, 'second', 'third'] as const;
const GOVERNORS = ['governance', 'next governance'] as const;
/** The last one is bound by a step. */
const MINTS = [ONE, BOTH, READS_BOTH, SECURITY, 'later mint'] as const;
/** Who may become the issuer of the security. */
const ISSUERS = ['issuer', 'next issuer'] as const;
/** Nonces of the issuer's rule sets; the longest pass lives are 30 days and 2. */
const RULES = [1n, 2n] as const;
/** The rule sets in which a step proves, with that in which each person has two places. */
const PROVABLE = [...RULES, LIMITED_NONCE] as const;
/** The nonce of the rule set that a step creates. */
const LATER_RULE = 3n;
const SHORT_AGE = 2n * DAY;
/** The expiries of passes: few, because each needs its own proof for each wallet and rule set. */
const ENDS = [NOW + HOUR, NOW + DAY, NOW + 3n * DAY, NOW + 20n * DAY, NOW + 45n * DAY] as const;
/** The first two are of one person. */
export const ATTRIBUTE_SETS: readonly WitnessAttributes[] = [
  ATTRIBUTES,
  { ...ATTRIBUTES, salt: 0x2a17n },
  { ...ATTRIBUTES, person: 77n },
];

const wallet = fc.constantFrom(...WALLETS);
/** In the place of a name: the wallet that holds the place, whoever that is. */
const HOLDER_OF_PLACE = 'holder of the place' as const;
const nonce = fc.constantFrom(...RULES);
const provable = fc.constantFrom(...PROVABLE);
const mint = fc.constantFrom(...MINTS);
/** Mostly the same mint, so that steps of its issuer follow each other. */
const issued = fc.constantFrom(SECURITY, SECURITY, SECURITY, ...MINTS);
const verifier = fc.constantFrom(...VERIFIERS);
const circuit = fc.constantFrom(...CIRCUITS);
const seldom = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);
const lamports = fc.constantFrom(1n, 1_000_000n, PASS_FEE, 40_000_000n);
/** Who signs for governance: mostly its present authority, whoever that is. */
const governor = (...others: string[]) => fc.constantFrom('authority', 'authority', ...others);
/** Who signs as the issuer: mostly the present one, whoever that is. */
const issuing = fc.constantFrom('issuer of the mint', 'issuer of the mint', 'outsider');
/** Which passes a list has: none, those that exist, each twice, or all that could exist. */
const listed = fc.constantFrom('none' as const, 'open' as const, 'twice' as const, 'all' as const);
/** Who signs for the creator of the rule sets. */
const creator = fc.constantFrom('issuer', 'issuer', 'issuer', 'governance');
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

/** Steps that send one transaction. */
const single = [
  step(4, 'credential', {
    wallet,
    verifier,
    attributes: fc.constantFrom(0, 0, 0, 0, 1, 2),
    ahead: fc.constantFrom(0n, 0n, 0n, -10n, 200n, 300n, 301n),
    days: fc.constantFrom(5n, 60n, 60n),
    byWallet: fc.boolean(),
  }),
  step(2, 'revoke', { wallet, verifier, ahead: fc.constantFrom(0n, 0n, -10n, 200n), listed }),
  step(1, 'discard', { wallet, listed }),
  step(12, 'prove', {
    wallet,
    nonce,
    end: fc.nat({ max: 5 }),
    circuit: fc.constantFrom(null, null, null, null, null, null, ...CIRCUITS),
    proofOfOtherWallet: seldom,
    proofOfOtherRuleSet: seldom,
  }),
  step(8, 'provePlace', {
    wallet,
    place: fc.constantFrom(0, 0, 1, 2),
    end: fc.nat({ max: 5 }),
    replaces: fc.constantFrom(HOLDER_OF_PLACE, 'nobody' as const, ...WALLETS),
    claim: fc.constantFrom(...Array<'proved'>(5).fill('proved'), 'of another person' as const),
  }),
  step(5, 'close', { wallet, nonce: provable }),
  step(2, 'suspend', {
    by: creator,
    wallet,
    nonce: provable,
    seconds: fc.constantFrom(0n, HOUR, DAY, 20n * DAY, UNTIL_LIFTED),
  }),
  step(5, 'lift', { by: creator, wallet, nonce: provable }),
  step(4, 'grant', {
    by: creator,
    wallet,
    nonce: provable,
    seconds: fc.constantFrom(0n, 1n, HOUR, DAY, 3n * DAY),
  }),
  step(6, 'endGrant', { by: fc.constantFrom('issuer', 'outsider'), wallet, nonce: provable }),
  step(2, 'withdrawFees', { by: governor('governance', 'issuer'), lamports }),
  step(1, 'withdrawPassFunds', { by: fc.constantFrom('issuer', 'issuer', 'governance'), nonce, lamports }),
  step(2, 'collectFees', { nonce }),
  step(1, 'verifier', { verifier, active: seldom.map((is) => !is) }),
  step(1, 'circuit', { circuit, grace: fc.constantFrom(0n, DAY, 31n * DAY) }),
  step(1, 'retire', { circuit, grace: fc.constantFrom(0n, DAY), unsound: seldom }),
  step(1, 'pause', { by: governor('guardian', 'issuer'), paused: seldom }),
  step(1, 'fee', { fee: fc.constantFrom(PASS_FEE, PASS_FEE, 2n * PASS_FEE, 1_000_000n, 0n, null) }),
  step(1, 'maxFee', { by: fc.constantFrom('issuer', 'issuer', 'governance'), nonce, lamports }),
  step(1, 'endPasses', { by: governor('governance', 'guardian') }),
  step(3, 'nominate', {
    by: governor('authority', 'guardian'),
    nominee: fc.constantFrom(...GOVERNORS, 'next governance', null),
  }),
  step(4, 'accept', { by: fc.constantFrom('nominee', 'nominee', ...GOVERNORS) }),
  step(1, 'ruleSet', {}),
  step(2, 'bind', {
    by: fc.constantFrom('issuer', 'issuer', 'outsider'),
    nonce,
    requireSource: fc.boolean(),
    honoursGranted: fc.boolean(),
    readsCredential: fc.boolean(),
  }),
  step(2, 'gate', {
    by: fc.constantFrom('issuer', 'issuer', 'outsider'),
    nonce,
    honoursGranted: fc.boolean(),
  }),
  step(3, 'thaw', { wallet, ofOtherRuleSet: seldom }),
  step(3, 'freeze', { wallet, ofOtherRuleSet: seldom }),
  step(4, 'issue', { mint, wallet, amount: fc.constantFrom(0n, 1n, 500n) }),
  step(4, 'transfer', { mint, from: wallet, to: wallet, amount: fc.constantFrom(0n, 1n, 300n) }),
  step(8, 'recover', {
    mint: issued,
    by: issuing,
    from: fc.constantFrom('holder', ...WALLETS),
    to: fc.constantFrom('other holder', ...WALLETS),
    amount: fc.constantFrom(0n, 1n, 1n, 200n),
    reason: fc.constantFrom(1, 2, 6, 7, 8),
  }),
  step(4, 'redeem', { mint: issued, by: issuing, wallet, amount: fc.constantFrom(1n, 100n) }),
  step(5, 'nominateIssuer', { mint: issued, by: issuing, nominee: fc.constantFrom(...ISSUERS, null) }),
  step(9, 'acceptIssuer', { mint: issued, by: fc.constantFrom('nominee', 'nominee', 'outsider') }),
  step(3, 'announceRule', { mint: issued, by: issuing, nonce }),
  step(3, 'applyRule', { mint: issued }),
  step(2, 'burn', { mint, wallet, amount: fc.constantFrom(1n, 100n) }),
];

export const actions = fc.oneof(
  ...single,
  step(4, 'time', { seconds }),
  step(1, 'outlive', { wallet, verifier }),
  step(1, 'lapse', { wallet, early: fc.constantFrom(0n, 1n) }),
  step(1, 'edge', { wallet, nonce, end: fc.nat({ max: 4 }), early: fc.constantFrom(0n, 1n) }),
  step(3, 'takeOver', {
    wallet,
    place: fc.constantFrom(0, 0, 0, 1),
    end: fc.nat({ max: 5 }),
    early: fc.constantFrom(0n, 0n, 0n, 1n),
  }),
  step(3, 'change', { mint: issued, nonce, early: fc.constantFrom(0n, 1n) }),
  step(1, 'fund', { to: fc.constantFrom('treasury' as const, ...RULES), lamports }),
  step(2, 'squat', {
    what: fc.constantFrom('pass', 'place', 'credential', 'ruleSet', 'binding', 'list', 'circuit'),
    wallet,
    nonce,
    lamports: fc.constantFrom(1n, 10_000_000n),
  }),
  step(1, 'delegate', { mint, from: wallet, to: wallet, by: wallet }),
  step(3, 'together', { steps: fc.array(fc.oneof(...single), { minLength: 2, maxLength: 3 }) }),
);

type Listed = typeof listed extends fc.Arbitrary<infer T> ? T : never;
export type Action = typeof actions extends fc.Arbitrary<infer T> ? T : never;

/** Two rule sets with funds for a few passes, two mints, and a third one to bind. Two of three wallets have credentials. */
export async function sequenceChain(): Promise<Chain> {
  const chain = await readyChain();
  await chain.confirm(setGuardian());
  for (const nonce of RULES) {
    await addRuleSet(chain, { nonce, maxPassAgeSeconds: longestLife(nonce), passFunds: 20n * PASS_FEE });
  }
  await addLimitedRuleSet(chain, { passFunds: 20n * PASS_FEE });
  for (const wallet of ['holder', 'other holder']) {
    await chain.confirm(issueCredential({ wallet }));
    await chain.confirm(prove({ wallet, expiresAt: ENDS[3] }));
  }
  await chain.confirm(proveInPlace({ expiresAt: ENDS[3] }));
  for (const mint of [ONE, BOTH, READS_BOTH]) {
    const readsCredential = mint === READS_BOTH;
    await addMarket(chain, {
      mint,
      requireSource: mint !== ONE,
      honoursGranted: mint !== ONE,
      readsCredential,
    });
    await chain.confirm(issueTokens({ mint }));
  }
  addTokenAcl(chain);
  await addGatedMarket(chain);
  await chain.confirm(thaw());
  await addSecurity(chain);
  const later = await addMint(chain, {
    mint: 'later mint',
    extensions: [transferHook(), permanentDelegate(await addressOf('issuer'))],
  });
  for (const wallet of WALLETS) await addTokenAccount(chain, wallet, later);
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
const longestLife = (nonce: bigint) => (nonce === 2n ? SHORT_AGE : MAX_PASS_AGE);

/** Sends instructions and checks what they changed. Records them in the ledger if they succeed. */
type Send = (sent: Sendable, record?: () => unknown) => Promise<Outcome>;

/** What a step sent, in one transaction. */
interface Sent {
  readonly instructions: readonly Instruction[];
  readonly outcome: Outcome;
}

/**
 * Runs a step and records it. Returns null if there was nothing to send. Fails the test if an invariant is broken. Adds
 * what it sends to `sending`.
 */
export async function act(
  chain: Chain,
  ledger: Ledger,
  action: Action,
  sending: Sent[] = [],
): Promise<Outcome | null> {
  const send: Send = async (sent, record) => {
    const instructions = [await sent].flat();
    const outcome = await chain.send(...instructions);
    sending.push({ instructions, outcome });
    ledger.world.observe(outcome, instructions);
    if (!outcome.refusal) await record?.();
    return outcome;
  };
  /** The name of who signs. */
  const signer = async (by: string) => {
    if (by === 'authority') return authorityOf(chain);
    return by === 'nominee' ? ((await governorAt(unwrapOption(configOf(chain).nominee))) ?? 'issuer') : by;
  };
  /** A pass with a property, if there is one. It begins with the pass of the action, which it returns if there is none. */
  const passWith = async (
    { wallet, nonce }: { wallet: string; nonce: bigint },
    condition: (pass: Pass) => boolean,
  ) => {
    const drawn = { holder: wallet, rule: await ruleOf(nonce) };
    for (const holder of [wallet, ...WALLETS]) {
      for (const each of [nonce, ...PROVABLE]) {
        const rule = await ruleOf(each);
        const account = ledger.world.get(await passAt(holder, rule));
        if (account && condition(getPassDecoder().decode(account.data))) return { holder, rule };
      }
    }
    return drawn;
  };
  /** The rule set of a mint, whether it requires a pass of the source, and whether it reads credentials. */
  const boundBy = async (mint: string) => {
    const binding = ledger.world.bindingOf(await addressOf(mint));
    if (!binding) return undefined;
    const { rule, requireSource, readsCredential } = binding;
    return { rule, requireSource, readsCredential };
  };
  /** The name of who signs as the issuer of a mint or as its nominee. */
  const issuerOf = async (by: string, mint: string) => {
    if (by === 'outsider') return by;
    const binding = ledger.world.bindingOf(await addressOf(mint));
    const address = by === 'nominee' ? binding?.nominee : binding?.issuer;
    for (const name of ISSUERS) if ((await addressOf(name)) === address) return name;
    return 'issuer';
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
    const account = await verifierAt(verifier);
    const isTooOld = times.issuedAt <= ledger.voidUntil(address, account);
    const outcome = await send(issueCredential(change), () => {
      ledger.credentialIssued(address);
      ledger.signed(address, account, times.issuedAt);
    });
    // No verifier keeps out another one. There are two, whose times the account can keep.
    if (!outcome.refusal || nameOfCode(outcome.refusal.code) === 'CREDENTIAL_NOT_NEWER') {
      expect(outcome.refusal !== null, 'signed before the last statement of its verifier').toBe(isTooOld);
    }
    return outcome;
  };

  const passesToEnd = async ({ wallet, listed }: { wallet: string; listed: Listed }) => {
    const all = await Promise.all(PROVABLE.map(async (nonce) => passAt(wallet, await ruleOf(nonce))));
    const open = all.filter((pass) => ledger.world.get(pass));
    return { none: [], open, twice: [...open, ...open], all }[listed];
  };
  const free = async (wallet: string, passes: readonly Address[]) => {
    const address = await addressOf(wallet);
    for (const nonce of PROVABLE) {
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
    case 'squat': {
      const target = await squattedBy(action);
      if (chain.account(target)) return null;
      chain.fund(target, action.lamports);
      return null;
    }
    case 'together':
      return together(chain, ledger, action.steps);
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
      const [address, account] = [await addressOf(wallet), await verifierAt(verifier)];
      const credential = await credentialAt(wallet);
      const before = ledger.world.get(credential)?.data;
      const outcome = await send(revoking, async () => {
        await free(action.wallet, passes);
        const isRecorded = !isDeepStrictEqual(before, ledger.world.get(credential)!.data);
        if (isRecorded) ledger.signed(address, account, chain.time + ahead);
      });
      // This holds whatever came before, also if the revocation is rejected.
      expectSupported(ledger.world, passes);
      return outcome;
    }
    case 'discard': {
      const passes = await passesToEnd(action);
      const { wallet } = action;
      return send(discardCredential({ wallet, passes }), async () => {
        ledger.signed(await addressOf(wallet), null, chain.time);
        await free(wallet, passes);
        expectSupported(ledger.world, passes);
      });
    }
    case 'prove':
      return proveStep(chain, ledger, action, send);
    case 'provePlace':
      return provePlaceStep(chain, ledger, action, send);
    case 'takeOver': {
      // The second from which a wallet may take a place from another one, or the one before.
      const { wallet, place, end, early } = action;
      const taken = ledger.world.placesOf(LIMITED_RULE).find((each) => each.since + HOUR > chain.time);
      if (taken) chain.setTime(taken.since + HOUR - early);
      const proving = { wallet, place, end, replaces: HOLDER_OF_PLACE, claim: 'proved' } as const;
      return provePlaceStep(chain, ledger, { kind: 'provePlace', ...proving }, send);
    }
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
          const tokens = { mint, amount: 1n, ...(await boundBy(mint)) };
          await send(transfer({ ...tokens, from: action.wallet, to: other }));
          await send(transfer({ ...tokens, from: other, to: action.wallet }));
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
    case 'suspend': {
      const { by: creator, wallet: holder, nonce, seconds: lasts } = action;
      const until = lasts === UNTIL_LIFTED ? lasts : chain.time + lasts;
      return send(suspendPass({ creator, holder, rule: await ruleOf(nonce), until }));
    }
    case 'lift': {
      const pass = await passWith(action, ({ suspendedUntil }) => suspendedUntil > 0n);
      return send(suspendPass({ creator: action.by, ...pass, until: 0n }));
    }
    case 'grant': {
      const { by: creator, wallet: holder, nonce, seconds } = action;
      const [rule, address] = [await ruleOf(nonce), await addressOf(holder)];
      const granting = grantPass({ creator, holder, rule, expiresAt: chain.time + seconds });
      return send(granting, () => ledger.granted(rule, address));
    }
    case 'endGrant':
      return send(endGrant({ sender: action.by, ...(await passWith(action, ({ granted }) => granted)) }));
    case 'withdrawFees': {
      const [authority, { lamports }] = [await signer(action.by), action];
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
      return send(
        setVerifier({
          authority: await authorityOf(chain),
          verifier: action.verifier,
          active: action.active,
        }),
      );
    case 'circuit': {
      const [authority, previousCircuit] = [await authorityOf(chain), activeCircuit(chain)];
      return send(setCircuit({ authority, id: action.circuit, previousCircuit, graceSeconds: action.grace }));
    }
    case 'retire': {
      const { circuit: id, unsound } = action;
      if (!ledger.world.get(await at.circuit(id))) return null;
      const authority = await authorityOf(chain);
      return send(retireCircuit({ authority, id, unsound, graceSeconds: action.grace }));
    }
    case 'pause':
      return send((action.paused ? pause : unpause)({ authority: await signer(action.by) }));
    case 'fee':
      return send(setPassFee({ authority: await authorityOf(chain), passFee: action.fee }));
    case 'maxFee': {
      const { by: creator, lamports } = action;
      return send(setMaxPassFee({ creator, rule: await ruleOf(action.nonce), lamports }));
    }
    case 'endPasses':
      return send(endPasses({ authority: await signer(action.by) }), () => ledger.passesEnded());
    case 'nominate': {
      const nominee = action.nominee && (await addressOf(action.nominee));
      return send(nominateAuthority({ authority: await signer(action.by), nominee }));
    }
    case 'accept':
      return send(acceptAuthority({ nominee: await signer(action.by) }));
    case 'ruleSet': {
      const rule = await ruleOf(LATER_RULE);
      const squatted = chain.lamports(rule);
      return send(createRuleSet({ nonce: LATER_RULE }), () => ledger.created(rule, squatted));
    }
    case 'bind': {
      const { by: issuer, nonce, requireSource, honoursGranted, readsCredential } = action;
      const terms = { rule: await ruleOf(nonce), requireSource, honoursGranted, readsCredential };
      return send(bindMint({ issuer, mint: 'later mint', ...terms }));
    }
    case 'gate': {
      const { by: authority, nonce, honoursGranted } = action;
      return send(setGate({ authority, rule: await ruleOf(nonce), honoursGranted }));
    }
    case 'thaw':
    case 'freeze': {
      const { rule } = ledger.world.gateOf(await addressOf(GATED))!;
      const [one, other] = await Promise.all(RULES.map(ruleOf));
      const about = {
        owner: action.wallet,
        rule: action.ofOtherRuleSet ? (rule === one ? other! : one!) : rule,
      };
      return send(action.kind === 'thaw' ? thaw(about) : freeze(about));
    }
    case 'issue': {
      const { mint, wallet: holder, amount } = action;
      const [address, binding] = [await addressOf(mint), await boundBy(mint)];
      const issuer = await issuerOf('issuer of the mint', mint);
      const issuing = issueTokens({ issuer, mint, holder, amount, ...binding });
      return send(issuing, () => ledger.issued(address, amount));
    }
    case 'recover': {
      const { mint, by, from, to, amount, reason } = action;
      const issuer = await issuerOf(by, mint);
      return send(recover({ issuer, mint, from, to, amount, reason, ...(await boundBy(mint)) }));
    }
    case 'redeem': {
      const { mint, by, wallet: from, amount } = action;
      const address = await addressOf(mint);
      const redeeming = redeem({ issuer: await issuerOf(by, mint), mint, from, amount });
      return send(redeeming, () => ledger.issued(address, -amount));
    }
    case 'nominateIssuer': {
      const { mint, by, nominee } = action;
      return send(nominateIssuer({ issuer: await issuerOf(by, mint), mint, nominee }));
    }
    case 'acceptIssuer': {
      const { mint, by } = action;
      return send(acceptIssuer({ nominee: await issuerOf(by, mint), mint }));
    }
    case 'announceRule': {
      const { mint, by, nonce } = action;
      return send(announceRule({ issuer: await issuerOf(by, mint), mint, rule: await ruleOf(nonce) }));
    }
    case 'change': {
      // The second from which an announced rule set may be applied, or the one before.
      const { mint, nonce, early } = action;
      const issuer = await issuerOf('issuer of the mint', mint);
      await send(announceRule({ issuer, mint, rule: await ruleOf(nonce) }));
      const binding = ledger.world.bindingOf(await addressOf(mint));
      const from = (binding?.nextRuleFrom ?? 0n) - early;
      if (from > chain.time) chain.setTime(from);
      return send(applyRule({ mint }));
    }
    case 'applyRule':
      return send(applyRule({ mint: action.mint }));
    case 'transfer':
      return send(transfer({ ...action, ...(await boundBy(action.mint)) }));
    case 'delegate': {
      const { mint, from, to, by: authority } = action;
      await send(approve(mint, authority, { amount: 50n, owner: from }));
      return send(transfer({ mint, from, to, authority, amount: 2n, ...(await boundBy(mint)) }));
    }
    case 'burn': {
      const { amount, mint, wallet: authority } = action;
      const [address, account] = [await addressOf(mint), await tokens(authority, mint)];
      return send(burn(amount, { mint, authority, account }), () => ledger.issued(address, -amount));
    }
  }
}

/**
 * Sends the steps one after another, and all in one transaction to a copy of the chain. The transaction must leave the
 * same state, or fail where the first step failed and change nothing.
 */
async function together(chain: Chain, ledger: Ledger, steps: readonly Action[]): Promise<Outcome | null> {
  const copy = Chain.from(chain.save());
  const sent: Sent[] = [];
  for (const each of steps) await act(chain, ledger, each, sent);
  if (sent.length < 2) return null;
  const all = sent.flatMap(({ instructions }) => instructions);
  const failed = sent.findIndex(({ outcome }) => outcome.refusal);
  const refusal = sent[failed]?.outcome.refusal ?? null;
  // A step that fails because a signature is missing can succeed with a signature that another step needs.
  if (refusal && !hasSameRoles(sent[failed]!, all)) return null;
  const whole = await copy.send(...all);
  const before = sent.slice(0, Math.max(failed, 0)).flatMap(({ instructions }) => instructions).length;
  expect(
    whole.refusal && { code: whole.refusal.code, instruction: whole.refusal.instruction },
    `all steps in one transaction: ${whole.refusal?.text}\n${whole.logs.join('\n')}`,
  ).toEqual(refusal && { code: refusal.code, instruction: before + refusal.instruction });
  if (refusal) expect(whole.changed).toEqual([]);
  else expect(copy.state()).toEqual(chain.state());
  return whole;
}

/** Returns whether a step has the same rights alone as it has together with the others. */
function hasSameRoles(step: Sent, all: readonly Instruction[]): boolean {
  const rights = new Map<Address, AccountRole>();
  for (const { address, role } of all.flatMap(({ accounts = [] }) => accounts))
    rights.set(address, (rights.get(address) ?? 0) | role);
  const own = step.instructions.flatMap(({ accounts = [] }) => accounts);
  return own.every(({ address, role }) => rights.get(address) === role);
}

/** Returns the address of an account that a step could squat on. */
async function squattedBy({ what, wallet, nonce }: Extract<Action, { kind: 'squat' }>): Promise<Address> {
  if (what === 'pass') return passAt(wallet, await ruleOf(nonce));
  if (what === 'place') return placeAt(Number(nonce) - 1);
  if (what === 'credential') return credentialAt(wallet);
  if (what === 'ruleSet') return ruleOf(LATER_RULE);
  if (what === 'circuit') return at.circuit(CIRCUITS[Number(nonce)]!);
  const mint = await addressOf('later mint');
  return what === 'binding' ? at.mintBinding(mint) : at.extraAccountMetaList(mint);
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

/** Proves in a place with the current credential, mostly one that is free or its own, or replaces the wallet that holds it. */
async function provePlaceStep(
  chain: Chain,
  ledger: Ledger,
  { wallet, place, end, claim, ...action }: Extract<Action, { kind: 'provePlace' }>,
  send: Send,
): Promise<Outcome | null> {
  const [rule, address] = [LIMITED_RULE, await addressOf(wallet)];
  const held = ledger.world.credentialOf(address);
  const attributes =
    held && ATTRIBUTE_SETS.find((set) => isDeepStrictEqual(commitmentBytes(set), held.commitment));
  if (!held || !attributes) return null;
  const latest = chain.time + MAX_PASS_AGE;
  const ends = ENDS.filter((at) => at > chain.time && at <= latest && at <= held.expiresAt);
  const expiresAt = ends[end % Math.max(ends.length, 1)];
  if (!expiresAt) return null;
  const person = claim === 'proved' ? attributes.person : 78n;
  const tag = await tagBytes(place, { rule, person });
  const taken = ledger.world.placesOf(rule).find((each) => isDeepStrictEqual(each.tag, tag));
  const holders = await Promise.all(WALLETS.map(async (name) => [await addressOf(name), name] as const));
  const holder = new Map(holders).get(taken?.wallet ?? address);
  const named = action.replaces === HOLDER_OF_PLACE ? holder : action.replaces;
  // Naming the own wallet is an attack of its own, which other steps draw seldom enough.
  const isRenewal = action.replaces === HOLDER_OF_PLACE && named === wallet;
  const proving = await proveInPlace({
    ...{ wallet, place, attributes, expiresAt, claim: { number: place, tag } },
    verifier: await nameOfVerifier(held.verifier),
    replaces: named === 'nobody' || isRenewal ? undefined : named,
  });
  const replaced = taken && taken.wallet !== address ? taken.wallet : null;
  return send(withAddress(proving, CIRCUIT, activeCircuit(chain)), () => {
    ledger.proved(rule, address);
    if (replaced) ledger.freed(rule, replaced);
  });
}

/** Returns the name of the governance authority. */
async function authorityOf(chain: Chain): Promise<string> {
  const { authority } = configOf(chain);
  const name = await governorAt(authority);
  if (!name) throw new Error(`${authority} is not an authority of the tests.`);
  return name;
}

async function governorAt(address: Address | null): Promise<string | undefined> {
  for (const name of GOVERNORS) if ((await addressOf(name)) === address) return name;
  return undefined;
}

async function nameOfVerifier(account: Address): Promise<string> {
  for (const name of VERIFIERS) if ((await verifierAt(name)) === account) return name;
  throw new Error(`${account} is not a verifier of the tests.`);
}

const activeCircuit = (chain: Chain): Address => unwrapOption(configOf(chain).activeCircuit)!;

/**
 * The changes that one transaction may make to the accounts of the program and of Token-2022, and who must sign. The
 * checks compare the accounts before and after, whatever the instruction was.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  decodeMint,
  decodeMintConfig,
  decodeTokenAccount,
  isEnded,
  isProved,
  isSuspended,
  type MintConfig,
  passFeeAt,
  permanentDelegateOf,
  RULE_CHANGE_DELAY_SECONDS,
  SYSTEM_PROGRAM,
  secondsLeftOf,
  TOKEN_2022_PROGRAM,
  TOKEN_ACL_PROGRAM,
  voidUntil,
} from '@service/protocol';
import {
  type Credential,
  type GateList,
  getCircuitDecoder,
  getConfigDecoder,
  getCredentialDecoder,
  getExtraAccountMetaListDecoder,
  getGateListDecoder,
  getMintBindingDecoder,
  getPassDecoder,
  getPlaceDecoder,
  getRuleSetDecoder,
  getTreasuryDecoder,
  getVerifierDecoder,
  type MintBinding,
  type Pass,
  type Place,
} from '@service/protocol/generated';
import {
  type Address,
  type Decoder,
  type Instruction,
  isSignerRole,
  type Lamports,
  none,
  type ReadonlyUint8Array,
  unwrapOption,
} from '@solana/kit';
import { getMintDecoder } from '@solana-program/token';
import { expect } from 'vitest';
import { type Account, type Chain, HOUR, PROGRAM } from './chain.ts';
import { CONFIG, TREASURY } from './governance.ts';
import type { Outcome } from './outcome.ts';
import { MAY_GRANT, MAY_SUSPEND } from './rule-sets.ts';

/** The kinds of the program's accounts. The first has the type 1. */
const KINDS = [
  'config',
  'treasury',
  'verifier',
  'circuit',
  'credential',
  'ruleSet',
  'binding',
  'pass',
  'place',
] as const;
type Kind = (typeof KINDS)[number] | 'list' | 'gateList' | 'mint' | 'tokenAccount';

/** The fields of a binding without an announced rule set. */
const NO_ANNOUNCEMENT = { nextRule: SYSTEM_PROGRAM, nextRuleFrom: 0n };

const LIST_TYPE = 0x69;
/** The first two bytes of the lists of a gate. The first byte of one is the type of a pass. */
const GATE_LIST_TYPES = [0x08af, 0xd68d];
/** A token account has 165 bytes before its type; a mint with extensions is as long. */
const TYPE_AT = 165;

/** Returns the decoded data of an account. */
const decode = <T>(decoder: Decoder<T>, account: Account): T => decoder.decode(account.data);

/** The current accounts. It reads an account again after a transaction changed it. */
export class World {
  readonly #chain: Chain;
  readonly #accounts = new Map<Address, Account>();
  /** The number of times that it has read an account. */
  reads = 0;

  constructor(chain: Chain) {
    this.#chain = chain;
    for (const address of Object.keys(chain.state())) this.refresh(address as Address);
  }

  get time(): bigint {
    return this.#chain.time;
  }

  get(address: Address): Account | undefined {
    return this.#accounts.get(address);
  }

  /** Returns the accounts of one kind by address. */
  all(kind: Kind): [Address, Account][] {
    return [...this.#accounts].filter(([, account]) => kindOf(account) === kind);
  }

  /** Returns the first decoded account of one kind that meets a condition. */
  find<T>(kind: Kind, decoder: Decoder<T>, condition: (record: T) => boolean): T | undefined {
    return this.all(kind)
      .map(([, account]) => decode(decoder, account))
      .find(condition);
  }

  bindingOf(mint: Address): MintBinding | undefined {
    return this.find('binding', getMintBindingDecoder(), (binding) => binding.mint === mint);
  }

  /** Returns the configuration of a mint in Token ACL. Throws if there is none. */
  mintConfigOf(mint: Address): MintConfig {
    const configs = this.#chain.accountsOf(TOKEN_ACL_PROGRAM).map(([address, { lamports, owner, data }]) =>
      decodeMintConfig({
        ...{ address, data, exists: true, executable: false, programAddress: owner },
        ...{ lamports: lamports as Lamports, space: BigInt(data.length) },
      }),
    );
    const found = configs.find((config) => config?.mint === mint);
    if (!found) throw new Error(`Token ACL has no configuration of ${mint}.`);
    return found;
  }

  /** Returns the list by which anyone can thaw token accounts of a mint. */
  gateOf(mint: Address): GateList | undefined {
    return this.find('gateList', getGateListDecoder(), (list) => list.mint === mint);
  }

  credentialOf(wallet: Address): Credential | undefined {
    return this.find('credential', getCredentialDecoder(), (credential) => credential.wallet === wallet);
  }

  /** Returns the address of the binding of a bound mint. */
  bindingAddressOf(mint: Address): Address {
    const isOfMint = (account: Account) => decode(getMintBindingDecoder(), account).mint === mint;
    return this.all('binding').find(([, account]) => isOfMint(account))![0];
  }

  /** Whether a pass has not expired, and neither governance nor the creator of the rule set stopped it. */
  isLive(pass: Pass): boolean {
    const config = decode(getConfigDecoder(), this.get(CONFIG)!);
    return secondsLeftOf(pass, { config: { data: config }, chainTime: this.time }) > 0n;
  }

  /** Whether a pass is live, and its wallet proved the rule set. */
  isProvedLive(pass: Pass): boolean {
    return isProved(pass) && !isAnnulled(pass) && this.isLive(pass);
  }

  /** Returns the live proved passes of a rule set. */
  provedPasses(rule: Address): Pass[] {
    return this.all('pass')
      .map(([, account]) => decode(getPassDecoder(), account))
      .filter((pass) => pass.rule === rule && this.isProvedLive(pass));
  }

  /** Returns the places of a rule set. */
  placesOf(rule: Address): Place[] {
    return this.all('place')
      .map(([, account]) => decode(getPlaceDecoder(), account))
      .filter((place) => place.rule === rule);
  }

  /** Whether a wallet has a live pass that counts for a mint. The binding of one may read the credential of the wallet. */
  hasLivePass(
    by: Pick<MintBinding, 'rule' | 'honoursGranted'> & Partial<Pick<MintBinding, 'readsCredential'>>,
    wallet: Address,
  ): boolean {
    const counts = (pass: Pass) => {
      if (pass.rule !== by.rule || pass.wallet !== wallet || !this.isLive(pass)) return false;
      return pass.granted ? by.honoursGranted : !by.readsCredential || isSupported(this, pass);
    };
    return this.find('pass', getPassDecoder(), counts) !== undefined;
  }

  rentOf(account: Account): bigint {
    return this.#chain.rentOf(account.data.length);
  }

  /** Reads the changes of a transaction. Fails the test when its signers may not make them. */
  observe(outcome: Outcome, instructions: readonly Instruction[]): void {
    expectOrderlyEnd(outcome);
    const changed = outcome.changed as readonly Address[];
    const before = new Map(changed.map((address) => [address, this.get(address)]));
    for (const address of changed) this.refresh(address);
    const metas = instructions.flatMap(({ accounts = [] }) => accounts);
    const signers = metas.filter(({ role }) => isSignerRole(role)).map((account) => account.address);
    // The first of several instructions is the signature of a verifier.
    const byVerifier = instructions.length > 1;
    for (const address of changed) checkChange(this, address, { changed: before, signers, byVerifier });
  }

  /** Reads an account again. Needed when lamports were sent to it without a transaction. */
  refresh(address: Address): void {
    this.reads += 1;
    const account = this.#chain.account(address);
    const isOurs = account?.owner === PROGRAM || account?.owner === TOKEN_2022_PROGRAM;
    if (isOurs) this.#accounts.set(address, account);
    else this.#accounts.delete(address);
  }
}

/** Fails the test if the runtime ended the program, or a rejected transaction changed an account. */
function expectOrderlyEnd({ refusal, logs, changed }: Outcome): void {
  if (!refusal) return;
  expect(changed, refusal.text).toEqual([]);
  // Token-2022 alone can panic, such as in Burn where one account is both the mint and the token account.
  if (!logs.some((line) => line.startsWith(`Program ${PROGRAM} invoke`))) return;
  const ended = /ProgramFailedToComplete|Access violation|panicked|exceeded CUs|UnbalancedInstruction/i;
  expect(`${refusal.text} ${logs.join(' ')}`).not.toMatch(ended);
}

function kindOf({ owner, data }: Account): Kind {
  if (owner === TOKEN_2022_PROGRAM) return data[TYPE_AT] === 2 ? 'tokenAccount' : 'mint';
  if (GATE_LIST_TYPES.includes((data[0]! << 8) | data[1]!)) return 'gateList';
  const kind = data[0] === LIST_TYPE ? 'list' : KINDS[data[0]! - 1];
  if (!kind) throw new Error(`An account of the program has the type ${data[0]}.`);
  return kind;
}

/** A transaction: the accounts that it changed, as they were before, and who signed it. */
interface Sent {
  readonly changed: ReadonlyMap<Address, Account | undefined>;
  readonly signers: readonly Address[];
  readonly byVerifier: boolean;
}

interface Change extends Sent {
  readonly world: World;
  readonly address: Address;
  readonly before: Account | undefined;
  readonly after: Account;
  /** Fails the test unless an address signed. */
  readonly signed: (who: Address) => void;
}

function checkChange(world: World, address: Address, sent: Sent): void {
  const [before, after] = [sent.changed.get(address), world.get(address)];
  const kind = kindOf((after ?? before)!);
  const signed = (who: Address) => expect(sent.signers, `${kind} ${address}`).toContain(who);
  if (after && after.owner === PROGRAM) {
    expect(after.lamports, `${kind} ${address} keeps its rent`).toBeGreaterThanOrEqual(world.rentOf(after));
    if (before) expect(kind).toBe(kindOf(before));
  }
  // Anyone may send lamports to any account.
  if (before && after && sameBytes(before.data, after.data) && after.lamports >= before.lamports) return;
  if (!after && kind !== 'pass' && kind !== 'tokenAccount') throw new Error(`${kind} ${address} is gone`);
  RULES[kind]({ ...sent, world, address, before, after: after!, signed });
}

/** Returns the decoded account before and after. The first is undefined if the transaction created the account. */
function both<T>({ before, after }: Change, decoder: Decoder<T>): [was: T | undefined, is: T] {
  return [before && decode(decoder, before), decode(decoder, after)];
}

/** Returns the governance authority before the transaction. */
function authorityOf({ world, changed }: Change): Address {
  return decode(getConfigDecoder(), changed.get(CONFIG) ?? world.get(CONFIG)!).authority;
}

const RULES: Record<Kind, (change: Change) => void> = {
  config(change) {
    const [was, is] = both(change, getConfigDecoder());
    expect(is.genesisHash).toEqual(was!.genesisHash);
    expect(is.passesValidFrom).toBeGreaterThanOrEqual(was!.passesValidFrom);
    if (isDeepStrictEqual(was, is)) return;
    const [nominee, guardian] = [unwrapOption(was!.nominee), unwrapOption(was!.guardian)];
    const isPause = isDeepStrictEqual({ ...was, paused: true }, is);
    if (is.authority !== was!.authority) {
      expect(is).toEqual({ ...was, authority: nominee, nominee: none() });
      change.signed(is.authority);
    } else if (!isPause || !guardian || !change.signers.includes(guardian)) change.signed(was!.authority);
  },
  treasury(change) {
    const [was, is] = both(change, getTreasuryDecoder());
    const collected = is.feesCollected - was!.feesCollected;
    expect(is).toEqual({ ...was, feesCollected: is.feesCollected });
    expect(collected).toBeGreaterThanOrEqual(0n);
    if (change.after.lamports < change.before!.lamports) change.signed(authorityOf(change));
    else expect(change.after.lamports - change.before!.lamports).toBe(collected);
  },
  verifier(change) {
    change.signed(authorityOf(change));
    const [was, is] = both(change, getVerifierDecoder());
    if (was) expect(is.authority).toBe(was.authority);
  },
  circuit(change) {
    change.signed(authorityOf(change));
    const [was, is] = both(change, getCircuitDecoder());
    if (!was) return;
    const { id, artifactsDigest, verifyingKey } = was;
    expect(is).toMatchObject({ id, artifactsDigest, verifyingKey });
    if (was.unsound) expect(is.unsound).toBe(true);
    const retiredAt = unwrapOption(was.retiredAt);
    if (retiredAt !== null) expect(unwrapOption(is.retiredAt)! <= retiredAt).toBe(true);
  },
  credential(change) {
    const [was, is] = both(change, getCredentialDecoder());
    if (!was) return void expect(change.byVerifier).toBe(true);
    // Without a verifier, the wallet can only discard it.
    if (!change.byVerifier) {
      change.signed(was.wallet);
      expect(is).toMatchObject({
        ...was,
        commitment: new Uint8Array(32),
        revoked: true,
        version: is.version,
        issuedAt: is.issuedAt,
        voidUntil: is.voidUntil,
      });
    }
    const { active } = decode(getVerifierDecoder(), change.world.get(was.verifier)!);
    const isHeld = active && !was.revoked && was.expiresAt > change.world.time;
    if (is.verifier !== was.verifier && isHeld) change.signed(was.wallet);
    expect(is.wallet).toBe(was.wallet);
    // A statement of a verifier that could not land before cannot land now.
    for (const [verifier] of change.world.all('verifier')) {
      expect(voidUntil(is, verifier)).toBeGreaterThanOrEqual(voidUntil(was, verifier));
    }
  },
  ruleSet(change) {
    const { before, after, signed, changed, world } = change;
    const [was, is] = both(change, getRuleSetDecoder());
    if (!was || !before) return signed(is.creator);
    expect(is).toEqual({ ...was, fees: is.fees, maxPassFee: is.maxPassFee });
    if (is.maxPassFee !== was.maxPassFee) signed(is.creator);
    expect(after.lamports).toBeGreaterThanOrEqual(world.rentOf(after) + is.fees);
    // Collected fees go to the treasury. A withdrawal leaves them.
    if (changed.has(TREASURY)) {
      expect([is.fees, before.lamports - after.lamports]).toEqual([0n, was.fees]);
    } else {
      expect(is.fees).toBeGreaterThanOrEqual(was.fees);
      if (after.lamports < before.lamports) signed(is.creator);
    }
  },
  binding(change) {
    const [was, { version, ...is }] = both(change, getMintBindingDecoder());
    if (!was) return change.signed(is.issuer);
    const { version: _, ...before } = was;
    const { time } = change.world;
    if (is.issuer !== before.issuer) {
      change.signed(before.nominee);
      const accepted = { issuer: before.nominee, nominee: SYSTEM_PROGRAM };
      return expect(is).toEqual({ ...before, ...accepted, ...NO_ANNOUNCEMENT });
    }
    if (is.rule !== before.rule) {
      expect(time).toBeGreaterThanOrEqual(before.nextRuleFrom);
      return expect(is).toEqual({ ...before, rule: before.nextRule, ...NO_ANNOUNCEMENT });
    }
    change.signed(before.issuer);
    const { nominee, nextRule, nextRuleFrom } = is;
    expect(is).toEqual({ ...before, nominee, nextRule, nextRuleFrom });
    if (isDeepStrictEqual({ nextRule, nextRuleFrom }, NO_ANNOUNCEMENT)) return;
    expect(kindOf(change.world.get(nextRule)!)).toBe('ruleSet');
    if (nextRule !== before.nextRule || nextRuleFrom !== before.nextRuleFrom)
      expect(nextRuleFrom).toBe(time + RULE_CHANGE_DELAY_SECONDS);
  },
  list(change) {
    const [was, is] = both(change, getExtraAccountMetaListDecoder());
    const { rule, issuer, ...fixed } = change.world.bindingOf(is.mint)!;
    const { requireSource, honoursGranted, readsCredential } = fixed;
    expect(is).toMatchObject({ rule, issuer, requireSource, honoursGranted, readsCredential });
    if (was) expect(is).toEqual({ ...was, rule, issuer });
  },
  gateList(change) {
    const [was, is] = both(change, getGateListDecoder());
    if (was) expect(is).toEqual({ ...was, rule: is.rule, honoursGranted: is.honoursGranted });
    change.signed(change.world.mintConfigOf(is.mint).authority);
  },
  pass(change) {
    const { address, before, after, world } = change;
    const [was, is] = [before, after].map((account) => account && decode(getPassDecoder(), account));
    if (was && is && isDeepStrictEqual({ ...was, suspendedUntil: is.suspendedUntil }, is))
      return checkSuspended(change, is);
    if (is?.granted) return checkGranted(change);
    const isEnded = is?.commitment.every((byte) => byte === 0);
    if (is && !isEnded) return checkProved(change);
    if (!was) return checkSuspended(change, is!);
    if (!isProved(was)) return checkUnproved(change, was);
    const what = `pass ${address} was ${isEnded ? 'ended' : 'closed'}`;
    expect(mayClose(world, before!) || wasReplaced(change), what).toBe(true);
    const isRecent = world.time < was.issuedAt + HOUR && !isOver(world, was);
    expect(isEnded === true, what).toBe(isRecent || isSuspended(was, world.time));
    if (!is) return;
    const expiresAt = was.expiresAt < world.time ? was.expiresAt : world.time;
    expect(is).toEqual({ ...was, expiresAt, commitment: new Uint8Array(32) });
    expect(after!.lamports).toBe(before!.lamports);
  },
  place(change) {
    const { world, changed, signed } = change;
    const [was, is] = both(change, getPlaceDecoder());
    signed(is.wallet);
    expect(is.since).toBe(world.time);
    expect(decode(getRuleSetDecoder(), world.get(is.rule)!).walletsPerPerson).toBeGreaterThan(0);
    const proved = decode(getPassDecoder(), world.get(is.pass)!);
    expect(proved).toMatchObject({ rule: is.rule, wallet: is.wallet, issuedAt: world.time, granted: false });
    if (!was) return;
    const { wallet, pass, since } = is;
    expect(is).toEqual({ ...was, wallet, pass, since });
    expect(wallet).not.toBe(was.wallet);
    expect(world.time).toBeGreaterThanOrEqual(was.since + HOUR);
    const replaced = changed.get(was.pass) ?? world.get(was.pass);
    if (replaced) expect(isSuspended(decode(getPassDecoder(), replaced), world.time)).toBe(false);
    const left = world.get(was.pass);
    if (left) expect(world.isProvedLive(decode(getPassDecoder(), left))).toBe(false);
  },
  mint(change) {
    const binding = change.world.bindingOf(change.address);
    if (!binding || !change.before) return;
    const [was, is] = both(change, getMintDecoder());
    expect(unwrapOption(is.mintAuthority)).toBe(change.world.bindingAddressOf(change.address));
    if (is.supply > was!.supply) change.signed(binding.issuer);
  },
  tokenAccount({ world, before, after, changed, signers }) {
    if (!after) return;
    const [was, is] = [before && decodeTokenAccount(before.data)!, decodeTokenAccount(after.data)!];
    const gate = world.gateOf(is.mint);
    if (gate && was && was.frozen !== is.frozen) {
      expect(is.immutableOwner && world.hasLivePass(gate, is.owner)).toBe(was.frozen);
    }
    const binding = world.bindingOf(is.mint);
    const had = was?.amount ?? 0n;
    if (!binding || (had === 0n && is.amount === 0n)) return;
    if (was) expect(is.owner).toBe(was.owner);
    if (is.amount > had) expect(world.hasLivePass(binding, is.owner)).toBe(true);
    if (is.amount >= had) return;
    const byOwner = signers.includes(is.owner) || (was!.delegate !== null && signers.includes(was!.delegate));
    // Without the owner, only the issuer takes tokens, and only if the binding is the permanent delegate.
    if (!byOwner) {
      const delegate = permanentDelegateOf(decodeMint(world.get(is.mint)!.data)!);
      expect([signers.includes(binding.issuer), delegate]).toEqual([true, world.bindingAddressOf(is.mint)]);
    }
    // A burn changes the mint. A transfer does not.
    const isTransfer = byOwner && !changed.has(is.mint);
    if (isTransfer && binding.requireSource) expect(world.hasLivePass(binding, is.owner)).toBe(true);
  },
};

/** Checks that the creator of a rule set that gives the power suspended a pass, lifted that, or opened a suspended pass. */
function checkSuspended(change: Change, pass: Pass): void {
  const { creator, powers } = decode(getRuleSetDecoder(), change.world.get(pass.rule)!);
  change.signed(creator);
  expect(powers & MAY_SUSPEND).not.toBe(0);
  if (change.before) return;
  expect(pass).toMatchObject({ expiresAt: 0n, issuedAt: 0n, granted: false });
  expect(isProved(pass)).toBe(false);
  expect(isSuspended(pass, change.world.time)).toBe(true);
}

/** Checks that a pass without a proof was closed by the creator, or that it was a grant that is over. */
function checkUnproved({ world, after, signed }: Change, was: Pass): void {
  expect(after).toBeUndefined();
  const isLifted = !was.granted && was.suspendedUntil > 0n;
  if (!isLifted) expect([was.granted, isSuspended(was, world.time)]).toEqual([true, false]);
  if (isLifted || world.isLive(was)) signed(decode(getRuleSetDecoder(), world.get(was.rule)!).creator);
}

/** Checks what a granted and a proved pass have in common: who it is for, its times, and the fee. */
function checkOpened({ world, changed, ...change }: Change): { was: Pass | undefined; pass: Pass } {
  const [was, pass] = both({ world, changed, ...change }, getPassDecoder());
  if (was) {
    expect([pass.rule, pass.wallet]).toEqual([was.rule, was.wallet]);
    expect(isSuspended(was, world.time)).toBe(false);
  }
  const rules = world.get(pass.rule)!;
  const { maxPassAgeSeconds, maxPassFee } = decode(getRuleSetDecoder(), rules);
  expect(pass).toMatchObject({ issuedAt: world.time, suspendedUntil: 0n });
  expect(pass.expiresAt).toBeGreaterThan(world.time);
  expect(pass.expiresAt).toBeLessThanOrEqual(world.time + maxPassAgeSeconds);
  const config = decode(getConfigDecoder(), world.get(CONFIG)!);
  expect(isEnded(pass, { data: config })).toBe(false);
  const feesOf = (account: Account) => decode(getRuleSetDecoder(), account).fees;
  const taken = feesOf(rules) - feesOf(changed.get(pass.rule) ?? rules);
  const lastFeeAt = was && isProved(was) ? BigInt(was.paidAt) || was.issuedAt : null;
  const isPaid = !pass.granted && lastFeeAt !== null && BigInt(pass.paidAt) === lastFeeAt;
  if (isPaid && lastFeeAt < world.time) {
    expect(taken, 'no fee for a pass that was ended').toBe(0n);
    expect(world.time).toBeLessThan(lastFeeAt + maxPassAgeSeconds / 2n);
  } else if (taken !== 0n || lastFeeAt !== world.time) {
    expect(taken, 'the fee was taken').toBe(passFeeAt(config, world.time));
    expect(BigInt(pass.paidAt)).toBe(pass.granted ? 0n : world.time);
  }
  expect(taken).toBeLessThanOrEqual(maxPassFee);
  return { was, pass };
}

function checkGranted(change: Change): void {
  const { was, pass } = checkOpened(change);
  const { creator, powers } = decode(getRuleSetDecoder(), change.world.get(pass.rule)!);
  change.signed(creator);
  expect(powers & MAY_GRANT).not.toBe(0);
  expect(isProved(pass)).toBe(false);
  if (was && isProved(was)) expect(change.world.isLive(was)).toBe(false);
}

function checkProved(change: Change): void {
  const { world } = change;
  const { pass } = checkOpened(change);
  change.signed(pass.wallet);
  const { commitment, verifier, expiresAt } = world.credentialOf(pass.wallet)!;
  expect(pass).toMatchObject({ commitment, verifier, granted: false });
  expect(pass.expiresAt).toBeLessThanOrEqual(expiresAt);
  const accepted = unwrapOption(decode(getRuleSetDecoder(), world.get(pass.rule)!).verifier);
  expect(accepted ?? verifier).toBe(verifier);
  const circuit = decode(getCircuitDecoder(), world.get(pass.circuit)!);
  const retiredAt = unwrapOption(circuit.retiredAt);
  expect(circuit.unsound || (retiredAt !== null && retiredAt <= world.time)).toBe(false);
}

/** Whether the transaction gave the place of the wallet of a pass to another wallet. */
function wasReplaced({ world, changed, address }: Change): boolean {
  return world.all('place').some(([at, account]) => {
    const before = changed.get(at);
    const held = (place: Account) => decode(getPlaceDecoder(), place).pass === address;
    return before !== undefined && held(before) && !held(account);
  });
}

/** Whether a pass was ended before its time, or has no proof. */
const isAnnulled = (pass: Pass) => pass.commitment.every((byte) => byte === 0);

/** Whether anyone may close a pass: it has expired and could be renewed, or it is invalidated. */
function mayClose(world: World, account: Account): boolean {
  return isOver(world, decode(getPassDecoder(), account)) || isInvalidated(world, account);
}

/** Returns whether a pass has expired and could be renewed with the same commitment. */
function isOver(world: World, pass: Pass): boolean {
  const { maxPassAgeSeconds } = decode(getRuleSetDecoder(), world.get(pass.rule)!);
  return pass.expiresAt <= world.time && world.time >= pass.issuedAt + maxPassAgeSeconds / 2n;
}

/** Returns whether a proved pass was ended, or has lost its credential, verifier or circuit. */
export function isInvalidated(world: World, account: Account): boolean {
  const pass = decode(getPassDecoder(), account);
  if (!isProved(pass)) return false;
  return (
    isEnded(pass, { data: decode(getConfigDecoder(), world.get(CONFIG)!) }) ||
    !isSupported(world, pass) ||
    !decode(getVerifierDecoder(), world.get(pass.verifier)!).active ||
    decode(getCircuitDecoder(), world.get(pass.circuit)!).unsound
  );
}

function isSupported(world: World, pass: Pass): boolean {
  const credential = world.credentialOf(pass.wallet);
  return (
    credential !== undefined &&
    !credential.revoked &&
    sameBytes(credential.commitment, pass.commitment) &&
    credential.verifier === pass.verifier &&
    credential.expiresAt >= pass.expiresAt
  );
}

/** Fails the test if one of these passes has not expired and the credential of its wallet does not support it. */
export function expectSupported(world: World, passes: readonly Address[]): void {
  for (const address of passes) {
    const account = world.get(address);
    if (!account) continue;
    const pass = decode(getPassDecoder(), account);
    const mayStay = pass.expiresAt <= world.time || !isProved(pass) || isSupported(world, pass);
    expect(mayStay, `pass ${address}`).toBe(true);
  }
}

function sameBytes(one: ReadonlyUint8Array, other: ReadonlyUint8Array): boolean {
  return Buffer.from(one).equals(Buffer.from(other));
}

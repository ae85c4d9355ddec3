/**
 * What may happen to the accounts of the program and of Token-2022 in one transaction, by whom, and what never may:
 * told from the accounts before and after, with no regard to which instruction it was.
 */
import { decodeTokenAccount, TOKEN_2022_PROGRAM } from '@service/protocol';
import {
  getCircuitDecoder,
  getConfigDecoder,
  getCredentialDecoder,
  getMintBindingDecoder,
  getPassDecoder,
  getRuleSetDecoder,
  getVerifierDecoder,
  type MintBinding,
} from '@service/protocol/generated';
import { type Address, type ReadonlyUint8Array, unwrapOption } from '@solana/kit';
import { getMintDecoder } from '@solana-program/token';
import { expect } from 'vitest';
import { type Account, addressOf, type Chain, PROGRAM } from './chain.ts';
import { CONFIG, TREASURY } from './governance.ts';
import type { Outcome } from './outcome.ts';

/** Who signed, and whether the transaction contained a verifier's signature. */
export interface By {
  readonly signers: ReadonlySet<Address>;
  readonly byVerifier: boolean;
}

/** Types of the program's accounts by their first byte. */
const KINDS = ['', 'config', 'treasury', 'verifier', 'circuit', 'credential', 'ruleSet', 'binding', 'pass'];
const LIST_TYPE = 0x69;
/** A token account has 165 bytes before its type; a mint with extensions is as long. */
const TYPE_AT = 165;

/** The current accounts. It reads an account again after a transaction changed it. */
export class World {
  readonly #chain: Chain;
  readonly #accounts = new Map<Address, Account>();

  constructor(chain: Chain) {
    this.#chain = chain;
    for (const address of Object.keys(chain.state())) this.#read(address as Address);
  }

  get time(): bigint {
    return this.#chain.time;
  }

  get(address: Address): Account | undefined {
    return this.#accounts.get(address);
  }

  addresses(): Address[] {
    return [...this.#accounts.keys()];
  }

  /** The binding of a mint. */
  bindingOf(mint: Address): MintBinding | undefined {
    for (const account of this.#accounts.values()) {
      if (kindOf(account) !== 'binding') continue;
      const binding = getMintBindingDecoder().decode(account.data);
      if (binding.mint === mint) return binding;
    }
    return undefined;
  }

  /** Whether a wallet has a pass for a rule set that has not expired. */
  hasLivePass(rule: Address, wallet: Address): boolean {
    return [...this.#accounts.values()].some((account) => {
      if (kindOf(account) !== 'pass') return false;
      const pass = getPassDecoder().decode(account.data);
      return pass.rule === rule && pass.wallet === wallet && pass.expiresAt > this.time;
    });
  }

  rentOf(account: Account): bigint {
    return this.#chain.rentOf(account.data.length);
  }

  /** Reads the changes of a transaction. Fails the test when they break an invariant. */
  observe(outcome: Outcome, by: By): void {
    expectOrderlyEnd(outcome);
    const changed = outcome.changed as readonly Address[];
    const before = new Map(changed.map((address) => [address, this.#accounts.get(address)]));
    for (const address of changed) this.#read(address);
    for (const address of changed) checkChange(this, address, before, by);
  }

  /** Reads again what a test changed without a transaction: lamports that were sent. */
  refresh(address: Address): void {
    this.#read(address);
  }

  #read(address: Address): void {
    const account = this.#chain.account(address);
    if (account && (account.owner === PROGRAM || account.owner === TOKEN_2022_PROGRAM))
      this.#accounts.set(address, account);
    else this.#accounts.delete(address);
  }
}

/** Fails the test when the program was ended by the runtime, or a refused transaction changed something. */
function expectOrderlyEnd({ refusal, logs, changed }: Outcome): void {
  if (!refusal) return;
  expect(changed, refusal.text).toEqual([]);
  const ended = /ProgramFailedToComplete|Access violation|panicked|exceeded CUs|UnbalancedInstruction/i;
  expect(`${refusal.text} ${logs.join(' ')}`).not.toMatch(ended);
}

function kindOf(account: Account | undefined): string {
  if (!account) return '';
  if (account.owner === TOKEN_2022_PROGRAM) return account.data[TYPE_AT] === 2 ? 'tokenAccount' : 'mint';
  return account.data[0] === LIST_TYPE ? 'list' : (KINDS[account.data[0] ?? 0] ?? '');
}

type Before = ReadonlyMap<Address, Account | undefined>;

function checkChange(world: World, address: Address, changed: Before, by: By): void {
  const [before, after] = [changed.get(address), world.get(address)];
  const kind = kindOf(after ?? before);
  const signed = (who: Address) => expect([...by.signers], `${kind} ${address}`).toContain(who);
  if (after && after.owner === PROGRAM) {
    expect(after.lamports, `${kind} ${address} keeps its rent`).toBeGreaterThanOrEqual(world.rentOf(after));
    if (before) expect(kind).toBe(kindOf(before));
  }
  // Anyone may send lamports to any account.
  if (before && after && sameBytes(before.data, after.data) && after.lamports >= before.lamports) return;
  if (!after && kind !== 'pass' && kind !== 'tokenAccount') throw new Error(`${kind} ${address} is gone`);
  RULES[kind]?.({ world, address, before, after: after!, changed, by, signed });
}

interface Change {
  readonly world: World;
  readonly address: Address;
  readonly before: Account | undefined;
  readonly after: Account;
  readonly changed: Before;
  readonly by: By;
  readonly signed: (who: Address) => void;
}

/** The governance authority before the transaction. */
function authorityOf({ world, changed }: Change): Address {
  return getConfigDecoder().decode((changed.get(CONFIG) ?? world.get(CONFIG)!).data).authority;
}

const RULES: Record<string, (change: Change) => void> = {
  config(change) {
    const decode = (account: Account) => getConfigDecoder().decode(account.data);
    const [was, is] = [decode(change.before!), decode(change.after)];
    expect(is.genesisHash).toEqual(was.genesisHash);
    expect(is.feesCollected).toBeGreaterThanOrEqual(was.feesCollected);
    const { feesCollected: _was, ...kept } = was;
    const { feesCollected: _is, ...now } = is;
    if (JSON.stringify(kept, writeOut) !== JSON.stringify(now, writeOut)) change.signed(was.authority);
  },
  treasury(change) {
    expect(change.after.data).toEqual(change.before!.data);
    if (change.after.lamports < change.before!.lamports) change.signed(authorityOf(change));
  },
  verifier(change) {
    change.signed(authorityOf(change));
    const decode = (account: Account) => getVerifierDecoder().decode(account.data);
    if (change.before) expect(decode(change.after).authority).toBe(decode(change.before).authority);
  },
  circuit(change) {
    change.signed(authorityOf(change));
    if (!change.before) return;
    const decode = (account: Account) => getCircuitDecoder().decode(account.data);
    const [was, is] = [decode(change.before), decode(change.after)];
    expect([is.id, is.artifactsDigest, is.verifyingKey]).toEqual([
      was.id,
      was.artifactsDigest,
      was.verifyingKey,
    ]);
    if (was.unsound) expect(is.unsound).toBe(true);
    const [wasRetired, isRetired] = [unwrapOption(was.retiredAt), unwrapOption(is.retiredAt)];
    if (wasRetired !== null) expect(isRetired! <= wasRetired).toBe(true);
  },
  credential({ before, after, by }) {
    expect(by.byVerifier).toBe(true);
    if (!before) return;
    const decode = (account: Account) => getCredentialDecoder().decode(account.data);
    const [was, is] = [decode(before), decode(after)];
    expect(is.wallet).toBe(was.wallet);
    expect(is.issuedAt).toBeGreaterThanOrEqual(was.issuedAt);
  },
  ruleSet({ before, after, signed, changed }) {
    const { creator } = getRuleSetDecoder().decode(after.data);
    if (!before) return signed(creator);
    expect(after.data).toEqual(before.data);
    // A fee goes to the treasury and is counted; all else is a withdrawal.
    if (after.lamports < before.lamports && !changed.has(CONFIG)) signed(creator);
  },
  binding({ before, after, signed }) {
    expect(before).toBeUndefined();
    signed(getMintBindingDecoder().decode(after.data).issuer);
  },
  list({ before }) {
    expect(before).toBeUndefined();
  },
  pass(change) {
    const { before, after, world } = change;
    if (after) return checkProved(change);
    expect(mayClose(world, before!), `pass ${change.address} was closed`).toBe(true);
  },
  mint({ world, address, before, after, signed }) {
    const binding = world.bindingOf(address);
    if (!binding || !before) return;
    const decode = (account: Account) => getMintDecoder().decode(account.data);
    if (decode(after).supply > decode(before).supply) signed(binding.issuer);
  },
  tokenAccount({ world, before, after, changed }) {
    if (!after) return;
    const decode = (account: Account) => decodeTokenAccount(account.data)!;
    const [was, is] = [before && decode(before), decode(after)];
    const binding = world.bindingOf(is.mint);
    const had = was?.amount ?? 0n;
    if (!binding || (had === 0n && is.amount === 0n)) return;
    if (was) expect(is.owner).toBe(was.owner);
    if (is.amount > had) expect(world.hasLivePass(binding.rule, is.owner)).toBe(true);
    // A burn changes the mint; a transfer does not.
    const isTransfer = is.amount < had && !changed.has(is.mint);
    if (isTransfer && binding.requireSource) expect(world.hasLivePass(binding.rule, is.owner)).toBe(true);
  },
};

function checkProved({ world, before, after, signed, changed }: Change): void {
  const pass = getPassDecoder().decode(after.data);
  signed(pass.wallet);
  if (before) {
    const was = getPassDecoder().decode(before.data);
    expect([pass.rule, pass.wallet]).toEqual([was.rule, was.wallet]);
  }
  const { maxPassAgeSeconds } = getRuleSetDecoder().decode(world.get(pass.rule)!.data);
  const credential = credentialOf(world, pass.wallet)!;
  expect(pass.issuedAt).toBe(world.time);
  expect(pass.expiresAt).toBeGreaterThan(world.time);
  expect(pass.expiresAt).toBeLessThanOrEqual(world.time + maxPassAgeSeconds);
  expect(pass.expiresAt).toBeLessThanOrEqual(credential.expiresAt);
  expect([pass.commitment, pass.verifier]).toEqual([credential.commitment, credential.verifier]);
  const circuit = getCircuitDecoder().decode(world.get(pass.circuit)!.data);
  const retiredAt = unwrapOption(circuit.retiredAt);
  expect(circuit.unsound || (retiredAt !== null && retiredAt <= world.time)).toBe(false);
  const { passFee } = getConfigDecoder().decode(world.get(CONFIG)!.data);
  const isPaid = changed.has(CONFIG) && changed.has(TREASURY) && changed.has(pass.rule);
  expect(isPaid || unwrapOption(passFee) === 0n, 'the fee was taken and counted').toBe(true);
}

/** Whether anyone may close a pass: it has expired and could be renewed, or it is invalidated. */
function mayClose(world: World, account: Account): boolean {
  const pass = getPassDecoder().decode(account.data);
  const { maxPassAgeSeconds } = getRuleSetDecoder().decode(world.get(pass.rule)!.data);
  const isOver = pass.expiresAt <= world.time && world.time >= pass.issuedAt + maxPassAgeSeconds / 2n;
  return isOver || isInvalidated(world, account);
}

/** Returns whether a pass has lost its credential, verifier or circuit. */
export function isInvalidated(world: World, account: Account): boolean {
  const pass = getPassDecoder().decode(account.data);
  const credential = credentialOf(world, pass.wallet);
  return (
    !credential ||
    credential.revoked ||
    !sameBytes(credential.commitment, pass.commitment) ||
    credential.verifier !== pass.verifier ||
    credential.expiresAt < pass.expiresAt ||
    !getVerifierDecoder().decode(world.get(pass.verifier)!.data).active ||
    getCircuitDecoder().decode(world.get(pass.circuit)!.data).unsound
  );
}

/** The credential of a wallet. */
export function credentialOf(world: World, wallet: Address) {
  for (const address of world.addresses()) {
    const account = world.get(address)!;
    if (kindOf(account) !== 'credential') continue;
    const credential = getCredentialDecoder().decode(account.data);
    if (credential.wallet === wallet) return credential;
  }
  return undefined;
}

/** The names of keys that may sign, as addresses. */
export async function signersNamed(...names: string[]): Promise<ReadonlySet<Address>> {
  return new Set(await Promise.all(names.map(addressOf)));
}

function sameBytes(one: ReadonlyUint8Array, other: ReadonlyUint8Array): boolean {
  return Buffer.from(one).equals(Buffer.from(other));
}

function writeOut(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

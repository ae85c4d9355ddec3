/** Records the amounts that were paid, issued and burned, and compares them with the chain. */
import { decodeTokenAccount, passFeeAt } from '@service/protocol';
import { getCredentialDecoder, getPassDecoder } from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import { type Chain, HOUR } from './chain.ts';
import { configOf, TREASURY, treasuryOf } from './governance.ts';
import { World } from './invariants.ts';
import { mintOf } from './market.ts';
import { ruleSetOf } from './rule-sets.ts';

export class Ledger {
  readonly world: World;
  readonly #chain: Chain;
  /** Lamports of all fees that were collected. */
  #collected = 0n;
  /** Lamports of the fees of each rule set that were not collected yet. */
  readonly #fees = new Map<Address, bigint>();
  /** Lamports of the treasury above rent. */
  #treasury = 0n;
  readonly #funds = new Map<Address, bigint>();
  readonly #supplies = new Map<Address, bigint>();
  /** The last time that each verifier signed on chain for each wallet, and the last discard of each wallet. */
  readonly #signed = new Map<string, bigint>();
  /** {@link World.reads} at the last check. */
  #checked = -1;
  /**
   * The last prove of each wallet for each rule set and the last one that took a fee, whether an hour after these is enough
   * for the next ones, and whether governance ended the pass since.
   */
  readonly #charged = new Map<
    string,
    { readonly at: bigint; readonly paidAt: bigint; freed: boolean; ended: boolean }
  >();

  constructor(chain: Chain) {
    this.#chain = chain;
    this.world = new World(chain);
    this.#collected = treasuryOf(chain).feesCollected;
    this.#treasury = this.#chain.aboveRent(TREASURY);
    for (const [address, { lamports }] of this.world.all('ruleSet')) {
      this.#funds.set(address, lamports);
      this.#fees.set(address, ruleSetOf(chain, address).fees);
    }
    for (const [address] of this.world.all('mint'))
      this.#supplies.set(address, mintOf(chain, address).supply);
    for (const [, { data }] of this.world.all('credential')) {
      const { wallet, verifier, issuedAt } = getCredentialDecoder().decode(data);
      this.signed(wallet, verifier, issuedAt);
    }
    for (const [, { data }] of this.world.all('pass')) {
      const { rule, wallet, issuedAt } = getPassDecoder().decode(data);
      this.#charged.set(`${rule} ${wallet}`, { at: issuedAt, paidAt: issuedAt, freed: false, ended: false });
    }
  }

  /** Records lamports that the treasury or a rule set received. A withdrawal is negative. */
  received(address: Address, lamports: bigint): void {
    this.world.refresh(address);
    if (this.#funds.has(address)) this.#funds.set(address, this.#funds.get(address)! + lamports);
    else this.#treasury += lamports;
  }

  /**
   * Records a prove: one fee from the pass funds, or none if the pass may have been ended before its time. Fails the test
   * if a proof or a fee comes too early after the previous one.
   */
  proved(rule: Address, wallet: Address): void {
    const fee = passFeeAt(configOf(this.#chain), this.#chain.time);
    const taken = ruleSetOf(this.#chain, rule).fees - this.#fees.get(rule)!;
    this.#fees.set(rule, this.#fees.get(rule)! + taken);

    const { maxPassAgeSeconds } = ruleSetOf(this.#chain, rule);
    const [key, now] = [`${rule} ${wallet}`, this.#chain.time];
    const last = this.#charged.get(key);
    const half = maxPassAgeSeconds / 2n;
    const wasEnded = last !== undefined && (last.freed || last.ended);
    const least = wasEnded && HOUR < half ? HOUR : half;
    const isFree = wasEnded && taken === 0n && now < last.paidAt + half;
    expect(!last || wasEnded || now >= last.at + half, 'a proof too early').toBe(true);
    expect(isFree || taken === fee, 'the fee').toBe(true);
    expect(!last || isFree || now >= last.paidAt + least, 'a second fee too early').toBe(true);
    this.#charged.set(key, { at: now, paidAt: isFree ? last.paidAt : now, freed: false, ended: false });
  }

  /** Records a grant: one fee from the pass funds. The wallet may prove at any time. */
  granted(rule: Address, wallet: Address): void {
    this.#fees.set(rule, this.#fees.get(rule)! + passFeeAt(configOf(this.#chain), this.#chain.time)!);
    this.#charged.delete(`${rule} ${wallet}`);
  }

  /** Records a new rule set. Its creator paid the rent that its address did not have yet. */
  created(rule: Address, squatted: bigint): void {
    const rent = this.#chain.rentOf(this.#chain.data(rule).length);
    this.#funds.set(rule, squatted > rent ? squatted : rent);
    this.#fees.set(rule, 0n);
  }

  /** Records that the fees of a rule set were collected. */
  collected(rule: Address): void {
    const fees = this.#fees.get(rule)!;
    this.#fees.set(rule, 0n);
    this.#collected += fees;
    this.received(TREASURY, fees);
    this.received(rule, -fees);
  }

  /** Records a credential: an hour after its last proof, each pass of the wallet may now be renewed once. */
  credentialIssued(wallet: Address): void {
    for (const [key, charged] of this.#charged) if (key.endsWith(wallet)) charged.freed = true;
  }

  /** Records the time of a statement of a verifier that landed, or of a discard if `verifier` is null. */
  signed(wallet: Address, verifier: Address | null, time: bigint): void {
    const key = `${wallet} ${verifier}`;
    if (time > (this.#signed.get(key) ?? 0n)) this.#signed.set(key, time);
  }

  /** Returns the time up to which no statement of a verifier may land: that of its last one, or of a discard. */
  voidUntil(wallet: Address, verifier: Address): bigint {
    const [own, discarded] = [verifier, null].map((by) => this.#signed.get(`${wallet} ${by}`) ?? 0n);
    return own! > discarded! ? own! : discarded!;
  }

  /** Records that governance ended every pass: each may be renewed once, from the next second on. */
  passesEnded(): void {
    for (const charged of this.#charged.values()) charged.ended = true;
  }

  /** Records that an invalidated pass was closed or ended. */
  freed(rule: Address, wallet: Address): void {
    const charged = this.#charged.get(`${rule} ${wallet}`);
    if (charged) charged.freed = true;
  }

  issued(mint: Address, amount: bigint): void {
    this.#supplies.set(mint, this.#supplies.get(mint)! + amount);
  }

  /** Fails the test unless the chain has the expected amounts. Does nothing if no account was read since the last check. */
  check(): void {
    if (this.#checked === this.world.reads) return;
    this.#checked = this.world.reads;
    expect(treasuryOf(this.#chain).feesCollected).toBe(this.#collected);
    for (const [rule, fees] of this.#fees) expect(ruleSetOf(this.#chain, rule).fees).toBe(fees);
    expect(this.#chain.aboveRent(TREASURY)).toBe(this.#treasury);
    for (const [rule, lamports] of this.#funds) expect(this.#chain.lamports(rule)).toBe(lamports);
    const held = new Map<Address, bigint>();
    for (const [, { data }] of this.world.all('tokenAccount')) {
      const { mint, amount } = decodeTokenAccount(data)!;
      held.set(mint, (held.get(mint) ?? 0n) + amount);
    }
    for (const [mint, supply] of this.#supplies) {
      expect([mintOf(this.#chain, mint).supply, held.get(mint) ?? 0n]).toEqual([supply, supply]);
    }
  }
}

/** Records what was paid, issued and burned on a chain, and checks that the chain agrees. */
import { decodeTokenAccount, TOKEN_2022_PROGRAM } from '@service/protocol';
import { getConfigDecoder, getPassDecoder, getRuleSetDecoder } from '@service/protocol/generated';
import { type Address, unwrapOption } from '@solana/kit';
import { expect } from 'vitest';
import { balanceOf, mintOf } from './bindings.ts';
import type { Chain } from './chain.ts';
import { CONFIG, TREASURY } from './governance.ts';
import { type By, isInvalidated, World } from './invariants.ts';
import type { Outcome } from './outcome.ts';

/** The last prove of a wallet for a rule set, and whether it may be charged for the next one already. */
interface Charged {
  readonly at: bigint;
  freed: boolean;
}

/** The expected amounts of a chain. */
export class Ledger {
  readonly world: World;
  readonly #chain: Chain;
  #collected = 0n;
  /** Lamports of the treasury above rent. */
  #treasury = 0n;
  readonly #funds = new Map<Address, bigint>();
  readonly #supplies = new Map<Address, bigint>();
  readonly #charged = new Map<string, Charged>();

  constructor(chain: Chain) {
    this.#chain = chain;
    this.world = new World(chain);
    for (const address of this.world.addresses()) {
      const account = this.world.get(address)!;
      const { owner, data, lamports } = account;
      if (owner !== TOKEN_2022_PROGRAM && data[0] === 1)
        this.#collected = getConfigDecoder().decode(data).feesCollected;
      if (owner !== TOKEN_2022_PROGRAM && data[0] === 2)
        this.#treasury = lamports - this.world.rentOf(account);
      if (owner !== TOKEN_2022_PROGRAM && data[0] === 8) {
        const { rule, wallet, issuedAt } = getPassDecoder().decode(data);
        this.#charged.set(`${rule} ${wallet}`, { at: issuedAt, freed: false });
      }
      if (owner === TOKEN_2022_PROGRAM && data[165] === 1)
        this.#supplies.set(address, mintOf(chain, address).supply);
      if (owner !== TOKEN_2022_PROGRAM && data[0] === 6) this.#funds.set(address, lamports);
    }
  }

  /** Checks a transaction that changes no amount. */
  observe(outcome: Outcome, by: By): void {
    this.world.observe(outcome, by);
  }

  /** Records lamports that were sent to the treasury or a rule set. */
  gift(address: Address, lamports: bigint): void {
    this.world.refresh(address);
    if (this.#funds.has(address)) this.#funds.set(address, this.#funds.get(address)! + lamports);
    else this.#treasury += lamports;
  }

  /** Records a prove: one fee from the pass funds. Fails the test when it comes too early after the previous one. */
  async proved(rule: Address, wallet: Address): Promise<void> {
    const { passFee } = getConfigDecoder().decode(this.#chain.data(CONFIG));
    const fee = unwrapOption(passFee)!;
    this.#collected += fee;
    this.#treasury += fee;
    this.#funds.set(rule, this.#funds.get(rule)! - fee);

    const { maxPassAgeSeconds } = getRuleSetDecoder().decode(this.#chain.data(rule));
    const [key, now] = [`${rule} ${wallet}`, this.#chain.time];
    const last = this.#charged.get(key);
    const isFree = !last || last.freed || now >= last.at + maxPassAgeSeconds / 2n;
    expect(isFree, 'a second fee within half of the longest pass life').toBe(true);
    this.#charged.set(key, { at: now, freed: false });
  }

  /** Records a credential: each pass of the wallet may now be renewed once. */
  credentialIssued(wallet: Address): void {
    for (const [key, charged] of this.#charged) if (key.endsWith(wallet)) charged.freed = true;
  }

  /** Returns whether a pass is invalidated. Closing it then allows one more prove. */
  willBeFreed(pass: Address): boolean {
    return isInvalidated(this.world, this.world.get(pass)!);
  }

  /** Records that an invalidated pass was closed. */
  freed(rule: Address, wallet: Address): void {
    const charged = this.#charged.get(`${rule} ${wallet}`);
    if (charged) charged.freed = true;
  }

  withdrawn(from: Address, lamports: bigint): void {
    if (this.#funds.has(from)) this.#funds.set(from, this.#funds.get(from)! - lamports);
    else this.#treasury -= lamports;
  }

  issued(mint: Address, amount: bigint): void {
    this.#supplies.set(mint, this.#supplies.get(mint)! + amount);
  }

  /** Fails the test unless the chain has the expected amounts. */
  async check(): Promise<void> {
    const [config, treasury] = [CONFIG, TREASURY];
    const { feesCollected } = getConfigDecoder().decode(this.#chain.data(config));
    expect(feesCollected).toBe(this.#collected);
    const above = this.#chain.lamports(treasury) - this.#chain.rentOf(this.#chain.data(treasury).length);
    expect(above).toBe(this.#treasury);
    for (const [rule, lamports] of this.#funds) expect(this.#chain.lamports(rule)).toBe(lamports);
    const held = new Map<Address, bigint>();
    for (const address of this.world.addresses()) {
      const { owner, data } = this.world.get(address)!;
      if (owner !== TOKEN_2022_PROGRAM || data[165] !== 2) continue;
      const { mint } = decodeTokenAccount(data)!;
      held.set(mint, (held.get(mint) ?? 0n) + balanceOf(this.#chain, address));
    }
    for (const [mint, supply] of this.#supplies) {
      expect([mintOf(this.#chain, mint).supply, held.get(mint) ?? 0n]).toEqual([supply, supply]);
    }
  }
}

/** Whether a pass is on chain. */
export function passExists(world: World, pass: Address): boolean {
  const account = world.get(pass);
  return account !== undefined && getPassDecoder().decode(account.data).accountType === 8;
}

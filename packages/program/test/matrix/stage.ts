/** One chain for all cells of a scene: each cell begins from the same state, and all of it is compared. */
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '@service/protocol';
import { type Address, type Instruction, isSignerRole } from '@solana/kit';
import { expect } from 'vitest';
import { type Account, type Chain, PROGRAM, SOL } from '../support/chain.ts';
import { codeOf, expectDone, type Outcome } from '../support/outcome.ts';
import type { AttemptHooks, Expectation } from './expectation.ts';
import type { AnyScene } from './row.ts';

type State = ReadonlyMap<Address, Account>;

/** A scene's chain and instructions. */
export class Stage {
  readonly chain: Chain;
  readonly instruction: Instruction;
  readonly before: readonly Instruction[];
  readonly #named: readonly Address[];
  readonly #state: State;
  readonly #time: bigint;

  private constructor(ready: Awaited<ReturnType<AnyScene['ready']>>, named: readonly Address[]) {
    this.chain = ready.chain;
    this.instruction = ready.instruction;
    this.before = ready.before ?? [];
    this.#named = named;
    this.#state = this.#read();
    this.#time = this.chain.time;
  }

  /** Sets a scene up. */
  static async of(scene: AnyScene): Promise<Stage> {
    const ready = await scene.ready();
    const accounts = ready.instruction.accounts!.map(({ address }) => address);
    // Each signer can pay, so that what refuses it is the program.
    for (const { address, role } of ready.instruction.accounts!) {
      if (isSignerRole(role)) ready.chain.fund(address, SOL);
    }
    return new Stage(ready, accounts);
  }

  /**
   * Sends instructions, the last one being the scene's own or one in its place, and fails the test unless what becomes
   * of them is as expected: a refusal with its number by that last instruction, after which not one account of the
   * chain is another than before (the fee payer pays its fee). Puts everything back after.
   * The state to compare with is read after `prepare`.
   */
  async expect(
    expected: Expectation,
    instructions: readonly Instruction[],
    { what = '', prepare, check }: AttemptHooks = {},
  ): Promise<void> {
    let after: State | undefined;
    try {
      await prepare?.();
      const before = prepare ? this.#read() : this.#state;
      const outcome = await this.chain.submit(...instructions);
      after = this.#read();
      const changed = difference(before, after);
      const logs = [what, ...outcome.logs];
      expectAsSaid(expected, { ...outcome, logs, changed }, instructions.length - 1);
      check?.();
    } finally {
      this.#restore(after ?? this.#read());
    }
  }

  /** All accounts of wallets, of this program and of Token-2022, and those that are named; not the fee payer's. */
  #read(): State {
    const owners = [PROGRAM, TOKEN_2022_PROGRAM, SYSTEM_PROGRAM];
    const all = new Map(owners.flatMap((owner) => this.chain.accountsOf(owner)));
    for (const address of this.#named) {
      const account = all.has(address) ? null : this.chain.account(address);
      if (account) all.set(address, account);
    }
    all.delete(this.chain.feePayer.address);
    for (const [address, { lamports, data }] of all) {
      if (lamports === 0n && data.length === 0) all.delete(address);
    }
    return all;
  }

  #restore(now: State): void {
    for (const address of difference(this.#state, now)) {
      const nothing = { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array() };
      this.chain.write(address, this.#state.get(address) ?? nothing);
    }
    this.chain.setTime(this.#time);
  }
}

function difference(before: State, after: State): Address[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (address) => !isSame(before.get(address), after.get(address)),
  );
}

function isSame(one: Account | undefined, other: Account | undefined): boolean {
  if (!one || !other) return one === other;
  const { lamports, owner, data } = one;
  return lamports === other.lamports && owner === other.owner && Buffer.compare(data, other.data) === 0;
}

function expectAsSaid(expected: Expectation, outcome: Outcome, last: number): void {
  const { refusal, changed } = outcome;
  if (typeof expected === 'object' && expected.kind === 'works') {
    expectDone(outcome);
    return;
  }
  if (typeof expected === 'object' && expected.kind === 'not tested')
    throw new Error('This cell is not tested. Do not send it.');
  const told = `${refusal ? `refused: ${refusal.text}` : 'done'}\n${outcome.logs.join('\n')}`;
  const code = typeof expected === 'object' ? (refusal?.code ?? null) : codeOf(expected);
  expect({ code: refusal?.code, at: refusal?.instruction, changed }, told).toEqual({
    code,
    at: refusal?.instruction === -1 && typeof expected === 'object' ? -1 : last,
    changed: [],
  });
  if (typeof expected === 'object') expect(told).toMatch(expected.text);
}

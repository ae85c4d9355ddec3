/** One chain for all cells of a scene. Each cell begins in the same state, and the stage compares every account after it. */
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '@service/protocol';
import { type Address, type Instruction, isSignerRole } from '@solana/kit';
import { expect } from 'vitest';
import { type Account, type Chain, PROGRAM, SOL } from '../support/chain.ts';
import { codeOf, expectDone, type Outcome } from '../support/outcome.ts';
import type { Attempt } from './columns.ts';
import type { Expectation, Ready, Scene } from './row.ts';

type State = ReadonlyMap<Address, Account>;

/** A scene's chain and instructions. */
export class Stage {
  readonly chain: Chain;
  readonly instruction: Instruction;
  readonly before: readonly Instruction[];
  readonly #state: State;
  readonly #time: bigint;

  private constructor({ chain, instruction, before = [] }: Ready) {
    this.chain = chain;
    this.instruction = instruction;
    this.before = before;
    // Each signer can pay, so that only the program can reject it.
    for (const { address, role } of instruction.accounts!) if (isSignerRole(role)) chain.fund(address, SOL);
    this.#state = this.#read();
    this.#time = chain.time;
  }

  static async of(scene: Scene): Promise<Stage> {
    return new Stage(await scene.ready());
  }

  /**
   * Sends an instruction after those that must come before it, or sends several instructions. Fails the test unless the
   * outcome is as expected. A rejection must come from the last instruction and change no account except the fee payer.
   * Undoes all changes. It reads the state to compare with after `prepare`.
   */
  async expect(
    expected: Expectation,
    sent: Instruction | readonly Instruction[],
    { what = '', prepare, check }: Partial<Attempt> = {},
  ): Promise<void> {
    const instructions = 'programAddress' in sent ? [...this.before, sent] : sent;
    let after: State | undefined;
    try {
      await prepare?.();
      const before = prepare ? this.#read() : this.#state;
      const outcome = await this.chain.submit(...instructions);
      after = this.#read();
      const changed = difference(before, after);
      expectOutcome(
        expected,
        { ...outcome, logs: [what, ...outcome.logs], changed },
        instructions.length - 1,
      );
      check?.();
    } finally {
      this.#restore(after ?? this.#read());
    }
  }

  /** Returns the accounts of wallets, of this program and of Token-2022, and those of the instruction. */
  #read(): State {
    const owners = [PROGRAM, TOKEN_2022_PROGRAM, SYSTEM_PROGRAM];
    const all = new Map(owners.flatMap((owner) => this.chain.accountsOf(owner)));
    for (const { address } of this.instruction.accounts!) {
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
      const missing = { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array() };
      this.chain.write(address, this.#state.get(address) ?? missing);
    }
    this.chain.setTime(this.#time);
  }
}

function difference(before: State, after: State): Address[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((address) => {
    const [one, other] = [before.get(address), after.get(address)];
    if (!one || !other) return one !== other;
    const isSame = one.lamports === other.lamports && one.owner === other.owner;
    return !isSame || Buffer.compare(one.data, other.data) !== 0;
  });
}

function expectOutcome(expected: Expectation, outcome: Outcome, last: number): void {
  const isReason = typeof expected === 'object';
  if (isReason && expected.kind === 'not tested')
    throw new Error('This cell is not tested. Do not send its instruction.');
  if (isReason && expected.kind === 'allowed') return void expectDone(outcome);
  const { refusal, changed, logs } = outcome;
  const text = `${refusal ? `rejected: ${refusal.text}` : 'done'}\n${logs.join('\n')}`;
  expect({ code: refusal?.code, at: refusal?.instruction, changed }, text).toEqual({
    code: isReason ? (refusal?.code ?? null) : codeOf(expected),
    at: isReason && refusal?.instruction === -1 ? -1 : last,
    changed: [],
  });
  if (isReason) expect(text).toMatch(expected.text);
}

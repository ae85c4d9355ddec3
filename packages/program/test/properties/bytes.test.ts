/**
 * Whatever accounts, roles and data a transaction has, it fails and changes nothing, or changes only what its signers
 * may change. Each run changes a valid instruction in a few places, or makes a random one.
 */
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '@service/protocol';
import { type AccountMeta, AccountRole, type Address, type Instruction } from '@solana/kit';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { RUNS_ALL } from '../../../../test/support/sample.ts';
import { addressOf, Chain, PROGRAM } from '../support/chain.ts';
import { everyInstruction, everythingReady } from '../support/every-instruction.ts';
import { World } from '../support/invariants.ts';
import { SEED } from './seed.ts';

/** Runs of each property. */
const RUNS = Number(process.env.PROGRAM_FUZZ_RUNS ?? (RUNS_ALL ? 480 : 160));
/** From so many runs on, many different checks must reject. */
const ENOUGH_RUNS = 480;

/** Keys that may sign a random transaction. */
const KEYS = [
  'payer',
  'issuer',
  'holder',
  'other holder',
  'outsider',
  'cold wallet',
  'unrelated wallet',
  'governance',
  'verifier',
];

const PROGRAMS: readonly Address[] = [PROGRAM, TOKEN_2022_PROGRAM, SYSTEM_PROGRAM];

let saved: Uint8Array;
let good: [name: string, instructions: Instruction[]][];
let pool: Address[];
let keys: Address[];
let ofTransfer: Address[];

beforeAll(async () => {
  const chain = await everythingReady();
  good = Object.entries(await everyInstruction(chain));
  saved = chain.save();
  keys = await Promise.all(KEYS.map(addressOf));
  const named = good.flatMap(([, list]) =>
    list.flatMap(({ accounts = [] }) => accounts.map((a) => a.address)),
  );
  const [, [transferring]] = good.find(([name]) => name === 'transfer, with the source')!;
  ofTransfer = transferring!.accounts!.map(({ address }) => address);
  pool = [
    ...new Set([...keys, ...named, ...(Object.keys(chain.state()) as Address[]), SYSTEM_PROGRAM, PROGRAM]),
  ];
});

/** A change of an instruction in one place. `place` and `to` are taken modulo the number of choices. */
const change = fc.record({
  kind: fc.constantFrom(
    ...(['account', 'role', 'swap', 'drop', 'add', 'byte', 'cut', 'lengthen'] as const),
    ...Array<'impostor'>(4).fill('impostor'),
  ),
  place: fc.nat(),
  to: fc.nat(),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Lets only known keys sign and no program be writable. The runtime would reject such a transaction first. */
function meta(address: Address, role: AccountRole): AccountMeta {
  if (PROGRAMS.includes(address)) return { address, role: AccountRole.READONLY };
  return { address, role: keys.includes(address) ? role : role & AccountRole.WRITABLE };
}

/** Accounts of the pool in any role, half of them those of one transfer, which fit together. */
const anyAccounts = (maxLength: number) =>
  fc.array(
    fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.boolean()).map(([place, role, isOfTransfer]) => {
      const from = isOfTransfer ? ofTransfer : pool;
      return meta(from[place % from.length]!, role);
    }),
    { maxLength },
  );

function changed(instruction: Instruction, { kind, place, to }: Change): Instruction {
  const [accounts, data] = [[...instruction.accounts!], [...instruction.data!]];
  const [slot, byte] = [place % Math.max(accounts.length, 1), place % Math.max(data.length, 1)];
  const there = accounts[slot];
  if (kind === 'account' && there) accounts[slot] = meta(pool[to % pool.length]!, there.role);
  if (kind === 'impostor') {
    const signing = accounts.findIndex(({ role }) => role >= AccountRole.READONLY_SIGNER);
    if (signing >= 0) accounts[signing] = meta(keys[to % keys.length]!, accounts[signing]!.role);
  }
  if (kind === 'role' && there) accounts[slot] = meta(there.address, to % 4);
  if (kind === 'swap' && there) {
    const other = to % accounts.length;
    [accounts[slot], accounts[other]] = [accounts[other]!, there];
  }
  if (kind === 'drop') accounts.splice(slot, 1);
  if (kind === 'add') accounts.splice(slot, 0, meta(pool[to % pool.length]!, to % 4));
  if (kind === 'byte' && data.length > 0) data[byte] = to;
  if (kind === 'cut') data.length = byte;
  if (kind === 'lengthen') data.push(to);
  return { ...instruction, accounts, data: Uint8Array.from(data) };
}

/** Sends to a chain in its first state, and checks the changes. */
class Trial {
  #chain!: Chain;
  #world!: World;
  #isFresh = false;
  done = 0;
  readonly refusals = new Map<number | null, number>();

  async send(...instructions: Instruction[]): Promise<void> {
    if (!this.#isFresh) {
      this.#chain = Chain.from(saved);
      this.#world = new World(this.#chain);
    }
    const outcome = await this.#chain.send(...instructions);
    this.#isFresh = outcome.changed.length === 0;
    this.#world.observe(outcome, instructions);
    if (!outcome.refusal) this.done += 1;
    const code = outcome.refusal?.code ?? null;
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }
}

const timeout = 24 * 3_600_000;
const parameters = { numRuns: RUNS, seed: SEED, endOnFailure: true };

describe('a random transaction', () => {
  it('made of a valid one with up to four changes does only what its signers may do', {
    timeout,
  }, async () => {
    const trial = new Trial();
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.array(change, { maxLength: 4 }), async (which, changes) => {
        const instructions = good[which % good.length]![1];
        const last = changes.reduce(changed, instructions.at(-1)!);
        await trial.send(...instructions.slice(0, -1), last);
      }),
      parameters,
    );
    // Many must succeed.
    expect(trial.done).toBeGreaterThan(RUNS / 10);
    if (RUNS >= ENOUGH_RUNS) expect(trial.refusals.size).toBeGreaterThan(20);
  });

  it('with any bytes and any accounts does only what its signers may do', { timeout }, async () => {
    const trial = new Trial();
    const number = fc.oneof(fc.nat({ max: 32 }), fc.nat({ max: 255 }), fc.constant(0x69));
    const filler = meta(PROGRAM, AccountRole.READONLY);
    await fc.assert(
      fc.asyncProperty(
        number,
        fc.uint8Array({ maxLength: 300 }),
        anyAccounts(14),
        fc.boolean(),
        async (first, bytes, accounts, isFitted) => {
          const execute = [0x69, 0x25, 0x65, 0xc5, 0x4b, 0xfb, 0x66, 0x1a];
          const start = first === 0x69 && isFitted ? execute : [first];
          // With as many bytes and accounts as the instruction takes, its other checks are reached too.
          const fitting = good.flatMap(([, list]) => list).find(({ data }) => data![0] === first);
          const [size, count] =
            isFitted && fitting
              ? [fitting.data!.length - start.length, fitting.accounts!.length]
              : [bytes.length, accounts.length];
          await trial.send({
            programAddress: PROGRAM,
            accounts: Array.from({ length: count }, (_, index) => accounts[index] ?? filler),
            data: Uint8Array.of(...start, ...Array.from({ length: size }, (_, index) => bytes[index] ?? 0)),
          });
        },
      ),
      parameters,
    );
    if (RUNS >= ENOUGH_RUNS) expect(trial.refusals.size).toBeGreaterThan(3);
  });

  it('of Token-2022 gives no tokens of a bound mint to an owner without a pass', { timeout }, async () => {
    const trial = new Trial();
    const [, [whole]] = good.find(([name]) => name === 'transfer, with the source')!;
    const number = fc.oneof(fc.constantFrom(3, 6, 7, 8, 9, 12, 26, 255), fc.nat({ max: 47 }));
    await fc.assert(
      fc.asyncProperty(
        number,
        fc.uint8Array({ maxLength: 40 }),
        anyAccounts(6),
        fc.boolean(),
        async (first, bytes, own, withList) => {
          await trial.send({
            programAddress: TOKEN_2022_PROGRAM,
            accounts: [...own, ...(withList ? whole!.accounts!.slice(4) : [])],
            data: Uint8Array.of(first, ...bytes),
          });
        },
      ),
      parameters,
    );
    if (RUNS >= ENOUGH_RUNS) expect(trial.refusals.size).toBeGreaterThan(3);
  });
});

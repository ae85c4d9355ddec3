/**
 * The refusal matrix. Its first part: every account of every instruction of the IDL, and what is wrong with it. Its
 * second: the same account twice. Its third: the data, and the instruction as a whole. Each cell is a test that sees
 * the numbered error and that no account of the chain changed, or a written reason for which there is nothing to see.
 */
import { AccountRole, type Instruction } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import idl from '../../idl.json' with { type: 'json' };
import { addressOf, PROGRAM } from '../support/chain.ts';
import { pause } from '../support/governance.ts';
import { accountsOf, withAccount, withData } from '../support/instruction.ts';
import { endProver } from '../support/proofs.ts';
import { expectationOf, expectationOfSame, type Listed, listed } from './defaults.ts';
import { type Expectation, works } from './expectation.ts';
import { type Attempt, COLUMNS, REFUSALS } from './refusals.ts';
import type { AnyRow, AnyScene, DataCase } from './row.ts';
import { ROWS } from './rows/index.ts';
import { Stage } from './stage.ts';

const rows = Object.entries(ROWS as unknown as Readonly<Record<string, AnyRow>>);
const size = {
  instructions: rows.length,
  scenes: 0,
  accounts: 0,
  cells: 0,
  tested: 0,
  attempts: 0,
  reasons: 0,
};
const unsaid: string[] = [];

type Declare = (
  name: string,
  expected: Expectation | undefined,
  test: (expected: Expectation) => Promise<void>,
) => void;

/** Declares cells of a scene: a test each, or only a reason. */
const cellsOf =
  (scene: string): Declare =>
  (name, expected, test) => {
    size.cells += 1;
    if (expected === undefined) {
      unsaid.push(`${scene}: ${name}`);
    } else if (typeof expected === 'object' && expected.kind === 'not tested') {
      size.reasons += 1;
    } else {
      size.tested += 1;
      it(name, () => test(expected));
    }
  };

afterAll(endProver);
afterAll(() => console.table({ ...size, columns: COLUMNS.length }));

describe.each(rows)('%s', (name, row) => {
  describe.each(Object.entries(row.scenes))('%s', (sceneName, scene) => {
    const cell = cellsOf(`${name} ${sceneName}`);
    const accounts = accountsOf(name).map((account) => listed(account, scene.accounts[account.name]!));
    let stage: Stage;
    beforeAll(async () => {
      stage = await Stage.of(scene);
    });
    /** The scene's instructions with another one in the place of the last. */
    const all = (instruction: Instruction) => [...stage.before, instruction];
    size.scenes += 1;
    size.accounts += accounts.length;

    it('works before it is changed', async () => {
      await stage.expect(works('It is.'), all(stage.instruction));
    });

    for (const [index, account] of accounts.entries()) {
      for (const column of COLUMNS) {
        cell(`${account.name}: ${column}`, expectationOf(account, column), async (expected) => {
          const place = placeOf(stage, account, index);
          const attempts: readonly Attempt[] = await REFUSALS[column](place);
          for (const { instruction, ...hooks } of attempts) {
            size.attempts += 1;
            await stage.expect(expected, all(instruction), hooks);
          }
        });
      }
    }

    for (const [index, account] of accounts.entries()) {
      for (const [from, inPlace] of accounts.entries()) {
        if (index === from) continue;
        const said = expectationOfSame(account, inPlace);
        cell(`${account.name}: the same as ${inPlace.name}`, said, async (expected) => {
          const { address } = stage.instruction.accounts![from]!;
          const changed = withAccount(stage.instruction, index, { address });
          size.attempts += 1;
          await stage.expect(expected, all(changed));
        });
      }
    }

    describeWhole(cell, scene, () => stage);
  });

  describe('data', () => {
    const [first] = Object.values(row.scenes);
    let stage: Stage;
    beforeAll(async () => {
      stage = await Stage.of(first!);
    });
    const cell = cellsOf(`${name} data`);
    describeSizes(cell, () => stage);
    for (const [argument, cases] of Object.entries(row.data)) {
      if (!Array.isArray(cases)) {
        cell(argument, cases as Expectation, async () => undefined);
        continue;
      }
      for (const { what, expected, prepare, data, instructions } of cases as readonly DataCase[]) {
        cell(`${argument} ${what}`, expected, async () => {
          const sent = instructions ?? (async () => [...stage.before, withData(stage.instruction, data!)]);
          size.attempts += 1;
          await stage.expect(expected, await sent(), { prepare: () => prepare?.(stage.chain) });
        });
      }
    }
  });
});

function placeOf(stage: Stage, { kind, row }: Listed, index: number) {
  const { chain, instruction } = stage;
  return {
    chain,
    instruction,
    index,
    kind,
    other: row.other,
    address: instruction.accounts![index]?.address ?? PROGRAM,
  };
}

/** Every length below some bytes; of a key or a proof, which is one argument, every sixteenth. */
function lengthsBelow(bytes: number): number[] {
  const all = Array.from({ length: bytes }, (_, length) => length);
  return all.filter((length) => length < 80 || length % 16 === 0 || length === bytes - 1);
}

/** The cells of the size of the data. */
function describeSizes(cell: Declare, stageOf: () => Stage): void {
  cell('data that is shorter', 'INVALID_INSTRUCTION_DATA', async (expected) => {
    const { before, instruction } = stageOf();
    for (const length of lengthsBelow(instruction.data!.length)) {
      size.attempts += 1;
      const shorter = withData(instruction, (data) => data.slice(0, length));
      await stageOf().expect(expected, [...before, shorter]);
    }
  });

  cell('data that is longer', 'INVALID_INSTRUCTION_DATA', async (expected) => {
    const { before, instruction } = stageOf();
    for (const more of [[0], [255], [...instruction.data!]]) {
      size.attempts += 1;
      const longer = withData(instruction, (data) => [...data, ...more]);
      await stageOf().expect(expected, [...before, longer]);
    }
  });
}

/** The cells of an instruction as a whole. */
function describeWhole(cell: Declare, { whole }: AnyScene, stageOf: () => Stage): void {
  cell('one account too few and too many', 'WRONG_ACCOUNT_COUNT', async (expected) => {
    const { before, instruction } = stageOf();
    const accounts = instruction.accounts!;
    const extra = { address: await addressOf('unrelated wallet'), role: AccountRole.READONLY };
    const others = [accounts.slice(0, -1), accounts.slice(0, 1), [], [...accounts, extra]];
    for (const changed of [...others, [...accounts, ...accounts]]) {
      size.attempts += 1;
      await stageOf().expect(expected, [...before, { ...instruction, accounts: changed }]);
    }
  });

  cell('while the protocol is paused', whole.paused, async (expected) => {
    const { before, instruction, chain } = stageOf();
    size.attempts += 1;
    await stageOf().expect(expected, [...before, instruction], { prepare: () => pause(chain) });
  });

  cell('twice in one transaction', whole.twice, async (expected) => {
    const { before, instruction } = stageOf();
    size.attempts += 1;
    await stageOf().expect(expected, [...before, instruction, ...before, instruction]);
  });

  cell('twice in two transactions', whole.twice, async (expected) => {
    const { before, instruction, chain } = stageOf();
    size.attempts += 1;
    await stageOf().expect(expected, [...before, instruction], {
      prepare: async () => await chain.confirm(...before, instruction),
    });
  });
}

describe('the matrix', () => {
  it('has an expectation in every cell', () => {
    expect(unsaid).toEqual([]);
  });

  it('has a row for every account and argument of the IDL', () => {
    const listedNames = idl.program.instructions.map((instruction) => ({
      name: instruction.name,
      accounts: instruction.accounts.map(({ name }) => name).sort(),
      arguments: instruction.arguments.flatMap(({ name }) =>
        name === 'instruction' || name === 'discriminator' ? [] : [name],
      ),
    }));
    const written = rows.flatMap(([name, row]) =>
      Object.values(row.scenes).map((scene) => ({
        name,
        accounts: Object.keys(scene.accounts).sort(),
        arguments: Object.keys(row.data),
      })),
    );
    for (const instruction of listedNames) {
      const scenes = written.filter(({ name }) => name === instruction.name);
      expect(scenes.length, instruction.name).toBeGreaterThan(0);
      for (const scene of scenes) expect(scene).toEqual(instruction);
    }
    expect(rows.map(([name]) => name)).toEqual(listedNames.map(({ name }) => name));
  });
});

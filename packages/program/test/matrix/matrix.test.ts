/**
 * The matrix of rejections: every account of every instruction of the IDL and what can be wrong with it, the same account
 * twice, the data, and the instruction as a whole. Each cell is a test that expects a numbered error and no changed
 * account, or a written reason why there is nothing to test.
 */
import { AccountRole } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { sampled } from '../../../../test/support/sample.ts';
import idl from '../../idl.json' with { type: 'json' };
import { PROGRAM, UNRELATED_WALLET } from '../support/chain.ts';
import { pause } from '../support/governance.ts';
import { accountsOf, withAccount, withData } from '../support/instruction.ts';
import { COLUMN_NAMES, COLUMNS } from './columns.ts';
import { expectationOf, expectationOfSame } from './defaults.ts';
import { kindOf } from './kinds.ts';
import { allowed, type Expectation, type Row, type Scene } from './row.ts';
import { ROWS } from './rows/index.ts';
import { Stage } from './stage.ts';

const rows = Object.entries<Row>(ROWS);
const withoutExpectation: string[] = [];

/** Collects the cells of a scene. `declare` declares the tests of a tenth, with `FULL=1` of all. */
function cellsOf(scene: string) {
  const tests: { name: string; run: () => Promise<void> }[] = [];
  return {
    /** Adds a cell, unless it has no test. */
    cell(name: string, expected: Expectation | undefined, test: (expected: Expectation) => Promise<void>) {
      if (expected === undefined) withoutExpectation.push(`${scene}: ${name}`);
      else if (typeof expected !== 'object' || expected.kind !== 'not tested')
        tests.push({ name, run: () => test(expected) });
    },
    declare() {
      for (const { name, run } of sampled(tests)) it(name, run);
    },
  };
}

/** Sets a scene up before the tests. Returns a function that returns its stage. */
function stageOf(scene: Scene): () => Stage {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.of(scene);
  });
  return () => stage;
}

/** Returns every length below `bytes`. A long argument is a key or a proof, so every sixteenth length is enough there. */
function lengthsBelow(bytes: number): number[] {
  const all = Array.from({ length: bytes }, (_, length) => length);
  return all.filter((length) => length < 80 || length % 16 === 0 || length === bytes - 1);
}

describe.each(rows)('%s', (name, row) => {
  describe.each(Object.entries(row.scenes))('%s', (sceneName, scene) => {
    const { cell, declare } = cellsOf(`${name} ${sceneName}`);
    const stage = stageOf(scene);
    const listed = accountsOf(name);
    const present = listed.filter(
      ({ name: account, isOmitted }) => !isOmitted || scene.accounts[account]!.is !== 'left out',
    );
    const accounts = listed.map((account) => ({
      ...account,
      row: scene.accounts[account.name]!,
      kind: kindOf(account.name),
      // One that is omitted comes after the others if a test adds it.
      index: present.includes(account) ? present.indexOf(account) : present.length,
    }));

    it('works before it is changed', () => stage().expect(allowed('It is valid.'), stage().instruction));

    for (const account of accounts) {
      const { index } = account;
      for (const column of COLUMN_NAMES) {
        cell(`${account.name}: ${column}`, expectationOf(account, column), async (expected) => {
          const { chain, instruction } = stage();
          const address = instruction.accounts![index]?.address ?? PROGRAM;
          const { kind, row } = account;
          const place = { chain, instruction, index, address, kind, another: row.another };
          for (const attempt of await COLUMNS[column](place)) {
            await stage().expect(expected, attempt.instruction, attempt);
          }
        });
      }

      for (const other of accounts) {
        if (other === account) continue;
        cell(`${account.name}: the same as ${other.name}`, expectationOfSame(account, other), (expected) => {
          const { instruction } = stage();
          const { address } = instruction.accounts![other.index]!;
          return stage().expect(expected, withAccount(instruction, index, { address }));
        });
      }
    }

    cell('accounts too few', 'WRONG_ACCOUNT_COUNT', async (expected) => {
      const { instruction } = stage();
      const accounts = instruction.accounts!;
      for (const changed of [accounts.slice(0, -1), accounts.slice(0, 1), []]) {
        await stage().expect(expected, { ...instruction, accounts: changed });
      }
    });

    cell('accounts too many', scene.more ?? 'WRONG_ACCOUNT_COUNT', async (expected) => {
      const { instruction } = stage();
      const accounts = instruction.accounts!;
      const extra = { address: UNRELATED_WALLET, role: AccountRole.WRITABLE };
      for (const changed of [
        [...accounts, extra],
        [...accounts, ...accounts],
      ]) {
        await stage().expect(expected, { ...instruction, accounts: changed });
      }
    });

    cell('while the protocol is paused', scene.paused, (expected) => {
      const { instruction, chain } = stage();
      const prepare = () => chain.confirm(pause());
      return stage().expect(expected, instruction, { prepare });
    });

    cell('twice in one transaction', scene.twice, (expected) => {
      const { before, instruction } = stage();
      return stage().expect(expected, [...before, instruction, ...before, instruction]);
    });

    cell('twice in two transactions', scene.twice, (expected) => {
      const { before, instruction, chain } = stage();
      const prepare = () => chain.confirm(...before, instruction);
      return stage().expect(expected, instruction, { prepare });
    });

    declare();
  });

  describe('data', () => {
    const stage = stageOf(Object.values(row.scenes)[0]!);
    const { cell, declare } = cellsOf(`${name} data`);

    const otherLength = row.otherLength ?? 'INVALID_INSTRUCTION_DATA';

    cell('data that is shorter', otherLength, async (expected) => {
      const { instruction } = stage();
      const { length: whole } = instruction.data!;
      for (const length of lengthsBelow(whole)) {
        if (row.optionalBytes?.includes(whole - length)) continue;
        const shorter = withData(instruction, (data) => data.slice(0, length));
        await stage().expect(length === 0 ? 'INVALID_INSTRUCTION_DATA' : expected, shorter);
      }
    });

    cell('data that is longer', otherLength, async (expected) => {
      const { instruction } = stage();
      for (const more of [[0], [255], [...instruction.data!]]) {
        const longer = withData(instruction, (data) => [...data, ...more]);
        await stage().expect(expected, longer);
      }
    });

    for (const [argument, cases] of Object.entries(row.data)) {
      if ('kind' in cases) continue;
      for (const { what, expected, prepare, data, instructions } of cases) {
        cell(`${argument} ${what}`, expected, async () => {
          const sent = (await instructions?.()) ?? withData(stage().instruction, data!);
          await stage().expect(expected, sent, { prepare: () => prepare?.(stage().chain) });
        });
      }
    }

    declare();
  });
});

describe('the matrix', () => {
  it('has an expectation in every cell', () => {
    expect(withoutExpectation).toEqual([]);
  });

  it('has a row for every account and argument of the IDL', () => {
    const listed = idl.program.instructions.map((instruction) => ({
      name: instruction.name,
      accounts: accountsOf(instruction.name).map(({ name }) => name),
      arguments: instruction.arguments.flatMap(({ name }) =>
        name === 'instruction' || name === 'discriminator' ? [] : [name],
      ),
    }));
    expect(rows.map(([name]) => name).sort()).toEqual(listed.map(({ name }) => name).sort());
    for (const { name, ...instruction } of listed) {
      const { scenes, data } = Object.fromEntries(rows)[name]!;
      expect(Object.keys(data), name).toEqual(instruction.arguments);
      expect(Object.keys(scenes), name).not.toEqual([]);
      for (const { accounts } of Object.values(scenes)) {
        expect(Object.keys(accounts).sort(), name).toEqual(instruction.accounts.toSorted());
      }
    }
  });
});

/**
 * What every instruction must refuse of its accounts and data, taken from the IDL: an account that does not sign or is
 * read only, one too few and one too many, another program, an account of another owner, type, version or size,
 * another address for an account that is created, data too short and too long.
 */
import { SYSTEM_PROGRAM } from '@service/protocol';
import {
  RULE_SET_PASS_ERROR__ALREADY_INITIALIZED as ALREADY_INITIALIZED,
  RULE_SET_PASS_ERROR__INVALID_INSTRUCTION_DATA as INVALID_INSTRUCTION_DATA,
  RULE_SET_PASS_ERROR__MISSING_SIGNATURE as MISSING_SIGNATURE,
  RULE_SET_PASS_ERROR__NOT_WRITABLE as NOT_WRITABLE,
  RULE_SET_PASS_ERROR__WRONG_ACCOUNT_COUNT as WRONG_ACCOUNT_COUNT,
  RULE_SET_PASS_ERROR__WRONG_ACCOUNT_TYPE as WRONG_ACCOUNT_TYPE,
  RULE_SET_PASS_ERROR__WRONG_ADDRESS as WRONG_ADDRESS,
  RULE_SET_PASS_ERROR__WRONG_OWNER as WRONG_OWNER,
  RULE_SET_PASS_ERROR__WRONG_PROGRAM as WRONG_PROGRAM,
} from '@service/protocol/generated';
import { AccountRole, type Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  accountsOf,
  addressIn,
  placeOf,
  withAccount,
  withData,
  withoutSignature,
  withReadonly,
} from './_instruction.ts';
import { expectDone, expectRefused } from './_outcome.ts';
import { addressOf, type Chain, PROGRAM } from './_setup.ts';

/** A chain on which an instruction does what it is for. */
export interface Ready {
  readonly chain: Chain;
  readonly instruction: Instruction;
  /** Instructions that must stand before it in the same transaction. */
  readonly before?: readonly Instruction[];
}

/** Programs and sysvars, which are expected at one address. */
const FIXED = ['systemProgram', 'tokenProgram', 'instructionsSysvar'];

/** Declares the tests for an instruction, by its name in the IDL. */
export function describeAccounts(
  name: string,
  options: {
    /** Makes a fresh chain for each test. */
    ready: () => Promise<Ready>;
    /** Accounts that the instruction creates. */
    created?: readonly string[];
    /** Accounts of the program that it reads or changes. */
    existing?: readonly string[];
    /** The number that says that an account is not there, where it is not WRONG_OWNER. */
    missing?: Readonly<Record<string, number>>;
    /** The number that refuses the same instruction a second time, where it is not ALREADY_INITIALIZED. */
    twice?: number;
  },
): void {
  const { ready, created = [], existing = [], missing = {}, twice = ALREADY_INITIALIZED } = options;
  const accounts = accountsOf(name);
  const named = (flag: 'isSigner' | 'isWritable') =>
    accounts.filter((account) => account[flag] && !account.isOptional).map((account) => account.name);

  /** A fresh chain, the instruction, and how to send it, changed or not. */
  async function begin() {
    const { chain, instruction, before = [] } = await ready();
    return { chain, instruction, send: (changed: Instruction) => chain.send(...before, changed) };
  }

  describe('its accounts and data', () => {
    it('is good before it is changed', async () => {
      const { instruction, send } = await begin();
      expectDone(await send(instruction));
    });

    it.each(named('isSigner'))('refuses when %s does not sign', async (account) => {
      const { instruction, send } = await begin();
      const changed = withoutSignature(instruction, placeOf(name, account));
      expectRefused(await send(changed), MISSING_SIGNATURE);
    });

    const writable = named('isWritable');
    it.each(writable)('refuses when %s is read only', async (account) => {
      const { instruction, send } = await begin();
      expectRefused(await send(withReadonly(instruction, placeOf(name, account))), NOT_WRITABLE);
    });

    it('refuses one account too few and one too many', async () => {
      const { instruction, send } = await begin();
      const fewer = { ...instruction, accounts: instruction.accounts!.slice(0, -1) };
      const extra = { address: await addressOf('stranger'), role: AccountRole.READONLY };
      const more = { ...instruction, accounts: [...instruction.accounts!, extra] };
      expectRefused(await send(fewer), WRONG_ACCOUNT_COUNT);
      expectRefused(await send(more), WRONG_ACCOUNT_COUNT);
    });

    it('refuses data too short and too long', async () => {
      const { instruction, send } = await begin();
      const shorter = withData(instruction, (data) => data.slice(0, -1));
      const longer = withData(instruction, (data) => [...data, 0]);
      expectRefused(await send(shorter), INVALID_INSTRUCTION_DATA);
      expectRefused(await send(longer), INVALID_INSTRUCTION_DATA);
    });

    const fixed = accounts.map((account) => account.name).filter((account) => FIXED.includes(account));
    if (fixed.length > 0) {
      it.each(fixed)('refuses another account as %s', async (account) => {
        const { instruction, send } = await begin();
        const stranger = await addressOf('stranger');
        const changed = withAccount(instruction, placeOf(name, account), { address: stranger });
        expectRefused(await send(changed), WRONG_PROGRAM);
      });
    }

    if (existing.length > 0) {
      it.each(existing)('refuses %s of another owner, type, version or size', async (account) => {
        const { chain, instruction, send } = await begin();
        const at = addressIn(instruction, name, account);
        const good = chain.account(at)!;
        expect(good.owner).toBe(PROGRAM);
        const after = async (change: Partial<typeof good>) => {
          chain.write(at, { ...good, ...change });
          return send(instruction);
        };
        const edited = (place: number, value: number) => {
          const data = Uint8Array.from(good.data);
          data[place] = value;
          return data;
        };

        expectRefused(await after({ owner: SYSTEM_PROGRAM }), missing[account] ?? WRONG_OWNER);
        expectRefused(await after({ owner: await addressOf('stranger') }), missing[account] ?? WRONG_OWNER);
        expectRefused(await after({ data: edited(0, good.data[0]! + 1) }), WRONG_ACCOUNT_TYPE);
        expectRefused(await after({ data: edited(1, 2) }), WRONG_ACCOUNT_TYPE);
        expectRefused(await after({ data: Uint8Array.of(...good.data, 0) }), WRONG_ACCOUNT_TYPE);
        expectRefused(await after({ data: good.data.slice(0, -1) }), WRONG_ACCOUNT_TYPE);
        expectRefused(await after({ data: good.data.slice(0, 2) }), WRONG_ACCOUNT_TYPE);
      });
    }

    if (created.length > 0) {
      it.each(created)('refuses to make %s at another address', async (account) => {
        const { instruction, send } = await begin();
        const stranger = await addressOf('stranger');
        const changed = withAccount(instruction, placeOf(name, account), { address: stranger });
        expectRefused(await send(changed), WRONG_ADDRESS);
      });

      it.each(created)('makes %s although a stranger sent lamports to its address', async (account) => {
        const { chain, instruction, send } = await begin();
        const at = addressIn(instruction, name, account);
        chain.fund(at, 890_880n);
        expectDone(await send(instruction));
        const made = chain.account(at)!;
        expect(made.owner).toBe(PROGRAM);
        expect(made.lamports).toBe(chain.rentOf(made.data.length));
      });

      it('refuses to make them twice', async () => {
        const { instruction, send } = await begin();
        expectDone(await send(instruction));
        expectRefused(await send(instruction), twice);
      });
    }
  });
}

/** Messages that keys of the caller sign next to the wallet. */
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  action,
  budget,
  changed,
  compiled,
  guard,
  LIMITS,
  memo,
  OTHER,
  OWNER_GUARD,
  prepared,
  THIRD,
  TOKEN_ACCOUNT,
  type Version0,
  WALLET,
} from '../../test/support/changed-messages.ts';
import { SYSTEM_PROGRAM } from '../addresses.ts';
import { adoptable } from './adoptable.ts';
import { readOperationInstructions } from './operation-instructions.ts';

/** Exchanges the places, and so the roles, of two addresses. The instructions stay the same. */
const swapped = (message: Uint8Array, one: Address, other: Address): Uint8Array =>
  changed(message, ({ staticAccounts, instructions }) => {
    const places = staticAccounts.map((key) => (key === one ? other : key === other ? one : key));
    const index = (old: number) => places.indexOf(staticAccounts[old]!);
    return {
      staticAccounts: places,
      instructions: instructions.map((instruction) => ({
        ...instruction,
        programAddressIndex: index(instruction.programAddressIndex),
        accountIndices: instruction.accountIndices?.map(index),
      })),
    };
  });

describe('a message that other keys sign too', () => {
  const create: Instruction = {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      { address: WALLET, role: AccountRole.WRITABLE_SIGNER },
      { address: OTHER, role: AccountRole.WRITABLE_SIGNER },
      { address: TOKEN_ACCOUNT, role: AccountRole.READONLY_SIGNER },
    ],
    data: Uint8Array.of(0),
  };
  const built = compiled([create, action]);
  const keys = [OTHER, TOKEN_ACCOUNT];
  const decideOn = (signed: Uint8Array, others: readonly Address[] = keys) =>
    adoptable(built, signed, { wallet: WALLET, keys: others, limits: LIMITS });
  const headerOf = (change: Partial<Version0['header']>) => (message: Version0) => ({
    header: { ...message.header, ...change },
  });
  const withThird: Instruction = {
    ...OWNER_GUARD,
    accounts: [{ address: THIRD, role: AccountRole.READONLY_SIGNER }],
  };

  it('may get additions, also with its addresses in another order', () => {
    expect(decideOn(built)).toEqual({ isAdoptable: true, priorityFeeLamports: 0n });
    const signed = compiled([...budget(200_000, 50_000n), create, action, OWNER_GUARD]);
    expect(decideOn(signed)).toEqual({ isAdoptable: true, priorityFeeLamports: 10_000n });
  });

  it.each<[string, Uint8Array]>([
    ['a further signer', compiled([create, action, withThird])],
    ['a signer less', changed(built, headerOf({ numSignerAccounts: 2, numReadonlySignerAccounts: 0 }))],
    ['a signer that becomes writable', changed(built, headerOf({ numReadonlySignerAccounts: 0 }))],
    ['a signer that becomes read-only', changed(built, headerOf({ numReadonlySignerAccounts: 2 }))],
    ['a payer that is read-only', changed(built, headerOf({ numReadonlySignerAccounts: 3 }))],
    [
      'another signer in place of one',
      changed(built, ({ staticAccounts }) => ({
        staticAccounts: staticAccounts.map((key) => (key === TOKEN_ACCOUNT ? THIRD : key)),
      })),
    ],
    [
      'a signer that becomes another account, and one that takes its place',
      swapped(compiled([create, action, guard('060401030000', THIRD)]), TOKEN_ACCOUNT, THIRD),
    ],
    [
      'a header that counts more accounts than there are',
      changed(built, ({ header, staticAccounts }) => ({
        header: { ...header, numReadonlyNonSignerAccounts: staticAccounts.length },
      })),
    ],
    ['another payer', swapped(built, WALLET, OTHER)],
    ['another order of the instructions', compiled([action, create])],
    ['an instruction less', compiled([create, OWNER_GUARD])],
    ['an instruction twice', compiled([create, action, action])],
    ['other data', compiled([{ ...create, data: Uint8Array.of(1) }, action])],
  ])('rejects %s', (_name, signed) => {
    expect(decideOn(signed).isAdoptable).toBe(false);
  });

  it('counts the bytes of all signatures', () => {
    const long = { programAddress: SYSTEM_PROGRAM, data: new Uint8Array(1_232 - 65 - prepared.length) };
    const large = compiled([create, action, long]);
    expect(large.length + 65).toBeLessThanOrEqual(1_232);
    const decided = adoptable(large, large, { wallet: WALLET, keys, limits: LIMITS });
    expect(decided).toMatchObject({ reason: 'returned bytes that are not a valid message' });
  });

  it.each<[string, readonly Address[]]>([
    ['fewer keys', [OTHER]],
    ['no keys', []],
    ['other keys', [OTHER, THIRD]],
    ['a key twice', [OTHER, OTHER]],
    ['more keys', [...keys, THIRD]],
  ])('is not compared if the caller names %s', (_name, others) => {
    expect(() => decideOn(built, others)).toThrow(RangeError);
  });

  it('is no operation', () => {
    const readonlyPayer = changed(prepared, headerOf({ numReadonlySignerAccounts: 1 }));
    expect(readOperationInstructions(readonlyPayer)).toBeNull();
    expect(readOperationInstructions(built)).toBeNull();
    expect(() => adoptable(built, built, { wallet: WALLET, limits: LIMITS })).toThrow(RangeError);
  });
});

it('compares nothing with a prepared message that has guards, which a wallet could drop', () => {
  const guarded = compiled([memo, action, OWNER_GUARD]);
  expect(() => adoptable(guarded, prepared, { wallet: WALLET, limits: LIMITS })).toThrow(RangeError);
});

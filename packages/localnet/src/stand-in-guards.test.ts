/** The built stand-in for Lighthouse evaluates assertions on a cluster. The data of the instructions is written by hand. */
import { LIGHTHOUSE_PROGRAM, TOKEN_2022_PROGRAM } from '@service/protocol';
import {
  AccountRole,
  type Address,
  address,
  generateKeyPairSigner,
  getAddressEncoder,
  type KeyPairSigner,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import { getApproveInstruction, getInitializeAccount3Instruction } from '@solana-program/token';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMint, stillLocalnet, tokenAccountOf } from '../test/support/index.ts';
import { addStandInGuardProgram } from './index.ts';

const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const AMOUNT = 1_500_000n;
/** Keccak-256 of no bytes, and of the amount in eight bytes, both computed with @noble/hashes. */
const HASH_OF_NOTHING = 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
const HASH_OF_AMOUNT = '02fc5b0b1d3b18576f0d3227885e7bdecc790b8a488dc792caae93a18622b1d3';

const net = stillLocalnet();
let payer: KeyPairSigner;
let mint: Address;
let token: Address;
let delegate: Address;
/** A token account with a delegate, and one that is not the associated account of its owner. */
let delegated: Address;
let loose: Address;

beforeAll(async () => {
  addStandInGuardProgram(net);
  payer = await net.wallet(5_000_000_000n);
  delegate = (await net.wallet()).address;
  mint = await createMint(net, payer, { program: TOKEN_2022_PROGRAM });
  token = await tokenAccountOf(TOKEN_2022_PROGRAM, mint, payer.address);
  delegated = await tokenAccountOf(
    TOKEN_PROGRAM,
    await createMint(net, payer, { program: TOKEN_PROGRAM }),
    payer.address,
  );
  await net.land([payer], [getApproveInstruction({ source: delegated, delegate, owner: payer, amount: 7n })]);
  const account = await generateKeyPairSigner();
  loose = account.address;
  const space = 165n;
  const lamports = await net.rpc.getMinimumBalanceForRentExemption(space).send();
  await net.land(
    [payer, account],
    [
      getCreateAccountInstruction({
        payer,
        newAccount: account,
        lamports,
        space,
        programAddress: TOKEN_2022_PROGRAM,
      }),
      getInitializeAccount3Instruction(
        { account: loose, mint, owner: payer.address },
        { programAddress: TOKEN_2022_PROGRAM },
      ),
    ],
  );
});
afterAll(() => net.stop());

const hexOf = (bytes: ArrayLike<number>) => Buffer.from(Uint8Array.from(bytes)).toString('hex');
const key = (of: Address) => hexOf(getAddressEncoder().encode(of) as Uint8Array);
const u64 = (value: bigint) => hexOf(new Uint8Array(BigUint64Array.of(value).buffer));

/** Sends one instruction of the guard program. Returns its error, or null if it succeeded. */
async function outcome(data: string, about: Address | null, role: AccountRole = AccountRole.READONLY) {
  const instruction = {
    programAddress: LIGHTHOUSE_PROGRAM,
    accounts: about ? [{ address: about, role }] : [],
    data: Buffer.from(data.replaceAll(' ', ''), 'hex'),
  };
  // Each slot has another blockhash, so no transaction repeats an earlier one.
  net.advanceSlots(1);
  const status = await net.outcomeOf(await net.sign([payer], [instruction]));
  if (!status) throw new Error('The transaction did not land.');
  const { err } = status as { err: { InstructionError: [bigint, unknown] } | null };
  return err?.InstructionError[1] ?? null;
}

const custom = (code: number) => ({ Custom: BigInt(code) });

/** An assertion: the account, data that holds, and data that does not hold. */
type Row = readonly [name: string, row: () => readonly [about: Address, holding: string, failing: string]];

/** Checks each row alone and as the second of two assertions. */
function checksEach(one: string, several: string, rows: readonly Row[]): void {
  it.each(rows)('%s: holds or fails, alone and as one of several', async (_name, row) => {
    const [about, holding, failing] = row();
    expect(await outcome(`${one} 00 ${holding}`, about)).toBeNull();
    expect(await outcome(`${several} 04 01 ${holding}`, about)).toBeNull();
    expect(await outcome(`${one} 04 ${failing}`, about)).toEqual(custom(6001));
    expect(await outcome(`${several} 00 02 ${holding} ${failing}`, about)).toEqual(custom(0x1901));
  });
}

const SOL_10 = 10_000_000_000n;

describe('an assertion about an account', () => {
  checksEach('05', '06', [
    ['lamports ==', () => [delegate, `00 ${u64(SOL_10)} 00`, `00 ${u64(SOL_10 - 1n)} 00`]],
    ['lamports !=', () => [delegate, `00 ${u64(1n)} 01`, `00 ${u64(SOL_10)} 01`]],
    ['lamports >', () => [delegate, `00 ${u64(SOL_10 - 1n)} 02`, `00 ${u64(SOL_10)} 02`]],
    ['lamports <', () => [delegate, `00 ${u64(SOL_10 + 1n)} 03`, `00 ${u64(SOL_10)} 03`]],
    ['lamports >=', () => [delegate, `00 ${u64(SOL_10)} 04`, `00 ${u64(SOL_10 + 1n)} 04`]],
    ['lamports <=', () => [delegate, `00 ${u64(SOL_10)} 05`, `00 ${u64(SOL_10 - 1n)} 05`]],
    ['bits that lamports contain', () => [delegate, `00 ${u64(0x400n)} 06`, `00 ${u64(1n)} 06`]],
    ['bits that lamports do not contain', () => [delegate, `00 ${u64(1n)} 07`, `00 ${u64(0x400n)} 07`]],
    ['data length', () => [token, `01 ${u64(170n)} 00`, `01 ${u64(165n)} 00`]],
    ['owner', () => [token, `02 ${key(TOKEN_2022_PROGRAM)} 00`, `02 ${key(TOKEN_PROGRAM)} 00`]],
    ['another owner', () => [token, `02 ${key(TOKEN_PROGRAM)} 01`, `02 ${key(TOKEN_2022_PROGRAM)} 01`]],
    ['the System program by its number', () => [delegate, '03 00 00', '03 01 00']],
    ['Token-2022 by its number', () => [token, '03 02 00', '03 02 01']],
    ['the loader by its number', () => [LIGHTHOUSE_PROGRAM, '03 06 00', '03 07 00']],
    ['rent epoch', () => [delegate, `04 ${u64(2n ** 64n - 1n)} 00`, `04 ${u64(0n)} 00`]],
    ['signer', () => [delegate, '05 00 00', '05 01 00']],
    ['writable', () => [delegate, '06 00 00', '06 01 00']],
    ['executable', () => [LIGHTHOUSE_PROGRAM, '07 01 00', '07 00 00']],
    ['hash of a part of the data', () => [token, `08 ${HASH_OF_AMOUNT} 40 08`, `08 ${HASH_OF_AMOUNT} 41 08`]],
    ['hash of no data', () => [delegate, `08 ${HASH_OF_NOTHING} 00 00`, `08 ${HASH_OF_AMOUNT} 00 00`]],
  ]);

  it('is about the roles that the transaction gives', async () => {
    const both = '06 00 02 05 01 00 06 01 00';
    expect(await outcome(both, payer.address, AccountRole.WRITABLE_SIGNER)).toBeNull();
    expect(await outcome(both, token, AccountRole.WRITABLE)).toEqual(custom(0x1900));
  });

  it('fails with 6005 if the account does not have the bytes', async () => {
    const longest = 'ffffffffffffffffff01';
    for (const range of ['00 01', '01 00', `${longest} ${longest}`]) {
      expect(await outcome(`05 00 08 ${HASH_OF_NOTHING} ${range}`, delegate)).toEqual(custom(6005));
    }
    // 170 bytes.
    expect(await outcome(`05 00 08 ${HASH_OF_NOTHING} aa01 00`, token)).toBeNull();
    expect(await outcome(`05 00 08 ${HASH_OF_NOTHING} ab01 00`, token)).toEqual(custom(6005));
  });
});

describe('an assertion about a token account', () => {
  const none = '0'.repeat(64);
  checksEach('09', '0a', [
    ['mint', () => [token, `00 ${key(mint)} 00`, `00 ${key(mint)} 01`]],
    ['owner', () => [token, `01 ${key(payer.address)} 00`, `01 ${none} 00`]],
    ['amount', () => [token, `02 ${u64(AMOUNT)} 00`, `02 ${u64(AMOUNT + 1n)} 04`]],
    ['delegate', () => [delegated, `03 01 ${key(delegate)} 00`, '03 00 00']],
    ['no delegate', () => [token, '03 00 00', `03 01 ${key(delegate)} 00`]],
    ['state', () => [token, '04 01 00', '04 02 00']],
    ['no rent reserve', () => [token, '05 00 00', `05 01 ${u64(1n)} 00`]],
    ['delegated amount', () => [delegated, `06 ${u64(7n)} 00`, `06 ${u64(8n)} 04`]],
    ['no close authority', () => [token, '07 00 00', '07 00 01']],
    ['associated account', () => [token, '08', `01 ${none} 00`]],
  ]);

  it('fails for an account that is not the associated one', async () => {
    expect(await outcome('09 00 08', loose)).toEqual(custom(6001));
  });

  it('fails with 6009 for an account of another program, and with 6005 or 6007 for a mint', async () => {
    expect(await outcome('09 00 08', delegate)).toEqual(custom(6009));
    expect(await outcome(`0a 00 01 02 ${u64(0n)} 00`, payer.address)).toEqual(custom(6009));
    // A mint has 82 bytes, and a delegate of a token account would be at 72 to 108.
    expect(await outcome('09 00 03 00 00', mint)).toEqual(custom(6007));
    expect(await outcome(`09 00 06 ${u64(0n)} 00`, mint)).toEqual(custom(6005));
  });
});

describe('an instruction', () => {
  it.each([
    ['no data', ''],
    ['another instruction of Lighthouse', `02 00 00 07 ${u64(0n)} 00`],
    ['log level 3, which calls the noop program', '05 03 03 00 00'],
    ['a log level that does not exist', '05 07 03 00 00'],
    ['an unknown assertion', '05 00 09'],
    ['an unknown comparison', `05 00 00 ${u64(0n)} 08`],
    ['a flag of 2', '05 00 05 02 00'],
    ['less data than it says', '06 00 02 03 00 00'],
  ])('with %s fails with 6000', async (_name, data) => {
    expect(await outcome(data, delegate)).toEqual(custom(6000));
  });

  it('that cannot be read fails with 6000 before an assertion is evaluated', async () => {
    expect(await outcome('06 00 02 03 01 00 09', delegate)).toEqual(custom(6000));
  });

  it('ignores bytes after the assertion, and holds without any assertion', async () => {
    expect(await outcome('05 00 03 00 00 ff', delegate)).toBeNull();
    expect(await outcome('06 00 00', delegate)).toBeNull();
  });

  it('without an account fails', async () => {
    expect(await outcome('05 00 03 00 00', null)).toBe('NotEnoughAccountKeys');
  });

  it('names the first assertion that does not hold', async () => {
    const several = ['03 00 00', '05 00 00', '06 01 00', '07 01 00'];
    expect(await outcome(`06 00 04 ${several.join(' ')}`, delegate)).toEqual(custom(0x1902));
  });
});

/**
 * The committed program.so loads into an SVM, and its first instructions do what the IDL says. The data and the seeds
 * are written by hand, so that these tests do not depend on the generated client.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { addressBytes } from '@service/contract';
import { SYSTEM_PROGRAM } from '@service/protocol';
import { type AccountMeta, AccountRole, getAddressDecoder, getProgramDerivedAddress } from '@solana/kit';
import { LiteSVM } from 'litesvm';
import { poseidon2 } from 'poseidon-lite';
import { describe, expect, it } from 'vitest';
import idl from '../idl.json' with { type: 'json' };
import { addressOf, Chain, PROGRAM, PROGRAM_DATA, SO, SOL } from './support/chain.ts';
import { chainPerTest } from './support/chain-per-test.ts';

const pda = async (...seeds: (string | Uint8Array)[]) =>
  (await getProgramDerivedAddress({ programAddress: PROGRAM, seeds }))[0];
const fieldBytes = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const u64 = (value: bigint) => new Uint8Array(BigUint64Array.of(value).buffer);

const payer = await addressOf('payer');
const [config, treasury] = [await pda('config'), await pda('treasury')];
const system = { address: SYSTEM_PROGRAM, role: AccountRole.READONLY };
/** Offset of the flags in the ELF header, which are the version of SBPF. */
const VERSION_OFFSET = 48;
/** Offset of the first segment's file offset in the program header; its address follows. */
const FIRST_SEGMENT = 64 + 8;
const byPayer = { address: payer, role: AccountRole.WRITABLE_SIGNER };

const instruction = (accounts: AccountMeta[], data: Uint8Array) => ({
  programAddress: PROGRAM,
  accounts,
  data,
});

const RUNTIMES = [
  ['every feature', undefined],
  ['the features that litesvm activates by itself', () => new LiteSVM()],
] as const;

describe.each(RUNTIMES)('the built program with %s', (_features, runtime) => {
  const chain = chainPerTest(async () => {
    const deployed = await Chain.deployed(payer, runtime?.());
    deployed.fund(payer, 100n * SOL);
    return deployed;
  });

  async function initialize(): Promise<void> {
    const accounts = [
      byPayer,
      { address: payer, role: AccountRole.READONLY_SIGNER },
      { address: payer, role: AccountRole.READONLY_SIGNER },
      { address: config, role: AccountRole.WRITABLE },
      { address: treasury, role: AccountRole.WRITABLE },
      { address: PROGRAM_DATA, role: AccountRole.READONLY },
      system,
    ];
    await chain.confirm(instruction(accounts, Uint8Array.of(0, ...new Uint8Array(32).fill(7))));
  }

  it('initializes Config and Treasury', async () => {
    await initialize();

    expect(PROGRAM).toBe('7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi');
    const data = chain.data(config);
    expect(data.length).toBe(3 + 32 + 32 + 1 + 9 + 9 + 8 + 9 + 33 + 33 + 33 + 8 + 128);
    expect([data[0], data[1]]).toEqual([1, 1]);
    expect(data.slice(3, 35)).toEqual(new Uint8Array(32).fill(7));
    expect(getAddressDecoder().decode(data, 35)).toBe(payer);
    expect(chain.data(treasury).slice(0, 2)).toEqual(Uint8Array.from([2, 1]));
  });

  it('creates a rule set of eight clauses at a pre-funded address, with the clause hashes of the circuit', async () => {
    await initialize();
    const nonce = 5n;
    const ruleSet = await pda('rule', addressBytes(payer), u64(nonce));
    chain.fund(ruleSet, 1_000_000n);
    const clauses = Array.from({ length: 8 }, (_, index) => ({
      region: 1n << BigInt(index * 30),
      status: 3,
      age: 18 + index,
    }));
    const encoded = clauses.map(({ region, status, age }) =>
      Buffer.concat([fieldBytes(region), Buffer.from([status, 0, 0, 0, age])]),
    );
    const head = [Buffer.from([8]), u64(nonce), Buffer.from([5]), Buffer.from('Acme!'), u64(86_400n)];
    const data = Buffer.concat([...head, Buffer.from([clauses.length]), ...encoded]);
    const created = { address: ruleSet, role: AccountRole.WRITABLE };
    const read = { address: config, role: AccountRole.READONLY };

    const outcome = await chain.confirm(instruction([byPayer, created, read, system], data));

    const account = chain.account(ruleSet)!;
    expect(account.owner).toBe(PROGRAM);
    expect(account.data.length).toBe(444 + 8 * 37);
    const hashes = clauses.map(({ region, status, age }) =>
      fieldBytes(poseidon2([region, BigInt(status) + BigInt(age) * 2n ** 32n])),
    );
    const ruleHash = createHash('sha256').update(Buffer.concat(hashes)).digest();
    expect(Buffer.from(account.data.slice(75, 75 + 9 * 32)).toString('hex')).toBe(
      Buffer.concat([ruleHash, ...hashes]).toString('hex'),
    );
    expect(outcome.units).toBeLessThan(200_000);
  });

  it('rejects data that begins with the number of no instruction', async () => {
    const execute = [0x69, 0x25, 0x65, 0xc5, 0x4b, 0xfb, 0x66];
    const taken = idl.program.instructions.map(({ arguments: [first] }) => {
      const value = first!.defaultValue!;
      return 'number' in value ? value.number : undefined;
    });
    const numbers = Array.from({ length: 256 }, (_, number) => number).filter((n) => !taken.includes(n));
    for (const data of [[], ...numbers.map((number) => [number]), execute, [...execute, 0x1b]]) {
      await chain.reject(6_000, instruction([], Uint8Array.from(data)));
    }
  });
});

it('the loader rejects another version of SBPF, which clusters will not deploy any more', async () => {
  const elf = Buffer.from(readFileSync(SO));
  expect(elf.readUInt32LE(VERSION_OFFSET)).toBe(3);
  for (const version of [0, 1, 2]) {
    elf.writeUInt32LE(version, VERSION_OFFSET);
    await expect(Chain.empty().deploy(elf, payer)).rejects.toThrow('InvalidAccountData');
  }
});

it('has no constant at the address 0, to which a reference would be null', () => {
  const elf = readFileSync(SO);
  const constants = Number(elf.readBigUInt64LE(FIRST_SEGMENT));
  expect(elf.readBigUInt64LE(FIRST_SEGMENT + 8)).toBe(0n);
  expect(elf.subarray(constants, constants + 16)).toEqual(Buffer.alloc(16));
});

import {
  type AccountMeta,
  AccountRole,
  type Address,
  getAddressEncoder,
  getProgramDerivedAddress,
  type Instruction,
} from '@solana/kit';
import { ASSOCIATED_TOKEN, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../src/chain/addresses.ts';

export const MINT_BYTES = 82;
/** A Token-2022 mint with the transfer hook extension. */
export const HOOKED_MINT_BYTES = 234;

const { WRITABLE, READONLY, READONLY_SIGNER, WRITABLE_SIGNER } = AccountRole;
const metas = (...pairs: [Address, AccountRole][]): AccountMeta[] =>
  pairs.map(([address, role]) => ({ address, role }));
const bytesOf = (address: Address) => new Uint8Array(getAddressEncoder().encode(address));

export function createAccount(
  payer: Address,
  account: Address,
  lamports: bigint,
  space: number,
  owner: Address,
): Instruction {
  const data = new Uint8Array(52);
  const view = new DataView(data.buffer);
  view.setBigUint64(4, lamports, true);
  view.setBigUint64(12, BigInt(space), true);
  data.set(bytesOf(owner), 20);
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: metas([payer, WRITABLE_SIGNER], [account, WRITABLE_SIGNER]),
    data,
  };
}

export function initializeMint(
  program: Address,
  mint: Address,
  authority: Address,
  decimals: number,
): Instruction {
  const data = new Uint8Array([20, decimals, ...bytesOf(authority), 0]);
  return { programAddress: program, accounts: metas([mint, WRITABLE]), data };
}

export function initializeTransferHook(mint: Address, authority: Address, hook: Address): Instruction {
  const data = new Uint8Array([36, 0, ...bytesOf(authority), ...bytesOf(hook)]);
  return { programAddress: TOKEN_2022_PROGRAM, accounts: metas([mint, WRITABLE]), data };
}

export function mintTo(
  program: Address,
  mint: Address,
  account: Address,
  authority: Address,
  amount: bigint,
): Instruction {
  const data = new Uint8Array(9);
  data[0] = 7;
  new DataView(data.buffer).setBigUint64(1, amount, true);
  const accounts = metas([mint, WRITABLE], [account, WRITABLE], [authority, READONLY_SIGNER]);
  return { programAddress: program, accounts, data };
}

export function transferChecked(input: {
  program: Address;
  mint: Address;
  source: Address;
  destination: Address;
  owner: Address;
  amount: bigint;
  decimals: number;
}): Instruction {
  const { program, mint, source, destination, owner, amount, decimals } = input;
  const data = new Uint8Array(10);
  data[0] = 12;
  new DataView(data.buffer).setBigUint64(1, amount, true);
  data[9] = decimals;
  const accounts = metas(
    [source, WRITABLE],
    [mint, READONLY],
    [destination, WRITABLE],
    [owner, READONLY_SIGNER],
  );
  return { programAddress: program, accounts, data };
}

export async function associatedTokenAddress(
  program: Address,
  mint: Address,
  owner: Address,
): Promise<Address> {
  const seeds = [owner, program, mint].map(bytesOf);
  return (await getProgramDerivedAddress({ programAddress: ASSOCIATED_TOKEN, seeds }))[0];
}

export async function createAssociatedToken(
  program: Address,
  mint: Address,
  owner: Address,
  payer: Address,
): Promise<Instruction> {
  const account = await associatedTokenAddress(program, mint, owner);
  const accounts = metas(
    [payer, WRITABLE_SIGNER],
    [account, WRITABLE],
    [owner, READONLY],
    [mint, READONLY],
    [SYSTEM_PROGRAM, READONLY],
    [program, READONLY],
  );
  return { programAddress: ASSOCIATED_TOKEN, accounts, data: new Uint8Array([0]) };
}

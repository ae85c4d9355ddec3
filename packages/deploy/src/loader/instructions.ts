/** Instructions of the upgradeable loader. */
import { CLOCK_SYSVAR, SYSTEM_PROGRAM, UPGRADEABLE_LOADER } from '@service/protocol';
import {
  AccountRole,
  type Address,
  addEncoderSizePrefix,
  getAddressEncoder,
  getBytesEncoder,
  getStructEncoder,
  getU32Encoder,
  getU64Encoder,
  type Instruction,
} from '@solana/kit';

const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111' as Address;

/** Bytes of a program account: the tag and the address of its program data. */
export const PROGRAM_BYTES = 36;
/** Bytes before the program in a buffer account: the tag and an optional authority. */
export const BUFFER_HEADER_BYTES = 37;

const initializeBuffer = getStructEncoder([['tag', getU32Encoder()]]);
const write = getStructEncoder([
  ['tag', getU32Encoder()],
  ['offset', getU32Encoder()],
  ['bytes', addEncoderSizePrefix(getBytesEncoder(), getU64Encoder())],
]);
const deployWithMaxDataLen = getStructEncoder([
  ['tag', getU32Encoder()],
  ['maxDataLength', getU64Encoder()],
]);
const createAccount = getStructEncoder([
  ['tag', getU32Encoder()],
  ['lamports', getU64Encoder()],
  ['space', getU64Encoder()],
  ['owner', getAddressEncoder()],
]);

/**
 * Creates an account owned by the loader.
 *
 * 0. `[writable, signer]` payer
 * 1. `[writable, signer]` the new account
 */
export function createLoaderAccount(input: {
  payer: Address;
  account: Address;
  lamports: bigint;
  space: number;
}): Instruction {
  const { payer, account, lamports, space } = input;
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      { address: payer, role: AccountRole.WRITABLE_SIGNER },
      { address: account, role: AccountRole.WRITABLE_SIGNER },
    ],
    data: createAccount.encode({ tag: 0, lamports, space: BigInt(space), owner: UPGRADEABLE_LOADER }),
  };
}

/**
 * Turns an account into a buffer that an authority can write.
 *
 * 0. `[writable]` buffer
 * 1. `[]` authority
 */
export function initializeBufferInstruction(buffer: Address, authority: Address): Instruction {
  return {
    programAddress: UPGRADEABLE_LOADER,
    accounts: [
      { address: buffer, role: AccountRole.WRITABLE },
      { address: authority, role: AccountRole.READONLY },
    ],
    data: initializeBuffer.encode({ tag: 0 }),
  };
}

/**
 * Writes bytes into a buffer.
 *
 * 0. `[writable]` buffer
 * 1. `[signer]` authority
 */
export function writeInstruction(input: {
  buffer: Address;
  authority: Address;
  offset: number;
  bytes: Uint8Array;
}): Instruction {
  const { buffer, authority, offset, bytes } = input;
  return {
    programAddress: UPGRADEABLE_LOADER,
    accounts: [
      { address: buffer, role: AccountRole.WRITABLE },
      { address: authority, role: AccountRole.READONLY_SIGNER },
    ],
    data: write.encode({ tag: 1, offset, bytes }),
  };
}

/**
 * Deploys a program from a buffer, with room for `maxDataLength` bytes in its program data account.
 *
 * 0. `[writable, signer]` payer
 * 1. `[writable]` program data
 * 2. `[writable]` program, just created
 * 3. `[writable]` buffer
 * 4. `[]` rent sysvar, 5. `[]` clock sysvar, 6. `[]` system program
 * 7. `[signer]` authority of the buffer and of upgrades
 */
export function deployInstruction(input: {
  payer: Address;
  programData: Address;
  program: Address;
  buffer: Address;
  authority: Address;
  maxDataLength: number;
}): Instruction {
  const { payer, programData, program, buffer, authority, maxDataLength } = input;
  return {
    programAddress: UPGRADEABLE_LOADER,
    accounts: [
      { address: payer, role: AccountRole.WRITABLE_SIGNER },
      { address: programData, role: AccountRole.WRITABLE },
      { address: program, role: AccountRole.WRITABLE },
      { address: buffer, role: AccountRole.WRITABLE },
      { address: RENT_SYSVAR, role: AccountRole.READONLY },
      { address: CLOCK_SYSVAR, role: AccountRole.READONLY },
      { address: SYSTEM_PROGRAM, role: AccountRole.READONLY },
      { address: authority, role: AccountRole.READONLY_SIGNER },
    ],
    data: deployWithMaxDataLen.encode({ tag: 2, maxDataLength: BigInt(maxDataLength) }),
  };
}

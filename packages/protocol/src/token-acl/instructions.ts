/** The instructions of Token ACL (sRFC 37), and the one that makes this program the gate of a mint. */
import { AccountRole, type Address, getAddressEncoder, type Instruction } from '@solana/kit';
import { programAddresses, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../addresses.ts';
import { getSetGateInstructionDataEncoder } from '../generated/instructions/setGate';
import { SET_GATE_ACCOUNTS } from '../generated/operation-accounts';
import { accountMetas } from '../plans/account-roles.ts';
import { gateListAddresses } from './gate.ts';
import { flagAddress, mintConfigAddress, TOKEN_ACL_PROGRAM } from './mint-config.ts';

const CREATE_CONFIG = 0;
const SET_AUTHORITY = 1;
const SET_GATING_PROGRAM = 2;
const DELETE_CONFIG = 3;
const THAW = 4;
const FREEZE = 5;
const THAW_PERMISSIONLESS = 6;
const FREEZE_PERMISSIONLESS = 7;
const TOGGLE_PERMISSIONLESS = 8;

const { READONLY, WRITABLE, READONLY_SIGNER, WRITABLE_SIGNER } = AccountRole;

function ofTokenAcl(
  data: ArrayLike<number>,
  accounts: readonly (readonly [Address, AccountRole])[],
): Instruction {
  return {
    programAddress: TOKEN_ACL_PROGRAM,
    accounts: accounts.map(([address, role]) => ({ address, role })),
    data: Uint8Array.from(data),
  };
}

/** Returns the instruction by which the freeze authority of a mint gives it to a configuration of Token ACL. */
export async function createMintConfigInstruction(options: {
  /** The freeze authority. Signs and pays rent. */
  authority: Address;
  mint: Address;
  /** The program that Token ACL asks. */
  gate: Address;
}): Promise<Instruction> {
  const { authority, mint, gate } = options;
  return ofTokenAcl(
    [CREATE_CONFIG, ...getAddressEncoder().encode(gate)],
    [
      [authority, WRITABLE_SIGNER],
      [authority, READONLY_SIGNER],
      [mint, WRITABLE],
      [await mintConfigAddress(mint), WRITABLE],
      [SYSTEM_PROGRAM, READONLY],
      [TOKEN_2022_PROGRAM, READONLY],
    ],
  );
}

/** Returns the instruction that names another program as the gate. The authority of the configuration signs. */
export async function setGatingProgramInstruction(options: {
  authority: Address;
  mint: Address;
  gate: Address;
}): Promise<Instruction> {
  const { authority, mint, gate } = options;
  return changeConfig([SET_GATING_PROGRAM, ...getAddressEncoder().encode(gate)], authority, mint);
}

/** Returns the instruction that gives a configuration to another authority, which does not sign. The authority signs. */
export async function setGateAuthorityInstruction(options: {
  authority: Address;
  mint: Address;
  next: Address;
}): Promise<Instruction> {
  const { authority, mint, next } = options;
  return changeConfig([SET_AUTHORITY, ...getAddressEncoder().encode(next)], authority, mint);
}

/** Returns the instruction that deletes the configuration of a mint. The authority signs, and gets the rent. */
export async function deleteMintConfigInstruction(options: {
  authority: Address;
  mint: Address;
  /** The next freeze authority of the mint. It does not sign. */
  freezeAuthority: Address;
}): Promise<Instruction> {
  const { authority, mint, freezeAuthority } = options;
  return ofTokenAcl(
    [DELETE_CONFIG, ...getAddressEncoder().encode(freezeAuthority)],
    [
      [authority, READONLY_SIGNER],
      [authority, WRITABLE],
      [mint, WRITABLE],
      [await mintConfigAddress(mint), WRITABLE],
      [TOKEN_2022_PROGRAM, READONLY],
    ],
  );
}

/** Returns the instruction that says whether anyone can thaw and freeze what the gate allows. The authority signs. */
export async function togglePermissionlessInstruction(options: {
  authority: Address;
  mint: Address;
  canThaw: boolean;
  canFreeze: boolean;
}): Promise<Instruction> {
  const { authority, mint, canThaw, canFreeze } = options;
  return changeConfig([TOGGLE_PERMISSIONLESS, Number(canFreeze), Number(canThaw)], authority, mint);
}

async function changeConfig(data: readonly number[], authority: Address, mint: Address) {
  return ofTokenAcl(data, [
    [authority, READONLY_SIGNER],
    [await mintConfigAddress(mint), WRITABLE],
  ]);
}

/** Returns the instruction that makes the program the gate of a mint, or changes its rule set. The authority pays rent. */
export async function setGateInstruction(
  program: Address,
  options: {
    /** The authority of the configuration of Token ACL. */
    authority: Address;
    mint: Address;
    rule: Address;
    honoursGranted: boolean;
  },
): Promise<Instruction> {
  const { authority, mint, rule, honoursGranted } = options;
  return {
    programAddress: program,
    accounts: accountMetas(SET_GATE_ACCOUNTS, {
      authority,
      mint,
      mintConfig: await mintConfigAddress(mint),
      ruleSet: rule,
      ...(await gateListAddresses(program, mint)),
      config: await programAddresses(program).config(),
      systemProgram: SYSTEM_PROGRAM,
    }),
    data: getSetGateInstructionDataEncoder().encode({ honoursGranted }),
  };
}

/** Returns the instruction that freezes or thaws a token account by the authority of the configuration. Asks no gate. */
export async function freezeByAuthorityInstruction(
  change: 'freeze' | 'thaw',
  options: { authority: Address; mint: Address; tokenAccount: Address },
): Promise<Instruction> {
  const { authority, mint, tokenAccount } = options;
  return ofTokenAcl(
    [change === 'freeze' ? FREEZE : THAW],
    [
      [authority, READONLY_SIGNER],
      [mint, READONLY],
      [tokenAccount, WRITABLE],
      [await mintConfigAddress(mint), READONLY],
      [TOKEN_2022_PROGRAM, READONLY],
    ],
  );
}

/** A token account of a gated mint. */
export interface GatedAccount {
  /** Signs. Anyone can. */
  readonly caller: Address;
  readonly mint: Address;
  readonly tokenAccount: Address;
  /** The owner of the token account. */
  readonly owner: Address;
  /** The rule set of the gate. */
  readonly rule: Address;
}

/** Returns the instruction that thaws a token account whose owner has a live pass. */
export async function thawByPassInstruction(program: Address, gated: GatedAccount): Promise<Instruction> {
  const { thawList } = await gateListAddresses(program, gated.mint);
  return askGate(THAW_PERMISSIONLESS, program, thawList, gated);
}

/** Returns the instruction that freezes a token account whose owner has no live pass, or can be changed. */
export async function freezeWithoutPassInstruction(
  program: Address,
  gated: GatedAccount,
): Promise<Instruction> {
  const { freezeList } = await gateListAddresses(program, gated.mint);
  return askGate(FREEZE_PERMISSIONLESS, program, freezeList, gated);
}

async function askGate(
  number: number,
  program: Address,
  list: Address,
  { caller, mint, tokenAccount, owner, rule }: GatedAccount,
): Promise<Instruction> {
  const at = programAddresses(program);
  return ofTokenAcl(
    [number],
    [
      // Writable, because it gets what somebody sent to the address of the flag.
      [caller, WRITABLE_SIGNER],
      [mint, READONLY],
      [tokenAccount, WRITABLE],
      [await flagAddress(tokenAccount), WRITABLE],
      [owner, READONLY],
      [await mintConfigAddress(mint), READONLY],
      [TOKEN_2022_PROGRAM, READONLY],
      [SYSTEM_PROGRAM, READONLY],
      [program, READONLY],
      [list, READONLY],
      [await at.config(), READONLY],
      [await at.pass(rule, owner), READONLY],
    ],
  );
}

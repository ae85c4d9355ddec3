/** Addresses of the programs that the service builds on, and of the program's own accounts. */
import {
  type Address,
  address,
  getAddressDecoder,
  getAddressEncoder,
  getProgramDerivedAddress,
  type ReadonlyUint8Array,
} from '@solana/kit';
import {
  findCircuitPda,
  findConfigPda,
  findCredentialPda,
  findExtraAccountMetaListPda,
  findMintBindingPda,
  findPassPda,
  findPlacePda,
  findRuleSetPda,
  findTreasuryPda,
  findVerifierPda,
} from './generated/pdas/index';
import { hexOf } from './hex.ts';

/** The memo program that transactions of operations call. */
export const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
/** The Token-2022 program. */
export const TOKEN_2022_PROGRAM = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
/** The system program. */
export const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
/** The ed25519 signature precompile. */
export const ED25519_PROGRAM = address('Ed25519SigVerify111111111111111111111111111');
/** The instructions sysvar. */
export const INSTRUCTIONS_SYSVAR = address('Sysvar1nstructions1111111111111111111111111');
/** The clock sysvar. */
export const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111');
/** The rent sysvar. */
export const RENT_SYSVAR = address('SysvarRent111111111111111111111111111111111');
/** The upgradeable loader, which owns ProgramData. */
export const UPGRADEABLE_LOADER = address('BPFLoaderUpgradeab1e11111111111111111111111');

/** Bytes of program data before the code: tag (4), slot of the last upgrade (8), whether there is an upgrade authority (1), it (32). */
export const PROGRAM_DATA_HEADER_BYTES = 45;

/** Derives the address of the account in which the upgradeable loader keeps a program's code and its upgrade authority. */
export async function findProgramDataAddress(program: Address): Promise<Address> {
  const seeds = [getAddressEncoder().encode(program)];
  const [found] = await getProgramDerivedAddress({ programAddress: UPGRADEABLE_LOADER, seeds });
  return found;
}

const PROGRAM_DATA_TAG = 3;

/**
 * Returns the upgrade authority in the header of program data: null if nobody can upgrade the program, undefined if the
 * account is anything else.
 */
export function upgradeAuthorityOf(owner: Address, header: ReadonlyUint8Array): Address | null | undefined {
  if (owner !== UPGRADEABLE_LOADER || header.length < PROGRAM_DATA_HEADER_BYTES) return undefined;
  if (header[0] !== PROGRAM_DATA_TAG) return undefined;
  return header[12] === 1 ? getAddressDecoder().decode(header, 13) : null;
}

/** Addresses of the accounts of one deployed program. */
export interface ProgramAddresses {
  readonly program: Address;
  config(): Promise<Address>;
  treasury(): Promise<Address>;
  verifier(authority: Address): Promise<Address>;
  circuit(id: string): Promise<Address>;
  credential(wallet: Address): Promise<Address>;
  ruleSet(creator: Address, nonce: bigint): Promise<Address>;
  mintBinding(mint: Address): Promise<Address>;
  pass(rule: Address, wallet: Address): Promise<Address>;
  /** The place of a person in a rule set, by the tag of the person for it, 32 bytes. */
  place(rule: Address, tag: Uint8Array): Promise<Address>;
  extraAccountMetaList(mint: Address): Promise<Address>;
  /** Returns how many bumps fail before the program finds that of a pass, when it creates the pass. */
  passMisses(rule: Address, wallet: Address): Promise<number>;
  /** Returns how many bumps fail before the program finds that of a place, when it creates the place. */
  placeMisses(rule: Address, tag: Uint8Array): Promise<number>;
}

/** An address and its bump: the highest number with which the seeds give an address that is no public key. */
type Derived = readonly [Address, number];

const HIGHEST_BUMP = 255;

/**
 * Bumps that may miss for a pass and for a place together, so that a proof that creates both takes at most 97,000 units
 * without its memo. A test of the program measures it.
 */
export const MOST_BUMP_MISSES = 12;

/** Returns functions that derive the addresses of a deployed program's accounts with the seeds of the IDL. */
export function programAddresses(program: Address): ProgramAddresses {
  const at = { programAddress: program };
  const find = (name: string, seeds: readonly (string | bigint)[], search: () => Promise<Derived>) =>
    remember([program, name, ...seeds].join(), search);
  const derive = async (...asked: Parameters<typeof find>) => (await find(...asked))[0];
  const missesOf = async (...asked: Parameters<typeof find>) => HIGHEST_BUMP - (await find(...asked))[1];
  const pass = (rule: Address, wallet: Address) =>
    ['pass', [rule, wallet], () => findPassPda({ rule, wallet }, at)] as const;
  const place = (rule: Address, tag: Uint8Array) =>
    ['place', [rule, hexOf(tag)], () => findPlacePda({ rule, tag }, at)] as const;
  return {
    program,
    config: () => derive('config', [], () => findConfigPda(at)),
    treasury: () => derive('treasury', [], () => findTreasuryPda(at)),
    verifier: (authority) => derive('verifier', [authority], () => findVerifierPda({ authority }, at)),
    circuit: (id) => derive('circuit', [id], () => findCircuitPda({ id }, at)),
    credential: (wallet) => derive('credential', [wallet], () => findCredentialPda({ wallet }, at)),
    ruleSet: (creator, nonce) =>
      derive('ruleSet', [creator, nonce], () => findRuleSetPda({ creator, nonce }, at)),
    mintBinding: (mint) => derive('mintBinding', [mint], () => findMintBindingPda({ mint }, at)),
    pass: (...seeds) => derive(...pass(...seeds)),
    place: (...seeds) => derive(...place(...seeds)),
    extraAccountMetaList: (mint) =>
      derive('extraAccountMetaList', [mint], () => findExtraAccountMetaListPda({ mint }, at)),
    passMisses: (...seeds) => missesOf(...pass(...seeds)),
    placeMisses: (...seeds) => missesOf(...place(...seeds)),
  };
}

/** Addresses that are kept. Each takes some hundred bytes. */
const REMEMBERED = 1_000;
const remembered = new Map<string, Promise<Derived>>();

/** Derives an address once. A derivation takes a millisecond, and one operation needs the same address several times. */
function remember(key: string, derive: () => Promise<Derived>): Promise<Derived> {
  const found = remembered.get(key);
  if (found) return found;
  const [oldest] = remembered.keys();
  if (remembered.size >= REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  const derived = derive();
  remembered.set(key, derived);
  derived.catch(() => remembered.delete(key));
  return derived;
}

/** Mints of Token ACL whose gate is the program, and the instructions on them, valid unless a test changes an argument. */
import { readFileSync } from 'node:fs';
import { addressBytes } from '@service/contract';
import { TOKEN_ACL_PROGRAM_FILE } from '@service/localnet';
import {
  createMintConfigInstruction,
  flagAddress,
  freezeWithoutPassInstruction,
  gateListAddresses,
  mintConfigAddress,
  setGateInstruction,
  TOKEN_2022_PROGRAM,
  TOKEN_ACL_PROGRAM,
  thawByPassInstruction,
  togglePermissionlessInstruction,
} from '@service/protocol';
import {
  getCanFreezeInstruction,
  getCanThawInstruction,
  getGateListDecoder,
} from '@service/protocol/generated';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import {
  AccountState,
  getInitializeAccount3Instruction,
  getTokenDecoder,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import { addressOf, type Chain, noop, PROGRAM } from './chain.ts';
import { CONFIG } from './governance.ts';
import { holdersChain } from './market.ts';
import { addMint, addTokenAccount, createTokenProgramAccount, DECIMALS, extension } from './mints.ts';
import { passAt, RULE } from './rule-sets.ts';
import { token2022, tokens } from './token-instructions.ts';

/** The gated mint of the tests. */
export const GATED = 'gated mint';

/** The states of new token accounts. */
export const STATES = { initialized: 1, frozen: 2 } as const;

/** The extension for the state of new token accounts. */
export const defaultState = (state: number = STATES.frozen) => extension(1, 28, 0, state);

/** The extensions of a security as issuers of permissioned tokens make it today: without a transfer hook. */
export async function securityExtensions(authority = 'issuer') {
  const key = addressBytes(await addressOf(authority));
  const none = new Uint8Array(32);
  return [
    extension(33, 44, 0, ...key), // pausable
    defaultState(),
    extension(65, 27, 0, ...key, 0, ...none), // confidential transfers
    extension(32, 35, ...key), // permanent delegate
    extension(32, 46, 0, ...key), // permissioned burn
  ];
}

/** Adds Token ACL, as far as the stand-in is Token ACL. */
export function addTokenAcl(chain: Chain): void {
  chain.addProgram(TOKEN_ACL_PROGRAM, readFileSync(TOKEN_ACL_PROGRAM_FILE));
}

/** Creates a mint whose new token accounts are frozen, and whose freeze authority is the issuer. Returns its address. */
export function addFrozenMint(
  chain: Chain,
  { mint = GATED as string | undefined, extensions = [defaultState()], authority = 'issuer' } = {},
): Promise<Address> {
  return addMint(chain, { mint, extensions, authority, freezeAuthority: authority });
}

/** `create-config` of Token ACL by the issuer, with the program as the gate. */
export async function createConfig({ mint = GATED, authority = 'issuer', gate = PROGRAM } = {}) {
  const options = { authority: await addressOf(authority), mint: await addressOf(mint), gate };
  return createMintConfigInstruction(options);
}

/** Lets anyone thaw and freeze what the gate allows. */
export async function enable({ mint = GATED, authority = 'issuer', canThaw = true, canFreeze = true } = {}) {
  const options = { authority: await addressOf(authority), mint: await addressOf(mint) };
  return togglePermissionlessInstruction({ ...options, canThaw, canFreeze });
}

/** `set-gate` of the gated mint with the rule set of the tests, by the issuer. */
export async function setGate({
  authority = 'issuer',
  mint = GATED,
  rule = RULE,
  honoursGranted = false,
} = {}) {
  const options = { authority: await addressOf(authority), mint: await addressOf(mint) };
  return setGateInstruction(PROGRAM, { ...options, rule, honoursGranted });
}

/** Whose token account a question is about, unless an account is given. */
interface About {
  readonly owner?: string;
  readonly mint?: string;
  readonly account?: Address;
  readonly rule?: Address;
  readonly caller?: string;
}

async function gatedAccount({
  owner = 'holder',
  mint = GATED,
  account,
  rule = RULE,
  caller = 'payer',
}: About) {
  return {
    caller: await addressOf(caller),
    mint: await addressOf(mint),
    tokenAccount: account ?? (await tokens(owner, mint)),
    owner: await addressOf(owner),
    rule,
  };
}

/** Thaws a token account through Token ACL, which asks the program. Anyone can. */
export const thaw = async (about: About = {}) => thawByPassInstruction(PROGRAM, await gatedAccount(about));

/** Freezes a token account through Token ACL, which asks the program. Anyone can. */
export const freeze = async (about: About = {}) =>
  freezeWithoutPassInstruction(PROGRAM, await gatedAccount(about));

/** An instruction of Token ACL that only the authority of a configuration can send. */
async function byAuthority(
  data: readonly number[],
  accounts: readonly (readonly [Address, AccountRole])[],
): Promise<Instruction> {
  return {
    programAddress: TOKEN_ACL_PROGRAM,
    accounts: [[await addressOf('issuer'), AccountRole.READONLY_SIGNER] as const, ...accounts].map(
      ([address, role]) => ({ address, role }),
    ),
    data: Uint8Array.from(data),
  };
}

/** Thaws or freezes a token account of the gated mint by the issuer. The program is not asked. */
export async function byIssuer(
  what: 'thaw' | 'freeze',
  account: Address,
  mint = GATED,
): Promise<Instruction> {
  const address = await addressOf(mint);
  return byAuthority(
    [what === 'thaw' ? 4 : 5],
    [
      [address, AccountRole.READONLY],
      [account, AccountRole.WRITABLE],
      [await mintConfigAddress(address), AccountRole.READONLY],
      [TOKEN_2022_PROGRAM, AccountRole.READONLY],
    ],
  );
}

/** Gives the configuration of the gated mint to another authority. */
export async function setConfigAuthority(to: string): Promise<Instruction> {
  const config = await mintConfigAddress(await addressOf(GATED));
  return byAuthority([1, ...addressBytes(await addressOf(to))], [[config, AccountRole.WRITABLE]]);
}

/** Deletes the configuration of the gated mint. The issuer becomes its freeze authority again. */
export async function deleteConfig(): Promise<Instruction> {
  const [issuer, mint] = [await addressOf('issuer'), await addressOf(GATED)];
  return byAuthority(
    [3, ...addressBytes(issuer)],
    [
      [issuer, AccountRole.WRITABLE],
      [mint, AccountRole.WRITABLE],
      [await mintConfigAddress(mint), AccountRole.WRITABLE],
      [TOKEN_2022_PROGRAM, AccountRole.READONLY],
    ],
  );
}

async function asked(about: About) {
  const { caller, mint, tokenAccount, owner } = await gatedAccount(about);
  return {
    ...(await gateListAddresses(PROGRAM, mint)),
    ...{ caller, tokenAccount, mint, tokenAccountOwner: owner },
    flag: await flagAddress(tokenAccount),
    config: CONFIG,
    pass: await passAt(about.owner ?? 'holder', about.rule),
  };
}

/** The question `can-thaw`, as anyone can send it. */
export const canThaw = async (about: About = {}) => getCanThawInstruction(await asked(about));
/** The question `can-freeze`, as anyone can send it. */
export const canFreeze = async (about: About = {}) => getCanFreezeInstruction(await asked(about));

/** Makes a mint a gated one. Returns its address. */
export async function addGate(
  chain: Chain,
  { mint = GATED, ...change }: Parameters<typeof setGate>[0] = {},
): Promise<Address> {
  await chain.confirm(createConfig({ mint }), setGate({ mint, ...change }), enable({ mint }));
  return addressOf(mint);
}

/** Creates a gated mint, with frozen token accounts of both holders and of the outsider. Returns its address. */
export async function addGatedMarket(
  chain: Chain,
  options: { mint?: string; rule?: Address } = {},
): Promise<Address> {
  const mint = await addFrozenMint(chain, { mint: options.mint });
  await addGate(chain, options);
  for (const owner of ['holder', 'other holder', 'outsider']) await addTokenAccount(chain, owner, mint);
  return mint;
}

/** A chain with Token ACL and the gated market. */
export async function gatedChain(): Promise<Chain> {
  const chain = await holdersChain();
  addTokenAcl(chain);
  await addGatedMarket(chain);
  return chain;
}

/** Creates a token account without ImmutableOwner at a key of its own. Returns its address. */
export async function addBareTokenAccount(chain: Chain, at: string, owner: string, mint: string = GATED) {
  const account = await addressOf(at);
  // An associated account has ImmutableOwner too, in 4 bytes. An account without extensions has no type after its base.
  const rest = chain.data(await tokens('holder', mint)).length - 4;
  const space = rest === 166 ? 165 : rest;
  const input = { account, mint: await addressOf(mint), owner: await addressOf(owner) };
  await chain.confirm(
    createTokenProgramAccount(at, space, chain.rentOf(space)),
    getInitializeAccount3Instruction(input, token2022),
  );
  return account;
}

/** Whether a token account is frozen. */
export function isFrozen(chain: Chain, account: Address): boolean {
  return getTokenDecoder().decode(chain.data(account)).state === AccountState.Frozen;
}

/** The transfer of 10 tokens of the gated mint, which has no hook. */
export async function moveGated(from: string, to: string, mint: string = GATED): Promise<Instruction> {
  const move = {
    source: await tokens(from, mint),
    mint: await addressOf(mint),
    destination: await tokens(to, mint),
    authority: await noop(from),
  };
  return getTransferCheckedInstruction({ ...move, amount: 10n, decimals: DECIMALS }, token2022);
}

/** Returns the content of both lists of a mint. */
export async function gateListsOf(chain: Chain, mint: string = GATED) {
  const { thawList, freezeList } = await gateListAddresses(PROGRAM, await addressOf(mint));
  return [thawList, freezeList].map((list) => getGateListDecoder().decode(chain.data(list)));
}

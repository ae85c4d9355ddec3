/** Instructions of Token-2022 on the mints and token accounts of the tests' keys. */
import { TOKEN_2022_PROGRAM, tokenAccountAddress } from '@service/protocol';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import {
  AuthorityType,
  getApproveInstruction,
  getBurnInstruction,
  getCloseAccountInstruction,
  getMintToInstruction,
  getSetAuthorityInstruction,
} from '@solana-program/token';
import { addressOf, noop } from './chain.ts';

/** The mint whose binding requires only the destination's pass, and the one whose binding requires both passes. */
export const [ONE, BOTH] = ['mint', 'mint of both'] as const;

/** The same with bindings that read credentials. */
export const [READS_ONE, READS_BOTH] = ['mint that reads', 'mint of both that reads'] as const;

/** The program that the builders for the older token program address; Token-2022 has the same instructions. */
export const token2022 = { programAddress: TOKEN_2022_PROGRAM };

/** Returns the associated token account of the key of a name. */
export async function tokens(name: string, mint: string = ONE): Promise<Address> {
  return tokenAccountAddress({ mint: await addressOf(mint), owner: await addressOf(name) });
}

/** Returns the approval of a delegate, by the holder for its associated token account unless the options say otherwise. */
export async function approve(
  mint: string,
  delegate: string,
  { amount = 100n, owner = 'holder', source = undefined as Address | undefined } = {},
) {
  const accounts = { source: source ?? (await tokens(owner, mint)), delegate: await addressOf(delegate) };
  return getApproveInstruction({ ...accounts, owner: await noop(owner), amount }, token2022);
}

/** Returns the burn of tokens of the holder. */
export async function burn(
  amount: bigint,
  { mint = ONE as string, authority = 'holder', account = undefined as Address | undefined } = {},
) {
  const accounts = { account: account ?? (await tokens('holder', mint)), mint: await addressOf(mint) };
  return getBurnInstruction({ ...accounts, authority: await noop(authority), amount }, token2022);
}

/** Returns the instruction that mints tokens, signed by the issuer. */
export async function mintTo(token: Address, mint: Address, amount = 5n) {
  return getMintToInstruction({ mint, token, mintAuthority: await noop('issuer'), amount }, token2022);
}

/** Returns the instruction that closes an account, signed by a key, which gets the lamports unless `to` is given. */
export async function closeAccount(account: Address, by: string, to = by) {
  const destination = await addressOf(to);
  return getCloseAccountInstruction({ account, destination, owner: await noop(by) }, token2022);
}

/** Returns the instruction by which the holder makes the outsider an authority of a token account. */
export async function handOver(owned: Address, authorityType = AuthorityType.AccountOwner) {
  const newAuthority = await addressOf('outsider');
  const change = { owned, owner: await noop('holder'), authorityType, newAuthority };
  return getSetAuthorityInstruction(change, token2022);
}

/** Returns an instruction of Token-2022 with writable accounts; those in `signing` sign. */
export function ofToken2022(
  data: ArrayLike<number>,
  accounts: readonly Address[],
  signing: readonly Address[] = [],
): Instruction {
  return {
    programAddress: TOKEN_2022_PROGRAM,
    accounts: accounts.map((address) => ({
      address,
      role: signing.includes(address) ? AccountRole.WRITABLE_SIGNER : AccountRole.WRITABLE,
    })),
    data: Uint8Array.from(data),
  };
}

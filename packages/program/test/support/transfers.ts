/** `TransferChecked` of a bound mint with the accounts that its hook asks for, and instructions of Token-2022 by their bytes. */
import { TOKEN_2022_PROGRAM, tokenAccountAddress, transferInstruction } from '@service/protocol';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { addMarket, holdersChain, issueTokens } from './bindings.ts';
import { addressOf, type Chain, PROGRAM } from './chain.ts';
import { DECIMALS } from './mints.ts';
import { expectDone } from './outcome.ts';
import { ruleAddress } from './rule-sets.ts';

/** The mint that asks for the destination's pass, and the one that asks for the source's too. */
export const [ONE, BOTH] = ['mint', 'mint of both'] as const;

/** For the builders of the older token program, whose instructions Token-2022 shares. */
export const token2022 = { programAddress: TOKEN_2022_PROGRAM };

/** The associated token account of the key of a name. */
export async function tokens(name: string, mint: string = ONE): Promise<Address> {
  return tokenAccountAddress({ mint: await addressOf(mint), owner: await addressOf(name) });
}

/** What is transferred, and by whom. */
export interface TransferChange {
  mint?: string;
  from?: string;
  to?: string;
  /** Who signs, if it is not the owner of the source. */
  authority?: string;
  source?: Address;
  destination?: Address;
  /** The owner of the destination, if it is none of the keys of the tests. */
  destinationOwner?: Address;
  /** Whether the binding asks for the source's pass. @default of the mint that asks for both */
  requireSource?: boolean;
  amount?: bigint;
}

/** TransferChecked of 10 tokens from the holder to the other holder, unless told otherwise. */
export async function transfer(change: TransferChange = {}): Promise<Instruction> {
  const { mint = ONE, from = 'holder', to = 'other holder', amount = 10n } = change;
  return transferInstruction(
    PROGRAM,
    {
      kind: 'TRANSFER',
      wallet: await addressOf(change.authority ?? from),
      mint: await addressOf(mint),
      source: change.source ?? (await tokens(from, mint)),
      destination: change.destination ?? (await tokens(to, mint)),
      amount,
    },
    {
      rule: await ruleAddress(),
      requireSource: change.requireSource ?? mint === BOTH,
      decimals: DECIMALS,
      sourceOwner: await addressOf(from),
      destinationOwner: change.destinationOwner ?? (await addressOf(to)),
    },
  );
}

/**
 * A chain with both kinds of mint, whose freeze authority is the issuer: the holder has 1,000 tokens of each, the other
 * holder and the outsider have empty token accounts.
 */
export async function marketChain(): Promise<Chain> {
  const chain = await holdersChain();
  for (const mint of [ONE, BOTH]) {
    await addMarket(chain, { mint, requireSource: mint === BOTH, freezeAuthority: 'issuer' });
    expectDone(await chain.send(issueTokens({ mint })));
  }
  return chain;
}

/** An instruction of Token-2022 by its bytes; the accounts are writable, those that are `signing` sign. */
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

import { decodeAccount, programAddresses, TOKEN_2022_PROGRAM } from '@service/protocol';
import type { Address } from '@solana/kit';
import { readFinalAccounts } from '../rpc/accounts.ts';
import type { Chain } from '../rpc/chain.ts';
import { readGateState, requireGate } from './gate-state.ts';
import { listAccounts, memcmp } from './list-accounts.ts';
import { type ChainOptions, chainWith } from './options.ts';
import { type FetchedPass, fetchedPassOf, readPassFacts } from './reads.ts';

/** A token account of a gated mint. */
export interface GatedTokenAccount {
  /** Base58 address of the token account. */
  readonly tokenAccount: Address;
  /** Base58 address of its owner. */
  readonly owner: Address;
  /** Base units. */
  readonly amount: bigint;
  /** Whether the token account is frozen. */
  readonly frozen: boolean;
  /** The owner's pass for the rule set of the gate; null if there is none. */
  readonly pass: FetchedPass | null;
  /** Whether it is frozen, and the gate would let anyone thaw it with `thawByPass`. */
  readonly thawable: boolean;
  /** Whether it is thawed, and the gate would let anyone freeze it with `freezeWithoutPass`, once `anyoneFreezes` is true. */
  readonly freezable: boolean;
}

/** The token accounts of a gated mint. */
export interface FetchedGatedAccounts {
  /** The finalized slot at which the RPC listed the token accounts. */
  readonly slot: bigint;
  /** Unix seconds by the chain, after the list was read. */
  readonly chainTime: bigint;
  /** The rule set of the gate. */
  readonly rule: Address;
  /** In the order of their addresses. */
  readonly accounts: readonly GatedTokenAccount[];
}

/**
 * Returns all token accounts of a gated mint with the passes of their owners, so that an issuer knows what is left to do: who
 * has not proved yet, and whose account anyone can thaw or freeze (SPEC.md section 2).
 *
 * It lists the accounts in one request (`getProgramAccounts`). Some public RPCs do not answer it. An RPC can leave accounts out:
 * use your own, or one that you trust.
 *
 * @param options.mint base58 address of a mint whose gate is the program
 * @throws ServiceError INVALID_ARGUMENT, GENESIS_HASH_MISMATCH, ACCOUNT_NOT_FOUND, GATE_UNUSABLE, RPC_ERROR, ABORTED
 * @example
 * const { accounts } = await fetchGatedAccounts({ deployment, mint });
 * const missing = accounts.filter(({ freezable, amount }) => freezable && amount > 0n).map(({ owner }) => owner);
 */
export async function fetchGatedAccounts(
  options: ChainOptions & { readonly mint: Address },
): Promise<FetchedGatedAccounts> {
  const chain = chainWith(options, ['mint']);
  const { mint, signal } = options;
  const { program } = chain.deployment;
  const at = programAddresses(program);
  const { rule, honoursGranted } = requireGate(
    await readGateState(chain, mint, mint, { signal, restricts: true }),
  );
  const { slot, found } = await readTokenAccounts(chain, mint, signal);
  const owners = [...new Set(found.map(({ data }) => data.owner))];
  const addresses = await Promise.all(owners.map((owner) => at.pass(rule, owner)));
  const read = await readFinalAccounts(chain, addresses, { what: 'Reading the passes', signal });
  const facts = await readPassFacts(chain, signal);
  const passOf = new Map(
    owners.map((owner, index) => {
      const pass = decodeAccount(program, 'pass', read[index]!);
      return [owner, pass && fetchedPassOf(pass, facts)];
    }),
  );
  const accounts = found.map(({ address: tokenAccount, data }): GatedTokenAccount => {
    const { owner, amount, frozen, immutableOwner } = data;
    const pass = passOf.get(owner) ?? null;
    const counts = pass !== null && pass.secondsLeft > 0n && (honoursGranted || !pass.granted);
    const passes = counts && immutableOwner;
    return {
      tokenAccount,
      owner,
      amount,
      frozen,
      pass,
      thawable: frozen && passes,
      freezable: !frozen && !passes,
    };
  });
  return { slot, chainTime: facts.chainTime, rule, accounts };
}

/** Lists the token accounts of a mint, in the order of their addresses. */
async function readTokenAccounts(chain: Chain, mint: Address, signal: AbortSignal | undefined) {
  const { program } = chain.deployment;
  return listAccounts(chain, {
    what: 'Listing the token accounts of the mint',
    owner: TOKEN_2022_PROGRAM,
    filters: [memcmp(0, mint, 'base58')],
    signal,
    read(account) {
      const found = decodeAccount(program, 'tokenAccount', account);
      return found?.data.mint === mint ? found : null;
    },
    idOf: ({ address }) => address,
  });
}

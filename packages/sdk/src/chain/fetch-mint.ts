/** Reads what a page shows of a mint. */
import { decodeAccount, tokenNameOf } from '@service/protocol';
import type { Address } from '@solana/kit';
import { accountNotFound, readTogether } from '../rpc/accounts.ts';
import { checkGenesisHash } from '../rpc/chain.ts';
import { type ChainOptions, chainWith } from './options.ts';
import { httpsUrl, isSymbol, shownText } from './token-name.ts';

/** What {@link fetchMint} returns. */
export interface FetchedMint {
  /** Base58 address of the mint. Only this identifies a token. */
  readonly address: Address;
  /** Decimal places of an amount. */
  readonly decimals: number;
  /** Base units that exist. */
  readonly supply: bigint;
  /**
   * The name in the mint, made safe to show, at most 32 characters; null if there is none. Anyone can give any name to a mint
   * of their own, so never recognize a token by it.
   */
  readonly name: string | null;
  /** The symbol in the mint, made safe to show, at most 10 characters; null if there is none that can stand behind an amount. */
  readonly symbol: string | null;
  /** The https URL of more metadata; null if there is none. Its host is the issuer's choice. */
  readonly uri: string | null;
  /** The wallet that can change name, symbol and URI; null if nobody can, or there is no name. */
  readonly metadataAuthority: Address | null;
}

/** The most characters that are shown of each text. */
const MOST_SHOWN = { name: 32, symbol: 10 } as const;

/**
 * Returns the name, the symbol and the decimal places of a Token-2022 mint from your own RPC, at finalized commitment. It
 * reads only a name that the mint has in itself, as those of `createBindableMint` do.
 *
 * @param options.mint base58 address of the mint
 * @throws ServiceError INVALID_ARGUMENT, GENESIS_HASH_MISMATCH, ACCOUNT_NOT_FOUND if there is no Token-2022 mint, RPC_ERROR,
 *   ABORTED
 * @example
 * const { name, symbol, decimals } = await fetchMint({ deployment, mint });
 */
export async function fetchMint(options: ChainOptions & { readonly mint: Address }): Promise<FetchedMint> {
  const chain = chainWith(options, ['mint']);
  const { mint, signal } = options;
  await checkGenesisHash(chain, signal);
  const reading = { what: 'Reading the mint', commitment: 'finalized', signal } as const;
  return readTogether(chain, [mint], reading, ([account]) => {
    const found = decodeAccount(chain.deployment.program, 'mint', account!)?.data;
    if (!found) throw accountNotFound('Token-2022 mint', mint);
    const named = tokenNameOf(found, mint);
    const symbol = named && shownText(named.symbol, MOST_SHOWN.symbol);
    return {
      address: mint,
      decimals: found.decimals,
      supply: found.supply,
      name: (named && shownText(named.name, MOST_SHOWN.name)) || null,
      symbol: symbol && isSymbol(symbol) ? symbol : null,
      uri: named && httpsUrl(named.uri),
      metadataAuthority: named?.authority ?? null,
    };
  });
}

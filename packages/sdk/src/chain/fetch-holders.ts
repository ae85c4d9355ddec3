import { ACCOUNT_TYPES, decodeAccount, PASS_OFFSETS } from '@service/protocol';
import { type Address, getBase64Decoder } from '@solana/kit';
import type { Chain } from '../rpc/chain.ts';
import { listAccounts, memcmp } from './list-accounts.ts';
import { type ChainOptions, chainWith } from './options.ts';
import { type FetchedPass, fetchedPassOf, readPassFacts } from './reads.ts';

/** The passes of a rule set on chain (SPEC.md section 2). */
export interface FetchedHolders {
  /** The finalized slot at which the RPC listed the passes. */
  readonly slot: bigint;
  /** Unix seconds by the chain, after the list was read. */
  readonly chainTime: bigint;
  /** One pass for each wallet that has one, in the order of the wallets' addresses. A pass is live if `secondsLeft` is above 0. */
  readonly passes: readonly FetchedPass[];
}

/**
 * Returns all passes of a rule set, so that an issuer knows who holds one, and until when (SPEC.md section 2).
 *
 * It makes one request for all passes (`getProgramAccounts`), of about 400 bytes for each. Some public RPCs do not answer it.
 * An RPC can leave passes out: use your own, or one that you trust.
 *
 * @param options.rule base58 address of the rule set
 * @throws ServiceError INVALID_ARGUMENT, RPC_ERROR, ABORTED, ACCOUNT_NOT_FOUND if the RPC has no clock
 * @example
 * const { passes } = await fetchHolders({ deployment, rule });
 * const holders = passes.filter(({ secondsLeft }) => secondsLeft > 0n).map(({ wallet }) => wallet);
 */
export async function fetchHolders(
  options: ChainOptions & { readonly rule: Address },
): Promise<FetchedHolders> {
  const chain = chainWith(options, ['rule']);
  const { rule, signal } = options;
  const { slot, found } = await readPasses(chain, rule, signal);
  const facts = await readPassFacts(chain, signal);
  const passes = found.map((pass) => fetchedPassOf(pass, facts));
  return { slot, chainTime: facts.chainTime, passes };
}

function readPasses(chain: Chain, rule: Address, signal: AbortSignal | undefined) {
  const { program } = chain.deployment;
  return listAccounts(chain, {
    what: 'Listing the passes of the rule set',
    owner: program,
    filters: [
      memcmp(
        PASS_OFFSETS.accountType,
        getBase64Decoder().decode(Uint8Array.of(ACCOUNT_TYPES.pass)),
        'base64',
      ),
      memcmp(PASS_OFFSETS.rule, rule, 'base58'),
    ],
    signal,
    read(account) {
      const pass = decodeAccount(program, 'pass', account);
      return pass?.data.rule === rule ? pass : null;
    },
    idOf: ({ data }) => data.wallet,
  });
}

import {
  ACCOUNT_TYPES,
  decodeAccount,
  PASS_OFFSETS,
  passRecordOf,
  programAddresses,
  secondsLeftOf,
} from '@service/protocol';
import { type Address, type Base64EncodedBytes, getBase64Decoder, parseBase64RpcAccount } from '@solana/kit';
import { readFinalAccount } from '../rpc/accounts.ts';
import { type Chain, callRpc } from '../rpc/chain.ts';
import { readChainTime } from '../rpc/pass-life.ts';
import { type ChainOptions, chainWith } from './options.ts';
import type { FetchedPass } from './reads.ts';

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
  // Config and the clock come after the list, so that a pass that was ended meanwhile does not look live.
  const configAddress = await programAddresses(chain.deployment.program).config();
  const config = await readFinalAccount(chain, 'config', configAddress, signal);
  const chainTime = await readChainTime(chain, signal);
  const passes = found.map((pass) => ({
    ...passRecordOf(pass, config),
    secondsLeft: secondsLeftOf(pass.data, { config, chainTime }),
  }));
  return { slot, chainTime, passes: passes.sort((one, other) => (one.wallet < other.wallet ? -1 : 1)) };
}

/** Reads the passes of a rule set. An answer with any other account, or with an account twice, counts as an error of the RPC. */
function readPasses(chain: Chain, rule: Address, signal: AbortSignal | undefined) {
  const { program } = chain.deployment;
  const filters = [
    memcmp(PASS_OFFSETS.accountType, getBase64Decoder().decode(Uint8Array.of(ACCOUNT_TYPES.pass)), 'base64'),
    memcmp(PASS_OFFSETS.rule, rule, 'base58'),
  ];
  const asked = { commitment: 'finalized', encoding: 'base64', withContext: true, filters } as const;
  return callRpc(chain, 'Listing the passes of the rule set', signal, async (rpc, options) => {
    const { context, value } = await rpc.getProgramAccounts(program, asked).send(options);
    const wallets = new Set<Address>();
    const found = value.map(({ pubkey, account }) => {
      const { data, ...encoded } = parseBase64RpcAccount(pubkey, account);
      const pass = decodeAccount(program, 'pass', { ...encoded, data: new Uint8Array(data), exists: true });
      if (pass?.data.rule !== rule || wallets.has(pass.data.wallet)) {
        throw new Error(`The RPC listed ${pubkey}, which is not another pass of the rule set.`);
      }
      wallets.add(pass.data.wallet);
      return pass;
    });
    return { slot: context.slot, found };
  });
}

function memcmp<Encoding extends 'base58' | 'base64'>(offset: number, bytes: string, encoding: Encoding) {
  return { memcmp: { offset: BigInt(offset), bytes: bytes as Base64EncodedBytes & Address, encoding } };
}

import {
  bindableMintBytes,
  createBindableMintInstructions,
  type MintTemplate,
  programAddresses,
} from '@service/protocol';
import { type Address, generateKeyPairSigner, isKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { checkAddresses, checkObject, invalidArgument } from '../lib/check-arguments.ts';
import { readAdditions } from '../operations/additions/addition-options.ts';
import { callRpc } from '../rpc/chain.ts';
import { signerOf } from '../wallet/signer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type ChainWriteOptions, chainWith } from './options.ts';
import { type FinalizedTransaction, sendTransaction } from './send.ts';
import { readNamed } from './token-name.ts';

/** Options of {@link createBindableMint}. */
export interface CreateBindableMintOptions extends ChainWriteOptions {
  /** Decimal places of an amount, 0 to 255. @default 6 */
  readonly decimals?: number;
  /** What the issuer can do with tokens of holders. @default plain: nothing */
  readonly template?: MintTemplate | undefined;
  /**
   * The name that wallets show for the token, 1 to 32 bytes of UTF-8. Pass `symbol` with it. It identifies nothing: another
   * mint can have the same name. @default none
   */
  readonly name?: string | undefined;
  /** The symbol that wallets show after amounts, 1 to 10 bytes of UTF-8. Pass `name` with it. @default none */
  readonly symbol?: string | undefined;
  /**
   * An https URL of a JSON file with `name`, `symbol`, `description` and `image`, at most 200 bytes. Wallets of all holders
   * fetch it. @default none
   */
  readonly uri?: string | undefined;
  /** Base58 address of the wallet that can change name, symbol and URI later. @default null: nobody can */
  readonly metadataAuthority?: Address | null | undefined;
  /** Base58 address that gets the authorities, such as a vault. It need not sign. @default the wallet */
  readonly issuer?: Address | undefined;
  /** The key of the new mint. Store its address before the call to find the mint after a page load. @default a new key */
  readonly mint?: KeyPairSigner | undefined;
}

/** Lamports, 0.1 SOL: more than 30 times the rent of a mint. Caps the rent, because the RPC could lie about it. */
const MOST_RENT = 100_000_000n;

/**
 * Creates a Token-2022 mint that `client.bindMint` accepts. It has no supply, and the program as its permanent transfer
 * hook. The issuer is the mint authority until the binding. The template decides what the issuer can do later:
 *
 * - `plain`: nothing with tokens of holders.
 * - `security`: recover and redeem tokens, freeze accounts, pause the mint, and scale the amounts that wallets show.
 * - `fund`: as `security`, and each token account is frozen until the issuer thaws it.
 *
 * With `name` and `symbol`, the mint has Token-2022's metadata in itself, so wallets show them. Resolves when finalized.
 *
 * @throws ServiceError INVALID_ARGUMENT, WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR, TRANSACTION_FAILED,
 *   GENESIS_HASH_MISMATCH
 * @example
 * const { mint } = await createBindableMint(wallet, { deployment, name: 'Example Bond 2030', symbol: 'EXB' });
 */
export async function createBindableMint(
  wallet: Wallet,
  options: CreateBindableMintOptions,
): Promise<
  FinalizedTransaction & {
    /** Base58 address of the new mint. */
    readonly mint: Address;
  }
> {
  const signer = signerOf(wallet);
  const chain = chainWith(options, []);
  const limits = readAdditions(options);
  const { decimals = 6, template = 'plain', issuer = signer.address, signal } = options;
  checkAddresses({ issuer });
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 255) {
    throw invalidArgument('decimals', 'decimals must be an integer from 0 to 255.');
  }
  if (!['plain', 'security', 'fund'].includes(template)) {
    throw invalidArgument('template', 'template must be plain, security or fund.');
  }
  const named = readNamed(options);
  const { mint = await generateKeyPairSigner() } = options;
  checkObject('mint', mint, 'a KeyPairSigner of @solana/kit');
  if (!isKeyPairSigner(mint)) throw invalidArgument('mint', 'mint must be a KeyPairSigner of @solana/kit.');
  const { program } = chain.deployment;
  const binding = await programAddresses(program).mintBinding(mint.address);
  const created = { mint: mint.address, issuer, program, binding, decimals, template, named };
  const rentLamports = await callRpc(chain, 'Reading the rent of a mint', signal, async (rpc, options) => {
    const size = BigInt(bindableMintBytes(created));
    const rent = await rpc.getMinimumBalanceForRentExemption(size).send(options);
    if (rent <= MOST_RENT) return rent;
    throw new ServiceError('RPC_ERROR', {
      message: `Your own RPC reports ${rent} lamports as the rent of a mint, which must be at most ${MOST_RENT} (0.1 SOL). Check rpcUrl of the deployment, or pass another rpc. Nothing was signed.`,
      retryable: false,
    });
  });
  const instructions = createBindableMintInstructions(created, { payer: signer.address, rentLamports });
  const transaction = { signer, instructions, keys: [mint], limits, what: 'Creating the mint', signal };
  const { signature } = await sendTransaction(chain, transaction);
  return { mint: mint.address, signature };
}

/** Reads what a transfer depends on, from the caller's own RPC. */
import {
  type AccountOf,
  decodeAccount,
  type Found,
  type Funds,
  type Intent,
  isMintPaused,
  programAddresses,
  readAccounts,
} from '@service/protocol';
import type { Address } from '@solana/kit';
import { readChainTime, readTogether } from '../rpc/accounts.ts';
import { type Chain, callRpc, readerOf } from '../rpc/chain.ts';
import { readFundsNow } from '../rpc/funds.ts';
import type { CheckTransferRequest } from './transfer-check-types.ts';

/** A token account, or null if there is none. */
export type TokenAccount = Found<AccountOf<'tokenAccount'>> | null;
type FoundPass = Found<AccountOf<'pass'>> | null;
type FoundCredential = Found<AccountOf<'credential'>> | null;

/** The accounts of a transfer at finalized commitment, and the funds; null for each account that does not exist. */
export interface TransferState {
  readonly config: Found<AccountOf<'config'>> | null;
  readonly binding: Found<AccountOf<'mintBinding'>> | null;
  /** Whether the issuer paused the mint. */
  readonly isMintPaused: boolean;
  /** Address of the rule set that the mint is bound to. */
  readonly rule: Address | null;
  readonly destination: TokenAccount;
  /** Null also for an issue, which has no source. */
  readonly source: TokenAccount;
  readonly destinationPass: FoundPass;
  readonly sourcePass: FoundPass;
  readonly destinationCredential: FoundCredential;
  readonly sourceCredential: FoundCredential;
  /** What the wallet that would sign has and needs, at confirmed commitment; null if the wallet is not known. */
  readonly funds: Funds | null;
  /** Unix seconds. */
  readonly chainTime: bigint;
}

/** Reads the accounts of a transfer, then passes and credentials of their owners. Throws ServiceError RPC_ERROR, ABORTED. */
export async function readTransferState(
  chain: Chain,
  request: CheckTransferRequest,
  { wallet, signal }: { readonly wallet: Address | undefined; readonly signal: AbortSignal | undefined },
): Promise<TransferState> {
  const { program } = chain.deployment;
  const at = programAddresses(program);
  const { mint, source, destination } = request;
  const [config, binding] = await Promise.all([at.config(), at.mintBinding(mint)]);
  // An issue has no source. Then the destination is read twice, and the second result is not used.
  const all = [config, binding, mint, destination, source ?? destination];
  const reading = { what: 'Reading the accounts of the transfer', commitment: 'finalized', signal } as const;
  const now = wallet
    ? readFundsNow(chain, { intent: intentOf(wallet, request) }, signal)
    : readChainTime(chain, signal).then((chainTime) => ({ chainTime, funds: null }));
  const [{ chainTime, funds }, accounts] = await Promise.all([
    now,
    readTogether(chain, all, reading, ([config, binding, found, receiving, sending]) => ({
      config: decodeAccount(program, 'config', config!),
      binding: decodeAccount(program, 'mintBinding', binding!),
      mint: decodeAccount(program, 'mint', found!)?.data ?? null,
      destination: decodeAccount(program, 'tokenAccount', receiving!),
      source: source ? decodeAccount(program, 'tokenAccount', sending!) : null,
    })),
  ]);
  const rule = (accounts.mint && accounts.binding?.data.rule) || null;
  const isPaused = accounts.mint !== null && isMintPaused(accounts.mint);
  const owners = [accounts.destination, accounts.source];
  const [to = NONE, from = NONE] = await readRecords(chain, rule, owners, signal);
  return {
    ...accounts,
    isMintPaused: isPaused,
    rule,
    destinationPass: to.pass,
    sourcePass: from.pass,
    destinationCredential: to.credential,
    sourceCredential: from.credential,
    funds,
    chainTime,
  };
}

function intentOf(wallet: Address, { mint, source, destination, amount }: CheckTransferRequest): Intent {
  const asked = { wallet, mint, destination, amount };
  return source ? { kind: 'TRANSFER', source, ...asked } : { kind: 'ISSUE', ...asked };
}

interface Records {
  readonly pass: FoundPass;
  readonly credential: FoundCredential;
}

const NONE: Records = { pass: null, credential: null };

/** Reads the owners' passes for the rule set and their credentials, in order; null for each that does not exist. */
async function readRecords(
  chain: Chain,
  rule: Address | null,
  accounts: readonly TokenAccount[],
  signal: AbortSignal | undefined,
): Promise<Records[]> {
  if (!rule) return [];
  const at = programAddresses(chain.deployment.program);
  const owners = accounts.flatMap((account) => (account ? [account.data.owner] : []));
  const passes = await Promise.all(owners.map((owner) => at.pass(rule, owner)));
  const credentials = await Promise.all(owners.map((owner) => at.credential(owner)));
  const found = await callRpc(chain, 'Reading the passes', signal, (_rpc, options) =>
    readAccounts(readerOf(chain, options), [
      ...passes.map((address) => ['pass', address] as const),
      ...credentials.map((address) => ['credential', address] as const),
    ]),
  );
  return accounts.map((account) => {
    if (!account) return NONE;
    const index = owners.indexOf(account.data.owner);
    return { pass: found[index], credential: found[owners.length + index] } as Records;
  });
}

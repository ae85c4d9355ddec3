/** Whether a transfer would pass, and if not why and who must act: by the caller's own RPC, before anyone is asked to sign. */
import { type AccountOf, type Found, programAddresses, readAccounts } from '@service/protocol';
import type { Address } from '@solana/kit';
import type { ClientCore } from '../client/core.ts';
import { checkAddresses, invalidArgument } from '../lib/check-arguments.ts';
import type { CallOptions } from '../lib/deadline.ts';
import type { IssueRequest } from '../operations/requests.ts';
import { askRpc, checkGenesisHash, readerOf } from '../rpc/chain-rpc.ts';
import { type PassLife, passLifeOf, readChainTime } from '../rpc/pass-life.ts';

/**
 * Who can do something about it: `holder` sends, `recipient` owns the destination, `issuer` bound the mint, `operator`
 * governs (SPEC.md section 1).
 *
 * @inline
 */
export type Actor = 'holder' | 'recipient' | 'issuer' | 'operator' | 'verifier';

/**
 * What is asked of `checkTransfer`: a transfer, or with the source left out an issue (SPEC.md section 1).
 *
 * @inline
 */
export type CheckTransferRequest = IssueRequest & {
  /** Token account that sends. @default none: the issuer's new tokens */
  readonly source?: Address | undefined;
};

/** Why a transfer or an issue would not pass. Amounts in base units, times in Unix seconds (SPEC.md section 1). */
export type TransferCheckReason =
  /** Zero, negative or over 64 bits. */
  | { readonly code: 'AMOUNT_INVALID'; readonly who: 'holder' }
  /** Source and destination are one token account. */
  | { readonly code: 'SAME_TOKEN_ACCOUNT'; readonly who: 'holder' }
  | { readonly code: 'PROTOCOL_PAUSED'; readonly who: 'operator' }
  | {
      readonly code: 'MINT_NOT_BOUND';
      readonly who: 'issuer';
      /** Base58 address of the mint. */
      readonly mint: Address;
    }
  /** No Token-2022 token account at finalized commitment; the owner makes one with createTokenAccount. */
  | {
      readonly code: 'TOKEN_ACCOUNT_NOT_FOUND';
      readonly who: 'holder' | 'recipient';
      /** Base58 address of the token account. */
      readonly address: Address;
    }
  | {
      readonly code: 'TOKEN_ACCOUNT_OF_OTHER_MINT';
      readonly who: 'holder' | 'recipient';
      /** Base58 address of the token account. */
      readonly address: Address;
      /** Base58 address of the mint that it is of. */
      readonly mint: Address;
    }
  /** The destination lacks ImmutableOwner: its owner must open one with createTokenAccount. */
  | {
      readonly code: 'TOKEN_ACCOUNT_OWNER_MUTABLE';
      readonly who: 'recipient';
      /** Base58 address of the token account. */
      readonly address: Address;
    }
  /** The issuer, as the freeze authority, has frozen it. */
  | {
      readonly code: 'TOKEN_ACCOUNT_FROZEN';
      readonly who: 'issuer';
      /** Base58 address of the token account. */
      readonly address: Address;
    }
  /** The source is another wallet's, and is not delegated to this one. */
  | {
      readonly code: 'NOT_SOURCE_OWNER';
      readonly who: 'holder';
      /** Base58 address of the wallet that owns it. */
      readonly owner: Address;
    }
  /** Only the issuer of the mint's binding issues. */
  | {
      readonly code: 'NOT_ISSUER';
      readonly who: 'issuer';
      /** Base58 address of the issuer. */
      readonly issuer: Address;
    }
  /** The source is delegated to this wallet for less; who has approved himself is held to that, too, until he revokes it. */
  | {
      readonly code: 'DELEGATED_AMOUNT_TOO_LOW';
      readonly who: 'holder';
      /** Base units that may still be taken. */
      readonly delegatedAmount: bigint;
    }
  | {
      readonly code: 'BALANCE_TOO_LOW';
      readonly who: 'holder';
      /** Base units that the source holds. */
      readonly balance: bigint;
    }
  | {
      readonly code: 'DESTINATION_PASS_MISSING';
      readonly who: 'recipient';
      /** Base58 address of the rule set. */
      readonly rule: Address;
      /** Base58 address of the wallet that needs the pass. */
      readonly wallet: Address;
    }
  | {
      readonly code: 'DESTINATION_PASS_EXPIRED';
      readonly who: 'recipient';
      /** Base58 address of the rule set. */
      readonly rule: Address;
      /** Base58 address of the wallet that needs the pass. */
      readonly wallet: Address;
      /** Unix seconds at which the pass expired. */
      readonly expiresAt: bigint;
    }
  | {
      readonly code: 'SOURCE_PASS_MISSING';
      readonly who: 'holder';
      /** Base58 address of the rule set. */
      readonly rule: Address;
      /** Base58 address of the wallet that needs the pass. */
      readonly wallet: Address;
    }
  | {
      readonly code: 'SOURCE_PASS_EXPIRED';
      readonly who: 'holder';
      /** Base58 address of the rule set. */
      readonly rule: Address;
      /** Base58 address of the wallet that needs the pass. */
      readonly wallet: Address;
      /** Unix seconds at which the pass expired. */
      readonly expiresAt: bigint;
    };

/**
 * What was looked at; null where there is none (SPEC.md section 1).
 *
 * @inline
 */
export type TransferCheckFacts = {
  /** Unix seconds. */
  readonly chainTime: bigint;
  /** The rule set that the mint is bound to. */
  readonly rule: Address | null;
  /** Whether the sender needs a pass too. */
  readonly requireSource: boolean;
  /** Of the owner of the destination. */
  readonly destinationPass: PassLife | null;
  /** Of the owner of the source; read also where the binding does not ask for it. */
  readonly sourcePass: PassLife | null;
};

/** Whether a transfer would pass now, by what is finalized on the caller's own RPC (SPEC.md section 1). */
export type TransferCheck =
  | (TransferCheckFacts & {
      readonly ok: true;
      /** Base58 address of the rule set that the mint is bound to. */
      readonly rule: Address;
      /** Of the owner of the destination. */
      readonly destinationPass: PassLife;
    })
  | (TransferCheckFacts & {
      readonly ok: false;
      /** One at least. */
      readonly reasons: readonly TransferCheckReason[];
    });

/**
 * Options of `checkTransfer` (SPEC.md section 1).
 *
 * @inline
 */
export interface CheckTransferOptions extends CallOptions {
  /** The wallet that would sign. @default the wallet of the session; without one any owner of the source, any issuer */
  readonly wallet?: Address | undefined;
}

type TokenAccount = Found<AccountOf<'tokenAccount'>> | null;

/** See `ServiceClient.checkTransfer`. */
export async function checkTransfer(
  core: ClientCore,
  { mint, source, destination, amount }: CheckTransferRequest,
  { signal, wallet = core.session.wallet ?? undefined }: CheckTransferOptions,
): Promise<TransferCheck> {
  checkArguments({ mint, source, destination, amount });
  await checkGenesisHash(core, signal);
  const at = programAddresses(core.deployment.program);
  const [configAddress, bindingAddress] = await Promise.all([at.config(), at.mintBinding(mint)]);
  const [config, binding, found, to, sending] = await askRpc(
    'Reading the accounts of the transfer',
    signal,
    () =>
      readAccounts(readerOf(core, signal), [
        ['config', configAddress],
        ['mintBinding', bindingAddress],
        ['mint', mint],
        ['tokenAccount', destination],
        // Of an issue there is no source: the destination is read twice, and not looked at as one.
        ['tokenAccount', source ?? destination],
      ]),
  );
  const from = source ? sending : null;
  const rule = (found && binding?.data.rule) ?? null;
  const [chainTime, [destinationPass = null, sourcePass = null]] = await Promise.all([
    readChainTime(core, signal),
    readPasses(core, rule, [to, from], signal),
  ]);
  const facts: TransferCheckFacts = {
    chainTime,
    rule,
    requireSource: binding?.data.requireSource ?? false,
    destinationPass: passLifeOf(destinationPass, chainTime),
    sourcePass: passLifeOf(sourcePass, chainTime),
  };

  const reasons: TransferCheckReason[] = [];
  if (amount <= 0n || amount > U64_MAX) reasons.push({ code: 'AMOUNT_INVALID', who: 'holder' });
  if (source === destination) reasons.push({ code: 'SAME_TOKEN_ACCOUNT', who: 'holder' });
  // Before governance has set the program up nothing can be bound either.
  if (config?.data.paused) reasons.push({ code: 'PROTOCOL_PAUSED', who: 'operator' });
  if (!rule) reasons.push({ code: 'MINT_NOT_BOUND', who: 'issuer', mint });
  else if (!source && binding && wallet && binding.data.issuer !== wallet)
    reasons.push({ code: 'NOT_ISSUER', who: 'issuer', issuer: binding.data.issuer });
  reasons.push(
    ...(source ? reasonsOfAccount(from, { address: source, who: 'holder', mint }) : []),
    ...(source === destination ? [] : reasonsOfAccount(to, { address: destination, who: 'recipient', mint })),
    ...reasonsOfSource(from, { mint, amount, wallet }),
  );
  if (to?.data.mint === mint && !to.data.immutableOwner) {
    reasons.push({ code: 'TOKEN_ACCOUNT_OWNER_MUTABLE', who: 'recipient', address: destination });
  }
  if (rule && to?.data.mint === mint) {
    const missing = { who: 'recipient', rule, wallet: to.data.owner } as const;
    const pass = facts.destinationPass;
    if (!pass) reasons.push({ code: 'DESTINATION_PASS_MISSING', ...missing });
    else if (pass.secondsLeft === 0n)
      reasons.push({ code: 'DESTINATION_PASS_EXPIRED', ...missing, expiresAt: pass.expiresAt });
  }
  if (rule && facts.requireSource && from?.data.mint === mint) {
    const missing = { who: 'holder', rule, wallet: from.data.owner } as const;
    const pass = facts.sourcePass;
    if (!pass) reasons.push({ code: 'SOURCE_PASS_MISSING', ...missing });
    else if (pass.secondsLeft === 0n)
      reasons.push({ code: 'SOURCE_PASS_EXPIRED', ...missing, expiresAt: pass.expiresAt });
  }
  if (reasons.length === 0 && rule && facts.destinationPass) {
    return Object.freeze({ ...facts, ok: true, rule, destinationPass: facts.destinationPass });
  }
  return Object.freeze({
    ...facts,
    ok: false,
    reasons: Object.freeze(reasons.map((reason) => Object.freeze(reason))),
  });
}

const U64_MAX = 18_446_744_073_709_551_615n;

function reasonsOfAccount(
  found: TokenAccount,
  { address, who, mint }: { address: Address; who: 'holder' | 'recipient'; mint: Address },
): TransferCheckReason[] {
  if (!found) return [{ code: 'TOKEN_ACCOUNT_NOT_FOUND', who, address }];
  if (found.data.mint !== mint)
    return [{ code: 'TOKEN_ACCOUNT_OF_OTHER_MINT', who, address, mint: found.data.mint }];
  return found.data.frozen ? [{ code: 'TOKEN_ACCOUNT_FROZEN', who: 'issuer', address }] : [];
}

function reasonsOfSource(
  found: TokenAccount,
  { mint, amount, wallet }: { mint: Address; amount: bigint; wallet: Address | undefined },
): TransferCheckReason[] {
  if (found?.data.mint !== mint) return [];
  const { owner, amount: balance, delegate, delegatedAmount } = found.data;
  // Of a wallet that is both, Token-2022 takes the delegate: an owner who approved himself is held to that amount.
  const isDelegate = wallet !== undefined && delegate === wallet;
  return [
    ...(wallet === undefined || isDelegate || owner === wallet
      ? []
      : [{ code: 'NOT_SOURCE_OWNER', who: 'holder', owner } as const]),
    ...(isDelegate && delegatedAmount < amount
      ? [{ code: 'DELEGATED_AMOUNT_TOO_LOW', who: 'holder', delegatedAmount } as const]
      : []),
    ...(balance >= amount ? [] : [{ code: 'BALANCE_TOO_LOW', who: 'holder', balance } as const]),
  ];
}

/** The passes of the owners for the rule set, in order; null where there is nothing to have one for. */
async function readPasses(
  core: ClientCore,
  rule: Address | null,
  accounts: readonly TokenAccount[],
  signal: AbortSignal | undefined,
): Promise<(Found<AccountOf<'pass'>> | null)[]> {
  if (!rule) return accounts.map(() => null);
  const at = programAddresses(core.deployment.program);
  const addresses = await Promise.all(
    accounts.map((account) => (account ? at.pass(rule, account.data.owner) : null)),
  );
  const wanted = addresses.filter((address) => address !== null);
  const found = await askRpc('Reading the passes', signal, () =>
    readAccounts(
      readerOf(core, signal),
      wanted.map((address) => ['pass', address] as const),
    ),
  );
  return addresses.map((address) => (address ? (found[wanted.indexOf(address)] ?? null) : null));
}

function checkArguments({ mint, source, destination, amount }: CheckTransferRequest): void {
  checkAddresses({ mint, destination, ...(source === undefined ? {} : { source }) });
  if (typeof amount !== 'bigint') throw invalidArgument('amount', 'amount must be a bigint of base units.');
}

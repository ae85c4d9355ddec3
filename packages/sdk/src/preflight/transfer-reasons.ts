/** The reasons why a transfer or an issue would fail. */
import { isSupported } from '@service/protocol';
import type { Address } from '@solana/kit';
import { U64_MAX } from '../rpc/funds.ts';
import type { PassLife } from '../rpc/pass-life.ts';
import type {
  CheckTransferRequest,
  TransferCheckFacts,
  TransferCheckReason,
} from './transfer-check-types.ts';
import type { TokenAccount, TransferState } from './transfer-state.ts';

/** Returns every reason; an empty list if the transfer would succeed. */
export function transferReasons(
  { mint, source, destination, amount }: CheckTransferRequest,
  state: TransferState,
  facts: TransferCheckFacts,
  wallet: Address | undefined,
): TransferCheckReason[] {
  const { config, binding, rule, destination: to, source: from } = state;
  const reasons: TransferCheckReason[] = [];
  if (amount <= 0n || amount > U64_MAX) reasons.push({ code: 'AMOUNT_INVALID', who: 'holder' });
  if (source === destination) reasons.push({ code: 'SAME_TOKEN_ACCOUNT', who: 'holder' });
  // Without a configuration account nothing can be bound, so MINT_NOT_BOUND covers that case.
  if (config?.data.paused) reasons.push({ code: 'PROTOCOL_PAUSED', who: 'operator' });
  if (state.isMintPaused) reasons.push({ code: 'MINT_PAUSED', who: 'issuer' });
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
    const needed = { rule, wallet: to.data.owner };
    reasons.push(...reasonsOfPass('DESTINATION', 'recipient', facts.destinationPass, needed, state));
  }
  if (rule && facts.requireSource && from?.data.mint === mint) {
    const needed = { rule, wallet: from.data.owner };
    reasons.push(...reasonsOfPass('SOURCE', 'holder', facts.sourcePass, needed, state));
  }
  return reasons;
}

/** Returns why a pass does not count, in the order of the program. */
function reasonsOfPass(
  whose: 'DESTINATION' | 'SOURCE',
  who: 'recipient' | 'holder',
  pass: PassLife | null,
  needed: { readonly rule: Address; readonly wallet: Address },
  state: TransferState,
): TransferCheckReason[] {
  const { binding, chainTime } = state;
  const reason = (what: string, more: object) =>
    [{ code: `${whose}_PASS_${what}`, who, ...needed, ...more }] as unknown as TransferCheckReason[];
  if (!pass) return reason('MISSING', {});
  const { suspendedUntil, expiresAt } = pass;
  if (suspendedUntil > chainTime) return reason('SUSPENDED', { who: 'issuer', suspendedUntil });
  if (pass.secondsLeft === 0n) return reason('EXPIRED', { expiresAt });
  if (pass.granted) return binding?.data.honoursGranted ? [] : reason('GRANTED', {});
  if (!binding?.data.readsCredential) return [];
  const [proved, credential] =
    whose === 'SOURCE'
      ? [state.sourcePass, state.sourceCredential]
      : [state.destinationPass, state.destinationCredential];
  return proved && credential && isSupported(proved.data, credential.data) ? [] : reason('UNSUPPORTED', {});
}

/** Returns why a token account can neither send nor receive. */
export function reasonsOfAccount(
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
  // If a wallet is owner and delegate, Token-2022 treats it as the delegate and limits it to the delegated amount.
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

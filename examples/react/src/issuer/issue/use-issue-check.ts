import type { MintBinding } from '@service/sdk';
import { usePass, useTransferCheck } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { formatAmount } from '../../chain/amounts.ts';
import { useTokenAccountAddress } from '../../chain/use-token-account.ts';
import { type ReasonWords, wordsOfTransferReason } from '../../checks/transfer-reasons.ts';
import { nameOf } from '../../development-wallet/development-wallet.ts';

interface IssueCheck {
  /** Whether the tokens can be issued now. A missing token account does not matter: this page creates it. */
  readonly ok: boolean;
  readonly reasons: readonly ReasonWords[];
  readonly note: string | null;
}

interface Wanted {
  readonly binding: MintBinding;
  /** The wallet that receives the tokens. */
  readonly owner: Address | null;
  /** Base units. */
  readonly amount: bigint | null;
  readonly decimals: number;
}

export function useIssueCheck({ binding, owner, amount, decimals }: Wanted): IssueCheck {
  const { mint, rule } = binding;
  const { data: destination } = useTokenAccountAddress(mint, owner);
  const request = destination && amount ? { mint, destination, amount } : null;
  const { data: check } = useTransferCheck(request);
  // Without a token account, the check above cannot know whose pass it needs.
  const { data: pass } = usePass({ rule, wallet: owner });
  if (!check || !owner) return { ok: false, reasons: [], note: null };

  const recipient = nameOf(owner) ?? 'The holder';
  const format = (units: bigint) => formatAmount(units, decimals);
  const all = check.ok ? [] : check.reasons;
  const hasAccount = !all.some(({ code }) => code === 'TOKEN_ACCOUNT_NOT_FOUND');
  const reasons = all
    .filter(({ code }) => code !== 'TOKEN_ACCOUNT_NOT_FOUND')
    .map((reason) => wordsOfTransferReason(reason, { format, recipient }));
  if (!hasAccount && !(pass && pass.secondsLeft > 0n)) {
    reasons.push({
      who: 'The recipient',
      text: `${recipient} has no live pass of this rule set. ${recipient} must prove it first.`,
    });
  }
  const ok = reasons.length === 0 && (hasAccount || pass !== undefined);
  const note = `${recipient} has no token account for this mint yet. Issue creates it first, and you pay its rent.`;
  return { ok, reasons, note: ok && !hasAccount ? note : null };
}

import type { CheckTransferRequest, MintBinding } from '@service/sdk';
import { usePass, useTransferCheck } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { nameOf } from '#demo/development-wallet/development-wallet.ts';
import { formatAmount } from '../chain/amounts.ts';
import type { ReasonWords } from './reason-words.ts';
import { wordsOfTransferReason } from './transfer-reasons.ts';

interface Wanted {
  /** The transfer, or an issue; null while something is missing. */
  readonly request: CheckTransferRequest | null | undefined;
  readonly rule: MintBinding['rule'];
  /** The wallet that receives the tokens. */
  readonly owner: Address | null;
  readonly decimals: number;
}

interface CheckedTransfer {
  readonly ok: boolean;
  /** Why it would fail, besides a missing token account of the recipient. */
  readonly reasons: readonly ReasonWords[];
  /** Whether only the recipient's token account is missing. Any wallet can create it. */
  readonly needsTokenAccount: boolean;
  /** Whether only passes are missing, so that the chain itself would reject the transfer. */
  readonly lacksPass: boolean;
  /** The recipient, for the texts. */
  readonly recipient: string;
  readonly error: Error | null;
  readonly refetch: () => void;
}

const POLL_MS = 5_000;

/** Checks a transfer or an issue to the associated token account of a wallet, and says in words why it would fail. */
export function useCheckedTransfer({ request, rule, owner, decimals }: Wanted): CheckedTransfer {
  const check = useTransferCheck(request, { refetchInterval: POLL_MS });
  // Without a token account, the check cannot know whose pass the recipient needs.
  const pass = usePass({ rule, wallet: owner }, { refetchInterval: POLL_MS });
  const recipient = (owner && nameOf(owner)) ?? 'The recipient';
  const format = (units: bigint) => formatAmount(units, decimals);
  const all = check.data?.ok === false ? check.data.reasons : [];
  const others = all.filter(({ code, who }) => code !== 'TOKEN_ACCOUNT_NOT_FOUND' || who !== 'recipient');
  const reasons = others.map((reason) => wordsOfTransferReason(reason, { format, recipient }));
  const lacksAccount = others.length < all.length;
  const hasPass = pass.data ? pass.data.secondsLeft > 0n : false;
  if (lacksAccount && pass.data !== undefined && !hasPass) {
    const text = `${recipient} has no live pass of this rule set. ${recipient} must prove it first.`;
    reasons.push({ who: 'The recipient', text });
  }
  return {
    ok: check.data?.ok === true,
    reasons,
    lacksPass: reasons.length > 0 && others.every(({ code }) => code.includes('_PASS_')),
    needsTokenAccount: lacksAccount && hasPass && reasons.length === 0,
    recipient,
    error: check.error ?? pass.error,
    refetch() {
      if (request) void check.refetch();
      if (owner) void pass.refetch();
    },
  };
}

import type { MintBinding, TransferRequest } from '@service/sdk';
import { usePass, useTransferCheck } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { formatAmount } from '../../chain/amounts.ts';
import { useTokenAccountAddress } from '../../chain/use-token-account.ts';
import { type ReasonWords, wordsOfTransferReason } from '../../checks/transfer-reasons.ts';
import { nameOf } from '../../development-wallet/development-wallet.ts';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';

interface Wanted {
  readonly account: ChosenAccount;
  readonly binding: MintBinding;
  /** The wallet that receives the tokens. */
  readonly owner: Address | null;
  /** Base units. */
  readonly amount: bigint | null;
  readonly decimals: number;
}

interface CheckedTransfer {
  readonly ok: boolean;
  readonly request: TransferRequest | null;
  readonly reasons: readonly ReasonWords[];
  /** Whether only the recipient's token account is missing. Any wallet can create it. */
  readonly lacksAccount: boolean;
  readonly refetch: () => void;
}

const POLL_MS = 5_000;

/** Checks a transfer between the usual token accounts of two wallets, and says in words why it would fail. */
export function useCheckedTransfer({ account, binding, owner, amount, decimals }: Wanted): CheckedTransfer {
  const { mint, rule } = binding;
  const { data: source } = useTokenAccountAddress(mint, account.address);
  const { data: destination } = useTokenAccountAddress(mint, owner);
  const request = source && destination && amount ? { mint, source, destination, amount } : null;
  const { data: check, refetch } = useTransferCheck(request, { refetchInterval: POLL_MS });
  // Without a token account, the check cannot know whose pass the recipient needs.
  const { data: pass } = usePass({ rule, wallet: owner });
  const nothing = { ok: false, request, reasons: [], lacksAccount: false, refetch };
  if (!check || !owner) return nothing;
  if (check.ok) return { ...nothing, ok: true };

  const recipient = nameOf(owner) ?? 'The recipient';
  const format = (units: bigint) => formatAmount(units, decimals);
  const reasons = check.reasons.map((reason) => wordsOfTransferReason(reason, { format, recipient }));
  const isMissing = check.reasons.some(
    ({ code, who }) => code === 'TOKEN_ACCOUNT_NOT_FOUND' && who === 'recipient',
  );
  const hasPass = pass ? pass.secondsLeft > 0n : false;
  if (isMissing && !hasPass) {
    reasons.push({
      who: 'The recipient',
      text: `${recipient} has no live pass of this rule set. ${recipient} must prove it first.`,
    });
  }
  return { ...nothing, reasons, lacksAccount: isMissing && hasPass };
}

import type { RuleSet } from '@service/sdk';
import { fundRuleSet } from '@service/sdk/chain';
import { serviceQueryKeys } from '@service/sdk/query';
import { useNetwork, useServiceClient } from '@service/sdk/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { WALLET_ADDITIONS } from '#demo/wallet/additions.ts';
import { parseSol } from '../chain/amounts.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { ActionButton } from '../site/action-button.tsx';
import { useConfirmed } from '../site/use-confirmed.ts';
import { count } from '../site/words.ts';
import { WriteStatus } from '../site/write-status.tsx';
import type { ChosenAccount } from '../wallet/chosen-wallet.tsx';

interface FundFormProps {
  readonly rule: RuleSet['address'];
  readonly name: string;
  readonly account: ChosenAccount;
  /** Whether this is the person's next step. @default false */
  readonly isPrimary?: boolean;
}

/** Adds to the pass funds, from which each proof takes the pass fee. Any wallet can do that. */
export function FundForm({ rule, name, account, isPrimary = false }: FundFormProps) {
  const client = useServiceClient();
  const queryClient = useQueryClient();
  const { data: network } = useNetwork();
  const [text, setText] = useState('0.01');
  const field = useId();
  const lamports = parseSol(text);
  const passFee = network?.passFee;
  const { confirmed, onConfirmed, onMutate } = useConfirmed();
  const fund = useMutation({
    onMutate,
    mutationKey: ['fundRuleSet', rule],
    mutationFn: (lamports: bigint) =>
      fundRuleSet(account.wallet, {
        deployment: client.deployment,
        ...WALLET_ADDITIONS,
        rule,
        lamports,
        onConfirmed,
      }),
    // Its passport, and its checks of this rule set. The index of the service can lag, so the pages also poll.
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: serviceQueryKeys(client).wallet(account.address) }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (lamports) fund.mutate(lamports);
  };
  return (
    <form className="stack" onSubmit={submit} aria-label={`Fund ${name}`}>
      <div className="row row-end-aligned">
        <div className="field field-short">
          <label htmlFor={field}>Add SOL</label>
          <input
            id={field}
            inputMode="decimal"
            value={text}
            onChange={(event) => setText(event.target.value)}
            aria-describedby={`${field}-hint`}
          />
        </div>
        <ActionButton
          type="submit"
          className={isPrimary ? 'button' : 'button-secondary'}
          disabled={!lamports}
          busy={fund.isPending}
          busyText="Funding…"
        >
          Fund
        </ActionButton>
        <p id={`${field}-hint`} className="hint">
          {lamports && passFee
            ? `Pays for ${count(lamports / passFee, 'more pass', 'more passes')}.`
            : 'Enter an amount such as 0.01.'}
        </p>
      </div>
      <WriteStatus isPending={fund.isPending} confirmed={confirmed}>
        {fund.isSuccess && 'Funded. The list shows it within seconds.'}
      </WriteStatus>
      {fund.error && (
        <ErrorNotice error={fund.error} account={account} onRetry={() => lamports && fund.mutate(lamports)} />
      )}
    </form>
  );
}

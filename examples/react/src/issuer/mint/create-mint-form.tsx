import { createBindableMint, type MintTemplate } from '@service/sdk/chain';
import { useServiceClient } from '@service/sdk/react';
import { generateKeyPairSigner } from '@solana/kit';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { WALLET_ADDITIONS } from '#demo/wallet/additions.ts';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { shortAddress } from '../../site/address.tsx';
import { useConfirmed } from '../../site/use-confirmed.ts';
import { WriteStatus } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import type { OwnMints } from './own-mints.ts';

interface CreateMintFormProps {
  readonly account: ChosenAccount;
  readonly own: OwnMints;
}

const MOST_DECIMALS = 9;

const TEMPLATES: readonly (readonly [MintTemplate, string])[] = [
  ['plain', 'Nothing'],
  ['security', 'Recover, redeem, freeze, pause and scale'],
  ['fund', 'The same, and approve each new token account'],
];

export function CreateMintForm({ account, own }: CreateMintFormProps) {
  const { deployment } = useServiceClient();
  const [name, setName] = useState('Example Bond 2030');
  const [symbol, setSymbol] = useState('EXB');
  const [decimals, setDecimals] = useState(2);
  const [template, setTemplate] = useState<MintTemplate>('plain');
  const field = useId();
  const { confirmed, onConfirmed, onMutate } = useConfirmed();
  const create = useMutation({
    onMutate,
    mutationKey: ['createBindableMint'],
    mutationFn: async () => {
      const mint = await generateKeyPairSigner();
      // Keep the address first: a page load during the call must not lose it.
      own.keep(mint.address);
      try {
        return await createBindableMint(account.wallet, {
          deployment,
          ...WALLET_ADDITIONS,
          name: name.trim(),
          symbol: symbol.trim(),
          decimals,
          template,
          mint,
          onConfirmed,
        });
      } catch (error) {
        own.forget(mint.address, error);
        throw error;
      }
    },
    onSuccess: () => own.refetch(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form className="stack" onSubmit={submit} aria-label="Create a token">
      <p className="hint">A token of Token-2022 that can be bound. It has no supply yet.</p>
      <div className="columns">
        <div className="field">
          <label htmlFor={`${field}-name`}>Token name</label>
          <input
            id={`${field}-name`}
            required
            maxLength={32}
            value={name}
            onChange={({ target }) => setName(target.value)}
            aria-describedby={`${field}-name-hint`}
          />
          <p id={`${field}-name-hint`} className="hint">
            Wallets show both texts. Nobody can change them later.
          </p>
        </div>
        <div className="field">
          <label htmlFor={`${field}-symbol`}>Symbol</label>
          <input
            id={`${field}-symbol`}
            required
            maxLength={10}
            value={symbol}
            onChange={({ target }) => setSymbol(target.value)}
          />
        </div>
      </div>
      <div className="field field-short">
        <label htmlFor={field}>Decimals</label>
        <input
          id={field}
          type="number"
          min={0}
          max={MOST_DECIMALS}
          value={decimals}
          onChange={({ target }) =>
            setDecimals(Math.min(Math.max(Math.trunc(target.valueAsNumber || 0), 0), MOST_DECIMALS))
          }
        />
      </div>
      <div className="field">
        <label htmlFor={`${field}-template`}>What you can do with tokens of holders</label>
        <select
          id={`${field}-template`}
          value={template}
          onChange={({ target }) => setTemplate(target.value as MintTemplate)}
          aria-describedby={`${field}-template-hint`}
        >
          {TEMPLATES.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        <p id={`${field}-template-hint`} className="hint">
          This choice never changes. Holders can see it before they accept the token.
        </p>
      </div>
      <ActionButton type="submit" className="button" busy={create.isPending} busyText="Creating…">
        Create token
      </ActionButton>
      <WriteStatus isPending={create.isPending} confirmed={confirmed}>
        {create.isIdle &&
          own.isCreating &&
          'A token is not on chain yet. If you approved it, wait some seconds.'}
        {create.isSuccess && `The token ${shortAddress(create.data.mint)} is on chain.`}
      </WriteStatus>
      {create.error && <ErrorNotice error={create.error} account={account} onRetry={() => create.mutate()} />}
    </form>
  );
}

import { useNetwork, usePassport } from '@service/sdk/react';
import { type ReactNode, useState } from 'react';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { IssueForm } from '../issue/issue-form.tsx';
import { BindMintForm } from '../mint/bind-mint-form.tsx';
import { CreateMintForm } from '../mint/create-mint-form.tsx';
import { useOwnMints } from '../mint/own-mints.ts';
import { unlisted, useOwnBindings } from '../mint/use-own-bindings.ts';
import { NewRuleSet } from '../rule-sets/new-rule-set.tsx';
import { FundRuleSets } from './fund-rule-sets.tsx';
import { Step } from './step.tsx';

/** The index of the service can lag behind a write, and the next step waits for it. */
const POLL_MS = 2_000;

interface StepOfSetUp {
  readonly id: string;
  readonly name: string;
  readonly isDone: boolean;
  readonly form: ReactNode;
}

/** The steps from nothing to issued tokens. One step is open, with one button. The person can open each step again. */
export function SetUp({ account }: { readonly account: ChosenAccount }) {
  const { data: passport, error, refetch } = usePassport({ refetchInterval: POLL_MS });
  const { data: network } = useNetwork();
  const own = useOwnMints(account.address);
  const bindings = useOwnBindings(account.address);
  const [chosen, setChosen] = useState<string | null>(null);
  if (error) return <ErrorNotice error={error} onRetry={() => refetch()} />;
  if (!passport || !bindings || !network) return <p role="status">Loading your rule sets…</p>;
  const ruleSets = passport.ruleSets.filter(({ creator }) => creator === account.address);
  const unfunded = ruleSets.filter(({ passFunds }) => passFunds < (network.passFee ?? 0n));
  const unbound = unlisted(own.mints, bindings);
  const steps: readonly StepOfSetUp[] = [
    {
      id: 'new-rule-set',
      name: 'New rule set',
      isDone: ruleSets.length > 0,
      form: <NewRuleSet account={account} />,
    },
    {
      id: 'pass-funds',
      name: 'Pass funds',
      isDone: ruleSets.length > 0 && unfunded.length === 0,
      form: <FundRuleSets account={account} ruleSets={ruleSets} unfunded={unfunded} />,
    },
    {
      id: 'mints',
      name: 'New token',
      isDone: own.mints.length > 0 || bindings.length > 0,
      form: <CreateMintForm account={account} own={own} />,
    },
    {
      id: 'bind',
      name: 'Bind the token',
      isDone: bindings.length > 0 && unbound.length === 0,
      form: <BindMintForm account={account} mints={unbound} ruleSets={ruleSets} />,
    },
    {
      id: 'issue',
      name: 'Issue tokens',
      // Issuing goes on for as long as the token lives.
      isDone: false,
      form:
        bindings.length > 0 ? (
          <IssueForm account={account} bindings={bindings} />
        ) : (
          <p className="hint">Bind a token first.</p>
        ),
    },
  ];
  const current = steps.find(({ isDone }) => !isDone)?.id;
  return (
    <ol className="plain-list stepper" aria-label="Set up a token">
      {steps.map(({ id, name, isDone, form }, index) => (
        <Step
          key={id}
          id={id}
          number={index + 1}
          name={name}
          isDone={isDone}
          isCurrent={id === current}
          isOpen={id === (chosen ?? current)}
          onToggle={() => setChosen(id === chosen || id === current ? null : id)}
          onDue={() => setChosen(null)}
        >
          {form}
        </Step>
      ))}
    </ol>
  );
}

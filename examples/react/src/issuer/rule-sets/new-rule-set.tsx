import type { CreateRuleSetRequest } from '@service/sdk';
import { useCreateRuleSet, useNetwork } from '@service/sdk/react';
import { type FormEvent, useId, useState } from 'react';
import { describeClauses } from '../../clauses/describe-clause.ts';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { useReadyAhead } from '../../site/use-ready-ahead.ts';
import { duration, walletsOfPerson } from '../../site/words.ts';
import { WriteStatus } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { ClauseList } from './clause-list.tsx';
import { FIRST_CLAUSE } from './first-clause.ts';
import { mostClausesWith, NO_LIMIT, problemOfClauses } from './limit.ts';
import { LimitFields } from './limit-fields.tsx';

/** The chain stores the name in 32 bytes of UTF-8. */
const MOST_NAME_BYTES = 32;
const DAY = 86_400n;
type Power = NonNullable<CreateRuleSetRequest['powers']>[number];
const POWERS: readonly (readonly [Power, string])[] = [
  ['suspend', 'Suspend the pass of a wallet'],
  ['grant', 'Grant passes without a proof, such as to a custodian'],
];
const AGES = [1n, 7n, 30n, 90n, 365n];

export function NewRuleSet({ account }: { readonly account: ChosenAccount }) {
  const [name, setName] = useState('EU professionals');
  const [clauses, setClauses] = useState<CreateRuleSetRequest['clauses']>([FIRST_CLAUSE]);
  const [days, setDays] = useState(30n);
  const [powers, setPowers] = useState<readonly Power[]>([]);
  const [limit, setLimit] = useState(NO_LIMIT);
  const { data: network } = useNetwork();
  const create = useCreateRuleSet(account.wallet);
  const id = useId();
  const bytes = new TextEncoder().encode(name).length;
  const isComplete = clauses.every(({ regions, statuses }) => regions.length > 0 && statuses.length > 0);
  const { verifier, walletsPerPerson } = limit;
  const request = {
    name: name.trim(),
    clauses,
    maxPassAgeSeconds: days * DAY,
    powers: [...powers],
    ...(verifier ? { verifier, walletsPerPerson } : {}),
  };
  const problem = problemOfClauses(clauses.length, limit);
  const canCreate = isComplete && problem === null && bytes <= MOST_NAME_BYTES;
  useReadyAhead(create, canCreate && request.name !== '' ? request : null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(request, { onSuccess: () => setName('') });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <div className="field">
        <label htmlFor={`${id}-name`}>Name</label>
        <input
          id={`${id}-name`}
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
          aria-describedby={`${id}-name-hint`}
          aria-invalid={bytes > MOST_NAME_BYTES}
        />
        <p id={`${id}-name-hint`} className="hint">
          Everybody can read it. {bytes} of {MOST_NAME_BYTES} bytes.
        </p>
      </div>
      <ClauseList clauses={clauses} most={mostClausesWith(limit)} onChange={setClauses} />
      <div className="field field-short">
        <label htmlFor={`${id}-days`}>Longest pass life</label>
        <select
          id={`${id}-days`}
          value={days.toString()}
          onChange={(event) => setDays(BigInt(event.target.value))}
        >
          {AGES.map((age) => (
            <option key={age.toString()} value={age.toString()}>
              {duration(age * DAY)}
            </option>
          ))}
        </select>
      </div>
      <LimitFields
        verifiers={network?.verifiers.filter(({ active }) => active) ?? []}
        limit={limit}
        onChange={setLimit}
      />
      <fieldset className="stack-small">
        <legend>What you can do with passes later</legend>
        {POWERS.map(([power, words]) => (
          <label key={power} className="check">
            <input
              type="checkbox"
              checked={powers.includes(power)}
              onChange={({ target }) =>
                setPowers(
                  POWERS.flatMap(([each]) =>
                    (each === power ? target.checked : powers.includes(each)) ? [each] : [],
                  ),
                )
              }
            />
            {words}
          </label>
        ))}
      </fieldset>
      <div className="read-back" aria-live="polite">
        <p className="eyebrow">Who can get a pass</p>
        <p>
          {describeClauses(clauses)}
          {walletsPerPerson > 0 && ` ${walletsOfPerson(walletsPerPerson)}.`}
        </p>
      </div>
      <ActionButton
        type="submit"
        className="button"
        disabled={!canCreate}
        busy={create.isPending}
        busyText="Creating…"
      >
        Create rule set
      </ActionButton>
      {problem && <p className="problem">{problem}</p>}
      {!isComplete && <p className="hint">Choose at least one region and one status in each clause.</p>}
      <WriteStatus isPending={create.isPending} readiness={create.readiness} confirmed={create.confirmed}>
        {create.isSuccess && 'The rule set is on chain.'}
      </WriteStatus>
      {create.error && <ErrorNotice error={create.error} account={account} />}
    </form>
  );
}

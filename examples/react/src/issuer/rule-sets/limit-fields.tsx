import type { Verifier } from '@service/sdk';
import { useId } from 'react';
import { type Limit, NO_LIMIT } from './limit.ts';

const MOST_WALLETS = 255;

interface LimitFieldsProps {
  readonly verifiers: readonly Verifier[];
  readonly limit: Limit;
  readonly onChange: (limit: Limit) => void;
}

/** Takes the verifier and the number of wallets. Persons are counted by one verifier, so the limit needs one. */
export function LimitFields({ verifiers, limit, onChange }: LimitFieldsProps) {
  const { verifier, walletsPerPerson } = limit;
  const id = useId();
  return (
    <div className="columns">
      <div className="field">
        <label htmlFor={`${id}-verifier`}>Verifier</label>
        <select
          id={`${id}-verifier`}
          value={verifier ?? ''}
          onChange={({ target }) => {
            const chosen = verifiers.find(({ address }) => address === target.value);
            onChange(chosen ? { ...limit, verifier: chosen.address } : NO_LIMIT);
          }}
        >
          <option value="">Any active verifier</option>
          {verifiers.map(({ address, name }) => (
            <option key={address} value={address}>
              {name}
            </option>
          ))}
        </select>
        <p className="hint">Whose credentials count. It never changes.</p>
      </div>
      <div className="field">
        <label htmlFor={`${id}-wallets`}>Wallets per person</label>
        <input
          id={`${id}-wallets`}
          type="number"
          min={1}
          max={MOST_WALLETS}
          step={1}
          disabled={verifier === null}
          placeholder="Any number"
          value={walletsPerPerson || ''}
          aria-describedby={`${id}-wallets-hint`}
          onChange={({ target }) => {
            const wanted = Math.trunc(target.valueAsNumber) || 0;
            onChange({ ...limit, walletsPerPerson: Math.min(Math.max(wanted, 0), MOST_WALLETS) });
          }}
        />
        <p id={`${id}-wallets-hint`} className="hint">
          {verifier === null
            ? 'Choose one verifier first: it decides who is one person.'
            : 'It counts persons as the verifier can tell them apart, allows at most six clauses, and never changes. A holder can replace a lost wallet.'}
        </p>
      </div>
    </div>
  );
}

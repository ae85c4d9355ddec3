import { STATUSES } from '@service/sdk';
import { useId } from 'react';
import { describeClause } from '../../clauses/describe-clause.ts';
import type { EditedClause } from './first-clause.ts';
import { RegionPicker } from './region-picker.tsx';

const HIGHEST_AGE = 120;

interface ClauseFieldsProps {
  readonly number: number;
  readonly clause: EditedClause;
  readonly onChange: (clause: EditedClause) => void;
  readonly onRemove: (() => void) | undefined;
}

export function ClauseFields({ number, clause, onChange, onRemove }: ClauseFieldsProps) {
  const isOnly = onRemove === undefined;
  const age = useId();
  const { regions, statuses, minAge } = clause;
  const toggle = (code: EditedClause['statuses'][number]) =>
    onChange({
      ...clause,
      statuses: statuses.includes(code) ? statuses.filter((other) => other !== code) : [...statuses, code],
    });
  return (
    <fieldset className="clause stack">
      <legend>{number === 1 ? 'Clause 1' : `Or clause ${number}`}</legend>
      {!isOnly && <p className="clause-words">{describeClause(clause)}</p>}
      <RegionPicker regions={regions} onChange={(changed) => onChange({ ...clause, regions: changed })} />
      <fieldset className="inline-group">
        <legend>Statuses</legend>
        {STATUSES.map(({ code, name }) => (
          <label key={code} className="check">
            <input type="checkbox" checked={statuses.includes(code)} onChange={() => toggle(code)} />
            {name}
          </label>
        ))}
      </fieldset>
      <div className="row row-end-aligned row-spread">
        <div className="field field-short">
          <label htmlFor={age}>Minimum age in years</label>
          <input
            id={age}
            type="number"
            min={0}
            max={HIGHEST_AGE}
            step={1}
            value={minAge}
            onChange={({ target }) => {
              const years = Math.trunc(target.valueAsNumber);
              onChange({ ...clause, minAge: Math.min(Math.max(years || 0, 0), HIGHEST_AGE) });
            }}
          />
        </div>
        {onRemove && (
          <button type="button" className="button-quiet" onClick={onRemove}>
            Remove clause {number}
          </button>
        )}
      </div>
    </fieldset>
  );
}

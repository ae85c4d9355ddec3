import type { RuleSet } from '@service/sdk';
import { useId } from 'react';

interface RuleSetFieldProps {
  readonly ruleSets: readonly RuleSet[];
  readonly value: RuleSet['address'];
  readonly onChange: (rule: RuleSet['address']) => void;
}

/** A choice between rule sets. It is not shown for one rule set. */
export function RuleSetField({ ruleSets, value, onChange }: RuleSetFieldProps) {
  const id = useId();
  if (ruleSets.length < 2) return null;
  return (
    <div className="field">
      <label htmlFor={id}>Rule set</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value as typeof value)}>
        {ruleSets.map(({ address, name }) => (
          <option key={address} value={address}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

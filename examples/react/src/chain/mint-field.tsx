import type { MintBinding } from '@service/sdk';
import { useId } from 'react';
import { TokenOption } from './token-name.tsx';

interface MintFieldProps {
  readonly label: string;
  readonly bindings: readonly MintBinding[];
  readonly value: MintBinding['mint'];
  readonly onChange: (mint: MintBinding['mint']) => void;
}

/** A choice between bound mints. */
export function MintField({ label, bindings, value, onChange }: MintFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value as typeof value)}>
        {bindings.map(({ mint }) => (
          <TokenOption key={mint} mint={mint} />
        ))}
      </select>
    </div>
  );
}

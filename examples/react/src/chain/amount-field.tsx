import { useId } from 'react';
import { formatTokens } from './amounts.ts';

interface AmountFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The value in base units, or null if it is not an amount. */
  readonly amount: bigint | null;
  /** Undefined while it is not known. */
  readonly mint: { readonly decimals: number; readonly symbol: string | null } | undefined;
}

/** An amount of tokens, as a person writes it. It shows the amount that the page read. */
export function AmountField({ value, onChange, amount, mint }: AmountFieldProps) {
  const id = useId();
  const isInvalid = value !== '' && mint !== undefined && amount === null;
  return (
    <div className="field field-short">
      <label htmlFor={id}>Amount</label>
      <input
        id={id}
        inputMode="decimal"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={isInvalid}
        aria-describedby={`${id}-hint`}
      />
      <p id={`${id}-hint`} className={isInvalid ? 'problem' : 'hint'}>
        {isInvalid && `Enter a number such as 1,000.5, with at most ${mint.decimals} decimals.`}
        {amount !== null && mint && formatTokens(amount, mint)}
      </p>
    </div>
  );
}

import { useId } from 'react';

interface AmountFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isInvalid: boolean;
}

/** An amount of tokens, as a person writes it. */
export function AmountField({ value, onChange, isInvalid }: AmountFieldProps) {
  const id = useId();
  return (
    <div className="field field-short">
      <label htmlFor={id}>Amount</label>
      <input
        id={id}
        inputMode="decimal"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={isInvalid}
      />
    </div>
  );
}

import { type Address, isAddress } from '@solana/kit';
import { useId } from 'react';

interface AddressFieldProps {
  readonly label: string;
  /** What the address belongs to, such as "wallet". */
  readonly of: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Addresses that are one click away. */
  readonly suggestions?: readonly { readonly address: string; readonly name: string }[];
}

/** Takes an address. */
export function AddressField({ label, of, value, onChange, suggestions = [] }: AddressFieldProps) {
  const id = useId();
  const isWrong = value !== '' && addressIn(value) === null;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="code-input"
        autoComplete="off"
        spellCheck={false}
        placeholder={`Address of a ${of}`}
        value={value}
        onChange={(event) => onChange(event.target.value.trim())}
        aria-invalid={isWrong}
        aria-describedby={`${id}-hint`}
      />
      <div className="row" id={`${id}-hint`}>
        {isWrong && <span className="problem">This is not the address of a {of}.</span>}
        {suggestions.map(({ address, name }) => (
          <button key={address} type="button" className="button-small" onClick={() => onChange(address)}>
            Use {name}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Returns the address in a text, or null. */
export function addressIn(text: string): Address | null {
  return isAddress(text) ? text : null;
}

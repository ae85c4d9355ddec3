import { type Address, isAddress } from '@solana/kit';
import { useId } from 'react';
import { shortAddress } from '../site/address.tsx';
import { useWalletChoice } from './chosen-wallet.tsx';

interface WalletFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Takes the address of a wallet. The other accounts of the connected wallet are one click away. */
export function WalletField({ label, value, onChange }: WalletFieldProps) {
  const { connected, chosen } = useWalletChoice();
  const id = useId();
  const others = connected?.accounts.filter(({ address }) => address !== chosen?.address) ?? [];
  const isWrong = value !== '' && walletOf(value) === null;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="code-input"
        autoComplete="off"
        spellCheck={false}
        placeholder="Address of a wallet"
        value={value}
        onChange={(event) => onChange(event.target.value.trim())}
        aria-invalid={isWrong}
        aria-describedby={`${id}-hint`}
      />
      <div className="row" id={`${id}-hint`}>
        {isWrong && <span className="problem">This is not the address of a wallet.</span>}
        {others.map(({ address, label: name = shortAddress(address) }) => (
          <button key={address} type="button" className="button-small" onClick={() => onChange(address)}>
            Use {name}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Returns the address in a text, or null. */
export function walletOf(text: string): Address | null {
  return isAddress(text) ? text : null;
}

import { nameOf } from '#demo/development-wallet/development-wallet.ts';
import { CopyButton } from './copy-button.tsx';

interface AddressProps {
  readonly address: string;
  /** What the address belongs to, for the name of the copy button. */
  readonly label: string;
}

/** Shows a short form of an address. Its title is the whole address, and a button copies it. */
export function Address({ address, label }: AddressProps) {
  const name = nameOf(address);
  return (
    <span className="address">
      {name && <span className="address-name">{name}</span>}
      <code title={address}>{shortAddress(address)}</code>
      <CopyButton text={address} label={`Copy the address of the ${label}`} />
    </span>
  );
}

export function shortAddress(address: string): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`;
}

/** Returns the name of an account of the development wallet, and the short form of any other address. */
export function nameOrShortAddress(address: string): string {
  return nameOf(address) ?? shortAddress(address);
}

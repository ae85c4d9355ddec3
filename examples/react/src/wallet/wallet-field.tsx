import { shortAddress } from '../site/address.tsx';
import { AddressField } from '../site/address-field.tsx';
import { useWalletChoice } from './chosen-wallet.tsx';

interface WalletFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Takes the address of a wallet. The other accounts of the connected wallet are one click away. */
export function WalletField(props: WalletFieldProps) {
  const { connected, chosen } = useWalletChoice();
  const others = (connected?.accounts ?? [])
    .filter(({ address }) => address !== chosen?.address)
    .map(({ address, label: name = shortAddress(address) }) => ({ address, name }));
  return <AddressField {...props} of="wallet" suggestions={others} />;
}

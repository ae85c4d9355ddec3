import { address } from '@solana/kit';
import type { WalletAccount } from '@wallet-standard/base';
import { FaucetButton } from '#demo/development-wallet/faucet-button.tsx';
import { formatBalance } from '../chain/amounts.ts';
import { useBalance } from '../chain/use-balance.ts';
import { shortAddress } from '../site/address.tsx';
import { CopyButton } from '../site/copy-button.tsx';
import { useWalletChoice } from './chosen-wallet.tsx';

/** The accounts of the connected wallet. The pages show the data of the chosen one. */
export function AccountList() {
  const { connected, chosen, choose } = useWalletChoice();
  if (!connected || !chosen) return null;
  return (
    <fieldset className="accounts">
      <legend>{connected.name}</legend>
      {connected.accounts.map((account) => (
        <Account
          key={account.address}
          account={account}
          isChosen={account.address === chosen.address}
          onChoose={() => choose(account)}
        />
      ))}
    </fieldset>
  );
}

interface AccountProps {
  readonly account: WalletAccount;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Account({ account, isChosen, onChoose }: AccountProps) {
  const name = account.label ?? shortAddress(account.address);
  const { data: balance } = useBalance(address(account.address));
  return (
    <div className="account">
      <label>
        <input type="radio" name="account" checked={isChosen} onChange={onChoose} />
        <span className="account-name">{name}</span>
        <code title={account.address}>{shortAddress(account.address)}</code>
      </label>
      <CopyButton text={account.address} label={`Copy the address of ${name}`} />
      <span className="account-balance">{balance === undefined ? '…' : formatBalance(balance)}</span>
      <FaucetButton account={account.address} name={name} />
    </div>
  );
}

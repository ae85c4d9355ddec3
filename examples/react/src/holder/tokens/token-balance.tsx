import { formatTokens } from '../../chain/amounts.ts';
import { useMint } from '../../chain/use-mint.ts';
import { TokenPowers } from '../../powers/token-powers.tsx';
import { Address } from '../../site/address.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { CreateTokenAccount } from './create-token-account.tsx';
import { type BoundToken, isByCreator } from './use-bound-tokens.ts';

interface TokenBalanceProps {
  readonly token: BoundToken;
  readonly account: ChosenAccount;
}

export function TokenBalance({ token, account }: TokenBalanceProps) {
  const {
    binding: { mint },
    ruleSet,
    balance,
  } = token;
  const { data: found } = useMint(mint);
  return (
    <div className="card card-flat stack-small">
      <div className="row row-spread">
        <span className="amount">{found ? formatTokens(balance ?? 0n, found) : '…'}</span>
        <span>
          {found?.name} <Address address={mint} label="mint" />
        </span>
        <span className="hint">recipients need a pass of {ruleSet.name}</span>
        {!isByCreator(token) && <span className="badge">not from the creator of {ruleSet.name}</span>}
      </div>
      <TokenPowers mint={mint} isOpen={balance === null} />
      {balance === null && (
        <CreateTokenAccount account={account} mint={mint} owner={account.address}>
          Create token account
        </CreateTokenAccount>
      )}
    </div>
  );
}

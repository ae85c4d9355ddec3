import type { MintBinding, RuleSet } from '@service/sdk';
import { formatTokens } from '../../chain/amounts.ts';
import { useMint } from '../../chain/use-mint.ts';
import { Address } from '../../site/address.tsx';

interface BoundMintsProps {
  readonly bindings: readonly MintBinding[];
  readonly ruleSets: readonly RuleSet[];
}

export function BoundMints({ bindings, ruleSets }: BoundMintsProps) {
  if (bindings.length === 0) return null;
  return (
    <ul className="plain-list stack-small">
      {bindings.map((binding) => (
        <li key={binding.mint}>
          <BoundMint
            binding={binding}
            ruleSet={ruleSets.find(({ address }) => address === binding.rule)?.name ?? 'another rule set'}
          />
        </li>
      ))}
    </ul>
  );
}

function BoundMint({ binding, ruleSet }: { readonly binding: MintBinding; readonly ruleSet: string }) {
  const { data } = useMint(binding.mint);
  return (
    <div className="card card-flat row row-spread">
      <span>
        {data?.name && <strong>{data.name}</strong>} <Address address={binding.mint} label="mint" />
      </span>
      <span>
        bound to <strong>{ruleSet}</strong>
      </span>
      <span className="row">
        <span className="badge">
          {binding.requireSource ? 'sender needs a pass too' : 'recipient needs a pass'}
        </span>
        {binding.honoursGranted && <span className="badge">granted passes count</span>}
        {binding.readsCredential && <span className="badge">a revocation stops transfers</span>}
      </span>
      <span>{data ? `${formatTokens(data.supply, data)} issued` : '…'}</span>
    </div>
  );
}

import type { Passport } from '@service/sdk';
import { useNetwork } from '@service/sdk/react';
import { formatSol } from '../../chain/amounts.ts';
import { describeClauses } from '../../clauses/describe-clause.ts';
import { Address, shortAddress } from '../../site/address.tsx';
import { count, duration } from '../../site/words.ts';

interface RuleSetCardProps {
  readonly ruleSet: Passport['ruleSets'][number];
}

export function RuleSetCard({ ruleSet }: RuleSetCardProps) {
  const { address, name, clauses, maxPassAgeSeconds, passFunds, livePasses } = ruleSet;
  const { verifier, walletsPerPerson = 0 } = ruleSet;
  const { data: network } = useNetwork();
  const passFee = network?.passFee ?? null;
  const counting = network?.verifiers.find((each) => each.address === verifier);
  return (
    <article className="card stack" aria-label={`Rule set ${name}`}>
      <header className="row row-spread">
        <h3>{name}</h3>
        <Address address={address} label={`rule set ${name}`} />
      </header>
      <p>{describeClauses(clauses)}</p>
      <dl className="facts">
        <div>
          <dt>Live passes</dt>
          <dd>{livePasses.toString()}</dd>
        </div>
        <div>
          <dt>Longest pass life</dt>
          <dd>{duration(maxPassAgeSeconds)}</dd>
        </div>
        {verifier && (
          <div>
            <dt>Verifier</dt>
            <dd>{counting?.name ?? shortAddress(verifier)}</dd>
          </div>
        )}
        {walletsPerPerson > 0 && (
          <div>
            <dt>Wallets per person</dt>
            <dd>{walletsPerPerson}</dd>
          </div>
        )}
        <div>
          <dt>Pass funds</dt>
          <dd>
            {formatSol(passFunds)}
            {passFee && passFunds >= passFee
              ? `, enough for ${count(passFunds / passFee, 'pass', 'passes')}`
              : ''}
          </dd>
        </div>
      </dl>
      {passFee !== null && passFunds < passFee && (
        <p className="notice notice-warn">
          The pass funds are too low for the next proof. Add SOL in the step “Pass funds”.
        </p>
      )}
    </article>
  );
}

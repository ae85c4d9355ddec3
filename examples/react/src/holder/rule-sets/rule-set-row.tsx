import type { RuleSet } from '@service/sdk';
import { useProofCheck } from '@service/sdk/react';
import { wordsOfProofReason } from '../../checks/proof-reasons.ts';
import { ReasonList } from '../../checks/reason-list.tsx';
import { describeClauses } from '../../clauses/describe-clause.ts';
import { FaucetButton } from '../../development-wallet/faucet-button.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { Address } from '../../site/address.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { useHeldWitness } from '../credential/witness.tsx';
import { ProofProgress } from '../proving/proof-progress.tsx';
import { useProving } from '../proving/proving.tsx';

/** Others can change what is missing: an issuer funds the rule set, a verifier issues the credential. */
const POLL_MS = 10_000;

interface RuleSetRowProps {
  readonly ruleSet: RuleSet;
  readonly account: ChosenAccount;
}

export function RuleSetRow({ ruleSet, account }: RuleSetRowProps) {
  const { address: rule, name, clauses } = ruleSet;
  const { witness } = useHeldWitness();
  const { data: check } = useProofCheck({ rule, witness }, { refetchInterval: POLL_MS });
  const proving = useProving();
  const isProving = proving.rule === rule && proving.isPending;
  const isLive = check?.pass ? check.pass.secondsLeft > 0n : false;
  // A pass that cannot be renewed yet is no problem: it is live.
  const reasons =
    check?.ok === false
      ? check.reasons.filter(({ code }) => !isLive || code !== 'PASS_RENEWAL_TOO_EARLY')
      : [];
  const isEligible = check?.ok === true && witness !== null;
  return (
    <article className="card stack" aria-label={name}>
      <header className="row row-spread">
        <h3>{name}</h3>
        {isLive && <span className="badge badge-good">you have a pass</span>}
        {!isLive && isEligible && <span className="badge badge-accent">you can prove this</span>}
      </header>
      <p>{describeClauses(clauses)}</p>
      {!isLive && <ReasonList reasons={reasons.map(wordsOfProofReason)} />}
      {check?.ok && !witness && !isLive && (
        <ReasonList
          reasons={[{ who: 'You', text: 'Your private data is not in this tab. Get verified, then prove.' }]}
        />
      )}
      {!isLive && reasons.some(({ code }) => code === 'INSUFFICIENT_FUNDS') && (
        <div>
          <FaucetButton account={account.address} name={account.name} />
        </div>
      )}
      <div className="row row-spread">
        {!isLive && (
          <ActionButton
            className="button"
            disabled={!isEligible || (proving.isPending && !isProving)}
            busy={isProving}
            busyText="Proving…"
            onClick={() => witness && proving.start({ rule, witness })}
          >
            Prove
            <span className="visually-hidden"> {name}</span>
          </ActionButton>
        )}
        <Address address={rule} label={`rule set ${name}`} />
      </div>
      {proving.rule === rule && <ProofProgress account={account} />}
    </article>
  );
}

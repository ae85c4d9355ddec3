import type { Pass, RuleSet } from '@service/sdk';
import { useCredential, useProofCheck } from '@service/sdk/react';
import { wordsOfEndedPassReason, wordsOfProofReason } from '../../checks/proof-reasons.ts';
import { ReasonList } from '../../checks/reason-list.tsx';
import { wordsOf } from '../../errors/error-words.ts';
import { Address } from '../../site/address.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { useHeldWitness } from '../credential/witness.tsx';
import { ProofProgress } from '../proving/proof-progress.tsx';
import { useProving } from '../proving/proving.tsx';
import { timeLeft } from './time-left.ts';

interface PassCardProps {
  readonly pass: Pass;
  /** Undefined until the service lists it. */
  readonly ruleSet: RuleSet | undefined;
  /** Chain time in Unix seconds. */
  readonly now: bigint | null;
  readonly account: ChosenAccount;
}

export function PassCard({ pass, ruleSet, now, account }: PassCardProps) {
  const { address, rule, expiresAt, ended, suspendedUntil = 0n } = pass;
  const name = ruleSet?.name ?? 'Rule set';
  const { witness } = useHeldWitness();
  // Before its credential is on chain, a check would say that the witness does not fit.
  const { isFetched } = useCredential(witness);
  const { data: check, error } = useProofCheck({ rule, witness }, { enabled: isFetched });
  const proving = useProving();
  const isSuspended = now !== null && suspendedUntil > now;
  const isLive = now !== null && !ended && !isSuspended && expiresAt > now;
  const reasons = check?.ok === false ? check.reasons : [];
  const early = reasons.find(({ code }) => code === 'PASS_RENEWAL_TOO_EARLY');
  // Until a renewal is possible, only a taken place is worth knowing.
  const shown = early ? reasons.filter(({ code }) => code === 'NO_PLACE_FREE') : reasons;
  return (
    <article className="stack-small" aria-label={`Pass of ${name}`}>
      <div className={isLive ? 'pass' : 'pass pass-expired'}>
        <div className="pass-main stack-small">
          <p className="eyebrow">Pass</p>
          <h3>{name}</h3>
          <Address address={address} label={`pass of ${name}`} />
        </div>
        <div className="pass-stub stack-small">
          <p className="eyebrow">
            {isLive ? 'Valid for' : isSuspended ? 'Suspended' : ended ? 'Ended' : 'Expired'}
          </p>
          <p className="countdown">
            {now === null
              ? '…'
              : isLive
                ? timeLeft(expiresAt - now)
                : isSuspended
                  ? 'Ask the creator of the rule set'
                  : 'Renew it'}
          </p>
          <button
            type="button"
            className="button-small"
            disabled={!check?.ok || !witness || proving.isPending}
            onClick={() => witness && proving.start({ rule, witness }, 'pass')}
          >
            Renew<span className="visually-hidden"> {name}</span>
          </button>
        </div>
      </div>
      {early && <p className="hint">{wordsOfProofReason(early).text}</p>}
      <ReasonList reasons={shown.map(ended ? wordsOfEndedPassReason : wordsOfProofReason)} />
      {check?.ok && !witness && <p className="hint">To renew it, get verified again.</p>}
      {error && <p className="problem">The page cannot check the renewal now. {wordsOf(error)}</p>}
      {proving.isOf(rule, 'pass') && <ProofProgress account={account} />}
    </article>
  );
}

import type { RuleSet } from '@service/sdk';
import { useCredential, useProofCheck } from '@service/sdk/react';
import type { Address as WalletAddress } from '@solana/kit';
import { useState } from 'react';
import { FaucetButton } from '#demo/development-wallet/faucet-button.tsx';
import { wordsOfProofReason } from '../../checks/proof-reasons.ts';
import { ReasonList } from '../../checks/reason-list.tsx';
import { describeClauses } from '../../clauses/describe-clause.ts';
import { wordsOf } from '../../errors/error-words.ts';
import { FundForm } from '../../funds/fund-form.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { Address } from '../../site/address.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { useHeldWitness } from '../credential/witness.tsx';
import { LimitNote } from '../places/limit-note.tsx';
import { ownPlaces } from '../places/own-places.ts';
import { PlaceChoice } from '../places/place-choice.tsx';
import { usePlaces } from '../places/use-places.ts';
import { ProofProgress } from '../proving/proof-progress.tsx';
import { useProving } from '../proving/proving.tsx';

/** Others can change what is missing: an issuer funds the rule set, a verifier issues the credential. */
const POLL_MS = 10_000;

const NO_WITNESS = { who: 'You', text: 'Your witness is not in this tab. Get verified, then prove.' };

interface RuleSetRowProps {
  readonly ruleSet: RuleSet;
  readonly account: ChosenAccount;
}

export function RuleSetRow({ ruleSet, account }: RuleSetRowProps) {
  const { address: rule, name, creator, clauses, walletsPerPerson = 0 } = ruleSet;
  const { witness } = useHeldWitness();
  // Before its credential is on chain, a check would say that the witness does not fit.
  const { isFetched } = useCredential(witness);
  const { data: found, error: placesError } = usePlaces(ruleSet, isFetched ? witness : null);
  const [chosen, setChosen] = useState<WalletAddress | null>(null);
  const places = found && found.length > 0 ? ownPlaces(found, account.address) : null;
  const replaced = places?.others.find(({ wallet }) => !places.isHeld && wallet === chosen);
  const { data: check, error } = useProofCheck(
    { rule, witness, replaces: replaced?.wallet },
    { refetchInterval: POLL_MS, enabled: isFetched },
  );
  const proving = useProving();
  const isProvingHere = proving.isOf(rule, 'rule set');
  const isBusy = isProvingHere && proving.isPending;
  const isLive = check?.pass ? check.pass.secondsLeft > 0n : false;
  // A live pass needs nothing.
  const missing = check?.ok === false && !isLive ? check.reasons : [];
  // The choice of a place says these, and offers the wallets to replace.
  const reasons = missing.filter(({ code }) => code !== 'NO_PLACE_FREE' && code !== 'PLACE_TAKEN_TOO_SOON');
  const lacks = (code: (typeof reasons)[number]['code']) => reasons.some((reason) => reason.code === code);
  const isEligible =
    check !== undefined && (check.ok || missing.length > 0) && reasons.length === 0 && witness !== null;
  const hasPlace = replaced
    ? check !== undefined && check.chainTime >= replaced.replaceableAt
    : walletsPerPerson === 0 || (places !== null && places.number !== null);
  const canProve = isEligible && hasPlace;
  return (
    <article className="card stack" aria-label={name}>
      <header className="row row-spread">
        <h3>{name}</h3>
        {isLive && <span className="badge badge-good">you have a pass</span>}
        {!isLive && canProve && <span className="badge badge-accent">you can prove this</span>}
      </header>
      <p className="hint">
        Created by <Address address={creator} label={`creator of ${name}`} />
      </p>
      <p>{describeClauses(clauses)}</p>
      {walletsPerPerson > 0 && <LimitNote limit={walletsPerPerson} />}
      {check && places && !lacks('WITNESS_INVALID') && (places.isHeld || !isLive) && (
        <PlaceChoice
          places={places}
          name={account.name}
          now={check.chainTime}
          replaced={replaced}
          onChange={setChosen}
        />
      )}
      {placesError && (
        <p className="problem">The page cannot count your wallets now. {wordsOf(placesError)}</p>
      )}
      <ReasonList reasons={reasons.map(wordsOfProofReason)} />
      {check?.ok && !witness && !isLive && <ReasonList reasons={[NO_WITNESS]} />}
      {error && <p className="problem">The page cannot check this now and tries again. {wordsOf(error)}</p>}
      {lacks('INSUFFICIENT_FUNDS') && (
        <div>
          <FaucetButton account={account.address} name={account.name} />
        </div>
      )}
      {lacks('PASS_FEE_UNFUNDED') && <FundForm rule={rule} name={name} account={account} />}
      <div className="row row-spread">
        {!isLive && (
          <ActionButton
            className="button"
            disabled={!canProve || (proving.isPending && !isBusy)}
            busy={isBusy}
            busyText="Proving…"
            onClick={() =>
              witness && proving.start({ rule, witness, replaces: replaced?.wallet }, 'rule set')
            }
          >
            Prove
            <span className="visually-hidden"> {name}</span>
          </ActionButton>
        )}
        <Address address={rule} label={`rule set ${name}`} />
      </div>
      {isProvingHere && <ProofProgress account={account} />}
    </article>
  );
}

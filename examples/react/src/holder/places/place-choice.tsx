import type { Address } from '@solana/kit';
import { useId } from 'react';
import { ReasonList } from '../../checks/reason-list.tsx';
import { dateOf } from '../../checks/reason-words.ts';
import { nameOrShortAddress } from '../../site/address.tsx';
import type { OtherWallet, OwnPlaces } from './own-places.ts';

interface PlaceChoiceProps {
  readonly places: OwnPlaces;
  /** The name of the wallet that proves. */
  readonly name: string;
  /** Chain time in Unix seconds. */
  readonly now: bigint;
  /** The wallet to replace; undefined for a free place. */
  readonly replaced: OtherWallet | undefined;
  readonly onChange: (replaces: Address | null) => void;
}

/** Says which wallet of the person this is. Before a proof, the person chooses a free place or a lost wallet to replace. */
export function PlaceChoice({ places, name, now, replaced, onChange }: PlaceChoiceProps) {
  const { limit, number, isHeld, others } = places;
  const id = useId();
  const [oldest] = others;
  const of = `wallet ${number} of ${limit}`;
  if (isHeld) {
    return (
      <p>
        <span className="badge badge-good">{of}</span> This wallet counts as one of yours.
      </p>
    );
  }
  if (!oldest)
    return (
      <p>
        If you prove this, {name} is {of}.
      </p>
    );
  return (
    <fieldset className="stack-small">
      <legend>Your wallets here</legend>
      <label className="check">
        <input
          type="radio"
          name={id}
          disabled={number === null}
          checked={!replaced && number !== null}
          onChange={() => onChange(null)}
        />
        {number === null ? noPlace(limit) : `${name} is another wallet of yours: ${of}`}
      </label>
      <label className="check">
        <input
          type="radio"
          name={id}
          checked={replaced !== undefined}
          onChange={() => onChange(oldest.wallet)}
        />
        This replaces a lost wallet
      </label>
      {replaced && (
        <>
          <div className="field field-short">
            <label htmlFor={`${id}-lost`}>The wallet that you lost</label>
            <select
              id={`${id}-lost`}
              value={replaced.wallet}
              onChange={({ target }) => onChange(target.value as Address)}
            >
              {others.map(({ wallet }) => (
                <option key={wallet} value={wallet}>
                  {nameOrShortAddress(wallet)}
                </option>
              ))}
            </select>
          </div>
          <p className="notice notice-warn">
            The pass of {nameOrShortAddress(replaced.wallet)} ends at once. Everybody can then see, forever,
            that {nameOrShortAddress(replaced.wallet)} and {name} are wallets of one person. Tokens stay in
            the lost wallet: ask the issuer to recover them.
          </p>
          {now < replaced.replaceableAt && <ReasonList reasons={[tooSoon(replaced.replaceableAt)]} />}
        </>
      )}
    </fieldset>
  );
}

const noPlace = (limit: number) =>
  limit === 1
    ? 'No place is free: another wallet of yours counts here already.'
    : `No place is free: ${limit} other wallets of yours count here already.`;

const tooSoon = (from: bigint) => ({
  who: 'You',
  text: `It proved this less than an hour ago. You can replace it from ${dateOf(from)}.`,
});

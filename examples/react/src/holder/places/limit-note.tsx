import { walletsOfPerson } from '../../site/words.ts';

/** Says what a limit of wallets means for a person, and what it shows to others. */
export function LimitNote({ limit }: { readonly limit: number }) {
  return (
    <details className="fold">
      <summary>{walletsOfPerson(limit)}</summary>
      <ul>
        <li>
          The verifier decides who is one person. It counts what it can tell apart: someone with two documents
          may count as two people.
        </li>
        <li>
          Everybody can see that your wallet is counted here. Nobody can see whose it is, or which other
          wallets you have, unless one of them replaces another.
        </li>
        <li>
          Whoever gets your witness can find all your wallets in rule sets with a limit. Nobody else can use
          your wallets with it.
        </li>
        <li>The first proof in a free place costs about 0.002 SOL, which nobody gets back.</li>
      </ul>
    </details>
  );
}

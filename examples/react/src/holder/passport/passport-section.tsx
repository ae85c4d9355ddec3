import { usePassport } from '@service/sdk/react';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { PassportState } from '../../wallet/passport-state.tsx';
import { PassCard } from './pass-card.tsx';
import { useChainNow } from './use-chain-now.ts';

/** The creator of a rule set can suspend a pass, and anybody can close one that has ended. */
const POLL_MS = 10_000;

export function PassportSection({ account }: { readonly account: ChosenAccount }) {
  const { data: passport } = usePassport({ refetchInterval: POLL_MS });
  const now = useChainNow();
  return (
    <section aria-labelledby="passport" className="stack">
      <h2 id="passport">Your passport</h2>
      <PassportState />
      {passport?.passes.length === 0 && (
        <p className="empty">You have no pass yet. Prove a rule set above.</p>
      )}
      <ul className="plain-list passes">
        {passport?.passes.map((pass) => (
          <li key={pass.address}>
            <PassCard
              pass={pass}
              now={now}
              ruleSet={passport.ruleSets.find(({ address }) => address === pass.rule)}
              account={account}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

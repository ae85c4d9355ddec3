import { PassGate } from '@service/sdk/react';
import type { Token } from './token.ts';
import { Transfer } from './transfer.tsx';

/** The page. Without a token, it says how to create one. */
export function Page({ token }: { readonly token: Token | null }) {
  return (
    <>
      <h1>My token</h1>
      {token ? (
        <PassGate rule={token.rule}>
          {({ wallet }) => <Transfer wallet={wallet} mint={token.mint} />}
        </PassGate>
      ) : (
        <p role="status">
          This page has no token yet. Run the issuer, as the README says. Write the lines VITE_RULE=… and
          VITE_MINT=… that it prints into .env.local, next to deployment.json. Then reload this page.
        </p>
      )}
    </>
  );
}

import type { Wallet } from '@service/sdk';
import { ServiceProvider, useSession, useWitness } from '@service/sdk/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorText } from './error-text.tsx';
import { Pass } from './pass.tsx';
import { client } from './service.ts';
import { Transfer } from './transfer.tsx';
import { useWallet } from './use-wallet.ts';
import './style.css';

if (import.meta.env.DEV) void import('./development-wallet.ts');

const queryClient = new QueryClient();

function Page() {
  const { wallets, wallet, connect } = useWallet();
  useWitness(wallet, { storage: () => sessionStorage }); // takes the witness before anything else reads the address
  if (wallet) return <SignedIn key={wallet.address} wallet={wallet} />;
  return wallets.map((each) => (
    <button type="button" key={each.name} onClick={() => connect(each)}>
      Connect {each.name}
    </button>
  ));
}

function SignedIn({ wallet }: { readonly wallet: Wallet }) {
  const { status, authenticate, logout, error } = useSession(wallet);
  if (status === 'loading') return <p>One moment…</p>;
  if (status !== 'signedIn') {
    return (
      <>
        <button type="button" disabled={authenticate.isPending} onClick={() => authenticate.mutate()}>
          Sign in
        </button>
        <ErrorText error={authenticate.error ?? error} />
      </>
    );
  }
  return (
    <>
      <p>
        Signed in as {wallet.address}{' '}
        <button type="button" onClick={() => logout.mutate()}>
          Sign out
        </button>
      </p>
      <Pass wallet={wallet} />
      <Transfer wallet={wallet} />
    </>
  );
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ServiceProvider client={client}>
        <main>
          <h1>My token</h1>
          <Page />
        </main>
      </ServiceProvider>
    </QueryClientProvider>
  </StrictMode>,
);

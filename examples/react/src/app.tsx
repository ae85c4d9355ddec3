import { type Deployment, ServiceClient } from '@service/sdk';
import { ServiceProvider } from '@service/sdk/react';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { ApprovalDialog } from '#demo/development-wallet/approval-dialog.tsx';
import { startDevelopmentWallet } from '#demo/development-wallet/development-wallet.ts';
import { LieBanner } from '#demo/lies/lie-banner.tsx';
import { fetchFromService } from '#demo/lies/lying-service.ts';
import { PAGES } from '#demo/site/pages.ts';
import { StartPage } from '#demo/start/start-page.tsx';
import { WALLET_ADDITIONS } from '#demo/wallet/additions.ts';
import { loadDeployment } from './deployment.ts';
import { ErrorNotice } from './errors/error-notice.tsx';
import { WitnessProvider } from './holder/credential/witness.tsx';
import { ProvingProvider } from './holder/proving/proving.tsx';
import { keepOperationsOf } from './operations/kept-operations.ts';
import { createQueryClient } from './query-client.ts';
import { ErrorBoundary } from './site/error-boundary.tsx';
import { Footer } from './site/footer.tsx';
import { Header } from './site/header.tsx';
import { NotFoundPage } from './site/not-found-page.tsx';
import { SkipLink } from './site/skip-link.tsx';
import { WalletProvider } from './wallet/chosen-wallet.tsx';

export function App() {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <DeploymentLoader />
    </QueryClientProvider>
  );
}

function DeploymentLoader() {
  const { data, error, refetch } = useQuery({
    queryKey: ['deployment'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const deployment = await loadDeployment();
      await startDevelopmentWallet(deployment);
      return deployment;
    },
  });
  if (data) return <Site deployment={data} />;
  return (
    <main className="page">
      <h1>Rule-Set and Pass Service</h1>
      {error ? <ErrorNotice error={error} onRetry={() => refetch()} /> : <p role="status">Loading…</p>}
    </main>
  );
}

function Site({ deployment }: { readonly deployment: Deployment }) {
  // One client for the whole page: it holds the session and the operations under way.
  const [client] = useState(
    () => new ServiceClient({ deployment, ...WALLET_ADDITIONS, fetch: fetchFromService }),
  );
  useEffect(() => keepOperationsOf(client), [client]);
  const [path] = useLocation();
  return (
    <ServiceProvider client={client}>
      <WalletProvider>
        <WitnessProvider>
          <ProvingProvider>
            <SkipLink />
            <div className="site-top">
              <LieBanner />
              <Header />
            </div>
            <main id="content" tabIndex={-1} className="page">
              <ErrorBoundary key={path}>
                <Switch>
                  <Route path="/" component={StartPage} />
                  {PAGES.map(({ path, component }) => (
                    <Route key={path} path={path} component={component} />
                  ))}
                  <Route component={NotFoundPage} />
                </Switch>
              </ErrorBoundary>
            </main>
            <Footer />
            <ApprovalDialog />
          </ProvingProvider>
        </WitnessProvider>
      </WalletProvider>
    </ServiceProvider>
  );
}

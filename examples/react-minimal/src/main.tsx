import { ServiceProvider } from '@service/sdk/react';
import { createRoot } from 'react-dom/client';
import { Page } from './page.tsx';
import { client } from './service.ts';
import { readToken } from './token.ts';
import './style.css';

// The gate would say that there is no wallet until this one is registered. The page works without it, too.
if (import.meta.env.DEV) await import('./development-wallet.ts').catch(console.error);

createRoot(document.getElementById('root')!).render(
  <ServiceProvider client={client}>
    <Page token={readToken(import.meta.env)} />
  </ServiceProvider>,
);

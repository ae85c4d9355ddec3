import { PassGate, ServiceProvider } from '@service/sdk/react';
import { createRoot } from 'react-dom/client';
import { client, rule } from './service.ts';
import { Transfer } from './transfer.tsx';
import './style.css';

if (import.meta.env.DEV) void import('./development-wallet.ts');

createRoot(document.getElementById('root')!).render(
  <ServiceProvider client={client}>
    <h1>My token</h1>
    <PassGate rule={rule}>{({ wallet }) => <Transfer wallet={wallet} />}</PassGate>
  </ServiceProvider>,
);

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { takeWitness } from './holder/credential/witness.ts';
import { applyTheme } from './site/theme.ts';
import './styles/index.css';

// Before the router: no other code may see an address that contains a witness.
takeWitness();
applyTheme();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

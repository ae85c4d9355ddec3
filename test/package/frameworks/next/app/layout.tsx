import { parseDeployment } from '@service/sdk';
import type { ReactNode } from 'react';
import { Providers } from './providers.tsx';

// The deployment is known when the server runs, not when it is built.
export const dynamic = 'force-dynamic';

export default function Layout({ children }: { children: ReactNode }) {
  const deployment = parseDeployment(JSON.parse(process.env.DEPLOYMENT ?? '{}'));
  return (
    <html lang="en">
      <body>
        <Providers deployment={deployment}>{children}</Providers>
      </body>
    </html>
  );
}

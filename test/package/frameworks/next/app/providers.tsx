'use client';
import { type Deployment, ServiceClient } from '@service/sdk';
import { ServiceProvider } from '@service/sdk/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

export function Providers({ deployment, children }: { deployment: Deployment; children: ReactNode }) {
  const [queryClient] = useState(() => new QueryClient());
  const [client] = useState(() => new ServiceClient({ deployment }));
  return (
    <QueryClientProvider client={queryClient}>
      <ServiceProvider client={client}>{children}</ServiceProvider>
    </QueryClientProvider>
  );
}

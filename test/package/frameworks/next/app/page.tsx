import { parseDeployment, ServiceClient } from '@service/sdk';
import { networkQueryOptions } from '@service/sdk/query';
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { Holder } from './holder.tsx';

export default async function Page() {
  const deployment = parseDeployment(JSON.parse(process.env.DEPLOYMENT ?? '{}'));
  const queryClient = new QueryClient();
  // prefetchQuery would hide why it failed.
  await queryClient.fetchQuery(networkQueryOptions(new ServiceClient({ deployment })));
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <Holder />
    </HydrationBoundary>
  );
}

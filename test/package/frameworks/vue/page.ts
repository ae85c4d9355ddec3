/** A page in Vue, rendered on a server: the options of `@service/sdk/query` in Vue's hooks of TanStack Query. */
import { parseDeployment, ServiceClient } from '@service/sdk';
import {
  invalidateAfter,
  networkQueryOptions,
  passportQueryOptions,
  transferMutationOptions,
  watchSession,
} from '@service/sdk/query';
import type { Address } from '@solana/kit';
import { QueryClient, useMutation, useQuery, VueQueryPlugin } from '@tanstack/vue-query';
import { createSSRApp, defineComponent, h, onServerPrefetch, ref } from 'vue';
import { renderToString } from 'vue/server-renderer';

const client = new ServiceClient({ deployment: parseDeployment(JSON.parse(process.env.DEPLOYMENT ?? '{}')) });
const queryClient = new QueryClient();

const Holder = defineComponent(() => {
  const wallet = ref<Address | null>(null);
  const network = useQuery(networkQueryOptions(client));
  const passport = useQuery(() => passportQueryOptions(client, { wallet: wallet.value }));
  const transfer = useMutation({
    ...transferMutationOptions(client, null),
    onSettled: () => invalidateAfter(queryClient, client, 'TRANSFER', wallet.value),
  });
  onServerPrefetch(network.suspense);
  return () => [
    h('p', `verifiers ${network.data.value?.verifiers.length}, pass fee ${network.data.value?.passFee}`),
    h('p', `passport ${passport.fetchStatus.value} ${passport.data.value?.passes.length ?? 0}`),
    h('p', `transfer ${transfer.status.value} ${transfer.error.value?.code ?? ''}`),
  ];
});

const stop = watchSession(client, queryClient);
const app = createSSRApp(Holder).use(VueQueryPlugin, { queryClient });
process.stdout.write(await renderToString(app));
stop();

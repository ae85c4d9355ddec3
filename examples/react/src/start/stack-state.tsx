import { useNetwork, useServiceClient } from '@service/sdk/react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { formatSol } from '../chain/amounts.ts';
import { useRpc } from '../chain/rpc.ts';

const POLL_MS = 5_000;

/** Shows whether the service and the chain work. */
export function StackState() {
  const { deployment } = useServiceClient();
  const rpc = useRpc();
  const ready = useQuery({
    queryKey: ['ready'],
    queryFn: async ({ signal }) => (await fetch('/api/health/ready', { signal })).ok,
    refetchInterval: POLL_MS,
    retry: false,
  });
  const slot = useQuery({
    queryKey: ['slot'],
    queryFn: ({ signal }) => rpc.getSlot({ commitment: 'finalized' }).send({ abortSignal: signal }),
    refetchInterval: POLL_MS,
    retry: false,
  });
  const { data: network } = useNetwork();
  return (
    <section aria-labelledby="state" className="stack">
      <h2 id="state">The stack</h2>
      <dl className="facts">
        <div>
          <dt>Service</dt>
          <dd>
            <State query={ready} describe={(isReady) => [isReady, isReady ? 'ready' : 'not ready']} />
          </dd>
        </div>
        <div>
          <dt>Chain</dt>
          <dd>
            <State query={slot} describe={(slot) => [true, `slot ${slot.toLocaleString('en')} is final`]} />
          </dd>
        </div>
        <div>
          <dt>Pass fee</dt>
          <dd>{network ? (network.passFee === null ? 'not set' : formatSol(network.passFee)) : '…'}</dd>
        </div>
        <div>
          <dt>RPC</dt>
          <dd>
            <code>{deployment.rpcUrl}</code>
          </dd>
        </div>
      </dl>
    </section>
  );
}

interface StateProps<T> {
  readonly query: UseQueryResult<T>;
  /** Returns whether the data is good, and what it says. */
  readonly describe: (data: T) => readonly [isGood: boolean, text: string];
}

function State<T>({ query: { data, isError }, describe }: StateProps<T>) {
  if (data === undefined && !isError) return <>checking…</>;
  // The data is that of the last answer.
  const [isGood, text] = isError ? [false, 'does not respond'] : describe(data as T);
  return (
    <>
      <span className={`light ${isGood ? 'light-good' : 'light-bad'}`} aria-hidden="true" />
      {text}
    </>
  );
}

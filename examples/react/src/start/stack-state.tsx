import { useNetwork, useServiceClient } from '@service/sdk/react';
import { useQuery } from '@tanstack/react-query';
import { formatSol } from '../chain/amounts.ts';
import { useRpc } from '../chain/rpc.ts';

const POLL_MS = 5_000;

/** Shows whether the service and the chain work. */
export function StackState() {
  const { deployment } = useServiceClient();
  const rpc = useRpc();
  const { data: isReady } = useQuery({
    queryKey: ['ready'],
    queryFn: async ({ signal }) => (await fetch('/api/health/ready', { signal })).ok,
    refetchInterval: POLL_MS,
  });
  const { data: slot } = useQuery({
    queryKey: ['slot'],
    queryFn: ({ signal }) => rpc.getSlot({ commitment: 'finalized' }).send({ abortSignal: signal }),
    refetchInterval: POLL_MS,
  });
  const { data: network } = useNetwork();
  return (
    <section aria-labelledby="state" className="stack">
      <h2 id="state">The stack</h2>
      <dl className="facts">
        <div>
          <dt>Service</dt>
          <dd>
            <Light isOn={isReady} />
            {isReady === undefined ? 'asking…' : isReady ? 'ready' : 'not ready'}
          </dd>
        </div>
        <div>
          <dt>Chain</dt>
          <dd>
            <Light isOn={slot === undefined ? undefined : true} />
            {slot === undefined ? 'asking…' : `slot ${slot.toLocaleString('en')} is final`}
          </dd>
        </div>
        <div>
          <dt>Pass fee</dt>
          <dd>{network?.passFee == null ? 'not set' : formatSol(network.passFee)}</dd>
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

function Light({ isOn }: { readonly isOn: boolean | undefined }) {
  const state = isOn === undefined ? '' : isOn ? ' light-good' : ' light-bad';
  return <span className={`light${state}`} aria-hidden="true" />;
}

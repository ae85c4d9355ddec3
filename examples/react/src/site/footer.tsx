import { useServiceClient } from '@service/sdk/react';
import { ValueNote } from '#demo/site/value-note.tsx';
import { Address } from './address.tsx';
import { useIsSandbox } from './use-is-sandbox.ts';

/** Who else could open passes, by the origin of the keys. */
const FORGERS = {
  development: 'Anyone can forge proofs under the development keys.',
  operator: 'The operator made the keys alone, and could forge proofs.',
};

export function Footer() {
  const { deployment } = useServiceClient();
  const isSandbox = useIsSandbox();
  const { acceptedSetups = [] } = deployment;
  return (
    <footer className="site-footer">
      <p>
        <ValueNote isSandbox={isSandbox === true} />
        {acceptedSetups.map((kind) => kind !== 'ceremony' && FORGERS[kind])}
      </p>
      <p>
        Program <Address address={deployment.program} label="program" />
      </p>
    </footer>
  );
}

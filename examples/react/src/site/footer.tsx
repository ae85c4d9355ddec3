import { useServiceClient } from '@service/sdk/react';
import { Address } from './address.tsx';

export function Footer() {
  const { deployment } = useServiceClient();
  return (
    <footer className="site-footer">
      <p>
        This demo runs on a development cluster. Its tokens and its SOL have no value, and the sandbox
        verifier checks nobody.
      </p>
      <p>
        Program <Address address={deployment.program} label="program" />
      </p>
    </footer>
  );
}

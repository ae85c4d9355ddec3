import { useServiceClient } from '@service/sdk/react';
import { Address } from './address.tsx';
import { useIsSandbox } from './use-is-sandbox.ts';

export function Footer() {
  const { deployment } = useServiceClient();
  const isSandbox = useIsSandbox();
  return (
    <footer className="site-footer">
      <p>
        This demo runs on a development cluster. Its tokens and its SOL have no value
        {isSandbox && ', and the sandbox verifier checks nobody'}.
      </p>
      <p>
        Program <Address address={deployment.program} label="program" />
      </p>
    </footer>
  );
}

import { useNetwork } from '@service/sdk/react';

/** What `npm start` calls its own verifier, which checks nobody. */
const SANDBOX = 'Sandbox verifier';

/** Returns whether the verifier of the demo is the sandbox; undefined until the network is known. */
export function useIsSandbox(): boolean | undefined {
  const { data: network } = useNetwork();
  return network?.verifiers.some(({ active, name }) => active && name === SANDBOX);
}

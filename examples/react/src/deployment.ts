import { type Deployment, parseDeployment } from '@service/sdk';

/**
 * Loads the deployment that the client pins.
 *
 * It takes it from where the page comes from: the development stack, which has a new cluster after each start, or the server that
 * serves the built page. A dApp of your own must not do that: a hostile service could then choose what the client trusts. Import
 * the operator's deployment.json at build time instead:
 *
 *     import json from './deployment.json' with { type: 'json' };
 *     const deployment = parseDeployment(json);
 */
export async function loadDeployment(): Promise<Deployment> {
  const response = await fetch('/deployment.json');
  if (!response.ok)
    throw new Error(
      'The page found no deployment.json. Start the stack with npm start, or put the file of your deployment next to the page.',
    );
  return parseDeployment(await response.json());
}

/** Identifies a deployment in what the page stores: the wallet keeps its accounts when the stack starts again. */
export function idOf({ genesisHash, program }: Deployment): string {
  return `${genesisHash}/${program}`;
}

/** The schema of deployment.json. The deploy command writes the file, clients pin it, and a server starts with it. */
import * as z from 'zod/mini';
import { addressField, hexField, setupKindField } from './fields.ts';
import { parseUrl } from './url.ts';

/** Genesis hash of Solana's mainnet. There the SDK accepts only keys of a ceremony. */
export const MAINNET_GENESIS_HASH = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** Base58 of a cluster's genesis hash. */
export const genesisHashField = z
  .string()
  .check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'must be the base58 of 32 bytes'));

/** An http or https origin without a path, such as `https://verifier.example`. */
export const originField = z
  .string()
  .check(z.refine(isOrigin, 'must be an origin such as https://verifier.example, without a path'));

/** URL of a Solana RPC. */
export const rpcUrlField = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/**
 * The values that identify a deployment. `baseUrl` is the origin of the site that serves the API. `acceptedSetups` names the
 * kinds of setups whose keys clients use; without it, only those of a ceremony.
 */
export const deploymentRecord = z.object({
  program: addressField,
  genesisHash: genesisHashField,
  artifactsDigest: hexField,
  acceptedSetups: z.optional(z.array(setupKindField)),
  rpcUrl: rpcUrlField,
  verifierOrigins: z.array(originField),
  baseUrl: z.optional(originField),
});

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && parseUrl(text)?.origin === text;
}

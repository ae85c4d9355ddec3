/** What `npx @service/verifier` needs of the stack's chain and service, when the stack has no verifier of its own. */
import { ROUTES } from '@service/contract';
import type { KeyPairSigner } from '@solana/kit';
import type { Cluster } from './cluster/cluster.ts';
import { personKeyOf } from './person-key.ts';

/** Environment variables of a verifier, by name. */
export type VerifierVariables = Readonly<Record<string, string>>;

/** Returns the variables for the verifier at a port. They contain its keys. */
export async function verifierVariables(
  { keys, genesisHash }: Pick<Cluster, 'keys' | 'genesisHash'>,
  { port, baseUrl, webhookSecret }: { port: number; baseUrl: string; webhookSecret: string },
): Promise<VerifierVariables> {
  const site = {
    origins: [baseUrl],
    webhookUrl: `${baseUrl}${ROUTES.webhook.path}`,
    webhookSecrets: [webhookSecret],
  };
  return {
    PROGRAM: keys.program.address,
    GENESIS_HASH: genesisHash,
    ORIGIN: verifierOrigin(port),
    PORT: String(port),
    SITES: JSON.stringify([site]),
    ATTESTATION_KEY: JSON.stringify(await keypairOf(keys.verifier)),
    PERSON_KEY: Buffer.from(await personKeyOf(keys.verifier)).toString('base64'),
  };
}

/** Returns the origin of a verifier at a port of this machine. */
export function verifierOrigin(port: number): string {
  return `http://localhost:${port}`;
}

/** Returns a file that a shell can read with `.`: one variable a line, in single quotes. */
export function shellFile(variables: VerifierVariables): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return Object.entries(variables)
    .map(([name, text]) => `${name}=${quoted(text)}\n`)
    .join('');
}

/** Returns the key pair as solana-keygen writes it: the private key and the public key, 64 bytes. */
async function keypairOf({ keyPair }: KeyPairSigner): Promise<number[]> {
  const { d, x } = await crypto.subtle.exportKey('jwk', keyPair.privateKey);
  return [d!, x!].flatMap((half) => [...Buffer.from(half, 'base64url')]);
}

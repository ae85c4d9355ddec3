/** What may be deployed, and where. */
import { MAINNET_GENESIS_HASH } from '@service/contract/deployment';
import { type ArtifactManifest, setupFault } from '@service/protocol/eligibility';

const BEGIN = '=======BEGIN SECURITY.TXT V1=======\0';
const END = '=======END SECURITY.TXT V1=======\0';

/**
 * Throws Error if the verifying key is not what the manifest says of its setup, or if the cluster is mainnet and the keys do not
 * come from a ceremony.
 */
export async function assertSetup(
  { manifest, key }: { manifest: Pick<ArtifactManifest, 'setup'>; key: Uint8Array },
  genesisHash: string,
): Promise<void> {
  const { kind } = manifest.setup;
  const fault = await setupFault(manifest.setup, key);
  if (fault) {
    throw new Error(
      `The manifest says that the keys come from ${SETUPS[kind]}, but ${fault}. Build the artifacts again.`,
    );
  }
  if (genesisHash === MAINNET_GENESIS_HASH && kind !== 'ceremony') {
    throw new Error(
      `These artifacts come from ${SETUPS[kind]}, so ${FORGERS[kind]} can forge proofs. On mainnet, use the artifacts of a ceremony.`,
    );
  }
}

const SETUPS = {
  development: 'a development setup',
  operator: 'a setup of the operator alone',
  ceremony: 'a ceremony',
};
const FORGERS = { development: 'anyone', operator: 'an operator who kept the secret' };

/** Throws Error unless the program names a page of its deployer. Mainnet takes no other program. */
export function assertPageOfDeployer(so: Uint8Array): void {
  const fields = readSecurityTxt(so);
  if (!fields.project_url || !fields.contacts) {
    throw new Error(
      'The security.txt of the program has no project_url or no contacts, so nobody could tell you about a vulnerability. ' +
        'Write yours in packages/program/src/security.rs, then run npm run build -w @service/program.',
    );
  }
}

/** Returns the fields that solana-security-txt wrote into a program, or none. */
export function readSecurityTxt(so: Uint8Array): Readonly<Record<string, string>> {
  const text = Buffer.from(so.buffer, so.byteOffset, so.length).toString('utf8');
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END, begin);
  if (begin < 0 || end < 0) return {};
  const parts = text.slice(begin + BEGIN.length, end).split('\0');
  const fields: Record<string, string> = {};
  for (let at = 0; at + 1 < parts.length; at += 2) fields[parts[at]!] = parts[at + 1]!;
  return fields;
}

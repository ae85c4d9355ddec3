/** What may be deployed to mainnet. */
import type { ArtifactManifest } from '@service/protocol/eligibility';

const BEGIN = '=======BEGIN SECURITY.TXT V1=======\0';
const END = '=======END SECURITY.TXT V1=======\0';

/** What is about to be deployed. */
export interface Deployed {
  /** Bytes of the program. */
  readonly so: Uint8Array;
  readonly manifest: Pick<ArtifactManifest, 'setup'>;
}

/** Throws Error unless the keys of a circuit come from a ceremony. The trapdoor of a development setup is public. */
export function assertFromCeremony({ setup }: Deployed['manifest']): void {
  if (setup.kind === 'ceremony') return;
  throw new Error(
    'These artifacts come from a development setup, with which anyone can forge proofs. On mainnet, use the artifacts of a ceremony.',
  );
}

/** Throws Error unless the circuit comes from a ceremony, and the program names a page of its deployer. */
export function assertFitForMainnet({ so, manifest }: Deployed): void {
  assertFromCeremony(manifest);
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

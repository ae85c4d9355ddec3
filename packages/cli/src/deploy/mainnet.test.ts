import { readArtifacts } from '@service/circuit';
import { readProgram } from '@service/program';
import { expect, it } from 'vitest';
import { assertFitForMainnet, readSecurityTxt } from './mainnet.ts';

const { manifest: development } = await readArtifacts();
const ceremony = { setup: { ...development.setup, kind: 'ceremony' as const } };

/** Returns the committed program with other contents of a field, of the same length. */
async function programWith(name: string, value: string): Promise<Uint8Array> {
  const so = Buffer.from(await readProgram());
  const at = so.indexOf(`${name}\0`) + name.length + 1;
  const rest = so.subarray(at, so.indexOf(0, at));
  const end = at + rest.length;
  return Buffer.concat([so.subarray(0, at), Buffer.from(value), so.subarray(end)]);
}

it('the committed program says whom to tell about a vulnerability', async () => {
  expect(readSecurityTxt(await readProgram())).toEqual({
    name: 'Rule-Set and Pass Service',
    project_url: '',
    contacts: 'other:a private security advisory in the repository of the source code',
    policy: 'SECURITY.md of the source code says what to write, what counts and what is supported.',
    preferred_languages: 'en',
    auditors: 'None',
  });
  expect(readSecurityTxt(new Uint8Array([127, 69, 76, 70]))).toEqual({});
});

it('mainnet takes a program with the page of whoever deploys it, and a circuit of a ceremony', async () => {
  const so = await programWith('project_url', 'https://issuer.example');
  expect(() => assertFitForMainnet({ so, manifest: ceremony })).not.toThrow();
  expect(() => assertFitForMainnet({ so, manifest: development })).toThrow('development setup');
});

it.each(['project_url', 'contacts'])('mainnet refuses a program without %s', async (field) => {
  const so = field === 'contacts' ? await programWith('contacts', '') : await readProgram();
  expect(() => assertFitForMainnet({ so, manifest: ceremony })).toThrow('packages/program/src/security.rs');
});

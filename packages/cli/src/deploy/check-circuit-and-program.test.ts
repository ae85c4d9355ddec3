import { readArtifacts } from '@service/circuit';
import { MAINNET_GENESIS_HASH } from '@service/contract/deployment';
import { readProgram } from '@service/program';
import type { SetupProvenance } from '@service/protocol/eligibility';
import { publishedKey } from '@service/protocol/published-key';
import { expect, it } from 'vitest';
import { assertPageOfDeployer, assertSetup, readSecurityTxt } from './check-circuit-and-program.ts';

const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
const development = await readArtifacts();
const secrets = {
  tool: 'snarkjs@0.7.6',
  power: 11,
  powersOfTau: 'ab'.repeat(64),
  contributions: ['Ada', 'Grace'].map((name) => ({ name, hash: 'cd'.repeat(64) })),
};
const operator: SetupProvenance = { kind: 'operator', ...secrets };
const phase2Beacon = { hash: 'ab'.repeat(32), iterationsExponent: 10 };
const ceremony: SetupProvenance = { kind: 'ceremony', ...secrets, phase2Beacon };

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

it('mainnet accepts a program that names a page of its deployer', async () => {
  const so = await programWith('project_url', 'https://issuer.example');
  expect(() => assertPageOfDeployer(so)).not.toThrow();
});

it.each(['project_url', 'contacts'])('mainnet refuses a program without %s', async (field) => {
  const so = field === 'contacts' ? await programWith('contacts', '') : await readProgram();
  expect(() => assertPageOfDeployer(so)).toThrow('packages/program/src/security.rs');
});

it('mainnet accepts only the keys of a ceremony', async () => {
  const key = publishedKey();
  await assertSetup({ manifest: { setup: ceremony }, key }, MAINNET_GENESIS_HASH);
  await expect(assertSetup({ manifest: { setup: operator }, key }, MAINNET_GENESIS_HASH)).rejects.toThrow(
    'a setup of the operator alone',
  );
  await expect(assertSetup(development, MAINNET_GENESIS_HASH)).rejects.toThrow('a development setup');
  await assertSetup({ manifest: { setup: operator }, key }, DEVNET);
  await assertSetup(development, DEVNET);
});

it('no cluster accepts the development keys under another name', async () => {
  for (const setup of [operator, ceremony]) {
    for (const cluster of [MAINNET_GENESIS_HASH, DEVNET]) {
      const taken = assertSetup({ manifest: { setup }, key: development.key }, cluster);
      await expect(taken).rejects.toThrow('do not come from the published powers of tau');
    }
  }
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRetryingRpc } from '@service/deploy';
import nacl from 'tweetnacl';
import { afterAll, expect, test } from 'vitest';
import { readGenesisHash } from './deploy.ts';
import { optionOf, readDeployOptions } from './read-options.ts';
import { deployVariables } from './variables.ts';

const folder = mkdtempSync(join(tmpdir(), 'deploy-options-'));
afterAll(() => rmSync(folder, { recursive: true }));

const key = nacl.sign.keyPair().secretKey;
const keyFile = join(folder, 'key.json');
writeFileSync(keyFile, JSON.stringify([...key]));

/** A value for each variable that is not its default. */
const VALUES: Record<string, string> = {
  RPC_URL: 'http://127.0.0.1:8899',
  PUBLIC_RPC_URL: 'https://rpc.example',
  PAYER: keyFile,
  PROGRAM_KEYPAIR: keyFile,
  UPGRADE_AUTHORITY: keyFile,
  GOVERNANCE_AUTHORITY: keyFile,
  VERIFIER_AUTHORITY: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
  VERIFIER_NAME: 'Example',
  VERIFIER_URL: 'https://verifier.example',
  PASS_FEE_LAMPORTS: '7',
  BASE_URL: 'https://app.example',
  DEPLOYMENT_FILE: 'other.json',
  PROGRAM_FILE: 'other.so',
  ARTIFACTS_DIRECTORY: '/elsewhere',
  CIRCUIT_GRACE_SECONDS: '60',
};

test('every option sets its variable and overrides the environment', () => {
  expect(Object.keys(VALUES)).toEqual(Object.keys(deployVariables.shape));
  const args = Object.entries(VALUES).flatMap(([name, text]) => [`--${optionOf(name)}`, text]);
  const environment = { DEPLOYMENT_FILE: 'environment.json', PROGRAM_FILE: 'environment.so', PAYER: '[]' };
  const { values } = readDeployOptions(args, environment)!;
  const expected = Object.entries(VALUES).map(([name, text]) => {
    if (text === keyFile) return [name, new Uint8Array(key)];
    return [name, /^\d+$/.test(text) ? Number(text) : text];
  });
  expect(values).toEqual(Object.fromEntries(expected));
});

test('an error names the variable of an RPC that does not respond', async () => {
  const reading = readGenesisHash(createRetryingRpc('http://127.0.0.1:1'), AbortSignal.timeout(10_000));
  await expect(reading).rejects.toThrow(/^RPC_URL .*fetch failed/);
});

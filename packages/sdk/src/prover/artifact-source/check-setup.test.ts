import { readArtifacts } from '@service/circuit';
import type { SetupProvenance } from '@service/protocol/eligibility/manifest';
import { publishedKey } from '@service/protocol/published-key';
import { expect, it } from 'vitest';
import { MAINNET_GENESIS } from '../../../test/support/deployment.ts';
import { serviceError } from '../../../test/support/service-error.ts';
import { checkSetup } from './check-setup.ts';

const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
const KINDS = ['development', 'operator', 'ceremony'] as const;
const development = await readArtifacts();
const secrets = {
  tool: 'snarkjs@0.7.6',
  power: 11,
  powersOfTau: 'ab'.repeat(64),
  contributions: ['Ada', 'Grace'].map((name) => ({ name, hash: 'cd'.repeat(64) })),
};
const SETUPS: Record<(typeof KINDS)[number], SetupProvenance> = {
  development: development.manifest.setup,
  operator: { kind: 'operator', ...secrets },
  ceremony: {
    kind: 'ceremony',
    ...secrets,
    phase2Beacon: { hash: 'ab'.repeat(32), iterationsExponent: 10 },
  },
};
const refused = serviceError('ARTIFACTS_INVALID');

function artifactsOf(kind: (typeof KINDS)[number], key = publishedKey()) {
  const manifest = { ...development.manifest, setup: SETUPS[kind] };
  return { manifest, key: kind === 'development' ? development.key : key };
}

it.each(KINDS)('a deployment that accepts only %s rejects other keys', async (accepted) => {
  for (const kind of KINDS) {
    const checked = checkSetup(artifactsOf(kind), { genesisHash: DEVNET, acceptedSetups: [accepted] });
    await (kind === accepted ? checked : expect(checked).rejects.toThrow(refused));
  }
});

it('a deployment that names no setup accepts only the keys of a ceremony', async () => {
  for (const kind of ['development', 'operator'] as const) {
    await expect(checkSetup(artifactsOf(kind), { genesisHash: DEVNET })).rejects.toThrow(refused);
  }
  await checkSetup(artifactsOf('ceremony'), { genesisHash: DEVNET });
});

it('mainnet accepts only the keys of a ceremony, whatever the deployment accepts', async () => {
  for (const kind of ['development', 'operator'] as const) {
    const checked = checkSetup(artifactsOf(kind), { genesisHash: MAINNET_GENESIS, acceptedSetups: KINDS });
    await expect(checked).rejects.toThrow(refused);
  }
  await checkSetup(artifactsOf('ceremony'), { genesisHash: MAINNET_GENESIS, acceptedSetups: KINDS });
});

it('the development keys are refused under another name', async () => {
  for (const kind of ['operator', 'ceremony'] as const) {
    for (const genesisHash of [DEVNET, MAINNET_GENESIS]) {
      const checked = checkSetup(artifactsOf(kind, development.key), { genesisHash, acceptedSetups: KINDS });
      await expect(checked).rejects.toThrow(refused);
    }
  }
});

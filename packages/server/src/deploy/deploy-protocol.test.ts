import { readFile } from 'node:fs/promises';
import { developmentKey, Localnet } from '@service/localnet';
import { programAddresses, readAccounts } from '@service/protocol';
import { afterAll, expect, test } from 'vitest';
import { deployProtocol } from './deploy-protocol.ts';

const verifyingKey = await readFile(
  new URL('../../../circuit/artifacts/eligibility.key.bin', import.meta.url),
);
const net = Localnet.start({ slotMs: 5, finalitySlots: 2 });
afterAll(() => net.stop());

test('the protocol is set up by transactions alone', async () => {
  const [program, upgradeAuthority, governance, payer, verifier] = await Promise.all(
    (['program', 'upgrade-authority', 'governance', 'payer', 'verifier'] as const).map(developmentKey),
  );
  net.airdrop(payer!.address, 10_000_000_000n);
  const steps: string[] = [];
  await deployProtocol({
    rpc: net.rpc,
    genesisHash: net.genesisHash,
    so: await readFile(new URL('../../../program/artifact/program.so', import.meta.url)),
    keys: { program: program!, upgradeAuthority: upgradeAuthority!, governance: governance!, payer: payer! },
    circuit: { id: 'test-1', artifactsDigest: new Uint8Array(32).fill(7), verifyingKey },
    verifier: { authority: verifier!.address, name: 'Sandbox' },
    passFee: 5_000n,
    onStep: (step) => steps.push(step),
  });

  const at = programAddresses(program!.address);
  const [config, made] = await readAccounts(
    { rpc: net.rpc, program: program!.address, commitment: 'confirmed' },
    [
      ['config', await at.config()],
      ['verifier', await at.verifier(verifier!.address)],
    ],
  );
  expect(config?.data).toMatchObject({
    authority: governance!.address,
    paused: false,
    passFee: { __option: 'Some', value: 5_000n },
    activeCircuit: { __option: 'Some', value: await at.circuit('test-1') },
    upgradeAuthority: { __option: 'Some', value: upgradeAuthority!.address },
    feesCollected: 0n,
  });
  expect(made?.data).toMatchObject({ authority: verifier!.address, active: true, name: 'Sandbox' });
  expect(steps).toHaveLength(5);
});

import { readArtifacts } from '@service/circuit';
import { circuitOf, type DeployProtocolOptions, deployProtocol } from '@service/deploy';
import { developmentKeys, Localnet } from '@service/localnet';
import { readProgram } from '@service/program';
import { programAddresses, readAccounts } from '@service/protocol';
import { pause } from '@service/server/test-service';
import { errorOf, SOL, watchedRpc } from '@service/test-support';
import { generateKeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const net = Localnet.start({ slotMs: 5, finalitySlots: 2 });
const so = await readProgram();
const { program, upgradeAuthority, governance, payer, verifier } = await developmentKeys();
const options: DeployProtocolOptions = {
  rpc: net.rpc,
  genesisHash: net.genesisHash,
  so,
  keys: { program, upgradeAuthority, governance, payer },
  circuit: { ...circuitOf(await readArtifacts()), id: 'test-1', artifactsDigest: new Uint8Array(32).fill(7) },
  verifier: { authority: verifier.address, name: 'Sandbox' },
  passFee: 5_000n,
};
/** Deploys and returns the lines of its steps. */
async function deploy(changes: Partial<DeployProtocolOptions> = {}): Promise<string[]> {
  const lines: string[] = [];
  await deployProtocol({ ...options, onStep: (line) => lines.push(line), ...changes });
  return lines;
}
const transactionCount = () => net.rpc.getTransactionCount({ commitment: 'processed' }).send();
const at = programAddresses(program.address);
/** The first lines of a deployment that finds program, governance and circuit. */
const UNCHANGED = [
  `program ${program.address} is already deployed`,
  'governance is already initialized',
  'circuit test-1 is already active',
];

async function readState() {
  const reader = { rpc: net.rpc, program: program.address, commitment: 'confirmed' } as const;
  const [config, found, circuit] = await readAccounts(reader, [
    ['config', await at.config()],
    ['verifier', await at.verifier(verifier.address)],
    ['circuit', await at.circuit('test-1')],
  ]);
  return { config: config?.data, verifier: found?.data, circuit: circuit?.data };
}

beforeAll(() => net.airdrop(payer.address, 10n * SOL));
afterAll(() => net.stop());

test('an error names the missing amount and the payer without enough SOL, and nothing is sent', async () => {
  const poor = await generateKeyPairSigner();
  net.airdrop(poor.address, SOL / 10n);
  const deploying = () => deploy({ keys: { ...options.keys, payer: poor } });
  const error = await errorOf(deploying());
  const message = `^The payer ${poor.address} has 0.1000 SOL, but the deployment costs 1\\.\\d{4} SOL. Send it 0\\.\\d{4} SOL`;
  expect(error).toMatchObject({ code: 'NOT_ENOUGH_SOL', message: expect.stringMatching(message) });
  expect(await transactionCount()).toBe(0n);

  // The amount is exact, except for rounding to 0.0001 SOL.
  const missing = BigInt(Math.round(Number(/Send it ([\d.]+)/.exec((error as Error).message)?.[1]) * 1e9));
  net.airdrop(poor.address, missing - 200_000n);
  await expect(deploying()).rejects.toMatchObject({ code: 'NOT_ENOUGH_SOL' });
});

test('a second try continues where an aborted one stopped, with the same buffer', async () => {
  const abort = new AbortController();
  let count = 0;
  const rpc = watchedRpc(net, {
    before: (method) => {
      if (method === 'sendTransaction') count += 1;
      if (count === 40) abort.abort(new Error('enough'));
    },
  }) as unknown as DeployProtocolOptions['rpc'];
  await expect(deploy({ rpc, signal: abort.signal })).rejects.toThrow('enough');
  expect(await transactionCount()).toBeGreaterThan(30n);
  const [deployed] = await deploy();
  const transactions = Number(/in (\d+) transactions/.exec(deployed!)?.[1]);
  expect(transactions).toBeLessThan(Math.ceil(so.length / 1011) - 20);
});

test('transactions alone set up the protocol', async () => {
  expect(await readState()).toMatchObject({
    config: {
      authority: governance.address,
      paused: false,
      passFee: { __option: 'Some', value: 5_000n },
      activeCircuit: { __option: 'Some', value: await at.circuit('test-1') },
    },
    verifier: { authority: verifier.address, active: true, name: 'Sandbox' },
  });
});

test('a deployment of the same protocol sends nothing', async () => {
  const before = await transactionCount();
  expect(await deploy()).toEqual([
    ...UNCHANGED,
    `verifier "Sandbox" (${verifier.address}) is already active`,
    'pass fee is already 5000 lamports',
  ]);
  expect(await transactionCount()).toBe(before);
});

test('differences are reported and not changed; impossible changes are rejected before anything is sent', async () => {
  const before = await transactionCount();
  const other = { passFee: 6_000n, verifier: { ...options.verifier, name: 'Other' } };
  expect(await deploy(other)).toEqual([
    ...UNCHANGED,
    'verifier "Sandbox" (active) stays as it is. Use --update to change it.',
    'pass fee stays at 5000 lamports. Use --update to change it.',
  ]);
  const { circuit } = options;
  const changed = so.with(-1, so.at(-1)! ^ 1);
  const unrelated = await generateKeyPairSigner();
  for (const [changes, message] of [
    [{ so: changed }, 'has other code'],
    [{ circuit: { ...circuit, artifactsDigest: new Uint8Array(32) } }, 'A chain accepts each id once'],
    [
      { circuit: { ...circuit, verifyingKey: circuit.verifyingKey.with(100, 7) } },
      'test-1 has another verifying key on chain than the manifest',
    ],
    [{ circuit: { ...circuit, id: 'test-2' } }, 'Use --update to replace it'],
    [{ keys: { ...options.keys, program: payer } }, 'is not an upgradeable program'],
    [
      { ...other, update: { circuitGraceSeconds: 0n }, keys: { ...options.keys, governance: unrelated } },
      `The governance authority is ${governance.address}, not ${unrelated.address}`,
    ],
    [{ genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' }, 'initialized for another cluster'],
  ] as [Partial<DeployProtocolOptions>, string][]) {
    const error = { code: 'STATE_DIFFERS', message: expect.stringContaining(message) };
    await expect(deploy(changes)).rejects.toMatchObject(error);
  }
  expect(await transactionCount()).toBe(before);
});

test('an update changes circuit, verifier and pass fee, and does not end a pause', async () => {
  net.airdrop(governance.address, SOL);
  const cluster = { net, program: program.address, keys: { governance, verifier, payer } };
  await pause(cluster);
  const lines = await deploy({
    passFee: 6_000n,
    verifier: { ...options.verifier, name: 'Other' },
    circuit: { ...options.circuit, id: 'test-2' },
    update: { circuitGraceSeconds: 60n },
  });
  expect(lines.slice(2)).toEqual([
    'circuit test-2 set',
    `verifier "Other" (${verifier.address}) set`,
    'pass fee set to 6000 lamports. A raise takes effect after seven days.',
  ]);
  expect(await readState()).toMatchObject({
    config: { paused: true, passFee: { value: 5_000n }, nextPassFee: { value: 6_000n } },
    verifier: { active: true, name: 'Other' },
    circuit: { retiredAt: { __option: 'Some' }, unsound: false },
  });
});

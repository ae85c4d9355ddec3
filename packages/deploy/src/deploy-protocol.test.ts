import { readArtifacts } from '@service/circuit';
import { developmentKeys, Localnet } from '@service/localnet';
import { programAddresses, readAccounts } from '@service/protocol';
import { getSetGovernanceInstruction } from '@service/protocol/generated';
import {
  createNoopSigner,
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  type RpcTransport,
} from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployProtocolOptions, deployProtocol } from './deploy-protocol.ts';
import { findProgramDataAddress } from './loader/instructions.ts';
import { sendAll } from './loader/send.ts';
import { readProgram } from './read-program.ts';

const net = Localnet.start({ slotMs: 5, finalitySlots: 2 });
const steps: string[] = [];
const so = await readProgram();
const { program, upgradeAuthority, governance, payer, verifier } = await developmentKeys();
const asked: DeployProtocolOptions = {
  rpc: net.rpc,
  genesisHash: net.genesisHash,
  so,
  keys: { program, upgradeAuthority, governance, payer },
  circuit: {
    id: 'test-1',
    artifactsDigest: new Uint8Array(32).fill(7),
    verifyingKey: (await readArtifacts()).key,
  },
  verifier: { authority: verifier.address, name: 'Sandbox' },
  passFee: 5_000n,
  onStep: (step) => steps.push(step),
};
/** Deploys and returns what it said. */
async function deploy(changes: Partial<DeployProtocolOptions> = {}): Promise<string[]> {
  steps.length = 0;
  await deployProtocol({ ...asked, ...changes });
  return [...steps];
}
const sent = () => net.rpc.getTransactionCount({ commitment: 'processed' }).send();
/** An RPC that tells of each transaction before it is sent. */
const watched = (onSend: () => void) =>
  createSolanaRpcFromTransport((async (request: Parameters<RpcTransport>[0]) => {
    if ((request.payload as { method: string }).method === 'sendTransaction') onSend();
    return net.transport(request);
  }) as RpcTransport) as unknown as DeployProtocolOptions['rpc'];

async function standing() {
  const at = programAddresses(program.address);
  const reader = { rpc: net.rpc, program: program.address, commitment: 'confirmed' } as const;
  const [config, made, circuit] = await readAccounts(reader, [
    ['config', await at.config()],
    ['verifier', await at.verifier(verifier.address)],
    ['circuit', await at.circuit('test-1')],
  ]);
  return { config: config?.data, verifier: made?.data, circuit: circuit?.data };
}

beforeAll(() => net.airdrop(payer.address, 10_000_000_000n));
afterAll(() => net.stop());

test('a payer without means is told how much is missing and where, and nothing is sent', async () => {
  const poor = await generateKeyPairSigner();
  net.airdrop(poor.address, 100_000_000n);
  const refusal = deploy({ keys: { ...asked.keys, payer: poor } });
  await expect(refusal).rejects.toMatchObject({ code: 'NOT_ENOUGH_SOL' });
  const { message } = (await refusal.catch((error: Error) => error)) as Error;
  expect(message).toMatch(
    new RegExp(
      `^${poor.address} holds 0.1000 SOL and the deployment takes 0\\.\\d{4}: send it 0\\.\\d{4} SOL`,
    ),
  );
  expect(await sent()).toBe(0n);

  // What it says is enough, to the lamports of its rounding.
  const missing = BigInt(Math.round(Number(/send it ([\d.]+)/.exec(message)?.[1]) * 1e9));
  net.airdrop(poor.address, missing - 200_000n);
  await expect(deploy({ keys: { ...asked.keys, payer: poor } })).rejects.toMatchObject({
    code: 'NOT_ENOUGH_SOL',
  });
});

test('one that breaks off goes on where it was, with the buffer that it had', async () => {
  const abort = new AbortController();
  let count = 0;
  const rpc = watched(() => {
    count += 1;
    if (count === 40) abort.abort(new Error('enough'));
  });
  await expect(deploy({ rpc, signal: abort.signal })).rejects.toThrow('enough');
  const before = await sent();
  expect(before).toBeGreaterThan(30n);
  const [deployed] = await deploy();
  const transactions = Number(/in (\d+) transactions/.exec(deployed!)?.[1]);
  expect(transactions).toBeLessThan(Math.ceil(so.length / 1011) - 20);
});

test('the protocol is set up by transactions alone', async () => {
  expect(await standing()).toMatchObject({
    config: {
      authority: governance.address,
      paused: false,
      passFee: { __option: 'Some', value: 5_000n },
      activeCircuit: { __option: 'Some', value: await programAddresses(program.address).circuit('test-1') },
      upgradeAuthority: { __option: 'Some', value: upgradeAuthority.address },
      feesCollected: 0n,
    },
    verifier: { authority: verifier.address, active: true, name: 'Sandbox' },
  });
});

test('run again it says what stands, and sends nothing', async () => {
  const before = await sent();
  expect(await deploy()).toEqual([
    `program ${program.address} stands`,
    'governance stands',
    'circuit test-1 stands',
    `verifier "Sandbox" of ${verifier.address} stands`,
    'pass fee of 5000 lamports stands',
  ]);
  expect(await sent()).toBe(before);
});

test('what stands otherwise is said and left; what cannot stand is refused before anything is sent', async () => {
  const before = await sent();
  const other = { passFee: 6_000n, verifier: { ...asked.verifier, name: 'Other' } };
  expect(await deploy(other)).toEqual([
    `program ${program.address} stands`,
    'governance stands',
    'circuit test-1 stands',
    'verifier "Sandbox" is left as it is, active: --update changes it',
    'pass fee of 5000 lamports is left as it is: --update changes it',
  ]);
  const changed = Uint8Array.from(so);
  changed[so.length - 1]! ^= 1;
  const stranger = await generateKeyPairSigner();
  for (const [changes, message] of [
    [{ so: changed }, 'of other code'],
    [{ circuit: { ...asked.circuit, artifactsDigest: new Uint8Array(32) } }, 'a chain takes each id once'],
    [{ circuit: { ...asked.circuit, id: 'test-2' } }, '--update replaces it'],
    [{ keys: { ...asked.keys, program: { ...payer } } }, 'is no upgradeable program'],
    [
      { ...other, update: { circuitGraceSeconds: 0n }, keys: { ...asked.keys, governance: stranger } },
      `The governance authority is ${governance.address}, not ${stranger.address}`,
    ],
    [{ genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' }, 'initialized for another cluster'],
  ] as [Partial<DeployProtocolOptions>, string][]) {
    const refusal = deploy(changes);
    await expect(refusal, message).rejects.toThrow(message);
    await expect(refusal, message).rejects.toMatchObject({ code: 'STANDS_OTHERWISE' });
  }
  expect(await sent()).toBe(before);
});

test('an update changes circuit, verifier and pass fee, and does not end a pause', async () => {
  const authority = createNoopSigner(governance.address);
  const config = await programAddresses(program.address).config();
  const programData = await findProgramDataAddress(program.address);
  const pause = getSetGovernanceInstruction(
    { authority, nextAuthority: authority, config, programData, paused: true, passFee: 5_000n },
    { programAddress: program.address },
  );
  const drafts = [{ payer, signers: [governance], instructions: [pause] }];
  await sendAll({
    rpc: net.rpc,
    drafts,
    commitment: 'confirmed',
    what: 'Pausing',
    preflight: true,
    signal: undefined,
  });
  const said = await deploy({
    passFee: 6_000n,
    verifier: { ...asked.verifier, name: 'Other' },
    circuit: { ...asked.circuit, id: 'test-2' },
    update: { circuitGraceSeconds: 60n },
  });
  expect(said.slice(2)).toEqual([
    'circuit test-2 set',
    `verifier "Other" of ${verifier.address} set`,
    'pass fee set to 6000 lamports',
  ]);
  expect(await standing()).toMatchObject({
    config: { paused: true, passFee: { value: 6_000n } },
    verifier: { active: true, name: 'Other' },
    circuit: { retiredAt: { __option: 'Some' }, unsound: false },
  });
});

/**
 * `npm run deploy`: brings program, governance, circuit, verifier and pass fee to a Solana cluster and writes
 * deployment.json. Does what is missing; run again, it says what stands. Exits 0 when all stands, 2 for wrong options,
 * 130 when it was cancelled, 1 for everything else.
 */
import { setMaxListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { MAINNET_GENESIS_HASH } from '@service/contract';
import {
  ConfigurationError,
  type Deployment,
  readDeployment,
  writeDeployment,
} from '@service/server/configuration';
import { type DeployOptions, readDeployOptions, readProtocol } from './command-line.ts';
import { deployProtocol } from './deploy-protocol.ts';
import { createPatientRpc, readGenesisHash } from './retrying-rpc.ts';
import { usage } from './usage.ts';

const abort = new AbortController();
// Each call that is under way listens to it, and there are dozens at once.
setMaxListeners(0, abort.signal);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => (abort.signal.aborted ? process.exit(130) : abort.abort()));
}

try {
  const options = readDeployOptions(process.argv.slice(2), process.env);
  if (options) await deploy(options, abort.signal);
  else console.log(usage());
} catch (error) {
  if (abort.signal.aborted) {
    console.error('Cancelled. Nothing is lost: the same command goes on from here.');
    process.exit(130);
  }
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(error instanceof ConfigurationError ? 2 : 1);
}

async function deploy({ values, update, force }: DeployOptions, signal: AbortSignal): Promise<void> {
  const rpc = createPatientRpc(values.RPC_URL);
  const genesisHash = await readGenesisHash(rpc, signal);
  const { protocol, artifacts } = await readProtocol(values, genesisHash);
  if (genesisHash === MAINNET_GENESIS_HASH && artifacts.manifest.setup.kind !== 'ceremony') {
    throw new Error(
      'These artifacts are of a development setup, under which anyone can forge proofs. Mainnet needs a ceremony.',
    );
  }
  const deployment: Deployment = {
    program: protocol.keys.program.address,
    genesisHash,
    artifactsDigest: artifacts.digest,
    rpcUrl: values.PUBLIC_RPC_URL ?? values.RPC_URL,
    verifierOrigins: [new URL(values.VERIFIER_URL).origin],
    baseUrl: values.BASE_URL,
  };
  const file = resolve(values.DEPLOYMENT_FILE);
  // Before anything is sent.
  if (!force) assertIsNotAnothers(file, deployment);
  console.log(`cluster ${genesisHash}`);
  console.log(`artifacts ${artifacts.digest}`);
  await deployProtocol({
    ...protocol,
    rpc,
    signal,
    onStep: (step) => console.log(step),
    ...(update ? { update: { circuitGraceSeconds: BigInt(values.CIRCUIT_GRACE_SECONDS) } } : {}),
  });
  writeDeployment(file, deployment);
  console.log(`wrote ${file}`);
}

function assertIsNotAnothers(file: string, { program, genesisHash }: Deployment): void {
  if (!existsSync(file)) return;
  const { deployment } = readDeployment(file);
  if (deployment?.program === program && deployment.genesisHash === genesisHash) return;
  const what = deployment
    ? `is of the program ${deployment.program} on ${deployment.genesisHash}`
    : 'is no deployment file';
  throw new Error(
    `${file} ${what}. Nothing was sent. Name another file by --deployment-file, or overwrite it with --force.`,
  );
}

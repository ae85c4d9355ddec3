/** `npx @service/cli deploy`: sets up the protocol on a Solana cluster, and writes deployment.json. */
import { setMaxListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  ConfigurationError,
  type Deployment,
  type Environment,
  readDeployment,
  UnreachableError,
  writeDeployment,
} from '@service/configuration';
import { MAINNET_GENESIS_HASH } from '@service/contract/deployment';
import { createRetryingRpc, deployProtocol } from '@service/deploy';
import { ended } from '../output.ts';
import { assertPageOfDeployer, assertSetup } from './check-circuit-and-program.ts';
import { type DeployOptions, readDeployOptions, readProtocol } from './read-options.ts';
import { usage } from './usage.ts';

/** Milliseconds between two looks at the chain. */
const FINALITY_POLL_MS = 500;

/** What the command does. */
export const DEPLOY_SUMMARY =
  'Sets up program, governance, circuit, verifier and pass fee on a cluster, and writes deployment.json.';

/**
 * Sends only the transactions that are missing. Returns the exit code: 0 when everything is set up, 2 for invalid options,
 * 130 after SIGINT or SIGTERM, 1 for every other error.
 */
export async function deploy(argv: readonly string[], environment: Environment): Promise<number> {
  const abort = new AbortController();
  // Dozens of calls listen to the signal at the same time.
  setMaxListeners(0, abort.signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => (abort.signal.aborted ? process.exit(130) : abort.abort()));
  }
  try {
    const options = readDeployOptions(argv, environment);
    if (!options) return ended(0, usage());
    await deployBy(options, abort.signal);
    return 0;
  } catch (error) {
    if (abort.signal.aborted) return ended(130, 'Cancelled. Run the same command again to continue.');
    const message = error instanceof Error ? error.message : String(error);
    return ended(error instanceof ConfigurationError ? 2 : 1, message);
  }
}

/** Returns the genesis hash of an RPC's cluster. Throws UnreachableError when the RPC does not respond. */
export async function readGenesisHash(
  rpc: ReturnType<typeof createRetryingRpc>,
  abortSignal: AbortSignal,
): Promise<string> {
  try {
    return await rpc.getGenesisHash().send({ abortSignal });
  } catch (error) {
    throw new UnreachableError('RPC_URL', error);
  }
}

async function deployBy({ values, update, force }: DeployOptions, signal: AbortSignal): Promise<void> {
  const rpc = createRetryingRpc(values.RPC_URL);
  const genesisHash = await readGenesisHash(rpc, signal);
  const { protocol, artifacts } = await readProtocol(values, genesisHash);
  await assertSetup(artifacts, genesisHash);
  if (genesisHash === MAINNET_GENESIS_HASH) assertPageOfDeployer(protocol.so);
  const deployment: Deployment = {
    program: protocol.keys.program.address,
    genesisHash,
    artifactsDigest: artifacts.digest,
    acceptedSetups: [artifacts.manifest.setup.kind],
    rpcUrl: values.PUBLIC_RPC_URL ?? values.RPC_URL,
    verifierOrigins: [new URL(values.VERIFIER_URL).origin],
    baseUrl: values.BASE_URL,
  };
  const file = resolve(values.DEPLOYMENT_FILE);
  if (!force) assertOverwritable(file, deployment);
  console.log(`cluster ${genesisHash}`);
  console.log(`artifacts ${artifacts.digest}`);
  await deployProtocol({
    ...protocol,
    rpc,
    signal,
    onStep: (line) => console.log(line),
    ...(update ? { update: { circuitGraceSeconds: BigInt(values.CIRCUIT_GRACE_SECONDS) } } : {}),
  });
  await untilFinal(rpc, signal);
  writeDeployment(file, deployment);
  console.log(`wrote ${file}`);
}

/** Resolves when what is confirmed now is final. Before that, the other commands and a server do not see it. */
async function untilFinal(
  rpc: ReturnType<typeof createRetryingRpc>,
  abortSignal: AbortSignal,
): Promise<void> {
  const slotAt = (commitment: 'confirmed' | 'finalized') => rpc.getSlot({ commitment }).send({ abortSignal });
  const last = await slotAt('confirmed');
  console.log('waiting for finality');
  while ((await slotAt('finalized')) < last)
    await setTimeout(FINALITY_POLL_MS, undefined, { signal: abortSignal });
}

/** Throws Error when the file belongs to another deployment. */
function assertOverwritable(file: string, { program, genesisHash }: Deployment): void {
  if (!existsSync(file)) return;
  const { deployment } = readDeployment(file);
  if (deployment?.program === program && deployment.genesisHash === genesisHash) return;
  const what = deployment
    ? `belongs to the program ${deployment.program} on ${deployment.genesisHash}`
    : 'is not a deployment file';
  throw new Error(
    `${file} ${what}. Nothing was sent. Name another file with --deployment-file, or overwrite it with --force.`,
  );
}

/**
 * `npm run deploy`: sets up program, governance, circuit, verifier and pass fee on a Solana cluster and writes
 * deployment.json. Sends only the transactions that are missing. Exit codes: 0 when everything is set up, 2 for invalid
 * options, 130 after a signal, 1 for every other error.
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
import { type CommandLine, readCommandLine, readProtocol } from './command-line.ts';
import { deployProtocol } from './deploy-protocol.ts';
import { assertFitForMainnet } from './mainnet.ts';
import { createRetryingRpc, readGenesisHash } from './retrying-rpc.ts';
import { usage } from './usage.ts';

const abort = new AbortController();
// Dozens of calls listen to the signal at the same time.
setMaxListeners(0, abort.signal);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => (abort.signal.aborted ? process.exit(130) : abort.abort()));
}

try {
  const commandLine = readCommandLine(process.argv.slice(2), process.env);
  if (commandLine) await deploy(commandLine, abort.signal);
  else console.log(usage());
} catch (error) {
  if (abort.signal.aborted) {
    console.error('Cancelled. Run the same command again to continue.');
    process.exit(130);
  }
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(error instanceof ConfigurationError ? 2 : 1);
}

async function deploy({ values, update, force }: CommandLine, signal: AbortSignal): Promise<void> {
  const rpc = createRetryingRpc(values.RPC_URL);
  const genesisHash = await readGenesisHash(rpc, signal);
  const { protocol, artifacts } = await readProtocol(values, genesisHash);
  if (genesisHash === MAINNET_GENESIS_HASH)
    assertFitForMainnet({ so: protocol.so, manifest: artifacts.manifest });
  const deployment: Deployment = {
    program: protocol.keys.program.address,
    genesisHash,
    artifactsDigest: artifacts.digest,
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
  writeDeployment(file, deployment);
  console.log(`wrote ${file}`);
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

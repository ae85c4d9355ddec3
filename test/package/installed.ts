/**
 * The command line, the server and the verifier as an operator has them: each installed from its tarball in an empty folder, with
 * an empty home. They deploy the protocol, and take three people through the walk. Nothing comes from the checkout.
 */
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseDeployment } from '@service/sdk';
import { passManualCheck } from '@service/test-support';
import { address, createSolanaRpc, lamports } from '@solana/kit';
import type { Browser } from 'playwright-core';
import { freePort } from '../e2e/support/child-process.ts';
import { until } from '../walk/cluster.ts';
import { walk } from '../walk/walk.ts';
import { holdInPage } from './holder-in-page.ts';
import { COMMAND, REPOSITORY, run, SERVER, type Tarball, VERIFIER } from './install.ts';
import { startProgram } from './program.ts';

/** The packages that an operator installs. */
export const TOOLS = { command: COMMAND, server: SERVER, verifier: VERIFIER } as const;

/** The most megabytes and files of each installed tree. */
const BUDGETS: Readonly<Record<string, { readonly megabytes: number; readonly files: number }>> = {
  [COMMAND]: { megabytes: 120, files: 6_000 },
  [SERVER]: { megabytes: 60, files: 6_000 },
  [VERIFIER]: { megabytes: 75, files: 6_500 },
};

/** Whether this machine can run a PostgreSQL for the server. Otherwise it uses PGlite. */
const HAS_POSTGRESQL =
  existsSync('/usr/lib/postgresql') &&
  readdirSync('/usr/lib/postgresql').some((version) =>
    existsSync(`/usr/lib/postgresql/${version}/bin/postgres`),
  );

/** The verifier accepts every status as a tag that its operator gives. */
const POLICY = {
  version: '1',
  region: 'document',
  documents: ['passport'],
  credentialDays: 365,
  statusOfTag: { retail: 'retail', accredited: 'accredited', institutional: 'institutional' },
};
const MANUAL_PASSWORD = 'the password of an operator';

/** An installed package. */
export interface Installed {
  readonly name: string;
  /** The folder in which it was installed. */
  readonly folder: string;
  /** Its home, which was empty before. */
  readonly home: string;
  readonly megabytes: number;
  readonly files: number;
}

/** Installs a tarball in a new folder with a new home, and measures the tree. Throws if it is larger than its budget. */
export async function installAlone(parent: string, { name, file }: Tarball): Promise<Installed> {
  const folder = join(parent, `alone-${name.split('/')[1]}`);
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true });
  // A new home has no cache. That of this machine saves the downloads.
  const cache = process.env.npm_config_cache ?? join(homedir(), '.npm');
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', `--cache=${cache}`];
  // The server runs on PostgreSQL here, for which it needs no PGlite.
  const omitted = name === SERVER && HAS_POSTGRESQL ? ['--omit=optional'] : [];
  await run('npm', ['install', file, ...options, ...omitted], folder, { HOME: home });
  const measured = await measureTree(join(folder, 'node_modules'));
  const most = BUDGETS[name]!;
  if (measured.megabytes > most.megabytes || measured.files > most.files) {
    throw new Error(
      `${name} has ${measured.megabytes} MB in ${measured.files} files after the installation. The most is ${most.megabytes} MB in ${most.files} files.`,
    );
  }
  return { name, folder, home, ...measured };
}

async function measureTree(folder: string): Promise<{ megabytes: number; files: number }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { megabytes: Math.round(bytes / 1e5) / 10, files: files.length };
}

/** Texts of the demo's development wallet, of its lies and of its story. */
const TEXTS_OF_THE_DEMO = ['Development wallet', 'Let the service lie', 'See the story', 'sandbox-visit'];

/** Throws if the page of the server has a text of the demo, or if the demo itself has changed one of them. */
export async function checkPage({ folder }: Installed): Promise<void> {
  const [page, demo] = await Promise.all(
    [join(folder, 'node_modules/@service/server/pages'), join(REPOSITORY, 'examples/react/src')].map(textOf),
  );
  for (const text of TEXTS_OF_THE_DEMO) {
    if (!demo!.includes(text))
      throw new Error(`The demo has no "${text}" any more. Check for another text of it.`);
    if (page!.includes(text)) throw new Error(`The page of the server has "${text}" of the demo.`);
  }
}

async function textOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))).join(
    '\n',
  );
}

/** Where the walk runs. */
export interface WalkInstalledOptions {
  readonly command: Installed;
  readonly server: Installed;
  readonly verifier: Installed;
  /** A cluster with a faucet. */
  readonly rpcUrl: string;
  readonly browser: Browser;
  /** More options of `deploy`, such as the folder of an operator's keys. */
  readonly deployOptions?: readonly string[];
  /** More variables of the server. */
  readonly serverVariables?: Readonly<Record<string, string>>;
  readonly onStep: (line: string) => void;
}

/**
 * Deploys the protocol, starts the server and the verifier, opens the page, and takes three people from the sign-in to passes, an
 * issue and a transfer. The verifier's operator approves each person by hand.
 */
export async function walkInstalled(options: WalkInstalledOptions): Promise<void> {
  const { server, verifier, browser, onStep } = options;
  const [site, verifierPort] = await Promise.all([freePort(), freePort()]);
  const [baseUrl, verifierUrl] = [`http://localhost:${site}`, `http://localhost:${verifierPort}`];
  const { file, feePayer, attestation } = await deploy(options, { baseUrl, verifierUrl });
  const deployment = parseDeployment(JSON.parse(await readFile(file, 'utf8')));
  const webhookSecret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;

  if (HAS_POSTGRESQL)
    await refuseFolder(server, {
      DEPLOYMENT_FILE: file,
      FEE_PAYER_FILE: feePayer,
      WEBHOOK_SECRET: webhookSecret,
      ...options.serverVariables,
    });
  const running = [];
  try {
    const serving = startServer(server, {
      ...{ PORT: `${site}`, DEPLOYMENT_FILE: file, FEE_PAYER_FILE: feePayer, WEBHOOK_SECRET: webhookSecret },
      ...{ POLL_INTERVAL_MS: '100', ...options.serverVariables },
    });
    running.push(serving);
    await serving.printed(STARTS);
    const started = performance.now();
    await serving.printed('"msg":"listening"');
    const isReady = async () => (await fetch(`${baseUrl}/api/health/ready`)).ok;
    await until('the readiness of the server', isReady, { pollMs: 20 });
    const database = HAS_POSTGRESQL ? 'PostgreSQL' : 'PGlite';
    onStep(
      `the server is ready after ${((performance.now() - started) / 1_000).toFixed(1)} s, on ${database}`,
    );

    const policy = join(verifier.folder, 'policy.json');
    await writeFile(policy, JSON.stringify(POLICY));
    const site1 = {
      origins: [baseUrl],
      webhookUrl: `${baseUrl}/api/verifier/webhook`,
      webhookSecrets: [webhookSecret],
    };
    const verifying = startProgram(join(verifier.folder, 'node_modules/.bin/service-verifier'), [], {
      cwd: verifier.folder,
      env: {
        HOME: verifier.home,
        PORT: `${verifierPort}`,
        ORIGIN: verifierUrl,
        DEPLOYMENT_FILE: file,
        SITES: JSON.stringify([site1]),
        PROVIDER: 'manual',
        POLICY_FILE: policy,
        MANUAL_DIRECTORY: join(verifier.folder, 'manual'),
        MANUAL_PASSWORD,
        MANUAL_INSTRUCTIONS: 'Send a copy of your passport.',
        ATTESTATION_KEY_FILE: attestation,
        PERSON_KEY: Buffer.alloc(32, 5).toString('base64'),
        DATA_DIRECTORY: join(verifier.folder, 'database'),
      },
    });
    running.push(verifying);
    await verifying.printed('"msg":"listening"');
    onStep('the verifier listens, with the provider manual, on PGlite');

    const state = await walk({
      deployment: { ...deployment, baseUrl },
      visit: (url, person) => passManualCheck(url, person, MANUAL_PASSWORD),
      report: { waiting: () => undefined, done: ({ what, state }) => onStep(`${what}: ${state}`) },
    });
    await holdInPage(browser, state, { password: MANUAL_PASSWORD, onStep });
  } finally {
    const codes = await Promise.all(running.map((program) => program.stop()));
    onStep(`stopped with the exit codes ${codes.join(', ')}`);
  }
}

/** Makes the keys, and deploys the protocol with the packed program and artifacts. */
async function deploy(
  { command, rpcUrl, deployOptions = [] }: WalkInstalledOptions,
  { baseUrl, verifierUrl }: { readonly baseUrl: string; readonly verifierUrl: string },
) {
  const service = (...args: string[]) =>
    run(join(command.folder, 'node_modules/.bin/service'), args, command.folder, { HOME: command.home });
  const newKey = async (name: string) => {
    const file = join(command.folder, `${name}.json`);
    const { stdout } = await service('new-key', file);
    return { file, address: address(stdout.trim()) };
  };
  const [payer, program, feePayer, attestation] = await Promise.all(
    ['payer', 'program', 'fee-payer', 'attestation'].map(newKey),
  );
  // Its packages are optional, and no other command loads them.
  await service('ceremony', '--help');
  const rpc = createSolanaRpc(rpcUrl);
  for (const [{ address: to }, sol] of [
    [payer!, 2n],
    [feePayer!, 1n],
  ] as const) {
    await rpc.requestAirdrop(to, lamports(sol * 1_000_000_000n), { commitment: 'confirmed' }).send();
    const hasSol = async () => (await rpc.getBalance(to, { commitment: 'confirmed' }).send()).value > 0n;
    await until(`the SOL of ${to}`, hasSol);
  }
  const given = {
    'rpc-url': rpcUrl,
    'payer-file': payer!.file,
    'program-keypair-file': program!.file,
    'verifier-authority': attestation!.address,
    'verifier-url': verifierUrl,
    'pass-fee-lamports': '50000',
    'base-url': baseUrl,
  };
  await service(
    'deploy',
    ...Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]),
    ...deployOptions,
  );
  const { stdout } = await service('governance', '--deployment', 'deployment.json');
  if (!stdout.includes(`authority: ${payer!.address}\n`)) throw new Error(`The command shows ${stdout}`);
  return {
    file: join(command.folder, 'deployment.json'),
    feePayer: feePayer!.file,
    attestation: attestation!.file,
  };
}

/** Throws unless a server without PGlite says so when its database is a folder. */
async function refuseFolder({ folder, home }: Installed, variables: Readonly<Record<string, string>>) {
  const env = { HOME: home, DATA_DIRECTORY: join(folder, 'database'), ...variables };
  const refused = startProgram(join(folder, 'node_modules/.bin/service-server'), [], { env, cwd: folder });
  await refused.printed('needs the package @electric-sql/pglite, which is not installed.');
  const code = await refused.ended;
  if (code !== 2) throw new Error(`A server without PGlite ended with ${code}. Expected 2.`);
}

/** What is printed when the process of the server starts. */
const STARTS = 'the server starts';

function startServer({ folder, home }: Installed, variables: Readonly<Record<string, string>>) {
  const binary = join(folder, 'node_modules/.bin/service-server');
  const options = { env: { HOME: home, ...variables }, cwd: folder };
  if (!HAS_POSTGRESQL) {
    const script = `echo '${STARTS}'; DATA_DIRECTORY=database exec '${binary}'`;
    return startProgram('sh', ['-c', script], options);
  }
  // PostgreSQL is new, so the server also makes its tables.
  const script = `echo '${STARTS}'; DATABASE_URL="$TEST_DATABASE_URL" exec '${binary}'`;
  return startProgram(join(REPOSITORY, '.ci/with-postgres'), ['sh', '-c', script], options);
}

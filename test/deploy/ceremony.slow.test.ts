/**
 * A ceremony with the real phase 1, held by people on machines of their own: each step is a process with its own home, and
 * nothing passes between them but the folder that docs/ceremony.md names. Then the keys are deployed and used.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { disposeProver, parseDeployment } from '@service/sdk';
import { createSolanaRpc, getAddressDecoder, lamports } from '@solana/kit';
import nacl from 'tweetnacl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startQuickStack } from '../support/quick-stack.ts';
import { walk } from '../walk/walk.ts';

/** Hermez's file, which is too large to commit. */
const HERMEZ = process.env.POWERS_OF_TAU ?? '';
const ROOT = join(import.meta.dirname, '../..');
const BEACON = '5a'.repeat(32);
/** Minutes for all steps on a machine that is busy with other work. */
const LIMIT_MS = 30 * 60_000;

const run = promisify(execFile);
let machines: string;

/** Somebody with a home of their own. */
class Person {
  readonly home: string;
  readonly folder: string;

  constructor(readonly name: string) {
    this.home = join(machines, name.toLowerCase().replace(' ', '-'));
    this.folder = join(this.home, 'ceremony');
  }

  /** Runs a script of a package in a process that has nothing of this one but the PATH. Returns what it printed. */
  async npm(...script: string[]): Promise<string> {
    const temporary = join(this.home, 'tmp');
    await mkdir(temporary, { recursive: true });
    const started = performance.now();
    const env = { PATH: process.env.PATH, HOME: this.home, TMPDIR: temporary };
    const { stdout } = await run('npm', ['run', '-s', ...script], { cwd: ROOT, env });
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
    process.stdout.write(`${seconds} s  ${this.name}: ${script.slice(0, 4).join(' ')}\n`);
    return stdout;
  }

  ceremony(step: string, ...options: string[]): Promise<string> {
    return this.npm('cli', '--', 'ceremony', step, '--folder', this.folder, ...options);
  }

  /** Replaces the other's folder with this one. */
  async sendTo(other: Person): Promise<void> {
    await rm(other.folder, { recursive: true, force: true });
    await cp(this.folder, other.folder, { recursive: true });
  }
}

const hashIn = (printed: string) => /contribution hash ([0-9a-f]{128})/.exec(printed)?.[1];

describe.skipIf(HERMEZ === '')('a ceremony with the real powers of tau', { timeout: LIMIT_MS }, () => {
  let coordinator: Person;
  let observer: Person;
  let artifacts: string;
  beforeAll(async () => {
    machines = await mkdtemp(join(tmpdir(), 'machines-'));
    [coordinator, observer] = [new Person('Coordinator'), new Person('Observer')];
    artifacts = join(coordinator.home, 'artifacts');
  });
  afterAll(async () => {
    await disposeProver();
    await rm(machines, { recursive: true, force: true });
  });

  it('is held by three people, and a fourth checks it', async () => {
    const [ada, grace] = [new Person('Ada Lovelace'), new Person('Grace Hopper')];
    await coordinator.ceremony('begin', '--powers', HERMEZ);
    const first = ['eligibility.r1cs', 'eligibility_0000.zkey', 'powers-of-tau.ptau'];
    expect((await readdir(coordinator.folder)).sort()).toEqual(first);

    await coordinator.sendTo(ada);
    const byAda = hashIn(await ada.ceremony('contribute', '--name', ada.name));
    await ada.sendTo(grace);
    const printed = await grace.ceremony('contribute', '--name', grace.name);
    const byGrace = hashIn(printed);
    // Before she adds hers, she can compare the earlier one with what its author published.
    expect(printed.split('adding a secret')[0]).toContain(`secret ${ada.name} ${byAda}`);

    await grace.sendTo(coordinator);
    const beacon = ['--beacon', BEACON, '--exponent', '10'];
    await coordinator.ceremony('finish', '--circuit', 'eligibility-3', ...beacon);
    await coordinator.ceremony('artifacts', '--to', artifacts);
    const { setup } = JSON.parse(await readFile(join(artifacts, 'manifest.json'), 'utf8'));
    expect(setup).toMatchObject({
      kind: 'ceremony',
      contributions: [
        { name: ada.name, hash: byAda },
        { name: grace.name, hash: byGrace },
      ],
      phase2Beacon: { hash: BEACON, iterationsExponent: 10 },
    });

    await coordinator.sendTo(observer);
    const checked = await observer.ceremony('check');
    for (const line of [`${ada.name} ${byAda}`, `${grace.name} ${byGrace}`]) expect(checked).toContain(line);
    // Anyone makes the same files from the same folder.
    const own = join(observer.home, 'artifacts');
    await observer.ceremony('artifacts', '--to', own);
    const names = await readdir(artifacts);
    expect(names).toHaveLength(6);
    const bytesIn = (folder: string) => Promise.all(names.map((name) => readFile(join(folder, name), 'hex')));
    expect(await bytesIn(own)).toEqual(await bytesIn(artifacts));
  });

  it('has keys that the deployment and the SDK accept, from a credential to a transfer', async () => {
    const stack = await startQuickStack({ artifactsFolder: artifacts });
    try {
      expect(stack.deployment.acceptedSetups).toEqual(['ceremony']);
      const steps: string[] = [];
      const report = { waiting: () => undefined, done: ({ what }: { what: string }) => steps.push(what) };
      const started = performance.now();
      await walk({ deployment: stack.deployment, report });
      expect(steps).toHaveLength(21);
      process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  the walk\n`);
      // A manifest that names another contributor is refused before anything is sent.
      const file = join(artifacts, 'manifest.json');
      const manifest = await readFile(file, 'utf8');
      await writeFile(file, manifest.replace('Grace Hopper', 'Somebody else'));
      await expect(deployedBy(coordinator, stack.deployment.rpcUrl)).rejects.toThrow(
        'names other contributions',
      );
      await writeFile(file, manifest);
      const deployed = await deployedBy(coordinator, stack.deployment.rpcUrl);
      expect(deployed).toMatchObject({
        artifactsDigest: stack.deployment.artifactsDigest,
        acceptedSetups: ['ceremony'],
      });
    } finally {
      await stack.close();
    }
  });
});

/** Deploys the protocol with the command, and returns the deployment that it wrote. */
async function deployedBy(person: Person, rpcUrl: string) {
  const [payer, program] = [nacl.sign.keyPair(), nacl.sign.keyPair()];
  const file = (name: string) => join(person.home, name);
  await writeFile(file('payer.json'), JSON.stringify([...payer.secretKey]));
  await writeFile(file('program.json'), JSON.stringify([...program.secretKey]));
  const address = getAddressDecoder().decode(payer.publicKey);
  await createSolanaRpc(rpcUrl)
    .requestAirdrop(address, lamports(2_000_000_000n), { commitment: 'confirmed' })
    .send();
  const options = {
    'rpc-url': rpcUrl,
    'payer-file': file('payer.json'),
    'program-keypair-file': file('program.json'),
    'verifier-authority': address,
    'verifier-url': 'https://verifier.example',
    'pass-fee-lamports': '50000',
    'base-url': 'https://app.example',
    'artifacts-directory': file('artifacts'),
    'deployment-file': file('deployment.json'),
  };
  const parameters = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  await person.npm('cli', '--', 'deploy', ...parameters);
  return parseDeployment(JSON.parse(await readFile(file('deployment.json'), 'utf8')));
}

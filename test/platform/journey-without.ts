/** Runs the journey of a dApp in a thread from which globals and members were removed. */
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Deployment } from '@service/development';
import { passHostedPage } from '@service/test-support';
import { build } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../..');
const PERSON = { region: 'CH', status: 'accredited', birthDate: '1985-02-28' };

/** The result of a journey. */
export interface Result {
  readonly pass?: string;
  readonly failed?: string;
  /** The number of proofs of the prover's worker. */
  readonly proofs: number;
}

type Message = { readonly visit?: string; readonly pass?: string; readonly failed?: string };

/** Bundles the journey with the names to remove, and runs it. */
export async function journeyWithout(names: readonly string[], deployment: Deployment): Promise<Result> {
  const outdir = await mkdtemp(join(tmpdir(), 'floor-'));
  const channel = new BroadcastChannel('proofs');
  let proofs = 0;
  channel.onmessage = () => void proofs++;
  try {
    await symlink(join(ROOT, 'node_modules'), join(outdir, 'node_modules'));
    await writeFile(join(outdir, 'package.json'), '{ "type": "module" }');
    await build({
      entryPoints: ['program.ts', 'prover-worker-node.ts'].map((name) => join(import.meta.dirname, name)),
      outdir,
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'es2022',
      external: ['snarkjs', 'poseidon-lite'],
      alias: { 'prover-worker': join(ROOT, 'packages/sdk/src/prover/platform/prover-worker-node.ts') },
      define: { NEWER_THAN_FLOOR: JSON.stringify(names) },
      logLevel: 'error',
    });
    const program = new Worker(join(outdir, 'program.js'), { workerData: { deployment } });
    const message = await new Promise<Message>((done, fail) => {
      program.on('error', fail);
      program.on('exit', (code) => fail(new Error(`the program ended with ${code}`)));
      program.on('message', (received: Message) => {
        if (!received.visit) return done(received);
        passHostedPage(received.visit, PERSON).then((url) => program.postMessage(url), fail);
      });
    });
    await program.terminate();
    if (message.failed) throw new Error(message.failed);
    return { ...message, proofs };
  } finally {
    channel.close();
    await rm(outdir, { recursive: true });
  }
}

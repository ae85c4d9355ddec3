/** Runs as a separate process: runs the scenario of its argument, prints the result, and has nothing left to do. */
import { preloadProver } from '../../../src/eligibility/prover-lifetime.ts';
import { artifactsFrom } from '../../../src/prover/artifact-source/artifacts-from.ts';
import type { ProofProgress } from '../../../src/prover/progress.ts';
import { proveFacts } from '../../../src/prover/prove-facts.ts';
import { disposeProver, proveInTurn } from '../../../src/prover/worker/proving-queue.ts';
import { listen } from '../loopback.ts';
import { artifactBytes, artifacts, attributes, facts, input } from './eligible.ts';

let workers = 0;
/** How many proofs workers made, and how many were made. */
const counts = { byWorkers: 0, all: 0 };
process.on('worker', (worker) => {
  workers += 1;
  worker.on('message', ({ type }) => {
    if (type === 'proof') counts.byWorkers += 1;
  });
});
const onProgress = ({ phase, fraction }: ProofProgress) => {
  if (phase === 'verification' && fraction === 1) counts.all += 1;
};
const files = { files: artifacts, loadForSnarkjs: async () => artifacts };

const following = { signal: undefined, onProgress };
const code = (proving: Promise<unknown>) =>
  proving.then(
    () => 'proved',
    (error) => error.code,
  );

const scenarios: Record<string, () => Promise<unknown>> = {
  async nothing() {
    const proofs = await Promise.all([1, 2].map(() => proveInTurn(input, files, following)));
    return proofs.map((proof) => proof.length);
  },
  async dispose() {
    const lengths = await scenarios.nothing!();
    await disposeProver();
    return lengths;
  },
  async preload() {
    await preloadProver(artifactsFrom({ digest: artifacts.digest, bytes: artifactBytes }));
    return 'preloaded';
  },
  /** The prover rejects the input, and nothing is printed. */
  failure: () => code(proveInTurn({ ...input, region: '39' }, files, following)),
  async abort() {
    const controller = new AbortController();
    const aborting = ({ phase }: { phase: string }) => phase === 'proof' && controller.abort();
    return code(proveInTurn(input, files, { signal: controller.signal, onProgress: aborting }));
  },
  /** The server sends a part of each file and then nothing. */
  async stall() {
    const { origin, close } = await listen((_, response) => void response.write('{'));
    const source = artifactsFrom({ digest: artifacts.digest, url: origin, stallTimeoutMs: 200 });
    const answer = await code(proveFacts(facts, attributes, source));
    await close();
    return answer;
  },
};

const answer = await scenarios[process.argv[2]!]!();
/** Whether this thread made a proof. */
const here = counts.all > counts.byWorkers;
console.log(JSON.stringify({ answer, here, workers }));

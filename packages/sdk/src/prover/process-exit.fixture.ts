/** Run as a process of its own: proves, says so, and then has nothing left to do. */
import { disposeProver } from './curve.ts';
import { artifacts, input } from './eligible.fixture.ts';
import { proveEligibility } from './prove-eligibility.ts';
import type { Curve } from './snarkjs-api.ts';

const [afterwards] = process.argv.slice(2);
let threads = 0;
const onProgress = () => {
  const { curve_bn128: curve } = globalThis as { curve_bn128?: Curve | null };
  threads = Math.max(threads, curve?.tm.workers?.length ?? 0);
};
const proofs = await Promise.all([
  proveEligibility(input, artifacts, { onProgress }),
  proveEligibility(input, artifacts, { onProgress }),
]);
if (afterwards === 'dispose') await disposeProver();
console.log(JSON.stringify({ lengths: proofs.map(({ proof }) => proof.length), threads: threads > 0 }));

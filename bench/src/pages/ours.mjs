/** A page that proves with the SDK, whose worker makes the proof. */
import { importOurs } from '../processes/our-proof.mjs';

let prove;

/** Makes the first proof, between two marks of the trace. */
globalThis.first = async (person) => {
  performance.mark('first-proof-start');
  prove = await (await importOurs())(person, { isDownloaded: true });
  await prove();
  performance.mark('first-proof-end');
};

/** Makes a proof. Returns its milliseconds. */
globalThis.measure = async () => {
  const started = performance.now();
  await prove();
  return performance.now() - started;
};

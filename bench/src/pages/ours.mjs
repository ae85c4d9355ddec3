/** A page that proves with the SDK, whose worker makes the proof. */
import { importOurs } from '../processes/our-proof.mjs';

let prove;

/** Makes the first proof. Returns the longest time in milliseconds for which the page's thread was busy. */
globalThis.first = (person) =>
  whileWatched(async () => {
    prove = await (await importOurs())(person, { isDownloaded: true });
    return prove();
  });

/** Makes a proof. Returns its milliseconds. */
globalThis.measure = async () => {
  const started = performance.now();
  await prove();
  return performance.now() - started;
};

/** Returns the longest gap between two timers while something runs. Browsers wait 4 ms between timers. */
async function whileWatched(run) {
  let last = performance.now();
  let longest = 0;
  const look = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const watch = setInterval(look, 0);
  try {
    await run();
    look();
    return longest;
  } finally {
    clearInterval(watch);
  }
}

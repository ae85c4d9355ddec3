/** Makes proofs in plain Node: `proof.mjs ours` or `proof.mjs peer`. */
import { answer, peakMegabytes, timed } from './answer.mjs';

const load =
  process.argv[2] === 'ours'
    ? async () => (await import('./our-proof.mjs')).importOurs()
    : async () => (await import('../../peers/semaphore.mjs')).importPeer();
const given =
  process.argv[2] === 'ours'
    ? JSON.parse(process.env.BENCH_PERSON)
    : (await import('../../peers/artifacts.mjs')).artifactFiles();
let prove;

answer({
  /** The first proof of a process, with the import. What it reads from the chain is not timed. */
  async cold() {
    let prepare;
    const importing = await timed(async () => {
      prepare = await load();
    });
    prove = await prepare(given);
    const proving = await timed(prove);
    return { value: importing.value + proving.value, cpu: importing.cpu + proving.cpu };
  },
  /** A proof after the first. */
  warm: () => timed(prove),
  /** The most memory until now. */
  peak: () => ({ value: peakMegabytes() }),
  /** A proof after the first, and the part of it that verifies the proof, by the phases that the SDK reports. */
  async parts() {
    const clock = () => ({ at: performance.now(), cpu: process.cpuUsage() });
    const between = (from, to) => {
      const [user, system] = [to.cpu.user - from.cpu.user, to.cpu.system - from.cpu.system];
      return { value: to.at - from.at, cpu: (user + system) / 1000 };
    };
    const verification = {};
    const started = clock();
    await prove(({ phase, fraction }) => {
      if (phase === 'verification') verification[fraction] = clock();
    });
    const ended = clock();
    return { verification: between(verification[0], verification[1]), proof: between(started, ended) };
  },
});

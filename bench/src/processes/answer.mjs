/** Answers the requests of the harness, one after another. */
import { readFileSync } from 'node:fs';

/** Answers each request with the function of its name. */
export function answer(functions) {
  process.on('message', async ({ request, parameter }) => {
    try {
      process.send({ answer: await functions[request](parameter) });
    } catch (error) {
      process.send({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.on('disconnect', () => process.exit());
  process.send({ ready: true });
}

/** Measures a function: milliseconds of wall clock, and of CPU time of all threads of this process. */
export async function timed(run) {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await run();
  const value = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { value, cpu: (user + system) / 1000 };
}

/**
 * Returns the most memory that this process has used, in MB. `maxRSS` of getrusage would not do: on Linux a process
 * inherits the value of the process that started it.
 */
export function peakMegabytes() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1000;
  } catch {
    return process.resourceUsage().maxRSS / 1000;
  }
}

/** CPU time of the processes that this process started, which Node does not count. */
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of a tick, in which Linux counts CPU time for programs. */
const TICK_MS = 10;

/** Returns the milliseconds of CPU time that all running descendants of this process have used. Works on Linux only. */
export function cpuOfChildren(): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // The name of the program comes before these fields, in brackets, and may contain spaces.
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
        return {
          pid: Number(pid),
          parent: Number(fields[1]),
          ticks: Number(fields[11]) + Number(fields[12]),
        };
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
  const descendants = new Set([process.pid]);
  // A set visits what is added to it during the loop.
  for (const parent of descendants) {
    for (const each of processes) if (each.parent === parent) descendants.add(each.pid);
  }
  const counted = processes.filter(({ pid }) => pid !== process.pid && descendants.has(pid));
  return counted.reduce((sum, { ticks }) => sum + ticks, 0) * TICK_MS;
}

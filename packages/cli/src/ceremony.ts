/** `npx @service/cli ceremony`. */
import { ended } from './output.ts';

/** What the command does. */
export const CEREMONY_SUMMARY =
  "Makes the keys of the circuit: an operator's own, or those of a ceremony of several people.";

/**
 * Runs a step. Returns the exit code: 0 when done, 1 if the step fails, 2 for wrong options, or if the packages that only this
 * command needs are not installed.
 */
export async function ceremony(argv: readonly string[]): Promise<number> {
  try {
    // snarkjs and the compiler have 60 MB, which other commands do not load.
    const steps = await import('@service/circuit/ceremony');
    return await steps.ceremony(argv);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return ended(2, `${(error as Error).message}\nInstall @service/cli again without --omit=optional.`);
  }
}

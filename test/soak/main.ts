/** `npm run campaign -- soak`: breaks everything that the service depends on, and checks that it kept what it acknowledged. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandLine, CommandLineError, readCommandLine, usage } from './command-line.ts';

const commandLine = readOptions();
// Load the campaigns only now: that takes seconds, and --help and a wrong option do not need them.
const [{ bundleChanged }, { runFolderCampaign }, { runPostgresCampaign }, report, { mutantNamed, mutate }] =
  await Promise.all([
    import('../e2e/support/bundle-commands.ts'),
    import('./campaign/folder-campaign.ts'),
    import('./campaign/postgres-campaign.ts'),
    import('./campaign/report.ts'),
    import('./mutants/mutants.ts'),
  ]);
const began = performance.now();
const print = (line: string) =>
  console.log(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
const folder = mkdtempSync(join(tmpdir(), 'soak-'));
print(`details and logs: ${folder}`);
const mutant = commandLine.mutant === null ? null : mutantNamed(commandLine.mutant);
const { bundles, remove } = await bundleChanged(
  (path, text) => (mutant ? mutate(mutant, path, text) : text),
  'packages/server/src/main.ts',
);
const options = {
  seconds: commandLine.seconds,
  seed: commandLine.seed,
  servers: commandLine.servers,
  only: commandLine.only,
  // What a mutant broke never becomes quiet.
  waitMs: mutant ? 40_000 : 120_000,
  folder,
  serverFile: bundles[0],
  print,
};
try {
  const run = commandLine.usesFolder ? runFolderCampaign : runPostgresCampaign;
  const result = await run(options);
  report.writeDetails(result);
  console.log(report.reportOf(result).join('\n'));
  if (report.isClean(result)) rmSync(join(folder, 'database'), { recursive: true });
  else process.exitCode = 1;
} finally {
  remove();
}

/** Reads the command line. Ends the process for `--help`, and for an invalid option. */
function readOptions(): CommandLine {
  try {
    const read = readCommandLine(process.argv.slice(2));
    if (read) return read;
    console.log(usage());
    process.exit(0);
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/**
 * `npm run campaign -- operator --packages FOLDER [--powers FILE]`: does what an operator does, with the packed tarballs of a folder alone, on a
 * real validator. TEST_VALIDATOR names the validator, or the URL of a running one (test/validator). With `--powers`, the published powers of tau, it
 * makes the keys of an operator first. CI does not run it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { disposeProver } from '@service/sdk';
import { progressSince } from '../validator/support/progress.ts';
import { startValidator } from '../validator/support/start-validator.ts';
import { startChromium } from './browser.ts';
import { packedIn, run } from './install.ts';
import { checkPage, type Installed, installAlone, TOOLS, walkInstalled } from './installed.ts';

const { values } = parseArgs({ options: { packages: { type: 'string' }, powers: { type: 'string' } } });
const { TEST_VALIDATOR: validator } = process.env;
if (!values.packages || !validator) {
  console.error('Set TEST_VALIDATOR, and name the folder of the tarballs: --packages FOLDER.');
  process.exit(2);
}
const onStep = progressSince(Date.now());
const packed = await packedIn(resolve(values.packages));
const folder = await mkdtemp(join(tmpdir(), 'operator-walk-'));
const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  const installed = {} as Record<keyof typeof TOOLS, Installed>;
  for (const [role, name] of Object.entries(TOOLS)) {
    const each = await installAlone(folder, packed.find((tarball) => tarball.name === name)!);
    onStep(`${name} installed: ${each.megabytes} MB in ${each.files} files`);
    installed[role as keyof typeof TOOLS] = each;
  }
  await checkPage(installed.server);
  const artifacts = values.powers && (await makeKeys(installed.command, resolve(values.powers)));
  let rpcUrl = validator;
  if (!/^https?:/.test(validator)) {
    const started = await startValidator(validator, { print: onStep });
    closers.push(started.stop);
    rpcUrl = started.rpcUrl;
  }
  const browser = await startChromium();
  closers.push(() => browser.close());
  await walkInstalled({
    ...installed,
    rpcUrl,
    browser,
    onStep,
    ...(artifacts
      ? {
          deployOptions: ['--artifacts-directory', artifacts],
          serverVariables: { ARTIFACTS_DIRECTORY: artifacts },
        }
      : {}),
  });
  onStep('done');
} catch (error) {
  onStep(`FAILED: ${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
} finally {
  await disposeProver();
  for (const close of closers.reverse()) await close();
}

/** Makes the keys of an operator, as docs/ceremony.md says. Returns the folder of the proof artifacts. */
async function makeKeys(command: Installed, powers: string): Promise<string> {
  const ceremony = async (...args: string[]) => {
    const service = join(command.folder, 'node_modules/.bin/service');
    await run(service, ['ceremony', ...args], command.folder, { HOME: command.home });
    onStep(`ceremony ${args[0]}`);
  };
  await ceremony('begin', '--powers', powers);
  await ceremony('contribute', '--name', 'Example Bank');
  await ceremony('finish', '--circuit', 'eligibility-3');
  await ceremony('artifacts', '--to', 'artifacts');
  return join(command.folder, 'artifacts');
}

/** `npm run soak`: breaks everything that the service depends on, and checks that it kept what it acknowledged. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endProver } from '@service/test-support/service';
import { bundleCommands } from '../e2e/support/bundle-commands.ts';
import { runFolderCampaign } from './campaign/folder-campaign.ts';
import { runPostgresCampaign } from './campaign/postgres-campaign.ts';
import { isClean, reportOf, writeDetails } from './campaign/report.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
    'data-dir': { type: 'boolean', default: false },
  },
});

const began = performance.now();
const print = (line: string) =>
  console.log(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
const folder = mkdtempSync(join(tmpdir(), 'soak-'));
print(`details and logs: ${folder}`);
const { bundles, remove } = await bundleCommands('packages/server/src/main.ts');
const options = {
  seconds: Number(values.seconds),
  seed: Number(values.seed),
  folder,
  serverFile: bundles[0],
  print,
};
try {
  const run = values['data-dir'] ? runFolderCampaign : runPostgresCampaign;
  const result = await run(options);
  writeDetails(result);
  console.log(reportOf(result).join('\n'));
  if (isClean(result)) rmSync(join(folder, 'database'), { recursive: true });
  else process.exitCode = 1;
} finally {
  remove();
  await endProver();
}

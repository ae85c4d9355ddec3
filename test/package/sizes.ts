/** `npm run sizes`: compares the sizes of imports of the SDK with sizes.json and the README. `--packages` lists the packages in ServiceClient. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Bundler, type Weight, weigh } from './measure.ts';

interface Budget {
  readonly name: string;
  readonly code: string;
  /** @default esbuild */
  readonly bundler?: Bundler;
  /** Kilobytes of 1000 bytes. */
  readonly atOnce: number;
  readonly later: number;
}

const { values } = parseArgs({ options: { packages: { type: 'boolean', default: false } } });
const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
const { budgets } = JSON.parse(await read('./sizes.json')) as { budgets: Budget[] };
const readme = await read('../../packages/sdk/README.md');
const missing: string[] = [];

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);
const row = (cells: readonly string[]) =>
  console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(28) : cell.padStart(12))).join(''));

/** Texts that the SDK's README must contain, by import, in whole kilobytes. */
const whole = (bytes: number) => Math.round(bytes / 1000);
const README_TEXTS: Readonly<Record<string, (weight: Weight) => readonly string[]>> = {
  ServiceClient: ({ atOnce, later, tweetnacl }) => [
    `| esbuild | ${whole(atOnce)} KB | ${whole(later)} KB |`,
    `tweetnacl (${whole(tweetnacl)} KB)`,
  ],
  'ServiceClient, by Vite': ({ atOnce, later }) => [`| Vite | ${whole(atOnce)} KB | ${whole(later)} KB |`],
};

let over = 0;
row(['kB gzipped', 'at once', 'budget', 'later', 'budget', '+ tweetnacl', '+ prover', '+ snarkjs']);
for (const { name, code, bundler, atOnce, later } of budgets) {
  const weight = await weigh(code, bundler);
  const isOver = weight.atOnce > atOnce * 1000 || weight.later > later * 1000;
  if (isOver) over += 1;
  missing.push(...(README_TEXTS[name]?.(weight) ?? []).filter((text) => !readme.includes(text)));
  const apart = [weight.tweetnacl, weight.prover, weight.snarkjs];
  const sizes = [weight.atOnce, atOnce * 1000, weight.later, later * 1000, ...apart];
  row([`${name}${isOver ? '  OVER' : ''}`, ...sizes.map(kilobytes)]);
  if (values.packages && name === 'ServiceClient') {
    const heaviest = [...weight.packages].sort(([, a], [, b]) => b.atOnce + b.later - a.atOnce - a.later);
    for (const [of, bytes] of heaviest) {
      row([`  ${of} (minified)`, kilobytes(bytes.atOnce), '', kilobytes(bytes.later)]);
    }
  }
}
if (over > 0) {
  console.error(`${over} over budget. Make them smaller, or raise sizes.json with the reason in the commit.`);
  process.exit(1);
}
if (missing.length > 0) {
  console.error(`The SDK's README is not current. It must contain: ${missing.join(' ... ')}`);
  process.exit(1);
}

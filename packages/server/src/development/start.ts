/** `npm start`: the development stack until Ctrl-C; writes deployment.json for the examples. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import pino from 'pino';
import { startStack } from './stack.ts';

const abort = new AbortController();
const started = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

const stack = await startStack({
  ports: { site: 3000, rpc: 8899, verifier: 3001 },
  slotMs: 200,
  finalitySlots: 8,
  pollIntervalMs: 100,
  log: pino({ level: process.env.LOG_LEVEL ?? 'warn' }),
  onStep: say,
  signal: abort.signal,
}).catch((error: unknown) => {
  console.error(`npm start failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});

const file = resolve('deployment.json');
await writeFile(file, `${JSON.stringify(stack.deployment, null, 2)}\n`);
say(`wrote ${file}`);
say(`ready: ${stack.deployment.baseUrl} (Ctrl-C stops it)`);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(130);
    stopping = true;
    say('stopping');
    stack.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}

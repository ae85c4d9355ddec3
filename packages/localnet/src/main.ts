import { parseArgs } from 'node:util';
import { Localnet } from './localnet.ts';

const USAGE =
  'usage: localnet [--port 8899] [--host 127.0.0.1] [--slot-ms 400] [--finality-slots 32] [--seed localnet]';

/** Runs a cluster until Ctrl-C. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8899' },
      host: { type: 'string', default: '127.0.0.1' },
      'slot-ms': { type: 'string', default: '400' },
      'finality-slots': { type: 'string', default: '32' },
      seed: { type: 'string', default: 'localnet' },
    },
  });
  const localnet = Localnet.start({
    slotMs: readNumber('--slot-ms', values['slot-ms']),
    finalitySlots: readNumber('--finality-slots', values['finality-slots']),
    seed: values.seed,
  });
  const { url, websocketUrls } = await localnet.listen({
    port: readNumber('--port', values.port),
    host: values.host,
  });
  console.log(
    `localnet: listening on ${[url, ...websocketUrls].join(', ')} (genesis ${localnet.genesisHash}, finality after ${values['finality-slots']} slots)`,
  );
  const stop = async () => {
    const { slot } = localnet;
    await localnet.stop();
    console.log(`localnet: stopped at slot ${slot}`);
    process.exit(0);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function readNumber(option: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isInteger(number) || number < 0)
    throw new Error(`${option} must be a whole number of 0 or more. It is ${JSON.stringify(text)}.`);
  return number;
}

main().catch((error: unknown) => {
  console.error(`localnet: ${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exit(1);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCommandLine, usage } from './command-line.ts';

const FREE_PORTS = ['--site-port', '0', '--rpc-port', '1', '--verifier-port', '3'];

test('without options it has the default ports, and with options their values', () => {
  expect(readCommandLine([])).toEqual({
    ports: { site: 3000, rpc: 8899, verifier: 3001 },
    demo: true,
    verifier: true,
  });
  const chain = ['--slot-ms', '50', '--finality-slots', '4'];
  const others = ['--data-dir', 'data', '--origin', 'http://localhost:5173'];
  expect(readCommandLine([...FREE_PORTS, ...chain, ...others])).toEqual({
    ports: { site: 0, rpc: 1, verifier: 3 },
    slotMs: 50,
    finalitySlots: 4,
    dataDirectory: 'data',
    origin: 'http://localhost:5173',
    demo: false,
    verifier: true,
  });
  expect(readCommandLine(['--no-demo'])).toMatchObject({ demo: false });
  expect(readCommandLine(['--no-verifier'])).toMatchObject({ verifier: false });
  expect(readCommandLine(['--rpc-url', 'http://a'])).toMatchObject({ rpcUrl: 'http://a' });
});

test('--help returns null, and the usage has the options of the README', () => {
  expect(readCommandLine(['--slot-ms', 'no', '--help'])).toBeNull();
  const optionsIn = (text: string) => [...new Set(text.match(/(?<=^ {2}|`)--[a-z-]+/gm))].sort();
  const table = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8').match(/^\| `--.*$/gm)!;
  expect(optionsIn(usage())).toEqual(optionsIn(table.join('\n')));
  expect(optionsIn(usage())).toHaveLength(10);
});

test.each([
  [['--slots', '5'], 1, "Unknown option '--slots'. Run npm start -- --help, which lists the options."],
  [['devnet'], 1, "Unexpected argument 'devnet'. Run npm start -- --help, which lists the options."],
  [
    ['--data-dir'],
    1,
    "Option '--data-dir <value>' argument missing. Run npm start -- --help, which lists the options.",
  ],
  [
    ['--data-dir', '--origin'],
    1,
    "Option '--data-dir' argument is ambiguous. Run npm start -- --help, which lists the options.",
  ],
  [
    ['--no-demo=yes'],
    1,
    "Option '--no-demo' does not take an argument. Run npm start -- --help, which lists the options.",
  ],
  [['--slot-ms', 'fast'], 2, '--slot-ms is "fast". Pass a whole number of 0 or more.'],
  [['--site-port', ''], 2, '--site-port is "". Pass a whole number of 0 or more.'],
  [['--site-port=-1'], 2, '--site-port is "-1". Pass a whole number of 0 or more.'],
  [
    ['--rpc-url', 'http://a', '--rpc-port', '1'],
    2,
    '--rpc-port is for the local chain. Leave it out, or leave out --rpc-url.',
  ],
  [
    ['--no-verifier', '--verifier-port', '0'],
    2,
    '--verifier-port is 0. With --no-verifier, pass the port of your verifier.',
  ],
])('%j is rejected with %i', (args, exitCode, message) => {
  expect(() => readCommandLine(args)).toThrow(expect.objectContaining({ exitCode, message }));
});

test.each([
  ['--site-port 3001', '--site-port and --verifier-port both use port 3001. Pass another --verifier-port.'],
  ['--site-port 8899', '--site-port and --rpc-port both use port 8899. Pass another --rpc-port.'],
  ['--rpc-port 3001', '--rpc-port and --verifier-port both use port 3001. Pass another --verifier-port.'],
  [
    '--site-port 8900',
    '--site-port and --rpc-port (its WebSocket, one port higher) both use port 8900. Pass another --rpc-port.',
  ],
  [
    '--rpc-port 7000 --verifier-port 7001',
    '--rpc-port (its WebSocket, one port higher) and --verifier-port both use port 7001. Pass another --verifier-port.',
  ],
  ['--site-port 65536', '--site-port is 65536. Pass 65535 or less.'],
  ['--rpc-port 65535', '--rpc-port is 65535. Pass 65534 or less.'],
  [
    '--verifier-port 3000 --rpc-url http://a',
    '--site-port and --verifier-port both use port 3000. Pass another --verifier-port.',
  ],
])('%s is rejected, because the ports collide or do not exist', (args, message) => {
  expect(() => readCommandLine(args.split(' '))).toThrow(expect.objectContaining({ exitCode: 2, message }));
});

test('ports may be next to each other, free, or those of a local chain that does not run', () => {
  for (const args of [
    '--rpc-port 8898',
    '--site-port 0 --rpc-port 0 --verifier-port 0',
    '--site-port 8899 --rpc-url http://a',
  ])
    expect(readCommandLine(args.split(' '))).not.toBeNull();
});

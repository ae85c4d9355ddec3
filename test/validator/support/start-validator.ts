/** Starts a solana-test-validator on loopback, with ports and a ledger of its own, and stand-ins for Lighthouse and Token ACL. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { GUARD_PROGRAM_FILE, TOKEN_ACL_PROGRAM_FILE } from '@service/localnet';
import { LIGHTHOUSE_PROGRAM, TOKEN_ACL_PROGRAM } from '@service/protocol';
import { createSolanaRpc } from '@solana/kit';

/** A running validator. */
export interface Validator {
  readonly rpcUrl: string;
  /** Ends the process and removes its ledger. */
  stop(): Promise<void>;
}

/** Options of a start. */
export interface StartOptions {
  /** Called with a line for each step. */
  readonly print: (line: string) => void;
  readonly signal?: AbortSignal;
  /** Milliseconds until the validator must respond. @default two minutes; it takes about 20 seconds */
  readonly timeoutMs?: number;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const KEEPER = fileURLToPath(new URL('keeper.ts', import.meta.url));
const START_MS = 120_000;
const POLL_MS = 250;
/** RPC, subscriptions, faucet, gossip, and a range for the rest. */
const PORTS = 104;
const TRIES = 20;

/**
 * Starts the validator, and resolves when it is healthy. A second process, the keeper, ends the validator and removes its
 * ledger, even when this process is killed.
 *
 * @throws Error when the file is not executable, or the validator ends or does not respond in time
 */
export async function startValidator(
  binary: string,
  { print, signal, timeoutMs = START_MS }: StartOptions,
): Promise<Validator> {
  const file = resolve(binary);
  assertExecutable(file);
  const base = await freePorts();
  const folder = mkdtempSync(join(tmpdir(), 'validator-'));
  const args = [
    ...['--ledger', join(folder, 'ledger'), '--bind-address', '127.0.0.1', '--quiet'],
    ...['--rpc-port', `${base}`, '--faucet-port', `${base + 2}`, '--gossip-port', `${base + 3}`],
    ...['--dynamic-port-range', `${base + 4}-${base + PORTS - 1}`],
    // The default keeps less than a minute of blocks. A public RPC keeps days, and without history no outcome can be proven.
    ...['--limit-ledger-size', '10000000'],
    // A new cluster has neither.
    ...['--bpf-program', LIGHTHOUSE_PROGRAM, GUARD_PROGRAM_FILE],
    ...['--bpf-program', TOKEN_ACL_PROGRAM, TOKEN_ACL_PROGRAM_FILE],
  ];
  // Detached, so that Ctrl-C does not end it before the service.
  const keeper = spawn(process.execPath, ['--import', 'tsx', KEEPER, folder, file, ...args], {
    cwd: ROOT,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-2_000);
  };
  keeper.stdout.on('data', keep);
  keeper.stderr.on('data', keep);
  const ended = once(keeper, 'close').then(([code]) => code as number | null);
  const stop = async () => {
    keeper.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const rpcUrl = `http://127.0.0.1:${base}`;
  print(`starting ${file} on port ${base}`);
  try {
    await healthy(rpcUrl, { keeper, timeoutMs, signal });
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message} ${output.trim()}`.trim(), { cause: error });
  }
  print(`the validator responds at ${rpcUrl}`);
  return { rpcUrl, stop };
}

function assertExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    throw new Error(
      `TEST_VALIDATOR is ${file}, which is not a program. Set it to the path of a solana-test-validator, or to an RPC URL.`,
    );
  }
}

/** Resolves when the validator has finalized a block. */
async function healthy(
  rpcUrl: string,
  { keeper, timeoutMs, signal }: { keeper: ChildProcess; timeoutMs: number; signal: AbortSignal | undefined },
): Promise<void> {
  const rpc = createSolanaRpc(rpcUrl);
  const end = performance.now() + timeoutMs;
  for (;;) {
    if (keeper.exitCode !== null) throw new Error(`The validator ended with ${keeper.exitCode}.`);
    if (performance.now() > end)
      throw new Error(`The validator did not respond within ${timeoutMs / 1000} s.`);
    const isHealthy = await Promise.all([
      rpc.getHealth().send({ abortSignal: AbortSignal.timeout(5_000) }),
      rpc.getSlot({ commitment: 'finalized' }).send({ abortSignal: AbortSignal.timeout(5_000) }),
    ]).then(
      ([health, slot]) => health === 'ok' && slot > 0n,
      () => false,
    );
    if (isHealthy) return;
    await setTimeout(POLL_MS, undefined, signal && { signal });
  }
}

/** Finds ports in a row that are free now, for TCP and UDP. */
async function freePorts(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const base = 20_000 + Math.floor(Math.random() * 12_000);
    const ports = Array.from({ length: PORTS }, (_, index) => base + index);
    const free = await Promise.all(ports.flatMap((port) => [isFreeTcp(port), isFreeUdp(port)]));
    if (free.every(Boolean)) return base;
  }
  throw new Error(`Found no ${PORTS} free ports in a row. End other processes that listen, then try again.`);
}

async function isFreeTcp(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

async function isFreeUdp(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)));
  });
}

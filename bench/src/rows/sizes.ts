/** Rows that measure bytes and compute units. They are the same on every machine. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { weigh } from '../../../test/package/measure.ts';
import { personEnv } from '../person.ts';
import type { Row } from '../row.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PEERS = join(ROOT, 'bench/peers');

/** What a first proof fetched when the service used the witness calculator and the proving key of circom and snarkjs. */
const FIRST_RELEASE_BYTES = 1_592_830;

/** All that a first proof fetches. */
export const download: Row = {
  id: 'download',
  what: 'what a first proof fetches, brotli',
  against: "circom's and snarkjs's files",
  unit: 'bytes',
  goal: 0.33,
  better: 'lower',
  rounds: 1,
  steady: 'value',
  async start(processes) {
    const process = processes.start('download.mjs', { env: await personEnv() });
    return {
      ours: () => process.ask('bytes'),
      peer: async () => ({ value: FIRST_RELEASE_BYTES }),
    };
  },
};

/** The client with all that it imports, except the two provers. A page loads one of them for its first proof. */
export const clientSize: Row = {
  id: 'client-size',
  what: 'ServiceClient, bundled, gzip',
  against: 'sas-lib, bundled the same way',
  unit: 'bytes',
  goal: 0.8,
  better: 'lower',
  rounds: 1,
  steady: 'value',
  whyMissed:
    'kit (31 KB), zod (10 KB), tweetnacl (7 KB) and ky (5 KB) alone almost reach the goal of 58 KB. ' +
    'The checks of the client and its messages need another 50 KB. sas-lib makes no such checks.',
  start: async () => ({
    ours: () => bundledBytes("export { ServiceClient } from '@service/sdk'", ROOT),
    peer: () => bundledBytes("export * from 'sas-lib'", PEERS),
  }),
};

/** Units that the published verifier of Groth16 proofs in Rust uses for as many public inputs. */
const GROTH16_SOLANA_UNITS = 125_225;

/** The transaction that verifies a proof and opens a pass. */
export const proveOnChain: Row = {
  id: 'prove-on-chain',
  what: 'prove on chain, whole transaction',
  against: 'groth16-solana at nine inputs, published',
  unit: 'compute units',
  goal: 0.72,
  better: 'lower',
  rounds: 1,
  steady: 'value',
  start: async () => ({
    // A test of the program compares this file with what the transaction uses.
    ours: async () => ({ value: (await computeUnits()).transactions.prove }),
    peer: async () => ({ value: GROTH16_SOLANA_UNITS }),
  }),
};

async function computeUnits(): Promise<{ transactions: { prove: number } }> {
  return JSON.parse(await readFile(join(ROOT, 'packages/program/test/compute-units.json'), 'utf8'));
}

/** Returns the gzipped bytes of some code with all that it imports, at once or later, without the two provers. */
async function bundledBytes(code: string, resolveDir: string) {
  const { atOnce, later, tweetnacl } = await weigh(code, 'esbuild', resolveDir);
  return { value: atOnce + later + tweetnacl };
}

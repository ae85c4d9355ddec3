/** Proofs in plain Node: the built SDK against Semaphore v4. */
import type { Measured, Processes } from '../measured-process.ts';
import { personEnv } from '../person.ts';
import type { Figure, Row } from '../row.ts';

const SEMAPHORE = 'Semaphore v4, depth 10';

const prover = async (processes: Processes, side: 'ours' | 'peer') =>
  processes.start('proof.mjs', { parameters: [side], env: await personEnv() });

/** A proof after the first one, in a process of each side. */
export const warmProof: Row = {
  id: 'proof-warm-node',
  what: 'proof, warm, Node',
  against: SEMAPHORE,
  unit: 'ms',
  goal: 0.25,
  better: 'lower',
  rounds: 15,
  steady: 'cpu',
  async start(processes) {
    const [ours, peer] = [await prover(processes, 'ours'), await prover(processes, 'peer')];
    for (const side of [ours, peer]) {
      await side.ask('cold');
      await side.ask('warm');
    }
    return {
      ours: () => ours.ask('warm'),
      peer: () => peer.ask('warm'),
    };
  },
};

/** The import and the first proof, each in a new process. */
export const coldProof: Row = {
  id: 'proof-cold',
  what: 'proof, cold, Node (import to proof)',
  against: SEMAPHORE,
  unit: 'ms',
  goal: 0.4,
  better: 'lower',
  rounds: 7,
  start: (processes) => inNewProcesses(processes, (side) => side.ask('cold')),
};

/** Peak memory of a process that makes two proofs. Both sides read their artifacts from files. */
export const proofMemory: Row = {
  id: 'proof-memory',
  what: 'peak memory of a proof, plain Node',
  against: SEMAPHORE,
  unit: 'MB',
  goal: 0.6,
  better: 'lower',
  rounds: 5,
  steady: 'value',
  start: (processes) =>
    inNewProcesses(processes, async (side) => {
      await side.ask('cold');
      await side.ask('warm');
      return side.ask('peak');
    }),
};

/** The local verification, as a share of the proof that it belongs to. */
export const verificationShare: Row = {
  id: 'verification-share',
  what: 'local verification',
  against: 'the whole proof',
  unit: 'ms',
  goal: 0.15,
  better: 'lower',
  rounds: 9,
  async start(processes) {
    const process = await prover(processes, 'ours');
    await process.ask('cold');
    let proof: Figure;
    return {
      async ours() {
        const parts = await process.ask<{ verification: Figure; proof: Figure }>('parts');
        proof = parts.proof;
        return parts.verification;
      },
      peer: async () => proof,
    };
  },
};

/** Measures each side in a new process every time. */
async function inNewProcesses(processes: Processes, run: (process: Measured) => Promise<Figure>) {
  const measured = (side: 'ours' | 'peer') => async () => {
    const process = await prover(processes, side);
    try {
      return await run(process);
    } finally {
      await process.close();
    }
  };
  return { ours: measured('ours'), peer: measured('peer') };
}

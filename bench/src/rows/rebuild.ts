/** What the client computes before each signature. */
import type { Row } from '../row.ts';

/** Rebuilding a prepared transfer and comparing it. The reads of the chain answer from memory. */
export const rebuildAndCompare: Row = {
  id: 'rebuild-and-compare',
  what: 'rebuild and compare a transfer, RPC reads apart',
  against: 'one ed25519 verification by tweetnacl',
  unit: 'ms',
  goal: 0.5,
  better: 'lower',
  rounds: 15,
  async start(processes) {
    const process = processes.start('rebuild.ts');
    // The compiler of the engine replaces code that ran often.
    await process.ask('ours');
    await process.ask('peer');
    return {
      ours: () => process.ask('ours'),
      peer: () => process.ask('peer'),
    };
  },
};

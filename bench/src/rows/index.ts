/** The rows in the order of the table. */
import type { Row } from '../row.ts';
import { browserProof, mainThreadTask } from './browser.ts';
import { freezeAfterExpiry, freezeAfterSuspension } from './keeper.ts';
import { coldProof, proofMemory, verificationShare, warmProof } from './proof.ts';
import { rebuildAndCompare } from './rebuild.ts';
import { indexPasses, manyRows, prepareSubmit, settledPerSecond } from './server.ts';
import { clientSize, download, proveOnChain } from './sizes.ts';

export const ROWS: readonly Row[] = [
  warmProof,
  coldProof,
  browserProof,
  mainThreadTask,
  proofMemory,
  download,
  verificationShare,
  proveOnChain,
  clientSize,
  rebuildAndCompare,
  prepareSubmit,
  settledPerSecond,
  indexPasses,
  manyRows,
  freezeAfterExpiry,
  freezeAfterSuspension,
];

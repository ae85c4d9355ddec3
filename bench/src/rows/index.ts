/** The rows in the order of the table. */
import type { Row } from '../row.ts';
import { coldProof, proofMemory, verificationShare, warmProof } from './proof.ts';
import { rebuildAndCompare } from './rebuild.ts';
import { indexPasses, manyRows, prepareSubmit, settledPerSecond } from './server.ts';
import { clientSize, download, proveOnChain } from './sizes.ts';

export const ROWS: readonly Row[] = [
  warmProof,
  coldProof,
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
];

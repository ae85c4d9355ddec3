/** Reports the progress of a walk: a line for each wait and each finished step. */
import type { FinalizedOperation } from '@service/sdk';
import type { Signature } from '@solana/kit';
import { type Rpc, transactionOf } from './chain-check.ts';

/** A finished step. */
export interface StepResult {
  readonly what: string;
  readonly signature?: Signature | undefined;
  /** State of the operation, or the result of the step. */
  readonly state: string;
  readonly computeUnits?: bigint | undefined;
  readonly seconds: number;
}

/** Receives the progress of a walk. */
export interface Report {
  /** Called when the walk begins to wait for something. */
  waiting(line: string): void;
  done(step: StepResult): void;
}

/** Where a step reports, and the RPC that reads its transaction. */
interface StepContext {
  readonly report: Report;
  readonly rpc: Rpc;
}

/** Runs a step and reports it with the compute units of its transaction. Reports and rethrows its error. */
export async function runStep(
  { report, rpc }: StepContext,
  what: string,
  run: () => Promise<Pick<StepResult, 'state' | 'signature'>>,
): Promise<void> {
  const started = performance.now();
  report.waiting(what);
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const { state, signature } = await run();
    const computeUnits = signature && (await transactionOf(rpc, signature)).computeUnits;
    report.done({ what, state, signature, computeUnits, seconds: seconds() });
  } catch (error) {
    report.done({ what, state: 'UNEXPECTED RESULT', seconds: seconds() });
    throw error;
  }
}

/** Runs a step that is an operation. Passes options for the SDK's call, which report the operation's states. */
export async function operationStep(
  context: StepContext,
  what: string,
  run: (options: { onState: (state: string) => void }) => Promise<FinalizedOperation>,
): Promise<void> {
  const { report, rpc } = context;
  await runStep(context, what, async () => {
    const operation = await run({ onState: (current) => report.waiting(`operation ${current}`) });
    const signature = operation.signature as Signature;
    const { error } = await transactionOf(rpc, signature);
    if (error) throw new Error(`The transaction ${signature} failed on chain.`);
    return { state: operation.state, signature };
  });
}

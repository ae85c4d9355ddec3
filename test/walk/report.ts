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

/** The result of a step, without its name and time. */
export type Outcome = Omit<StepResult, 'what' | 'seconds'>;

/** Runs a step and reports it. Reports and rethrows its error. */
export async function runStep(report: Report, what: string, run: () => Promise<Outcome>): Promise<void> {
  const started = performance.now();
  report.waiting(what);
  const seconds = () => (performance.now() - started) / 1000;
  try {
    report.done({ what, ...(await run()), seconds: seconds() });
  } catch (error) {
    report.done({ what, state: 'UNEXPECTED RESULT', seconds: seconds() });
    throw error;
  }
}

/** Options that a step passes to the SDK's call, to report the operation's states. */
export interface OperationStepOptions {
  readonly onState: (state: string) => void;
  readonly waiting: (line: string) => void;
}

/** Runs a step that is an operation. Reports its states and reads its transaction from the chain. */
export async function operationStep(
  { report, rpc }: { readonly report: Report; readonly rpc: Rpc },
  what: string,
  run: (options: OperationStepOptions) => Promise<FinalizedOperation>,
): Promise<void> {
  await runStep(report, what, async () => {
    const operation = await run({
      onState: (current) => report.waiting(`operation ${current}`),
      waiting: (line) => report.waiting(line),
    });
    const { computeUnits, error } = await transactionOf(rpc, operation.signature as Signature);
    if (error) throw new Error(`The transaction ${operation.signature} failed on chain.`);
    return { state: operation.state, signature: operation.signature as Signature, computeUnits };
  });
}

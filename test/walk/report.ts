/** How a walk tells what happens: a line for whatever is waited for, and one when a step is done. */
import type { FinalizedOperation } from '@service/sdk';
import type { Signature } from '@solana/kit';
import { type Rpc, transactionOf } from './chain-check.ts';

/** One step, done. */
export interface StepResult {
  readonly what: string;
  readonly signature?: Signature | undefined;
  /** Operation state, or what the step shows. */
  readonly state: string;
  readonly computeUnits?: bigint | undefined;
  readonly seconds: number;
}

/** Where a walk tells what happens. */
export interface Report {
  /** What is waited for now. */
  waiting(line: string): void;
  done(step: StepResult): void;
}

/** What a step hands back; time is taken around it. */
export type Outcome = Omit<StepResult, 'what' | 'seconds'>;

/** Runs a step and reports it; an error is reported as the step's and thrown on. */
export async function runStep(report: Report, what: string, run: () => Promise<Outcome>): Promise<void> {
  const started = performance.now();
  report.waiting(what);
  const seconds = () => (performance.now() - started) / 1000;
  try {
    report.done({ what, ...(await run()), seconds: seconds() });
  } catch (error) {
    report.done({ what, state: 'NOT AS EXPECTED', seconds: seconds() });
    throw error;
  }
}

/** What an operation step passes to the SDK's call, so that its states are told as they come. */
export interface OperationStepOptions {
  readonly onState: (state: string) => void;
  readonly waiting: (line: string) => void;
}

/** Runs a step that is an operation: its states are told, and the chain's own record of the transaction is looked up. */
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
    if (error) throw new Error(`the chain has an error for ${operation.signature}`);
    return { state: operation.state, signature: operation.signature as Signature, computeUnits };
  });
}

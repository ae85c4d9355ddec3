/** The state that the steps of a walk share, and how a step runs and reports. */
import type { ProgramAddresses } from '@service/protocol';
import type { Deployment, EligibilityProof, FinalizedOperation, ServiceClient, Witness } from '@service/sdk';
import type { PersonalData } from '@service/test-support';
import type { Address, Decoder, KeyPairSigner, Signature } from '@solana/kit';
import { dataOf, type Rpc, transactionOf } from './chain-check.ts';
import type { WalkCluster } from './cluster.ts';

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

/** One of the three wallets of the walk. */
export interface Actor {
  readonly name: string;
  readonly wallet: KeyPairSigner;
  readonly client: ServiceClient;
  readonly person: PersonalData;
  /** Paths of the POSTs that left this actor's client. */
  readonly posted: string[];
  witness?: Witness;
}

/** The state of a walk. */
export interface WalkState {
  readonly deployment: Deployment & { readonly baseUrl: string };
  readonly report: Report;
  /** Takes a person through the hosted page of the verifier. Returns the URL to which the person goes back. */
  readonly visit: (hostedUrl: string, person: PersonalData) => Promise<string>;
  readonly cluster: WalkCluster;
  /** The RPC of the cluster. */
  readonly rpc: Rpc;
  /** The addresses of the program's accounts. */
  readonly at: ProgramAddresses;
  readonly issuer: Actor;
  readonly holder: Actor;
  readonly outsider: Actor;
  readonly proofs: Map<string, EligibilityProof>;
  rule: Address;
  mint: Address;
}

/** The state of the walk of an issuer, with a rule set and a mint of its own. */
export interface DeskState extends WalkState {
  /** An address without a key, such as the vault of a multisig. */
  readonly vault: Address;
}

/** Runs a step and reports it with the compute units of its transaction. Reports and rethrows its error. */
export async function runStep(
  { report, rpc }: WalkState,
  what: string,
  run: () => Promise<Pick<StepResult, 'state' | 'signature'>>,
): Promise<void> {
  const started = performance.now();
  report.waiting(what);
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const result = await run();
    const computeUnits = result.signature && (await transactionOf(rpc, result.signature)).computeUnits;
    report.done({ what, ...result, computeUnits, seconds: seconds() });
  } catch (error) {
    report.done({ what, state: 'UNEXPECTED RESULT', seconds: seconds() });
    throw error;
  }
}

/** Runs a step that is an operation. Passes options for the SDK's call, which report the operation's states. */
export async function operationStep(
  state: WalkState,
  what: string,
  run: (options: { onState: (state: string) => void }) => Promise<FinalizedOperation>,
): Promise<void> {
  const { report, rpc } = state;
  await runStep(state, what, async () => {
    const operation = await run({ onState: (current) => report.waiting(`operation ${current}`) });
    const signature = operation.signature as Signature;
    const { error } = await transactionOf(rpc, signature);
    if (error) throw new Error(`The transaction ${signature} failed on chain.`);
    return { state: operation.state, signature };
  });
}

/** Decodes an account of the program. */
export async function decodedAccount<T>(
  { rpc, deployment }: WalkState,
  address: Address,
  decoder: Decoder<T>,
) {
  return decoder.decode(await dataOf(rpc, address, deployment.program));
}

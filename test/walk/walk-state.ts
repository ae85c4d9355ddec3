/** The state that the steps of a walk share. */
import type { ProgramAddresses } from '@service/protocol';
import type { Deployment, EligibilityProof, ServiceClient, Witness } from '@service/sdk';
import type { PersonalData } from '@service/test-support';
import type { Address, Decoder, KeyPairSigner, Signature } from '@solana/kit';
import { dataOf, type Rpc } from './chain-check.ts';
import type { Report } from './report.ts';

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

/** Decodes an account of the program. */
export async function decodedAccount<T>(
  { rpc, deployment }: WalkState,
  address: Address,
  decoder: Decoder<T>,
) {
  return decoder.decode(await dataOf(rpc, address, deployment.program));
}

/** Waits until a transaction is finalized. */
export async function finalized({ rpc, report }: WalkState, signature: Signature): Promise<void> {
  report.waiting('waiting for finality');
  for (;;) {
    const { value } = await rpc.getSignatureStatuses([signature]).send();
    if (value[0]?.confirmationStatus === 'finalized') return;
    await slot();
  }
}

/** Waits for about a slot. */
export function slot(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100));
}

/** The operations of one client, and its whole state. */
import type { AdditionLimits } from '@service/protocol';
import type { NativeProver } from '../prover/native/native-prover.ts';
import type { Chain } from '../rpc/chain.ts';
import type { SessionOnChain } from '../session/session.ts';
import type { SnapshotStore } from '../session/snapshot.ts';
import type { Ledger } from './outcome/ledger.ts';

/** The state of the operations. */
export interface Operations {
  /** The state of each operation, and what wallets signed. */
  readonly ledger: Ledger;
  /** What pages subscribe to. It shows the operations under way. */
  readonly snapshot: SnapshotStore;
  /** What wallets may add to a prepared transaction, unless a call says otherwise. */
  readonly additions: AdditionLimits;
}

/** Operations, and the chain that shows their outcome. */
export interface OperationsOnChain {
  readonly operations: Operations;
  readonly chain: Chain;
}

/** The state of one client. */
export interface ClientState extends SessionOnChain, OperationsOnChain {
  /** The prover of the caller. Without it, the provers of the SDK make the proofs. */
  readonly prover: NativeProver | undefined;
}

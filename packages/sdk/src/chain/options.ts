import type { ChainRpc } from '../client/chain-rpc.ts';
import type { CallOptions } from '../client/deadline.ts';
import type { Deployment } from '../deployment.ts';

/** Where the chain is: what every function of `@service/sdk/chain` takes. Not in SPEC.md: the API is not asked. */
export interface ChainOptions extends CallOptions {
  /** What you pin: program, cluster and RPC. */
  readonly deployment: Deployment;
  /** Your own RPC. @default one at deployment.rpcUrl */
  readonly rpc?: ChainRpc | undefined;
}

import { type Deployment, parseDeployment } from '../deployment.ts';
import { checkAddresses, checkObject } from '../lib/check-arguments.ts';
import type { CallOptions } from '../lib/deadline.ts';
import { type Chain, type ChainRpc, chainOf } from '../rpc/chain-rpc.ts';

/** Where the chain is: what every function of `@service/sdk/chain` takes. Not in SPEC.md: the API is not asked. */
export interface ChainOptions extends CallOptions {
  /** What you pin: program, cluster and RPC. */
  readonly deployment: Deployment;
  /** Your own RPC. @default one at deployment.rpcUrl */
  readonly rpc?: ChainRpc | undefined;
}

/**
 * The chain of the options, with the addresses among them checked.
 *
 * @throws ServiceError INVALID_ARGUMENT
 */
export function chainWith<O extends ChainOptions>(
  options: O,
  addresses: readonly (keyof O & string)[],
): Chain {
  checkObject('options', options, `an object: { ${['deployment', ...addresses].join(', ')} }`);
  const deployment = parseDeployment(options.deployment);
  checkAddresses(Object.fromEntries(addresses.map((field) => [field, options[field]])));
  return chainOf(deployment, options.rpc);
}

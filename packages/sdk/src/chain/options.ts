import { type Deployment, parseDeployment } from '../deployment.ts';
import { checkAddresses, checkObject, checkOptions } from '../lib/check-arguments.ts';
import { type CallOptions, type Clock, machineClock } from '../lib/clock.ts';
import type { AdditionOptions } from '../operations/additions/addition-options.ts';
import { requirePlatform } from '../platform/check-platform.ts';
import type { Chain } from '../rpc/chain.ts';
import type { ChainRpc } from '../rpc/checked-rpc.ts';
import type { ConfirmedOptions } from '../rpc/confirmed-options.ts';

/** Options of every function of `@service/sdk/chain`. */
export interface ChainOptions extends CallOptions {
  /** The deployment that you pin: program, cluster and RPC. */
  readonly deployment: Deployment;
  /** Your own RPC. @default an RPC client of deployment.rpcUrl */
  readonly rpc?: ChainRpc | undefined;
  /** For tests: replaces the clock of this machine. @default the machine's clock */
  readonly clock?: Clock | undefined;
}

/** Options of every function of `@service/sdk/chain` that sends a transaction. */
export interface ChainWriteOptions extends ChainOptions, AdditionOptions, ConfirmedOptions {}

/** Returns the chain of the options, after a check of the named addresses. Throws ServiceError INVALID_ARGUMENT, UNSUPPORTED_PLATFORM. */
export function chainWith<O extends ChainOptions>(
  options: O & ConfirmedOptions,
  addresses: readonly (keyof O & string)[],
): Chain {
  requirePlatform();
  checkObject('options', options, `an object: { ${['deployment', ...addresses].join(', ')} }`);
  checkOptions(options);
  const { rpc, clock = machineClock, onConfirmed } = options;
  if (rpc !== undefined) checkObject('rpc', rpc, 'what createSolanaRpc(url) of @solana/kit returns');
  const deployment = parseDeployment(options.deployment);
  checkAddresses(Object.fromEntries(addresses.map((field) => [field, options[field]])));
  return { deployment, rpc: rpc ?? deployment.rpcUrl, clock, onConfirmed };
}

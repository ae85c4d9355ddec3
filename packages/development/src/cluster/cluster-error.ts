/** The reason why a stack cannot use a remote cluster. */
export type ClusterErrorCode =
  /** The URL is not an http or https URL, or contains a user name. */
  | 'INVALID_URL'
  /** The RPC does not respond, or stopped responding. */
  | 'UNREACHABLE'
  /** The URL responds, but not as a Solana RPC. */
  | 'NOT_AN_RPC'
  /** The cluster is mainnet. */
  | 'MAINNET'
  /** The data folder belongs to another cluster. */
  | 'OTHER_CLUSTER'
  /** The cluster has no faucet. */
  | 'NO_FAUCET'
  /** The faucet refused, for example because of its limits, or its SOL did not arrive. */
  | 'FAUCET_REFUSED'
  /** The faucet gave SOL, but the deployment costs more. */
  | 'NOT_ENOUGH_SOL';

/** A remote cluster that a stack cannot use. The message says what happened and what to do. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
  readonly code: ClusterErrorCode;

  constructor(code: ClusterErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }
}

/** The reason why a deployment stopped. */
export type DeployErrorCode =
  | 'NOT_A_PROGRAM'
  | 'ALREADY_DEPLOYED'
  | 'NOT_ENOUGH_SOL'
  | 'STATE_DIFFERS'
  | 'REFUSED'
  | 'FAILED_ON_CHAIN'
  | 'EXPIRED'
  | 'UNCONFIRMED'
  | 'MISMATCH';

/** A deployment that stopped. `logs` are the program logs; empty when there are none. */
export class DeployError extends Error {
  override name = 'DeployError';
  readonly code: DeployErrorCode;
  readonly logs: readonly string[];

  constructor(
    code: DeployErrorCode,
    message: string,
    options: { cause?: unknown; logs?: readonly string[] } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.logs = options.logs ?? [];
  }
}

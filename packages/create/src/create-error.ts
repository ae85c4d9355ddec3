/** Why no app was created. */
export type CreateErrorCode =
  /** The command line cannot be used. */
  | 'INVALID_OPTION'
  /** The folder has no name that a package can have. */
  | 'INVALID_NAME'
  /** The folder has files, or it is a file. */
  | 'FOLDER_NOT_EMPTY'
  /** The deployment cannot be read. */
  | 'DEPLOYMENT_UNAVAILABLE'
  /** The service accepts another origin than that of the app. */
  | 'OTHER_ORIGIN'
  /** The folder of `--packages` lacks the tarball of a package. */
  | 'PACKAGE_MISSING';

/** An app was not created, and nothing was written. The message says what to do. */
export class CreateError extends Error {
  override readonly name = 'CreateError';
  readonly code: CreateErrorCode;

  constructor(code: CreateErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

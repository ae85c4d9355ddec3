import { type Deployment, parseDeployment } from '../../../sdk/src/deployment.ts';
import { ServiceError } from '../../../sdk/src/errors.ts';
import { readLocalFile } from '../../../sdk/src/platform/index.ts';

/** Bytes. */
const LIMIT = 65_536;

/**
 * The deployment of a file, which `npm start` writes where it runs. For Node: a page imports the JSON. Not in SPEC.md: for
 * tests.
 *
 * @param file path of the file. @default deployment.json in the working directory
 * @throws ServiceError INVALID_ARGUMENT, naming `file` or the field of the deployment
 * @example
 * const deployment = await readDeployment();
 */
export async function readDeployment(file = 'deployment.json'): Promise<Deployment> {
  let json: unknown;
  try {
    const { signal } = new AbortController();
    const bytes = await readLocalFile({ directory: '', name: file, limit: LIMIT, signal });
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new ServiceError('INVALID_ARGUMENT', {
      message: `${file} cannot be read as JSON: ${(cause as Error).message}. Run npm start in another terminal, which writes deployment.json where it runs.`,
      context: { field: 'file' },
      cause,
    });
  }
  return parseDeployment(json);
}

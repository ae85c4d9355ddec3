import { type Deployment, parseDeployment } from '@service/sdk';
import { invalidArgument } from './funded-wallet.ts';

/**
 * Reads a deployment from the JSON file that `npm start` writes to its working directory. Works in Node; a page imports
 * the JSON instead.
 *
 * @param file path of the file. @default deployment.json in the working directory
 * @throws ServiceError INVALID_ARGUMENT, which names `file` or the field of the deployment
 * @example
 * const deployment = await readDeployment();
 */
export async function readDeployment(file = 'deployment.json'): Promise<Deployment> {
  let json: unknown;
  try {
    // An import would stop bundlers that build tests for a browser.
    const { readFile } = process.getBuiltinModule('node:fs/promises');
    json = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    const message = `${file} cannot be read as JSON: ${(cause as Error).message}. Run npm start in another terminal: it writes deployment.json to its working directory.`;
    throw invalidArgument('file', message, cause);
  }
  return parseDeployment(json);
}

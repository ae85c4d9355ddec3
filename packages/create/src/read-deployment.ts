/** Reads the operator's deployment, which the app pins. */
import { readFile } from 'node:fs/promises';
import { CreateError } from './create-error.ts';
import { ORIGIN } from './defaults.ts';

const TIMEOUT_MS = 10_000;
/** Hosts of this machine. Somebody could change an answer of another host over http, and the app would pin the change. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Reads a deployment from a file or a URL. The app checks its fields when it loads.
 *
 * @throws CreateError DEPLOYMENT_UNAVAILABLE, OTHER_ORIGIN
 */
export async function readDeployment(place: string): Promise<object> {
  const deployment: unknown = await read(place).catch((cause: unknown) => {
    if (cause instanceof CreateError) throw cause;
    const message = `${place} cannot be read as JSON. In a checkout of the service, run npm start -- --origin ${ORIGIN}, or pass --deployment with the file of your operator.`;
    throw new CreateError('DEPLOYMENT_UNAVAILABLE', message, { cause });
  });
  const baseUrl = (deployment as { baseUrl?: unknown } | null)?.baseUrl;
  if (typeof baseUrl !== 'string') {
    const message = `${place} is not a deployment, because it has no baseUrl. Pass the deployment.json of your operator.`;
    throw new CreateError('DEPLOYMENT_UNAVAILABLE', message);
  }
  if (isLocal(baseUrl) && baseUrl !== ORIGIN) {
    const message = `The service accepts pages of ${baseUrl}, but the app runs on ${ORIGIN}. Start the service with npm start -- --origin ${ORIGIN}.`;
    throw new CreateError('OTHER_ORIGIN', message);
  }
  return deployment as object;
}

async function read(place: string): Promise<unknown> {
  if (!/^https?:\/\//.test(place)) return JSON.parse(await readFile(place, 'utf8'));
  if (place.startsWith('http:') && !isLocal(place)) {
    const message = `${place} is not encrypted, so anybody on the way could change what the app pins. Pass an https URL or a file.`;
    throw new CreateError('DEPLOYMENT_UNAVAILABLE', message);
  }
  const response = await fetch(place, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}

const isLocal = (url: string) => URL.canParse(url) && LOOPBACK.includes(new URL(url).hostname);

/** The thread of a dApp on the oldest platform: the whole journey, after everything newer was removed. */
// Node's own modules are no browser, and some of them use what is newer when they load.
import 'node:http';
import 'node:https';
import { parentPort, workerData } from 'node:worker_threads';
import { removeNewer } from './remove.ts';

await (await fetch('data:,')).text();
removeNewer();
const port = parentPort!;
const visit = (url: string) =>
  new Promise<string>((resolve) => {
    port.once('message', resolve);
    port.postMessage({ visit: url });
  });
try {
  // Loaded now, because a static import would run before the removal.
  const { journey } = await import('./journey.ts');
  port.postMessage({ pass: await journey(workerData.deployment, visit) });
} catch (error) {
  const { code, message, cause, stack } = error as Error & { code?: string };
  port.postMessage({ failed: `${code} ${message} ${stack} ${(cause as Error | undefined)?.stack ?? ''}` });
}

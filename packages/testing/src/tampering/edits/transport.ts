/** Edits of whole responses. */
import type { Tamper } from '../hostile-mode.ts';

/** Tampers with every response of the API, and with no artifact. */
export const onApi =
  (tamper: Tamper): Tamper =>
  (request, forward) =>
    new URL(request.url).pathname.startsWith('/api/') ? tamper(request, forward) : forward(request);

/** Responds in place of the service. */
export const instead = (respond: (request: Request) => Response | Promise<Response>): Tamper =>
  onApi(async (request) => respond(request));

/** Never responds, until the client gives up. */
export const untilAborted = ({ signal }: Request) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

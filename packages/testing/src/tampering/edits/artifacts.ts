/** Edits of the proof artifacts. */
import type { Tamper } from '../hostile-mode.ts';

/** Changes the response for each file of the artifacts whose name matches. */
export const changeArtifact =
  (file: RegExp, change: (response: Response, request: Request) => Response | Promise<Response>): Tamper =>
  async (request, forward) => {
    const [, folder, , name] = new URL(request.url).pathname.split('/');
    const response = await forward(request);
    return folder === 'artifacts' && name && file.test(name) && response.ok
      ? change(response, request)
      : response;
  };

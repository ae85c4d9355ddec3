/** Serves the artifacts on loopback, and remembers which files were requested. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';

/** Starts the server. Returns its URL for artifactsFrom, and the bytes of the requested files by name. */
export async function serveArtifacts(folder) {
  const requested = new Map();
  const server = createServer(async (request, response) => {
    try {
      const name = basename(request.url);
      const bytes = await readFile(join(folder, name));
      requested.set(name, bytes);
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return { url: `http://127.0.0.1:${server.address().port}`, requested };
}

/** A registry of npm on loopback. It keeps what is published in memory. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

/** A running registry. */
export interface Registry {
  /** Environment of a process whose npm knows only this registry, and has an empty cache. */
  readonly environment: NodeJS.ProcessEnv;
  /** The environment of this process, with this registry for the packages of @service alone. */
  readonly ofScope: NodeJS.ProcessEnv;
  /** The versions that were published, in their order: `name@version`. */
  readonly published: readonly string[];
  /** The tags of a package, such as `latest`, with their versions. */
  tagsOf(name: string): Readonly<Record<string, string>>;
  /** Refuses the next upload. */
  failOnce(): void;
  close(): Promise<void>;
}

interface Packument {
  name: string;
  versions: Record<string, object>;
  'dist-tags': Record<string, string>;
}

/** Starts a registry on a free port. */
export async function startRegistry(): Promise<Registry> {
  const packuments = new Map<string, Packument>();
  const files = new Map<string, Buffer>();
  const published: string[] = [];
  let fails = false;
  const upload = async (name: string, request: IncomingMessage) => {
    const body = (await json(request)) as Packument & { _attachments: Record<string, { data: string }> };
    const { _attachments: attachments, ...packument } = body;
    const known = packuments.get(name);
    packuments.set(name, {
      name,
      versions: { ...known?.versions, ...packument.versions },
      'dist-tags': { ...known?.['dist-tags'], ...packument['dist-tags'] },
    });
    for (const [file, { data }] of Object.entries(attachments)) files.set(file, Buffer.from(data, 'base64'));
    published.push(...Object.keys(packument.versions).map((version) => `${name}@${version}`));
  };
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url!, 'http://localhost').pathname).slice(1);
    // Another registry may have had this port before.
    response.setHeader('cache-control', 'no-store');
    const answer = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (request.method === 'PUT') {
      if (fails) {
        fails = false;
        answer(403, { error: 'refused once' });
        return;
      }
      await upload(path, request);
      answer(201, { ok: true });
      return;
    }
    const [name = '', file] = path.split('/-/');
    const bytes = file === undefined ? undefined : files.get(file);
    if (bytes) response.end(bytes);
    else if (file === undefined && packuments.has(name)) answer(200, packuments.get(name));
    else answer(404, { error: 'Not found' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const home = await mkdtemp(join(tmpdir(), 'registry-'));
  const url = `http://127.0.0.1:${port}/`;
  const settings = [
    `registry=${url}`,
    `//127.0.0.1:${port}/:_authToken=a-token`,
    `cache=${join(home, 'cache')}`,
  ];
  await writeFile(join(home, '.npmrc'), `${settings.join('\n')}\n`);
  return {
    environment: { PATH: process.env.PATH, HOME: home, npm_config_userconfig: join(home, '.npmrc') },
    ofScope: {
      ...process.env,
      'npm_config_@service:registry': url,
      [`npm_config_//127.0.0.1:${port}/:_authToken`]: 'a-token',
    },
    published,
    tagsOf: (name) => packuments.get(name)?.['dist-tags'] ?? {},
    failOnce: () => {
      fails = true;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(home, { recursive: true, force: true });
    },
  };
}

import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { Hono } from 'hono';

/** The address to listen on. */
export interface ListenOptions {
  /** 0 takes a free port. @default 0 */
  readonly port?: number;
  /** @default '127.0.0.1' */
  readonly host?: string;
}

/** A listening server. */
export interface Listener {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves an app over HTTP. Resolves when it listens, rejects when the port is taken. */
export function listen(app: Hono, { port = 0, host = '127.0.0.1' }: ListenOptions = {}): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname: host }, (info: AddressInfo) => {
      server.off('error', reject);
      resolve({
        url: `http://${host}:${info.port}`,
        close: () =>
          new Promise((closed, failed) => {
            server.close((error) => (error ? failed(error) : closed()));
            if ('closeAllConnections' in server) server.closeAllConnections();
          }),
      });
    });
    server.once('error', reject);
  });
}

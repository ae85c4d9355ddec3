/** A TCP proxy in front of a PostgreSQL. A test can make its connections silent, as a lost network does, and cut them. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy on loopback. */
export type DatabaseProxy = Awaited<ReturnType<typeof openDatabaseProxy>>;

/** Opens a proxy in front of the PostgreSQL of a URL. Its `url` is the same database behind the proxy. */
export async function openDatabaseProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get('host');
  const port = Number(target.port || 5432);
  const open = () =>
    folder?.startsWith('/') ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, target.hostname);
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    const upstream = open();
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    /** Forwards nothing more on the open connections, and does not close them. New connections work. */
    silence() {
      for (const pair of pairs) {
        for (const socket of pair) socket.removeAllListeners('data').resume();
      }
    },
    /** Closes the open connections with a reset (RST), without the end (FIN) of a normal close. */
    cut() {
      for (const [client] of pairs) client.resetAndDestroy();
    },
    close() {
      server.close();
      for (const [client] of pairs) client.destroy();
    },
  };
}

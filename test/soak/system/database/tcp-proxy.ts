/** A TCP proxy between a server and its database. It can cut connections, stop forwarding, and change its target. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Milliseconds after which the database's side of a lost connection is closed, as TCP keep-alive does. */
const CLOSE_LOST_AFTER_MS = 30_000;

/** One connection and its two ends. */
interface Link {
  readonly client: Socket;
  readonly server: Socket;
  isSilent: boolean;
}

/** A running proxy. */
export type TcpProxy = Awaited<ReturnType<typeof openTcpProxy>>;

/** Opens a proxy on loopback. `target` returns the port to which a new connection goes. */
export async function openTcpProxy(target: () => number) {
  const links = new Set<Link>();
  let isSilent = false;
  const listener = createServer((client) => {
    const link: Link = { client, server: connect(target(), '127.0.0.1'), isSilent };
    links.add(link);
    forward(link, client, link.server);
    forward(link, link.server, client);
    // After a silent loss neither end learns of the other's end.
    const end = (from: Socket, to: Socket) => {
      from.on('error', () => undefined);
      from.on('close', () => {
        if (!link.isSilent) to.destroy();
        else if (to === link.server) setTimeout(() => to.destroy(), CLOSE_LOST_AFTER_MS).unref();
        if (client.destroyed && link.server.destroyed) links.delete(link);
      });
    };
    end(client, link.server);
    end(link.server, client);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    /** Closes every connection, as a network or a balancer does that restarts. */
    cut(): void {
      for (const { client, server } of links) {
        client.destroy();
        server.destroy();
      }
    },
    /** Stops forwarding on all connections, also on new ones. No connection is closed. */
    silence(): void {
      isSilent = true;
      for (const link of links) link.isSilent = true;
    },
    /** Forwards again. With `lose`, the connections from before stay silent, as when a router has dropped their state. */
    resume({ lose }: { lose: boolean }): void {
      isSilent = false;
      if (lose) return;
      for (const link of links) {
        link.isSilent = false;
        for (const socket of [link.client, link.server]) socket.resume();
      }
    },
    close(): void {
      listener.close();
      for (const { client, server } of links) {
        client.destroy();
        server.destroy();
      }
    },
  };
}

function forward(link: Link, from: Socket, to: Socket): void {
  const held: Buffer[] = [];
  const flush = () => {
    for (const chunk of held.splice(0)) to.write(chunk);
  };
  from.on('data', (chunk) => {
    held.push(chunk);
    if (!link.isSilent) flush();
    // Paused, so that the sender does not see its bytes acknowledged forever.
    else from.pause();
  });
  from.on('resume', () => {
    if (!link.isSilent) flush();
  });
  from.setNoDelay(true);
}

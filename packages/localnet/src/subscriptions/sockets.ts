import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { stringifyJson } from '../rpc/json.ts';
import type { RpcNode } from '../rpc/node.ts';
import { ChainEvents } from './chain-events.ts';
import { Session } from './session.ts';

/** Limits of the WebSocket connections of a node. */
export interface SocketLimits {
  /** Most open connections. More get HTTP 503. @default 100 */
  maxConnections: number;
  /** Most subscriptions of one connection. More get error -32603. @default 1000 */
  maxSubscriptions: number;
  /** Largest message of a client in bytes. A longer one closes the connection with code 1009. @default 4096, as on a validator */
  maxMessageBytes: number;
  /**
   * Most bytes that may wait for a slow client. If more wait when the next message is due, the connection ends.
   * @default 4194304 (4 MiB)
   */
  maxUnsentBytes: number;
}

const DEFAULT_LIMITS: SocketLimits = {
  maxConnections: 100,
  maxSubscriptions: 1000,
  maxMessageBytes: 4096,
  maxUnsentBytes: 4 * 1024 * 1024,
};

/** Code of the WebSocket protocol for a message of a type that the server does not accept. */
const UNSUPPORTED_DATA = 1003;

/** The WebSocket connections of a node, on every port that it listens on. */
export class Sockets {
  readonly #node: RpcNode;
  readonly #limits: SocketLimits;
  readonly #server: WebSocketServer;
  readonly #sessions = new Map<WebSocket, Session>();
  #lastId = 0;

  constructor(node: RpcNode, limits: Partial<SocketLimits> = {}) {
    this.#node = node;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    const { maxMessageBytes: maxPayload } = this.#limits;
    this.#server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload });
    new ChainEvents(node.chain, (event) => {
      for (const session of this.#sessions.values()) session.receive(event);
    });
  }

  /** Completes the handshake of a client, or rejects it. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { availability } = this.#node.faults;
    if (availability === 'unreachable') socket.destroy();
    else if (availability === 'unavailable') reject(socket, 'Service Unavailable');
    else if (this.#sessions.size >= this.#limits.maxConnections) {
      reject(
        socket,
        `This node has ${this.#limits.maxConnections} connections, the most that it allows. Close one first.`,
      );
    } else this.#server.handleUpgrade(request, socket, head, (client) => this.#serve(client));
  }

  /** Ends every connection, without a closing handshake. */
  disconnect(): void {
    for (const client of [...this.#sessions.keys()]) this.#end(client);
  }

  #serve(client: WebSocket): void {
    const session = new Session({
      node: this.#node,
      maxSubscriptions: this.#limits.maxSubscriptions,
      nextId: () => ++this.#lastId,
      send: (message) => this.#send(client, message),
    });
    this.#sessions.set(client, session);
    client.on('message', (data, isBinary) => {
      if (isBinary) client.close(UNSUPPORTED_DATA, 'Send JSON as text.');
      else if (this.#sessions.has(client)) session.handle(data.toString());
    });
    // ws closes the connection after an error, such as a message that is too long.
    client.on('error', () => undefined);
    client.on('close', () => this.#sessions.delete(client));
  }

  /** Sends a message. Ends the connection instead if the client is too slow, so that memory does not grow. */
  #send(client: WebSocket, message: unknown): void {
    if (client.readyState !== WebSocket.OPEN) return;
    if (client.bufferedAmount > this.#limits.maxUnsentBytes) this.#end(client);
    else client.send(stringifyJson(message));
  }

  #end(client: WebSocket): void {
    this.#sessions.delete(client);
    client.terminate();
  }
}

function reject(socket: Duplex, text: string): void {
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  );
}

import { once } from 'node:events';
import { WebSocket } from 'ws';

interface Message {
  id?: number;
  method?: string;
  params?: { subscription: number; result: unknown };
  result?: unknown;
  error?: { code: number; message: string };
}

export type SocketClient = Awaited<ReturnType<typeof openSocket>>;

/** Opens a WebSocket connection to a node. It shows every message as it came. */
export async function openSocket(url: string) {
  const socket = new WebSocket(url);
  const pending = new Map<number, (response: Message) => void>();
  let notifications: Message[] = [];
  let lastId = 0;
  socket.on('message', (data) => {
    const message: Message = JSON.parse(data.toString());
    if (message.method === undefined) pending.get(message.id!)?.(message);
    else notifications.push(message);
  });
  const closed = once(socket, 'close').then(([code]) => code as number);
  closed.catch(() => undefined);
  await once(socket, 'open');

  function call(method: string, ...params: unknown[]): Promise<Message> {
    const id = ++lastId;
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return new Promise((resolve) => pending.set(id, resolve));
  }

  return {
    socket,
    /** Resolves to the code when the connection is closed. */
    closed,
    call,

    /** Subscribes and returns the id of the subscription. */
    async subscribe(method: string, ...params: unknown[]): Promise<number> {
      const { result, error } = await call(method, ...params);
      if (typeof result !== 'number') throw new Error(`${method} failed: ${JSON.stringify(error)}`);
      return result;
    },

    /** Returns the notifications since the last call. The node sent every earlier one before it answers the ping. */
    async notifications(): Promise<Message[]> {
      await call('ping');
      return notifications.splice(0);
    },

    /** Returns the results of the notifications since the last call. */
    async results(): Promise<unknown[]> {
      await call('ping');
      const results = notifications.map(({ params }) => params?.result);
      notifications = [];
      return results;
    },
  };
}

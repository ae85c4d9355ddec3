import { Connection } from '@solana/web3.js';

/** Connects web3.js to a cluster. It does not connect again for ever, and log each try, after the cluster has stopped. */
export function connectWeb3(url: string, wsEndpoint?: string): Connection {
  const connection = new Connection(url, { commitment: 'confirmed', ...(wsEndpoint && { wsEndpoint }) });
  // Connection is the only owner of the socket, and has no method for this.
  const { _rpcWebSocket: socket } = connection as unknown as {
    _rpcWebSocket: { setAutoReconnect(reconnect: boolean): void };
  };
  socket.setAutoReconnect(false);
  return connection;
}

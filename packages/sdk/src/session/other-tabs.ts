/** Tells the other tabs of a site when a wallet signs in or out, because tabs share the cookie of the session. */

/** The other tabs of one site. */
export interface OtherTabs {
  /** Tells them that the session has changed. */
  tell(): void;
  /** Calls a listener when one of them tells that, until the returned function is called. */
  listen(onTold: () => void): () => void;
}

/**
 * Returns the other tabs of a site. Outside a page, and where pages have no channel, nobody is told and nobody hears. A
 * message has no content: who is signed in is a question to the service.
 */
export function otherTabs(baseUrl: string): OtherTabs {
  let listening: BroadcastChannel | undefined;
  const open = () => {
    // Without a page each client has a session of its own.
    if (typeof document === 'undefined') return undefined;
    try {
      return new BroadcastChannel(`service:session:${baseUrl}`);
    } catch {
      // There is no such class, or the page may not use it.
      return undefined;
    }
  };
  return {
    tell() {
      // A channel does not hear itself, but would hear another one of this client.
      const channel = listening ?? open();
      channel?.postMessage(null);
      if (channel !== listening) channel?.close();
    },
    listen(onTold) {
      const channel = open();
      listening = channel;
      channel?.addEventListener('message', onTold);
      return () => {
        channel?.close();
        if (listening === channel) listening = undefined;
      };
    },
  };
}

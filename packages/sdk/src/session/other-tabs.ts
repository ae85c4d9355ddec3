/** Notifies the other tabs of a site when a wallet signs in or out, because tabs share the cookie of the session. */

/** The other tabs of one site. */
export interface OtherTabs {
  /** Notifies them that the session has changed. */
  notify(): void;
  /** Calls a listener when one of them notifies this tab, until the returned function is called. */
  listen(onChange: () => void): () => void;
}

/**
 * Returns the other tabs of a site. Does nothing outside a page and in browsers without channels. A message has no content:
 * only the service says who is signed in.
 */
export function otherTabs(baseUrl: string): OtherTabs {
  let listening: BroadcastChannel | undefined;
  const open = () => {
    // Without a page each client has a session of its own.
    if (typeof document === 'undefined') return undefined;
    try {
      return new BroadcastChannel(`service:session:${baseUrl}`);
    } catch {
      // The browser has no such class, or the page may not use it.
      return undefined;
    }
  };
  return {
    notify() {
      // A channel does not receive its own messages, but would receive those of a second one of this client.
      const channel = listening ?? open();
      channel?.postMessage(null);
      if (channel !== listening) channel?.close();
    },
    listen(onChange) {
      const channel = open();
      listening = channel;
      channel?.addEventListener('message', onChange);
      return () => {
        channel?.close();
        if (listening === channel) listening = undefined;
      };
    },
  };
}

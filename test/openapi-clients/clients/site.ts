/** What the clients need besides the generated code: a wallet, and a `fetch` that works like that of a page. */

/** A wallet that signs. */
export interface Wallet {
  readonly address: string;
  /** Returns the ed25519 signature of a text, in base64. */
  signMessage(text: string): Promise<string>;
  /** Returns the transaction with the wallet's signature; both are base64. */
  signTransaction(transaction: string): Promise<string>;
}

/** A running service. */
export interface Site {
  readonly baseUrl: string;
  /** The URL of the server in the OpenAPI document. */
  readonly origin: string;
  /** Waits until it makes sense to ask for the operation again. */
  pause(): Promise<void>;
}

/** What a client did. */
export interface Done {
  readonly wallet: string | null;
  readonly program: string;
  /** Names of the rule sets after the operation. */
  readonly ruleSets: readonly string[];
  /** The states of the operation, from the draft to the final one. */
  readonly states: readonly string[];
  readonly slot: bigint;
  /** The code of a refused request. */
  readonly refused: string;
}

/** The most polls. */
export const MOST_POLLS = 10;

/** Returns a `fetch` that sends the site's Origin and keeps its cookie. In a page, the browser does both. */
export function fetchOf({ origin }: Site): typeof fetch {
  let cookie: string | undefined;
  return async (input, init) => {
    const request = new Request(input, init);
    request.headers.set('Origin', origin);
    if (cookie !== undefined) request.headers.set('Cookie', cookie);
    const response = await fetch(request);
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return response;
  };
}

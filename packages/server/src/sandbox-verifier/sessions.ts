/** The hosted sessions of the sandbox verifier, in memory: it holds no witness, and forgets all when it stops. */
import { randomBytes } from 'node:crypto';
import type { HostedSessionRequest } from '../verification/hosted-session.ts';

/** Sessions that may wait for their person at once; the oldest makes room. */
const MAX_SESSIONS = 10_000;

/** Sessions by their token: 256 random bits, which are all that the person needs to show. */
export class HostedSessions {
  readonly #sessions = new Map<string, HostedSessionRequest>();

  /** Opens a session; returns its token. */
  open(session: HostedSessionRequest): string {
    if (this.#sessions.size >= MAX_SESSIONS) this.#sessions.delete(this.#sessions.keys().next().value ?? '');
    const token = randomBytes(32).toString('base64url');
    this.#sessions.set(token, session);
    return token;
  }

  /** The session of a token, while it can be completed; `now` in Unix milliseconds. */
  get(token: string, now: number): HostedSessionRequest | undefined {
    const session = this.#sessions.get(token);
    if (!session || now < Number(session.expiresAt) * 1000) return session;
    this.#sessions.delete(token);
    return undefined;
  }

  /** Ends a token: it opens nothing from here on. */
  end(token: string): void {
    this.#sessions.delete(token);
  }
}

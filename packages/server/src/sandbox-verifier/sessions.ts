/** The hosted sessions of the sandbox verifier, in memory: it holds no witness, and forgets all when it stops. */
import { randomBytes } from 'node:crypto';
import type { Address } from '@solana/kit';
import type { HostedSessionRequest } from '../verification/hosted-session.ts';

/** Sessions that may wait for their person at once; the oldest makes room. */
const MAX_SESSIONS = 10_000;

/** Sessions by their token: 256 random bits, which are all that the person needs to show. */
export class HostedSessions {
  readonly #sessions = new Map<string, HostedSessionRequest>();
  /** Sessions whose credential was reported: the same token revokes it. */
  readonly #verified = new Map<string, HostedSessionRequest>();
  /** The latest time that was signed for a wallet, in Unix seconds. */
  readonly #signedAt = new Map<Address, bigint>();

  /** Opens a session; returns its token. */
  open(session: HostedSessionRequest): string {
    const token = randomBytes(32).toString('base64url');
    put(this.#sessions, token, session);
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
    this.#verified.delete(token);
  }

  /** Says that the session's credential was reported: from here on its token revokes. */
  verified(token: string, session: HostedSessionRequest): void {
    put(this.#verified, token, session);
  }

  /** The session whose credential a token revokes. */
  getVerified(token: string): HostedSessionRequest | undefined {
    return this.#verified.get(token);
  }

  /**
   * The time to sign now for a wallet. The program takes a credential only when it was issued later than all that was
   * signed before, and a revocation when it reaches up to it: also within one second.
   */
  signingTime(wallet: Address, what: 'credential' | 'revocation', now: number): bigint {
    const seconds = BigInt(Math.floor(now / 1000));
    const before = this.#signedAt.get(wallet) ?? -1n;
    const least = what === 'credential' ? before + 1n : before;
    const time = seconds > least ? seconds : least;
    put(this.#signedAt, wallet, time);
    return time;
  }
}

/** The oldest makes room. */
function put<K, V>(map: Map<K, V>, key: K, value: V): void {
  for (const oldest of map.keys()) {
    if (map.size < MAX_SESSIONS) break;
    map.delete(oldest);
  }
  map.set(key, value);
}

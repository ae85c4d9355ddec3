/** The hosted sessions of the sandbox verifier, in memory or kept in a file: it holds no witness. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type HostedSessionRequest, hostedSessionRequest } from '@service/server/verifier-protocol';
import type { Address } from '@solana/kit';
import * as z from 'zod/mini';

/** Sessions that may wait for their person at once; the oldest makes room. */
const MAX_SESSIONS = 10_000;

/** Tokens with their sessions, as the file has them. */
const sessionsByToken = z.record(z.string(), hostedSessionRequest);
const keptSessions = z.object({ open: sessionsByToken, used: sessionsByToken });

/**
 * Sessions by their token: 256 random bits, which are all that the person needs to show. With a file, each change is in
 * it before it is answered. A token that was used when the process ended revokes afterwards, since its credential may
 * have been reported.
 */
export class HostedSessions {
  readonly #file: string | undefined;
  readonly #sessions: Map<string, HostedSessionRequest>;
  /** Sessions whose credential is being reported. */
  readonly #used = new Map<string, HostedSessionRequest>();
  /** Sessions whose credential was reported: the same token revokes it. */
  readonly #verified: Map<string, HostedSessionRequest>;
  /** The latest time that was signed for a wallet, in Unix seconds. */
  readonly #signedAt = new Map<Address, bigint>();

  /** Throws when the file cannot be read. */
  constructor(file?: string) {
    this.#file = file;
    const kept =
      file && existsSync(file) ? z.decode(keptSessions, JSON.parse(readFileSync(file, 'utf8'))) : null;
    this.#sessions = new Map(Object.entries(kept?.open ?? {}));
    this.#verified = new Map(Object.entries(kept?.used ?? {}));
  }

  /** Opens a session; returns its token. */
  open(session: HostedSessionRequest): string {
    const token = randomBytes(32).toString('base64url');
    put(this.#sessions, token, session);
    this.#keep();
    return token;
  }

  /** The session of a token, while it can be completed; `now` in Unix milliseconds. */
  get(token: string, now: number): HostedSessionRequest | undefined {
    const session = this.#sessions.get(token);
    if (!session || now < Number(session.expiresAt) * 1000) return session;
    this.#sessions.delete(token);
    return undefined;
  }

  /** Uses the token of an open session: it opens nothing from here on. */
  use(token: string): void {
    const session = this.#sessions.get(token);
    if (!session) return;
    this.#sessions.delete(token);
    put(this.#used, token, session);
    this.#keep();
  }

  /** Says that the credential of a used token was reported: from here on the token revokes. */
  verified(token: string): void {
    const session = this.#used.get(token);
    if (!session) return;
    this.#used.delete(token);
    put(this.#verified, token, session);
  }

  /** Ends a token. */
  end(token: string): void {
    for (const tokens of [this.#sessions, this.#used, this.#verified]) tokens.delete(token);
    this.#keep();
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

  /** Replaces the file as a whole, so that a kill leaves the one before or this one. */
  #keep(): void {
    if (this.#file === undefined) return;
    const kept = {
      open: Object.fromEntries(this.#sessions),
      used: Object.fromEntries([...this.#used, ...this.#verified]),
    };
    writeFileSync(`${this.#file}.new`, JSON.stringify(z.encode(keptSessions, kept)), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
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

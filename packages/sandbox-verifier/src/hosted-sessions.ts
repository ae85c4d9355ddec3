/** The hosted sessions of the sandbox verifier, in memory or in a file. They contain no witness. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type HostedSessionRequest, hostedSessionRequest } from '@service/contract/verifier';
import type { Address } from '@solana/kit';
import * as z from 'zod/mini';

/** The most sessions that are kept; the oldest is dropped first. */
const MAX_SESSIONS = 10_000;

/** Sessions by token, as in the file. */
const sessionsByToken = z.record(z.string(), hostedSessionRequest);
const keptSessions = z.object({ open: sessionsByToken, used: sessionsByToken });

/**
 * Sessions by token: 256 random bits, which authorize the person. With a file, each change is written before the response
 * is sent. After a restart, a token that was being used can revoke, because its credential may have been reported.
 */
export class HostedSessions {
  readonly #file: string | undefined;
  readonly #sessions: Map<string, HostedSessionRequest>;
  /** Sessions whose credential is being reported. */
  readonly #used = new Map<string, HostedSessionRequest>();
  /** Sessions whose credential was reported; the same token revokes it. */
  readonly #verified: Map<string, HostedSessionRequest>;
  /** The latest time signed for each wallet, in Unix seconds. */
  readonly #signedAt = new Map<Address, bigint>();

  /** Throws when the file cannot be read. */
  constructor(file?: string) {
    this.#file = file;
    const kept =
      file && existsSync(file) ? z.decode(keptSessions, JSON.parse(readFileSync(file, 'utf8'))) : null;
    this.#sessions = new Map(Object.entries(kept?.open ?? {}));
    this.#verified = new Map(Object.entries(kept?.used ?? {}));
  }

  /** Opens a session and returns its token. */
  open(session: HostedSessionRequest): string {
    const token = randomBytes(32).toString('base64url');
    put(this.#sessions, token, session);
    this.#keep();
    return token;
  }

  /** Returns the session of a token while it can be completed. `now` is in Unix milliseconds. */
  get(token: string, now: number): HostedSessionRequest | undefined {
    const session = this.#sessions.get(token);
    if (!session || now < Number(session.expiresAt) * 1000) return session;
    this.#sessions.delete(token);
    return undefined;
  }

  /** Marks the token of an open session as used. It cannot be completed again. */
  use(token: string): void {
    const session = this.#sessions.get(token);
    if (!session) return;
    this.#sessions.delete(token);
    put(this.#used, token, session);
    this.#keep();
  }

  /** Marks the credential of a used token as reported. The token can now revoke. */
  verified(token: string): void {
    const session = this.#used.get(token);
    if (!session) return;
    this.#used.delete(token);
    put(this.#verified, token, session);
  }

  /** Removes a token. */
  end(token: string): void {
    for (const tokens of [this.#sessions, this.#used, this.#verified]) tokens.delete(token);
    this.#keep();
  }

  /** Returns the session whose credential a token can revoke. */
  getVerified(token: string): HostedSessionRequest | undefined {
    return this.#verified.get(token);
  }

  /**
   * Returns the time to sign for a wallet, in Unix seconds. The program accepts a credential only if its time is later than
   * that of every earlier signature. It accepts a revocation only if its time is not earlier. Also works within one second.
   */
  signingTime(wallet: Address, what: 'credential' | 'revocation', now: number): bigint {
    const seconds = BigInt(Math.floor(now / 1000));
    const before = this.#signedAt.get(wallet) ?? -1n;
    const least = what === 'credential' ? before + 1n : before;
    const time = seconds > least ? seconds : least;
    put(this.#signedAt, wallet, time);
    return time;
  }

  /** Replaces the whole file, so that a kill leaves the previous file or this one. */
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

/** Adds an entry. Drops the oldest when the map is full. */
function put<K, V>(map: Map<K, V>, key: K, value: V): void {
  for (const oldest of map.keys()) {
    if (map.size < MAX_SESSIONS) break;
    map.delete(oldest);
  }
  map.set(key, value);
}

/** Sign-in of the service in memory: challenges, sessions and their cookies (SPEC.md section 5). */
import { CHALLENGE_LIFETIME_SECONDS, SESSION_LIFETIME_SECONDS } from '@service/contract';
import { formatChallenge } from '@service/protocol';
import { type Address, getBase64Encoder } from '@solana/kit';
import { type Answers, Refusal } from './call.ts';
import { isSignedBy } from './operations.ts';
import type { MemoryState } from './state.ts';

/** Who is signed in, and how one gets there. */
export class MemorySignIn {
  readonly #state: MemoryState;
  readonly #challenges = new Map<string, { wallet: Address; message: string; expiresAt: bigint }>();
  readonly #sessions = new Map<string, { wallet: Address; expiresAt: bigint }>();

  constructor(state: MemoryState) {
    this.#state = state;
  }

  readonly answers: Answers = {
    challenge: async ({ body }) => {
      const { wallet } = body as { wallet: Address };
      const { program, genesisHash } = this.#state.deployment;
      const challengeId = await this.#state.uuid();
      const issuedAt = this.#state.now();
      const expiresAt = issuedAt + BigInt(CHALLENGE_LIFETIME_SECONDS);
      const nonce = (await this.#state.token('nonce')).slice(0, 32);
      const message = formatChallenge({
        origin: this.#state.origin,
        wallet,
        program,
        genesisHash,
        nonce,
        challengeId,
        issuedAt,
        expiresAt,
      });
      this.#challenges.set(challengeId, { wallet, message, expiresAt });
      return { challengeId, message, expiresAt };
    },
    verify: async ({ body }) => {
      const { challengeId, wallet, signature } = body as Record<'challengeId' | 'signature', string> & {
        wallet: Address;
      };
      const challenge = this.#challenges.get(challengeId);
      this.#challenges.delete(challengeId);
      const bytes = new Uint8Array(getBase64Encoder().encode(signature));
      const holds =
        challenge?.wallet === wallet &&
        challenge.expiresAt > this.#state.now() &&
        (await isSignedBy(wallet, bytes, new TextEncoder().encode(challenge.message)));
      if (!holds) throw new Refusal('AUTHENTICATION_REQUIRED');
      const token = await this.#state.token('session');
      const expiresAt = this.#state.now() + BigInt(SESSION_LIFETIME_SECONDS);
      this.#sessions.set(token, { wallet, expiresAt });
      return { answer: { wallet, expiresAt }, cookie: this.#cookie(token, SESSION_LIFETIME_SECONDS) };
    },
    session: ({ wallet }) => ({ wallet }),
    logout: ({ headers }) => {
      const token = tokenOf(headers);
      if (token) this.#sessions.delete(token);
      return { answer: { wallet: null }, cookie: this.#cookie('', 0) };
    },
  };

  /** The wallet of the cookie's session, or null. */
  session(headers: Headers): Address | null {
    const session = this.#sessions.get(tokenOf(headers) ?? '');
    return session && session.expiresAt > this.#state.now() ? session.wallet : null;
  }

  #cookie(token: string, seconds: number): string {
    const prefix = this.#state.origin.startsWith('https:') ? '__Host-' : '';
    const secure = prefix ? '; Secure' : '';
    return `${prefix}session=${token}; Max-Age=${seconds}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  }
}

function tokenOf(headers: Headers): string | undefined {
  return /(?:^|;\s*)(?:__Host-)?session=([0-9a-f]+)/.exec(headers.get('cookie') ?? '')?.[1];
}

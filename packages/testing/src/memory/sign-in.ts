/** Sign-in of the service in memory: challenges, sessions and their cookies (SPEC.md section 5). */
import { CHALLENGE_LIFETIME_SECONDS, SESSION_LIFETIME_SECONDS } from '@service/contract';
import { formatChallenge } from '@service/protocol';
import {
  type Address,
  getBase64Encoder,
  getPublicKeyFromAddress,
  type ReadonlyUint8Array,
  type SignatureBytes,
  verifySignature,
} from '@solana/kit';
import { type Handlers, Refusal } from './handlers.ts';
import type { MemoryState } from './state.ts';

/** The challenges and sessions of a service in memory. */
export class MemorySignIn {
  readonly #state: MemoryState;
  readonly #challenges = new Map<string, { wallet: Address; message: string; expiresAt: bigint }>();
  readonly #sessions = new Map<string, { wallet: Address; expiresAt: bigint }>();

  constructor(state: MemoryState) {
    this.#state = state;
  }

  readonly handlers: Handlers = {
    challenge: async ({ body }) => {
      const { wallet } = body as { wallet: Address };
      const { program, genesisHash } = this.#state.deployment;
      const challengeId = await this.#state.uuid();
      const issuedAt = this.#state.now();
      const expiresAt = issuedAt + BigInt(CHALLENGE_LIFETIME_SECONDS);
      const nonce = (await this.#state.token('nonce')).slice(0, 32);
      const { origin } = this.#state;
      const message = formatChallenge({
        origin,
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
      const { challengeId, wallet, signature } = body as {
        challengeId: string;
        wallet: Address;
        signature: string;
      };
      const challenge = this.#challenges.get(challengeId);
      this.#challenges.delete(challengeId);
      const isValid =
        challenge?.wallet === wallet &&
        challenge.expiresAt > this.#state.now() &&
        (await isSignedBy(
          wallet,
          getBase64Encoder().encode(signature),
          new TextEncoder().encode(challenge.message),
        ));
      if (!isValid) throw new Refusal('AUTHENTICATION_REQUIRED');
      this.#state.chain.fund(wallet);
      const token = await this.#state.token('session');
      const expiresAt = this.#state.now() + BigInt(SESSION_LIFETIME_SECONDS);
      this.#sessions.set(token, { wallet, expiresAt });
      return { result: { wallet, expiresAt }, cookie: this.#cookie(token, SESSION_LIFETIME_SECONDS) };
    },
    session: ({ wallet }) => ({ wallet }),
    logout: ({ headers }) => {
      this.#sessions.delete(tokenOf(headers));
      return { result: { wallet: null }, cookie: this.#cookie('', 0) };
    },
  };

  /** Returns the wallet of the session that the cookie names, or null. */
  walletOf(headers: Headers): Address | null {
    const session = this.#sessions.get(tokenOf(headers));
    return session && session.expiresAt > this.#state.now() ? session.wallet : null;
  }

  #cookie(token: string, seconds: number): string {
    const isSecure = this.#state.origin.startsWith('https:');
    const [prefix, secure] = isSecure ? ['__Host-', '; Secure'] : ['', ''];
    return `${prefix}session=${token}; Max-Age=${seconds}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  }
}

function tokenOf(headers: Headers): string {
  return /(?:^|;\s*)(?:__Host-)?session=([0-9a-f]+)/.exec(headers.get('cookie') ?? '')?.[1] ?? '';
}

/** Returns whether a signature is the wallet's signature of a message. */
export async function isSignedBy(
  wallet: Address,
  signature: ReadonlyUint8Array,
  message: ReadonlyUint8Array,
): Promise<boolean> {
  return verifySignature(await getPublicKeyFromAddress(wallet), signature as SignatureBytes, message);
}

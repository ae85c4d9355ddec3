/** What the verifier decides about a person: it signs the statement, and reports it to the service by webhook. */
import type { WebhookRequest, Witness } from '@service/contract';
import type { HostedSessionRequest } from '@service/contract/verifier';
import { type Attestation, attest, signRevocation } from './attest.ts';
import type { HostedSessions } from './hosted-sessions.ts';
import type { SandboxVerifierOptions } from './options.ts';
import type { FormResult } from './read-form.ts';
import { sendReport } from './send-report.ts';

const CREDENTIAL_LIFETIME_SECONDS = 365 * 86_400;
const RETRY_DELAYS_MS = [250, 500, 1_000, 2_000];

/** A message to the service, without its time. */
type Report = { [E in WebhookRequest as E['type']]: Omit<E, 'timestamp'> }[WebhookRequest['type']];

/** The decisions of one verifier. Each is final: its token cannot be used for another one. */
export class Decisions {
  readonly #options: SandboxVerifierOptions;
  readonly #sessions: HostedSessions;
  readonly #clock: { now(): number };

  constructor(options: SandboxVerifierOptions, sessions: HostedSessions) {
    this.#options = options;
    this.#sessions = sessions;
    this.#clock = options.clock ?? Date;
  }

  /** Signs a credential of the form. Returns its witness, or null if the service did not accept it. */
  async verify(
    token: string,
    session: HostedSessionRequest,
    form: Extract<FormResult, { ok: true }>,
  ): Promise<Witness | null> {
    // Before the first await, so that a second click finds no open session.
    this.#sessions.use(token);
    const { wallet, program, genesisHash } = session;
    const { credentialLifetimeSeconds = CREDENTIAL_LIFETIME_SECONDS, personKey } = this.#options;
    const issuedAt = this.#sessions.signingTime(wallet, 'credential', this.#clock.now());
    const expiresAt = issuedAt + BigInt(credentialLifetimeSeconds);
    const { attributes, document } = form;
    const statement = { attributes, document, personKey, wallet, program, genesisHash, issuedAt, expiresAt };
    const attestation = await attest({ ...statement, privateKey: this.#privateKey });
    if (await this.#report(session, completed(session, attestation))) {
      this.#sessions.verified(token);
      return attestation.witness;
    }
    this.#sessions.end(token);
    return null;
  }

  /** Reports that the person was refused. Returns whether the service accepted the report. */
  refuse(token: string, session: HostedSessionRequest): Promise<boolean> {
    // Before the first await, so that a second click finds no open session.
    this.#sessions.end(token);
    const { sessionId, wallet } = session;
    return this.#report(session, { type: 'verification.failed', data: { sessionId, wallet } });
  }

  /** Signs and reports a revocation. Returns whether the service accepted it. If not, the token can try again. */
  async revoke(token: string, session: HostedSessionRequest): Promise<boolean> {
    const { wallet, program, genesisHash, sessionId } = session;
    const revokedAt = this.#sessions.signingTime(wallet, 'revocation', this.#clock.now());
    const statement = { program, genesisHash, wallet, revokedAt };
    const signature = base64(await signRevocation(this.#privateKey, statement));
    const data = { sessionId, wallet, revokedAt, signature };
    const isReceived = await this.#report(session, { type: 'credential.revoked', data });
    if (isReceived) this.#sessions.end(token);
    return isReceived;
  }

  get #privateKey() {
    const { authority } = this.#options;
    return ('keyPair' in authority ? authority.keyPair : authority).privateKey;
  }

  async #report({ webhookUrl, sessionId }: HostedSessionRequest, message: Report): Promise<boolean> {
    const { webhookSecret, retryDelaysMs = RETRY_DELAYS_MS, fetch = globalThis.fetch, log } = this.#options;
    const outcome = await sendReport({
      webhookUrl,
      webhookSecret,
      now: () => this.#clock.now(),
      retryDelaysMs,
      fetch,
      event: { ...message, timestamp: new Date(this.#clock.now()).toISOString() },
    });
    log.info({ sessionId, type: message.type, ...outcome }, 'reported');
    return outcome.outcome === 'received';
  }
}

function completed(
  { sessionId, wallet }: HostedSessionRequest,
  { statement, signature }: Attestation,
): Report {
  const { issuedAt, expiresAt } = statement;
  const commitment = Buffer.from(statement.commitment).toString('hex');
  const data = { sessionId, wallet, commitment, issuedAt, expiresAt, signature: base64(signature) };
  return { type: 'verification.completed', data };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** One look at one queued credential: what the chain has of it, and the next thing to do. Safe to repeat after any crash. */
import { type AccountOf, type Found, programAddresses, readAccount } from '@service/protocol';
import type { Signature } from '@solana/kit';
import type { Service } from '../service.ts';
import { chainRefusal } from './chain-refusal.ts';
import {
  buildCredentialTransaction,
  type CredentialTransaction,
  sendCredentialTransaction,
  simulateCredentialTransaction,
} from './credential-transaction.ts';
import type { VerificationSession } from './tables.ts';

/** A session in state ISSUING. */
export type IssuingSession = VerificationSession & {
  readonly [C in
    | 'verifier_authority'
    | 'commitment'
    | 'issued_at'
    | 'credential_expires_at'
    | 'signature']: NonNullable<VerificationSession[C]>;
};

/** How a look came out. WAITING: a transaction is under way. AGAIN: this try came to nothing, another may not. */
export type IssueOutcome =
  | { readonly outcome: 'ISSUED' }
  | { readonly outcome: 'FAILED'; readonly reason: string }
  | { readonly outcome: 'WAITING' }
  | { readonly outcome: 'AGAIN'; readonly reason: string };

/** What a look needs beside the session. */
export interface IssueOptions {
  readonly signal: AbortSignal;
  /** Stores a transaction before it is sent, or (null) forgets one that cannot land; false when the lease is lost. */
  store(transaction: CredentialTransaction | null): Promise<boolean>;
}

type Held = Found<AccountOf<'credential'>> | null;

/** Takes a queued credential one step further. Throws what the RPC throws. */
export async function issueCredential(
  service: Service,
  session: IssuingSession,
  options: IssueOptions,
): Promise<IssueOutcome> {
  // Whether it is there is asked of the chain first, and at finalized: it may be, whatever the row remembers.
  const held = await readHeld(service, session, options.signal);
  if (held && isSame(held, session)) return { outcome: 'ISSUED' };
  if (held && held.data.issuedAt >= session.issued_at) {
    return {
      outcome: 'FAILED',
      reason: 'The wallet has a credential that was issued at the same time or later.',
    };
  }
  if (session.sent_signature && session.sent_transaction && session.sent_last_valid !== null) {
    return followSent(
      service,
      {
        signature: session.sent_signature,
        wire: session.sent_transaction,
        lastValid: session.sent_last_valid,
      },
      options,
    );
  }
  if (BigInt(service.clock.now()) >= session.credential_expires_at * 1000n) {
    return { outcome: 'FAILED', reason: 'The credential expired before it could be put on chain.' };
  }
  return sendNew(service, session, { ...options, held });
}

async function readHeld(service: Service, { wallet }: IssuingSession, signal: AbortSignal): Promise<Held> {
  const { program } = service.settings;
  const reader = { rpc: service.rpc, program, commitment: 'finalized', signal } as const;
  return readAccount(reader, 'credential', await programAddresses(program).credential(wallet));
}

/** A credential that was revoked since is still the one that was issued, though a revocation moves its time of issue. */
function isSame({ data }: NonNullable<Held>, { commitment, issued_at }: IssuingSession): boolean {
  const isOfTheTime = data.revoked ? data.issuedAt >= issued_at : data.issuedAt === issued_at;
  return isOfTheTime && Buffer.from(data.commitment).equals(commitment);
}

/** The same bytes go out again while they can land; only when they cannot any more are they forgotten. */
async function followSent(
  service: Service,
  sent: CredentialTransaction,
  { signal, store }: IssueOptions,
): Promise<IssueOutcome> {
  // The height comes first: a status that is still missing afterwards is missing past that height.
  const height = await service.rpc.getBlockHeight({ commitment: 'finalized' }).send({ abortSignal: signal });
  const status = await readStatus(service, sent.signature, signal);
  if (status?.confirmationStatus === 'finalized' && status.err) {
    const { permanent, reason } = chainRefusal(status.err);
    if (permanent) return { outcome: 'FAILED', reason };
    await store(null);
    return { outcome: 'AGAIN', reason };
  }
  if (!status && height > sent.lastValid) {
    await store(null);
    return { outcome: 'AGAIN', reason: 'The transaction did not land in time.' };
  }
  if (!status) await sendCredentialTransaction(service, sent.wire, signal);
  return { outcome: 'WAITING' };
}

async function readStatus({ rpc }: Service, signature: Signature, abortSignal: AbortSignal) {
  const { value } = await rpc
    .getSignatureStatuses([signature], { searchTransactionHistory: true })
    .send({ abortSignal });
  return value[0] ?? null;
}

async function sendNew(
  service: Service,
  session: IssuingSession,
  { held, signal, store }: IssueOptions & { held: Held },
): Promise<IssueOutcome> {
  const { program, genesisHash } = service.settings;
  const transaction = await buildCredentialTransaction(service, {
    statement: {
      program,
      genesisHash,
      wallet: session.wallet,
      commitment: session.commitment,
      issuedAt: session.issued_at,
      expiresAt: session.credential_expires_at,
    },
    verifierAuthority: session.verifier_authority,
    signature: session.signature,
    previousVerifier: held?.data.verifier,
    signal,
  });
  const error = await simulateCredentialTransaction(service, transaction.wire, signal);
  if (error) {
    const { permanent, reason } = chainRefusal(error);
    return permanent ? { outcome: 'FAILED', reason } : { outcome: 'AGAIN', reason };
  }
  // Stored before it leaves: after a crash the next look knows what may be on its way.
  if (await store(transaction)) await sendCredentialTransaction(service, transaction.wire, signal);
  return { outcome: 'WAITING' };
}

/** Signing what was asked for and nothing else (SPEC.md section 4, prepare rule 3). */
import type { Operation, OperationIn } from '@service/contract';
import {
  type Intent,
  operationMessage,
  PlanError,
  planInstruction,
  splitWireTransaction,
  wireTransaction,
} from '@service/protocol';
import {
  type Blockhash,
  getBase58Decoder,
  getBase64Decoder,
  getBase64Encoder,
  type Signature,
} from '@solana/kit';
import { isServiceError, ServiceError } from '../errors.ts';
import { type Signer, signerOf } from '../wallet/signer.ts';
import { verifySignature } from '../wallet/verify-signature.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { askRpc, checkGenesisHash, readerOf, sendOptions } from './chain-rpc.ts';
import { pinnedCircuitId } from './circuit.ts';
import { compareMessages, type MessageDifference, readMessage, sameBytes } from './compare-messages.ts';
import { type ClientCore, checkNotSent } from './core.ts';
import { type CallOptions, throwIfAborted } from './deadline.ts';
import type { SignedOperation } from './outcome.ts';
import { type Prepared, type PreparedSecret, unseal } from './prepared.ts';
import { walletChanged } from './wallet-changed.ts';

/** An operation whose signed bytes the service has taken (SPEC.md section 3). */
export type SubmittedOperation = OperationIn<'QUEUED' | 'SUBMITTED' | 'UNRESOLVED' | 'FINALIZED' | 'FAILED'>;

/** See `ServiceClient.signAndSubmit`. */
export async function signAndSubmit(
  core: ClientCore,
  wallet: Wallet,
  prepared: Prepared,
  { signal }: CallOptions,
): Promise<SubmittedOperation> {
  const secret = unseal(core, prepared);
  const signer = signerOf(wallet);
  checkWallet(signer, secret);
  checkNotSent(core, secret.operationId);
  // Before the wallet is asked, too: what is dead needs no signature.
  if (core.now() >= secret.expiresAt) throw draftExpired();
  const expected = await expectedMessage(core, secret, signal);
  const validity = await checkLifetime(core, expected.blockhash, signal);
  throwIfAborted(signal, 'signAndSubmit');
  const { wire, signature } = await sign(signer, expected.message);
  await checkStillValid(core, secret, expected.blockhash, signal);
  throwIfAborted(signal, 'signAndSubmit');

  const signed: SignedOperation = {
    operationId: secret.operationId,
    kind: secret.intent.kind,
    wallet: signer.address,
    signature: getBase58Decoder().decode(signature) as Signature,
    ...validity,
  };
  // Another call may have been faster while the wallet was asked.
  checkNotSent(core, signed.operationId);
  // From here on the bytes may have left, whatever else happens.
  core.sentIds.add(signed.operationId);
  core.signed.set(signed.operationId, signed);
  core.unsigned.delete(signed.operationId);
  core.store.follow({ ...signed, state: 'SIGNED', expiresAt: secret.expiresAt });
  return submit(core, signed, wire, signal);
}

function checkWallet(signer: Signer, { intent }: PreparedSecret): void {
  if (signer.address === intent.wallet) return;
  throw new ServiceError('WALLET_MISMATCH', {
    message: `The operation was prepared for ${intent.wallet}, which is signed in; the wallet is ${signer.address}. Nothing was signed.`,
    context: { expected: intent.wallet, received: signer.address },
  });
}

/**
 * The message that the caller's intent leads to, with facts from the caller's RPC. Of the service's transaction only
 * the blockhash is taken; then the two must be equal to the byte.
 */
async function expectedMessage(
  core: ClientCore,
  { intent, operationId, transaction }: PreparedSecret,
  signal: AbortSignal | undefined,
): Promise<{ message: Uint8Array; blockhash: string }> {
  const received = splitWireTransaction(new Uint8Array(getBase64Encoder().encode(transaction)));
  const read = received && readMessage(received.message);
  if (!read) {
    throw mismatch([
      { part: 'transaction', expected: 'one signature and a version 0 message', received: 'other bytes' },
    ]);
  }
  if (received.signature.some((byte) => byte !== 0)) {
    throw mismatch([{ part: 'signature', expected: 'none yet (zeros)', received: 'other bytes' }]);
  }
  const instruction = await plan(core, intent, signal);
  const { blockhash } = read;
  const message = operationMessage({ wallet: intent.wallet, operationId, blockhash, instruction });
  if (!sameBytes(message, received.message)) throw mismatch(compareMessages(message, received.message));
  return { message, blockhash };
}

async function plan(core: ClientCore, intent: Intent, signal: AbortSignal | undefined) {
  const options = intent.kind === 'PROVE' ? { circuitId: await pinnedCircuitId(core, signal) } : {};
  return askRpc('Reading the accounts of the operation', signal, async () => {
    try {
      return await planInstruction(readerOf(core, signal), intent, options);
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      throw new ServiceError(error.code, {
        message: `By your own RPC ${error.message}. Nothing was signed.`,
        context: {},
      });
    }
  });
}

/** A blockhash of another cluster would make the wallet sign something that is valid there. */
async function checkLifetime(core: ClientCore, blockhash: string, signal: AbortSignal | undefined) {
  const [valid, latest] = await Promise.all([
    isBlockhashValid(core, blockhash, signal),
    askRpc('getLatestBlockhash', signal, () =>
      core.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send(sendOptions(signal)),
    ),
    checkGenesisHash(core, signal),
  ]);
  if (!valid) {
    throw new ServiceError('BLOCKHASH_INVALID', {
      message:
        'The blockhash of the prepared transaction is not valid on your own RPC: it has died, or is of another cluster. Prepare again. Nothing was signed.',
      context: {},
      retryable: true,
    });
  }
  return {
    signedAtSlot: latest.context.slot,
    lastValidBlockHeight: latest.value.lastValidBlockHeight,
  };
}

function isBlockhashValid(
  core: ClientCore,
  blockhash: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return askRpc('isBlockhashValid', signal, async () => {
    const answer = await core.rpc
      .isBlockhashValid(blockhash as Blockhash, { commitment: 'confirmed' })
      .send(sendOptions(signal));
    return answer.value;
  });
}

/** Wallets change transactions (guards, priority fees): what comes back must be the same message, truly signed. */
async function sign(
  signer: Signer,
  message: Uint8Array,
): Promise<{ wire: Uint8Array; signature: Uint8Array }> {
  const answer = splitWireTransaction(await signer.signTransaction(wireTransaction(message)));
  if (!answer || !sameBytes(answer.message, message)) {
    throw walletChanged(message, answer?.message ?? null, 'The service takes only what was prepared');
  }
  if (!(await verifySignature(signer.address, message, answer.signature))) {
    throw new ServiceError('WALLET_SIGNATURE_INVALID', {
      message: `The wallet's signature is not one of ${signer.address} over the prepared message. Choose that account in the wallet. Nothing was sent.`,
      context: {},
    });
  }
  return { wire: wireTransaction(message, answer.signature), signature: answer.signature };
}

/** A prompt can take longer than the draft lives: what is dead is not sent, so that the outcome stays known. */
async function checkStillValid(
  core: ClientCore,
  secret: PreparedSecret,
  blockhash: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (core.now() < secret.expiresAt && (await isBlockhashValid(core, blockhash, signal))) return;
  throw draftExpired();
}

function draftExpired(): ServiceError {
  return new ServiceError('DRAFT_EXPIRED', {
    message: 'The draft expired before it was signed. Prepare again. Nothing was sent.',
    context: {},
    retryable: true,
  });
}

async function submit(
  core: ClientCore,
  signed: SignedOperation,
  wire: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<SubmittedOperation> {
  let operation: Operation;
  try {
    const body = { operationId: signed.operationId, transaction: getBase64Decoder().decode(wire) };
    operation = await core.api.call('submit', { body, signal });
  } catch (error) {
    throw outcomeUnknown(signed.operationId, isServiceError(error) ? error : undefined);
  }
  if (!isSameOperation(operation, signed)) throw outcomeUnknown(signed.operationId);
  core.store.follow(operation);
  return operation;
}

/** Whether what the service says of an operation is about the transaction that this client signed. */
export function isSameOperation(
  operation: Operation,
  signed: SignedOperation,
): operation is SubmittedOperation {
  return (
    operation.operationId === signed.operationId &&
    operation.kind === signed.kind &&
    operation.wallet === signed.wallet &&
    'signature' in operation &&
    operation.signature === signed.signature
  );
}

/** The refusal to say more than is known, once signed bytes have left. */
export function outcomeUnknown(operationId: string, cause?: ServiceError): ServiceError<'OUTCOME_UNKNOWN'> {
  const answer = cause ? `the service answered ${cause.code}` : 'the service answered about something else';
  return new ServiceError('OUTCOME_UNKNOWN', {
    message: `The signed transaction has left, and ${answer}: only the chain can tell what became of it. Do not repeat it; ask with client.waitForOperation('${operationId}').`,
    context: { operationId, ...(cause ? { answer: cause.code } : {}) },
    retryable: false,
    ...(cause ? { cause, status: cause.status, requestId: cause.requestId } : {}),
  });
}

function mismatch(differences: readonly MessageDifference[]): ServiceError {
  return new ServiceError('PREPARED_MISMATCH', {
    message: `The prepared transaction is not what was asked for: ${describe(differences)}. Nothing was signed and nothing was sent; do not trust this service.`,
    context: { differences },
  });
}

function describe(differences: readonly MessageDifference[]): string {
  return differences
    .slice(0, 3)
    .map(({ part, expected, received }) => `${part} must be ${expected} and is ${received}`)
    .join('; ')
    .concat(differences.length > 3 ? `; and ${differences.length - 3} more` : '');
}

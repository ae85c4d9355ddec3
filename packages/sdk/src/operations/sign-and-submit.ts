/** Signing what was asked for and nothing else (SPEC.md section 4, prepare rule 3). */
import { DRAFT_LIFETIME_SECONDS, type Operation } from '@service/contract';
import {
  type Intent,
  operationMessage,
  PlanError,
  planInstruction,
  splitWireTransaction,
  wireTransaction,
} from '@service/protocol';
import {
  type Address,
  type Blockhash,
  getBase58Decoder,
  getBase64Decoder,
  getBase64Encoder,
  type Signature,
} from '@solana/kit';
import { alreadySigned, type ClientCore, checkNotSent } from '../client/core.ts';
import { pinnedCircuitId } from '../eligibility/circuit.ts';
import { isServiceError, ServiceError } from '../errors.ts';
import { type CallOptions, throwIfAborted, withDeadline } from '../lib/deadline.ts';
import { askRpc, checkGenesisHash, readerOf, sendOptions } from '../rpc/chain-rpc.ts';
import { changedTransactionError } from '../transaction/changed-transaction-error.ts';
import {
  compareMessages,
  type MessageDifference,
  readMessage,
  sameBytes,
} from '../transaction/compare-messages.ts';
import { type Signer, signerOf } from '../wallet/signer.ts';
import { verifySignature } from '../wallet/verify-signature.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { mayLand, readOutcome, type SignedOperation } from './outcome.ts';
import { type PreparedOperation, type PreparedSecret, unseal } from './prepared.ts';
import { isSameOperation, type SubmittedOperation } from './same-operation.ts';

/** See `ServiceClient.signAndSubmit`. */
export async function signAndSubmit(
  core: ClientCore,
  wallet: Wallet,
  prepared: PreparedOperation,
  { signal }: CallOptions,
): Promise<SubmittedOperation> {
  const secret = unseal(core, prepared);
  const signer = signerOf(wallet);
  const { operationId } = secret;
  checkWallet(signer, secret);
  checkIsDraft(core, operationId, signer.address);
  // Before the wallet is asked, too: what is dead needs no signature.
  if (core.now() >= secret.expiresAt) throw draftExpired();
  // No wait since the checks: of two calls at the same time, the second one sees the first.
  core.ledger.ask(operationId, signer.address);
  const { signed, wire } = await haveSigned(core, signer, secret, signal).catch((error: unknown) => {
    core.ledger.withdraw(operationId);
    throw error;
  });
  // From here on the bytes may have left, whatever else happens.
  core.ledger.send(signed);
  core.store.follow({ ...signed, state: 'SIGNED', expiresAt: secret.expiresAt }, signed);
  return submit(core, signed, wire, signal);
}

/** Everything up to the moment in which the bytes leave. */
async function haveSigned(
  core: ClientCore,
  signer: Signer,
  secret: PreparedSecret,
  signal: AbortSignal | undefined,
): Promise<{ signed: SignedOperation; wire: Uint8Array }> {
  const { operationId, intent } = secret;
  await checkNothingInFlight(core, signer.address, signal);
  const expected = await expectedMessage(core, secret, signal);
  const validity = await checkLifetime(core, expected.blockhash, signal);
  await checkCanPayFee(core, signer.address, signal);
  throwIfAborted(signal, 'signAndSubmit');
  // A prompt that nobody answers would hold the wallet; what it answers later is dropped. Of the draft's life the
  // service says more than there is, if it likes.
  const seconds = Math.min(Number(secret.expiresAt - core.now()), DRAFT_LIFETIME_SECONDS);
  const prompt = { signal, timeoutMs: seconds * 1000, what: 'signAndSubmit' };
  const { wire, signature } = await withDeadline(prompt, () => sign(signer, expected.message)).catch(
    (error: unknown) => {
      throw isServiceError(error, 'TIMEOUT') ? draftExpired() : error;
    },
  );
  await checkStillValid(core, secret, expected.blockhash, signal);
  throwIfAborted(signal, 'signAndSubmit');
  // Another client may have had the same draft signed while this wallet was asked.
  if (core.ledger.isOver(operationId)) throw alreadySigned(operationId);
  const signed: SignedOperation = {
    operationId,
    kind: intent.kind,
    wallet: signer.address,
    signature: getBase58Decoder().decode(signature) as Signature,
    ...validity,
  };
  return { signed, wire };
}

/** One prompt for an operation, and one for a wallet: of two operations signed at once the service takes one. */
function checkIsDraft(core: ClientCore, operationId: string, wallet: Address): void {
  checkNotSent(core, operationId);
  const state = core.ledger.stateOf(operationId);
  if (state === 'ASKING') {
    throw new ServiceError('OPERATION_ALREADY_SIGNED', {
      message: `The operation ${operationId} is with the wallet already, by another call. Wait for that one.`,
      context: { operationId },
    });
  }
  // A caller who was told that it expired prepares again. Signing this one would do the same twice.
  if (state !== 'DRAFT') throw draftExpired();
  if (core.ledger.isAsked(wallet)) throw pending(wallet, 'is being asked to sign another operation');
}

/** A wallet has one operation in flight: the service refuses the second, when it is signed already. */
async function checkNothingInFlight(
  core: ClientCore,
  wallet: Address,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const signed of core.ledger.inFlight(wallet)) {
    const outcome = await readOutcome(core, signed, signal);
    if (outcome.state !== 'UNSEEN') core.ledger.end(signed.operationId);
    else if (await mayLand(core, signed, signal))
      throw pending(wallet, `has the operation ${signed.operationId} in flight`);
  }
}

function pending(wallet: Address, why: string): ServiceError {
  return new ServiceError('SIGNED_OPERATION_PENDING', {
    message: `The wallet ${wallet} ${why}, and has one at a time. Wait for its end, then sign this one. Nothing was signed.`,
    context: {},
  });
}

/** Lamports that the network takes for one signature; operations have one, and set no price of their own. */
const FEE_LAMPORTS = 5_000n;

/** A transaction whose payer cannot pay is dropped without a trace: its end would be unknown for minutes. */
async function checkCanPayFee(
  core: ClientCore,
  wallet: Address,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { value: balance } = await askRpc('getBalance', signal, () =>
    core.rpc.getBalance(wallet, { commitment: 'confirmed' }).send(sendOptions(signal)),
  );
  if (balance >= FEE_LAMPORTS) return;
  throw new ServiceError('INSUFFICIENT_FUNDS', {
    message: `The wallet ${wallet} has ${balance} lamports, and the network fee is ${FEE_LAMPORTS}. Send SOL to that address, then sign again. Nothing was signed.`,
    context: { wallet, balance, needed: FEE_LAMPORTS },
  });
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
  const [found, latest] = await Promise.all([
    lookUpBlockhash(core, blockhash, signal),
    askRpc('getLatestBlockhash', signal, async () => {
      const { context, value } = await core.rpc
        .getLatestBlockhash({ commitment: 'confirmed' })
        .send(sendOptions(signal));
      return { slot: BigInt(context.slot), lastValidBlockHeight: BigInt(value.lastValidBlockHeight) };
    }),
    checkGenesisHash(core, signal),
  ]);
  if (!found.isValid) {
    throw new ServiceError('BLOCKHASH_INVALID', {
      message:
        'The blockhash of the prepared transaction is not valid on your own RPC: it has died, or is of another cluster. Prepare again. Nothing was signed.',
      context: {},
    });
  }
  // Behind one RPC stand many nodes: one that was asked for the newest blockhash may be behind the one that knows this
  // one, and no more blocks than slots lie between them.
  const behind = found.slot > latest.slot ? found.slot - latest.slot : 0n;
  return { signedAtSlot: latest.slot, lastValidBlockHeight: latest.lastValidBlockHeight + behind };
}

/** Whether a blockhash is valid, and in which slot a node said so. */
function lookUpBlockhash(
  core: ClientCore,
  blockhash: string,
  signal: AbortSignal | undefined,
): Promise<{ isValid: boolean; slot: bigint }> {
  return askRpc('isBlockhashValid', signal, async () => {
    const { context, value } = await core.rpc
      .isBlockhashValid(blockhash as Blockhash, { commitment: 'confirmed' })
      .send(sendOptions(signal));
    return { isValid: value === true, slot: BigInt(context.slot) };
  });
}

/** Wallets change transactions (guards, priority fees): what comes back must be the same message, truly signed. */
async function sign(
  signer: Signer,
  message: Uint8Array,
): Promise<{ wire: Uint8Array; signature: Uint8Array }> {
  const answer = splitWireTransaction(await signer.signTransaction(wireTransaction(message)));
  if (!answer || !sameBytes(answer.message, message)) {
    throw changedTransactionError(
      message,
      answer?.message ?? null,
      'The service takes only what was prepared',
    );
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
  if (core.now() < secret.expiresAt && (await lookUpBlockhash(core, blockhash, signal)).isValid) return;
  throw draftExpired();
}

function draftExpired(): ServiceError {
  return new ServiceError('DRAFT_EXPIRED', {
    message: 'The draft expired before it was signed. Prepare again. Nothing was sent.',
    context: {},
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

/** The refusal to say more than is known, once signed bytes have left. */
function outcomeUnknown(operationId: string, cause?: ServiceError): ServiceError<'OUTCOME_UNKNOWN'> {
  const answer = cause
    ? `the service answered ${cause.code} (${cause.message})`
    : 'the service answered about something else';
  return new ServiceError('OUTCOME_UNKNOWN', {
    message: `The signed transaction was sent, and ${answer}. Only the chain can show the outcome. Do not repeat it. Wait with client.waitForOperation('${operationId}').`,
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

/** Checks a receipt. `onCheck` gets the checks in this order. */
import { MEMO_PREFIX } from '@service/protocol';
import type { Address, Signature } from '@solana/kit';
import type { ServiceError } from '../errors.ts';
import { type CallOptions, machineClock } from '../lib/clock.ts';
import { type OwnRpc, readGenesisHash } from '../rpc/chain.ts';
import type { ChainRpc } from '../rpc/checked-rpc.ts';
import { type Action, actionUnder, type Landed, readAction, readLanded } from './landed.ts';
import { parseReceipt, type Receipt, receiptInvalid } from './receipt.ts';

/** Options of `verifyReceipt` (SPEC.md sections 3 and 4). */
export interface VerifyReceiptOptions extends CallOptions {
  /** An RPC of the cluster that you trust: your own, never one that the receipt's owner names. */
  readonly rpc: ChainRpc;
  /** The program that the receipt must be of. Without it, compare `program` of the result yourself. */
  readonly program?: Address | undefined;
  /** Called for each check that passes, with a line that says what was checked. */
  readonly onCheck?: ((line: string) => void) | undefined;
}

/** See `verifyReceipt`. */
export async function checkReceipt(receipt: unknown, options: VerifyReceiptOptions): Promise<Receipt> {
  const { rpc, program, signal, onCheck = () => undefined } = options;
  const own: OwnRpc = { rpc, clock: machineClock };
  const given = parseReceipt(receipt);
  if (program !== undefined) same('program', program, given.program);
  onCheck(`The receipt is well formed: ${given.kind}, operation ${given.operationId}.`);

  const genesisHash = await readGenesisHash(own, signal);
  same('genesisHash', genesisHash, given.genesisHash);
  onCheck(`The RPC belongs to the receipt's cluster ${genesisHash}.`);

  const landed = await readLanded(own, given.signature as Signature, signal);
  if (!landed) {
    throw receiptInvalid(
      'signature',
      'the signature of a finalized transaction',
      'unknown to the RPC',
      'Wait some seconds if it is new, or use an RPC whose history reaches back further.',
    );
  }
  if (landed.error) {
    const failed = 'the signature of one that failed on chain and changed nothing';
    throw receiptInvalid('signature', 'the signature of a transaction that succeeded', failed);
  }
  onCheck(`The transaction ${given.signature} is finalized and has no error.`);
  same('slot', `${landed.slot}`, given.slot);
  onCheck(`It landed in slot ${given.slot}.`);
  same('wallet', landed.wallet, given.wallet);
  onCheck(`The wallet ${given.wallet} signed its message and paid for it.`);
  same('messageDigest', landed.messageDigest, given.messageDigest);
  onCheck(`The message has the digest ${given.messageDigest}.`);
  same('memo', landed.memo, given.memo);
  if (!landed.memo.startsWith(MEMO_PREFIX))
    throw receiptInvalid('memo', `${MEMO_PREFIX} and the id of the operation`, landed.memo);
  same('operationId', landed.memo.slice(MEMO_PREFIX.length), given.operationId);
  onCheck(`Its memo is ${given.memo}.`);
  const action = await actionUnder(own, given.program, landed, signal);
  if (!action) throw wrongProgram(given, landed);
  compareActions(action, given);
  onCheck(`Its action is ${given.kind} of the program ${given.program}, as the receipt says.`);
  return given;
}

/** Returns the receipt of a landed transaction. Everything in it is what the chain shows. */
export function receiptOf(
  landed: Landed,
  action: Action,
  { program, genesisHash, operationId }: Pick<Receipt, 'program' | 'genesisHash' | 'operationId'>,
): Receipt {
  const { wallet, signature, slot, memo, messageDigest } = landed;
  const common = { version: 1, program, genesisHash, operationId, wallet, signature, memo, messageDigest };
  return parseReceipt({ ...common, slot: `${slot}`, ...action });
}

function compareActions(action: Action, given: Receipt): void {
  same('kind', action.kind, given.kind);
  const claimed = given as unknown as Record<string, unknown>;
  for (const [field, value] of Object.entries(action)) same(field, `${value}`, `${claimed[field]}`);
}

function same(field: string, expected: string, received: string): void {
  if (expected !== received) throw receiptInvalid(field, expected, received);
}

function wrongProgram({ program }: Receipt, { action }: Landed): ServiceError {
  const isTransfer = readAction(program, action)?.kind === 'TRANSFER';
  return receiptInvalid(
    'program',
    isTransfer ? 'the program that has bound the mint' : 'the program of the action on chain',
    `${program}, ${isTransfer ? 'which has not' : `but the program of the action is ${action.program}`}`,
  );
}

import {
  type ComputeBudget,
  MAX_TRANSACTION_BYTES,
  operationMessage,
  wireTransaction,
} from '@service/protocol';
import type { Address, Instruction } from '@solana/kit';
import { latestBlockhash } from '../../chain-head/index.ts';
import { invalidRequest } from '../../http/failures/fault.ts';
import type { Service } from '../../service.ts';

/** The parts of a draft's message. */
export interface DraftOptions {
  readonly id: string;
  readonly wallet: Address;
  readonly instruction: Instruction;
  readonly budget?: Required<ComputeBudget> | undefined;
}

/** Builds the message with a new blockhash. @throws ServiceFault INVALID_REQUEST if it is too large for a transaction */
export async function draftMessage(
  service: Pick<Service, 'rpc' | 'shared'>,
  { id, wallet, instruction, budget }: DraftOptions,
) {
  const { context, value } = await latestBlockhash(service);
  const message = operationMessage({
    wallet,
    operationId: id,
    blockhash: value.blockhash,
    instruction,
    budget,
  });
  const bytes = wireTransaction(message).length;
  if (bytes > MAX_TRANSACTION_BYTES) {
    throw invalidRequest(
      `The transaction would have ${bytes} bytes; the limit is ${MAX_TRANSACTION_BYTES}. Do less in one operation.`,
    );
  }
  return { message, last_valid_block_height: value.lastValidBlockHeight, draft_slot: context.slot };
}

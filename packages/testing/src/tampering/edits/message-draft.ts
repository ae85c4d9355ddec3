/** Decompiles a prepared message, and compiles a changed one. */
import { splitWireTransaction, wireTransaction } from '@service/protocol';
import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
} from '@solana/kit';
import { compileMessage, decompiled, encodeMessage, type Message } from '../../transaction-message.ts';

/** Decompiles an unsigned transaction (base64). Throws if it is not a transaction. */
export function readDraft(transaction: string): Message {
  return decompiled(readCompiled(transaction));
}

/** A compiled message of version 0. */
export type CompiledMessage = Extract<CompiledTransactionMessage, { version: 0 }> &
  CompiledTransactionMessageWithLifetime;

/** Reads the compiled message of an unsigned transaction (base64). Throws if it is not a transaction. */
export function readCompiled(transaction: string): CompiledMessage {
  const split = splitWireTransaction(new Uint8Array(getBase64Encoder().encode(transaction)));
  if (!split) throw new TypeError('The real service returned no transaction.');
  return getCompiledTransactionMessageDecoder().decode(split.message) as CompiledMessage;
}

/** Compiles a message to an unsigned transaction, base64. */
export function writeDraft(draft: Message): string {
  return writeWire(wireTransaction(compileMessage(draft)));
}

/** Encodes a compiled message as an unsigned transaction, base64. */
export function writeCompiled(compiled: CompiledTransactionMessage): string {
  return writeWire(wireTransaction(encodeMessage(compiled)));
}

/** Encodes bytes as base64. */
export function writeWire(bytes: Uint8Array): string {
  return getBase64Decoder().decode(bytes);
}

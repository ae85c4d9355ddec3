/** Decompiles a prepared message, and compiles a changed one. */
import { splitWireTransaction, wireTransaction } from '@service/protocol';
import {
  type AccountMeta,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  compileTransactionMessage,
  createTransactionMessage,
  decompileTransactionMessage,
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';

/** An instruction of a draft. */
export interface DraftInstruction {
  readonly programAddress: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
}

/** A decompiled message: the memo first, then the action. */
export interface MessageDraft {
  readonly version: 0 | 'legacy' | 1;
  readonly feePayer: Address;
  readonly blockhash: string;
  readonly instructions: readonly DraftInstruction[];
}

/** Decompiles an unsigned transaction (base64). Throws if it is not a transaction. */
export function readDraft(transaction: string): MessageDraft {
  const compiled = readCompiled(transaction);
  const message = decompileTransactionMessage(compiled);
  return {
    version: 0,
    feePayer: message.feePayer.address,
    blockhash: compiled.lifetimeToken,
    instructions: (message.instructions as readonly Instruction[]).map(
      ({ programAddress, accounts = [], data = new Uint8Array() }) => ({
        programAddress,
        accounts: accounts.map(({ address, role }) => ({ address, role }) as AccountMeta),
        data: new Uint8Array(data),
      }),
    ),
  };
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

/** Compiles a draft to an unsigned transaction, base64. */
export function writeDraft(draft: MessageDraft): string {
  const lifetime = { blockhash: draft.blockhash as Blockhash, lastValidBlockHeight: 0n };
  const compiled = compileTransactionMessage(
    pipe(
      // The versions differ only in their types here.
      createTransactionMessage({ version: draft.version as 0 }),
      (message) => setTransactionMessageFeePayer(draft.feePayer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(draft.instructions, message),
    ),
  );
  return writeCompiled(compiled);
}

/** Encodes a compiled message as an unsigned transaction, base64. */
export function writeCompiled(compiled: CompiledTransactionMessage): string {
  return writeWire(
    wireTransaction(
      new Uint8Array(
        getCompiledTransactionMessageEncoder().encode(
          compiled as Parameters<ReturnType<typeof getCompiledTransactionMessageEncoder>['encode']>[0],
        ),
      ),
    ),
  );
}

/** Encodes bytes as base64. */
export function writeWire(bytes: Uint8Array): string {
  return getBase64Decoder().decode(bytes);
}

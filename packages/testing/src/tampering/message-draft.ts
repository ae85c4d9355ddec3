/** A prepared message taken apart and put together again, as a service that wants something else signed would. */
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

/** One instruction of a draft. */
export interface DraftInstruction {
  readonly programAddress: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
}

/** A message taken apart: the memo first, then the action. */
export interface MessageDraft {
  readonly version: 0 | 'legacy' | 1;
  readonly feePayer: Address;
  readonly blockhash: string;
  readonly instructions: readonly DraftInstruction[];
}

/** Takes an unsigned transaction (base64) apart. Throws when it is none. */
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

/** The message of an unsigned transaction (base64) as compiled. */
export function readCompiled(
  transaction: string,
): CompiledTransactionMessage & CompiledTransactionMessageWithLifetime {
  const split = splitWireTransaction(new Uint8Array(getBase64Encoder().encode(transaction)));
  if (!split) throw new TypeError('the service behind gave no transaction');
  return getCompiledTransactionMessageDecoder().decode(split.message) as CompiledTransactionMessage &
    CompiledTransactionMessageWithLifetime;
}

/** The unsigned transaction of a draft, base64. */
export function writeDraft(draft: MessageDraft): string {
  const lifetime = { blockhash: draft.blockhash as Blockhash, lastValidBlockHeight: 0n };
  const compiled = compileTransactionMessage(
    pipe(
      // The three versions differ in type alone here.
      createTransactionMessage({ version: draft.version as 0 }),
      (message) => setTransactionMessageFeePayer(draft.feePayer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(draft.instructions, message),
    ),
  );
  return writeCompiled(compiled);
}

/** The unsigned transaction of a compiled message, base64. */
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

/** Bytes as base64. */
export function writeWire(bytes: Uint8Array): string {
  return getBase64Decoder().decode(bytes);
}

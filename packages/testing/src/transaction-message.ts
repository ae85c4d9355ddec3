/** Messages of transactions as instructions, for code that changes them: decompiled, compiled and encoded with kit. */
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
  getCompiledTransactionMessageEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';

/** An instruction of a message. */
export interface MessageInstruction {
  readonly programAddress: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
}

/** A decompiled message without lookup tables. */
export interface Message {
  readonly version: 0 | 'legacy' | 1;
  readonly feePayer: Address;
  readonly blockhash: string;
  readonly instructions: readonly MessageInstruction[];
}

/** Decompiles a message. */
export function decompiled(
  compiled: CompiledTransactionMessage & CompiledTransactionMessageWithLifetime,
): Message {
  const { feePayer, instructions } = decompileTransactionMessage(compiled as never);
  return {
    version: compiled.version,
    feePayer: feePayer.address,
    blockhash: compiled.lifetimeToken,
    instructions: (instructions as readonly Instruction[]).map(
      ({ programAddress, accounts = [], data = new Uint8Array() }) => ({
        programAddress,
        accounts: accounts.map(({ address, role }) => ({ address, role }) as AccountMeta),
        data: new Uint8Array(data),
      }),
    ),
  };
}

/** Compiles a message with kit, which gives it the order of addresses that the service's messages have. */
export function compileMessage(message: Message): Uint8Array {
  const lifetime = { blockhash: message.blockhash as Blockhash, lastValidBlockHeight: 0n };
  return encodeMessage(
    compileTransactionMessage(
      pipe(
        // The versions differ only in their types here.
        createTransactionMessage({ version: message.version as 0 }),
        (draft) => setTransactionMessageFeePayer(message.feePayer, draft),
        (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
        (draft) => appendTransactionMessageInstructions(message.instructions, draft),
      ),
    ),
  );
}

/** Encodes a compiled message, even one that kit would not compile. */
export function encodeMessage(compiled: object): Uint8Array {
  type Encodable = Parameters<ReturnType<typeof getCompiledTransactionMessageEncoder>['encode']>[0];
  return new Uint8Array(getCompiledTransactionMessageEncoder().encode(compiled as Encodable));
}

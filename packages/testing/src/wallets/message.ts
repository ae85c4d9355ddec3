/** Reads the message of a transaction as instructions, and compiles changed ones. */
import {
  type AccountMeta,
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  type CompiledTransactionMessage,
  compileTransactionMessage,
  createTransactionMessage,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  type Instruction,
  isSignerRole,
  isWritableRole,
  mergeRoles,
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

/** A message without lookup tables. */
export interface Message {
  readonly version: 0 | 'legacy';
  readonly feePayer: Address;
  readonly blockhash: string;
  readonly instructions: readonly MessageInstruction[];
}

/** Maximum size of a transaction on the wire in bytes. */
const MAX_TRANSACTION_BYTES = 1_232;
const SIGNATURE_BYTES = 64;

type EncodableMessage = Parameters<ReturnType<typeof getCompiledTransactionMessageEncoder>['encode']>[0];

/** Reads a message. Returns null if the simulated wallets do not change such messages: they have lookup tables. */
export function readMessage(bytes: Uint8Array): Message | null {
  const compiled = getCompiledTransactionMessageDecoder().decode(bytes);
  const { version } = compiled;
  if (version !== 'legacy' && (version !== 0 || compiled.addressTableLookups?.length)) return null;
  const message = decompileTransactionMessage(compiled as never);
  return {
    version,
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

/** Compiles a message with the addresses in the order of their first use, as wallets on web3.js do. */
export function compileInOrderOfUse(message: Message): Uint8Array {
  const roles = rolesOf(message);
  const groups = [
    AccountRole.WRITABLE_SIGNER,
    AccountRole.READONLY_SIGNER,
    AccountRole.WRITABLE,
    AccountRole.READONLY,
  ].map((role) => [...roles].filter(([, found]) => found === role).map(([key]) => key));
  const staticAccounts = groups.flat();
  const [writableSigners, readonlySigners, , readonly] = groups.map(({ length }) => length);
  return encodeMessage({
    version: message.version,
    header: {
      numSignerAccounts: writableSigners! + readonlySigners!,
      numReadonlySignerAccounts: readonlySigners!,
      numReadonlyNonSignerAccounts: readonly!,
    },
    staticAccounts,
    lifetimeToken: message.blockhash,
    instructions: message.instructions.map(({ programAddress, accounts, data }) => ({
      programAddressIndex: staticAccounts.indexOf(programAddress),
      accountIndices: accounts.map(({ address }) => staticAccounts.indexOf(address)),
      data,
    })),
  });
}

/** Adds a lookup table with one address, which no instruction uses, to a compiled message. */
export function withLookupTable(bytes: Uint8Array, table: Address): Uint8Array {
  const compiled = getCompiledTransactionMessageDecoder().decode(bytes);
  const lookup = { lookupTableAddress: table, writableIndexes: [], readonlyIndexes: [0] };
  return encodeMessage({ ...compiled, addressTableLookups: [lookup] });
}

/** Returns the addresses that sign a compiled message, in the order of their signatures. */
export function signersOf(bytes: Uint8Array): readonly Address[] {
  const { staticAccounts, header } = getCompiledTransactionMessageDecoder().decode(bytes);
  return staticAccounts.slice(0, header.numSignerAccounts);
}

/** Returns the accounts that a message may write to. The fee payer is the first. */
export function writableAccounts(message: Message): readonly Address[] {
  return [...rolesOf(message)].filter(([, role]) => isWritableRole(role)).map(([key]) => key);
}

/** Returns the number of signatures that a message needs. */
export function countSigners(message: Message): number {
  return [...rolesOf(message).values()].filter(isSignerRole).length;
}

/** Returns whether a transaction with this message can be sent. */
export function fitsTransaction(message: Message): boolean {
  const signatures = 1 + SIGNATURE_BYTES * countSigners(message);
  return signatures + compileMessage(message).length <= MAX_TRANSACTION_BYTES;
}

/** Returns the highest role of each address, in the order of their first use. */
function rolesOf({ feePayer, instructions }: Message): ReadonlyMap<Address, AccountRole> {
  const roles = new Map<Address, AccountRole>([[feePayer, AccountRole.WRITABLE_SIGNER]]);
  const use = (key: Address, role: AccountRole) => {
    const known = roles.get(key);
    roles.set(key, known === undefined ? role : mergeRoles(known, role));
  };
  for (const { programAddress, accounts } of instructions) {
    use(programAddress, AccountRole.READONLY);
    for (const { address, role } of accounts) use(address, role);
  }
  return roles;
}

function encodeMessage(compiled: object): Uint8Array {
  return new Uint8Array(
    getCompiledTransactionMessageEncoder().encode(compiled as CompiledTransactionMessage & EncodableMessage),
  );
}

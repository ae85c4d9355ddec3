/** Reads messages as simulated wallets do, and compiles changed ones as they do. */
import { MAX_TRANSACTION_BYTES } from '@service/protocol';
import {
  AccountRole,
  type Address,
  getCompiledTransactionMessageDecoder,
  isSignerRole,
  isWritableRole,
  mergeRoles,
} from '@solana/kit';
import { compileMessage, decompiled, encodeMessage, type Message } from '../transaction-message.ts';

const SIGNATURE_BYTES = 64;

/** Reads a message. Returns null if the simulated wallets do not change such messages: they have lookup tables. */
export function readMessage(bytes: Uint8Array): Message | null {
  const compiled = getCompiledTransactionMessageDecoder().decode(bytes);
  const { version } = compiled;
  if (version !== 'legacy' && (version !== 0 || compiled.addressTableLookups?.length)) return null;
  return decompiled(compiled);
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

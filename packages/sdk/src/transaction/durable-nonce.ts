/** Reads the durable nonce of a transaction that a wallet changed. Such a transaction does not expire. */
import { SYSTEM_PROGRAM } from '@service/protocol';
import { type Address, getCompiledTransactionMessageDecoder, type ReadonlyUint8Array } from '@solana/kit';

/** A nonce in an account on chain. A transaction with it can land until the account holds another one. */
export interface DurableNonce {
  readonly account: Address;
  /** Base58. */
  readonly value: string;
}

/** Returns the durable nonce of a message. Its first instruction is then AdvanceNonceAccount, number 4 of the system program. */
export function nonceOf(message: ReadonlyUint8Array): DurableNonce | undefined {
  try {
    const decoded = getCompiledTransactionMessageDecoder().decode(message);
    if (decoded.version !== 'legacy' && decoded.version !== 0) return undefined;
    const { instructions, staticAccounts, lifetimeToken: value } = decoded;
    const [first] = instructions;
    const [account] = first?.accountIndices ?? [];
    const isAdvance = `${first?.data?.slice(0, 4)}` === '4,0,0,0';
    if (!first || account === undefined || !isAdvance) return undefined;
    if (staticAccounts[first.programAddressIndex] !== SYSTEM_PROGRAM) return undefined;
    // The runtime takes no nonce account from a lookup table, so the transaction then needs a recent blockhash.
    const nonceAccount = staticAccounts[account];
    return nonceAccount && { account: nonceAccount, value };
  } catch {
    return undefined;
  }
}

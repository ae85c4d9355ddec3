/** The mints and token accounts of a chain in memory, and the transfers between them. */
import {
  decodeTokenAccount,
  type Intent,
  isSuspended,
  programAddresses,
  TOKEN_2022_PROGRAM,
} from '@service/protocol';
import {
  getMintBindingDecoder,
  getPassDecoder,
  type MintBinding,
  RULE_SET_PASS_ERROR__DESTINATION_PASS_EXPIRED,
  RULE_SET_PASS_ERROR__DESTINATION_PASS_GRANTED,
  RULE_SET_PASS_ERROR__DESTINATION_PASS_MISSING,
  RULE_SET_PASS_ERROR__DESTINATION_PASS_SUSPENDED,
  RULE_SET_PASS_ERROR__SOURCE_PASS_EXPIRED,
  RULE_SET_PASS_ERROR__SOURCE_PASS_GRANTED,
  RULE_SET_PASS_ERROR__SOURCE_PASS_MISSING,
  RULE_SET_PASS_ERROR__SOURCE_PASS_SUSPENDED,
  RULE_SET_PASS_ERROR__TOKEN_ACCOUNT_OWNER_MUTABLE,
} from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import { AccountState, getMintEncoder, getTokenEncoder } from '@solana-program/token';
import type { MemoryChain } from './chain.ts';

/** A token account; `amount` in base units. */
export interface MemoryTokenAccount {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  /** @default true */
  readonly immutableOwner?: boolean | undefined;
}

type Movement = Extract<Intent, { kind: 'ISSUE' | 'TRANSFER' }>;

/** The tokens of a chain in memory. */
export class MemoryTokens {
  readonly #chain: MemoryChain;
  readonly #at: ReturnType<typeof programAddresses>;

  /** @param program the program that binds mints */
  constructor(chain: MemoryChain, program: Address) {
    this.#chain = chain;
    this.#at = programAddresses(program);
  }

  /** Creates a mint with no supply. */
  putMint(mint: Address, issuer: Address): void {
    this.#chain.put(
      mint,
      TOKEN_2022_PROGRAM,
      getMintEncoder().encode({
        mintAuthority: issuer,
        supply: 0n,
        decimals: 6,
        isInitialized: true,
        freezeAuthority: null,
      }),
    );
  }

  /** Creates or replaces a token account. */
  putTokenAccount(
    address: Address,
    { mint, owner, amount, immutableOwner = true }: MemoryTokenAccount,
  ): void {
    const account = getTokenEncoder().encode({
      mint,
      owner,
      amount,
      delegate: null,
      state: AccountState.Initialized,
      isNative: null,
      delegatedAmount: 0n,
      closeAuthority: null,
    });
    const data = new Uint8Array([...account, ...(immutableOwner ? IMMUTABLE_OWNER : [])]);
    this.#chain.put(address, TOKEN_2022_PROGRAM, data);
  }

  /** Returns the amount of a token account, in base units. */
  amountOf(address: Address): bigint {
    return this.#find(address)?.amount ?? 0n;
  }

  /** Issues or transfers. Returns the number of the error because of which no tokens move, or null. */
  async move(intent: Movement): Promise<number | null> {
    const { mint, destination, amount } = intent;
    const sends = intent.kind === 'TRANSFER';
    // Preparing checked that both accounts exist, that they hold this mint, and that it is bound.
    const to = this.#find(destination)!;
    const from = sends ? this.#find(intent.source)! : null;
    const binding = this.#chain.accounts.get(await this.#at.mintBinding(mint))!;
    // Token-2022 checks this before it calls the hook.
    if (from && from.amount < amount) return INSUFFICIENT_FUNDS;
    if (from && from.owner !== intent.wallet) return OWNER_MISMATCH;
    if (!to.immutableOwner) return RULE_SET_PASS_ERROR__TOKEN_ACCOUNT_OWNER_MUTABLE;
    const bound = getMintBindingDecoder().decode(binding.data);
    const refused =
      (await this.#refusal(bound, to.owner, DESTINATION)) ??
      (from && bound.requireSource ? await this.#refusal(bound, from.owner, SOURCE) : null);
    if (refused !== null) return refused;
    if (sends && from) this.putTokenAccount(intent.source, { ...from, amount: from.amount - amount });
    this.putTokenAccount(destination, { ...to, amount: to.amount + amount });
    return null;
  }

  /** Returns the error of a wallet without a live pass, or null. */
  async #refusal(binding: MintBinding, wallet: Address, errors: typeof SOURCE | typeof DESTINATION) {
    const account = this.#chain.accounts.get(await this.#at.pass(binding.rule, wallet));
    if (!account) return errors.missing;
    const pass = getPassDecoder().decode(account.data);
    if (isSuspended(pass, this.#chain.time)) return errors.suspended;
    if (pass.granted && !binding.honoursGranted) return errors.granted;
    return pass.expiresAt > this.#chain.time ? null : errors.expired;
  }

  #find(address: Address) {
    const account = this.#chain.accounts.get(address);
    return account ? decodeTokenAccount(account.data) : null;
  }
}

/** Follows the 165 bytes of the account: the account type, then the extension, which is empty. */
const IMMUTABLE_OWNER = [2, 7, 0, 0, 0];

const DESTINATION = {
  missing: RULE_SET_PASS_ERROR__DESTINATION_PASS_MISSING,
  expired: RULE_SET_PASS_ERROR__DESTINATION_PASS_EXPIRED,
  granted: RULE_SET_PASS_ERROR__DESTINATION_PASS_GRANTED,
  suspended: RULE_SET_PASS_ERROR__DESTINATION_PASS_SUSPENDED,
} as const;
const SOURCE = {
  missing: RULE_SET_PASS_ERROR__SOURCE_PASS_MISSING,
  expired: RULE_SET_PASS_ERROR__SOURCE_PASS_EXPIRED,
  granted: RULE_SET_PASS_ERROR__SOURCE_PASS_GRANTED,
  suspended: RULE_SET_PASS_ERROR__SOURCE_PASS_SUSPENDED,
} as const;

/** Errors of Token-2022. */
const INSUFFICIENT_FUNDS = 1;
const OWNER_MISMATCH = 4;

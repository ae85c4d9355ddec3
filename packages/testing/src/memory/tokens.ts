/** The mints and token accounts of a chain in memory, and the transfers between them. */
import {
  decodeTokenAccount,
  type Intent,
  isSuspended,
  type MintTemplate,
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
import { type Address, getAddressEncoder } from '@solana/kit';
import { AccountState, getMintEncoder, getTokenEncoder } from '@solana-program/token';
import type { MemoryChain } from './chain.ts';

/** A mint. */
export interface MemoryMint {
  readonly mint: Address;
  readonly issuer: Address;
  /** @default plain */
  readonly template?: MintTemplate | undefined;
}

/** A token account; `amount` in base units. */
export interface MemoryTokenAccount {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  /** @default true */
  readonly immutableOwner?: boolean | undefined;
}

type Movement = Extract<Intent, { kind: 'ISSUE' | 'TRANSFER' | 'RECOVER' | 'REDEEM' }>;

/** The tokens of a chain in memory. */
export class MemoryTokens {
  readonly #chain: MemoryChain;
  readonly #at: ReturnType<typeof programAddresses>;

  /** @param program the program that binds mints */
  constructor(chain: MemoryChain, program: Address) {
    this.#chain = chain;
    this.#at = programAddresses(program);
  }

  /** Creates a mint with no supply. Its issuer can take tokens unless the template is `plain`. */
  async putMint({ mint, issuer, template = 'plain' }: MemoryMint): Promise<void> {
    const base = getMintEncoder().encode({
      mintAuthority: issuer,
      supply: 0n,
      decimals: 6,
      isInitialized: true,
      freezeAuthority: null,
    });
    const data = new Uint8Array(template === 'plain' ? base : [...base, ...PERMANENT_DELEGATE]);
    if (template !== 'plain') {
      const binding = getAddressEncoder().encode(await this.#at.mintBinding(mint));
      data.set(binding, data.length - binding.length);
    }
    this.#chain.put(mint, TOKEN_2022_PROGRAM, data);
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

  /** Issues, transfers, recovers or redeems. Returns the number of the error because of which no tokens move, or null. */
  async move(intent: Movement): Promise<number | null> {
    const { mint, amount } = intent;
    const sends = intent.kind === 'TRANSFER';
    // Preparing checked that the accounts exist, that they hold this mint, and that it is bound.
    const to = 'destination' in intent ? this.#find(intent.destination)! : null;
    const from = 'source' in intent ? this.#find(intent.source)! : null;
    const binding = this.#chain.accounts.get(await this.#at.mintBinding(mint))!;
    const bound = getMintBindingDecoder().decode(binding.data);
    const isShort = from !== null && from.amount < amount;
    // Token-2022 checks this before it calls the hook.
    if (sends && isShort) return INSUFFICIENT_FUNDS;
    if (sends && from?.owner !== intent.wallet) return OWNER_MISMATCH;
    if (to && !to.immutableOwner) return RULE_SET_PASS_ERROR__TOKEN_ACCOUNT_OWNER_MUTABLE;
    const refused =
      (to && (await this.#refusal(bound, to.owner, DESTINATION))) ??
      (sends && from && bound.requireSource ? await this.#refusal(bound, from.owner, SOURCE) : null);
    if (refused !== null) return refused;
    // The program burns tokens that it takes after its own checks.
    if (isShort) return INSUFFICIENT_FUNDS;
    if ('source' in intent && from)
      this.putTokenAccount(intent.source, { ...from, amount: from.amount - amount });
    if ('destination' in intent && to)
      this.putTokenAccount(intent.destination, { ...to, amount: to.amount + amount });
    return null;
  }

  /** Returns the error of a wallet without a live pass, or null. */
  async #refusal(binding: MintBinding, wallet: Address, errors: typeof SOURCE | typeof DESTINATION) {
    const account = this.#chain.accounts.get(await this.#at.pass(binding.rule, wallet));
    if (!account) return errors.missing;
    const pass = getPassDecoder().decode(account.data);
    if (isSuspended(pass, this.#chain.time)) return errors.suspended;
    if (pass.expiresAt <= this.#chain.time) return errors.expired;
    // Nothing is revoked here, so every credential supports its pass.
    return pass.granted && !binding.honoursGranted ? errors.granted : null;
  }

  #find(address: Address) {
    const account = this.#chain.accounts.get(address);
    return account ? decodeTokenAccount(account.data) : null;
  }
}

/** Follows the 82 bytes of the mint: padding, the account type, then the extension with an address, which is still zeros. */
const PERMANENT_DELEGATE = [
  ...new Array<number>(83).fill(0),
  1,
  12,
  0,
  32,
  0,
  ...new Array<number>(32).fill(0),
];

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

/** What a wallet may add to a transaction. */
interface WalletAdditions {
  readonly guards?: boolean;
  readonly maxPriorityFeeLamports?: bigint;
}

/** The development wallet adds nothing, so the client accepts nothing. */
export const WALLET_ADDITIONS: WalletAdditions = {};

// These exports import kit.
export { tokenAccountOf } from '../chain/token-account.ts';
export { walletFromKeyPair } from '../wallet/key-pair.ts';

export { standardWallet } from '../wallet/standard-wallet.ts';

export { verifyReceipt } from '../client/verify-receipt.ts';
export { parseReceipt } from '../receipt/receipt.ts';

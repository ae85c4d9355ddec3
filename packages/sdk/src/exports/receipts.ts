export { parseReceipt } from '../receipt/receipt.ts';
export { verifyReceipt } from '../receipt/verify-receipt.ts';

/** The code that needs kit's codecs: reading the chain, signing, proving. load-chain-chunk.ts loads this chunk. */
export { programAddresses } from '@service/protocol';
export { authenticate } from '../auth/authenticate.ts';
export { proofContext } from '../eligibility/proof-context.ts';
export { proofOfWitness } from '../eligibility/proof-of-witness.ts';
export { startVerification, waitForCredential } from '../eligibility/verification.ts';
export { askedBudget } from '../operations/additions/priority-fee.ts';
export { checkMayPrepare } from '../operations/held.ts';
export { waitForOperation } from '../operations/outcome/wait-for-operation.ts';
export { signAndSubmit } from '../operations/sign-and-submit.ts';
export { checkPassOpens } from '../preflight/check-pass-opens.ts';
export { checkProof } from '../preflight/check-proof.ts';
export { checkTransfer } from '../preflight/check-transfer.ts';
export { checkFundsToPrepare } from '../preflight/funds.ts';
export { checkReceipt } from '../receipt/check-receipt.ts';
export { fetchReceipt } from '../receipt/fetch-receipt.ts';

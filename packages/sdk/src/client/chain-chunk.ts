/** The code that needs kit's codecs: reading the chain, signing, proving. load-chain.ts loads this chunk. */
export { proofContext } from '../eligibility/proof-context.ts';
export { startVerification, waitForCredential } from '../eligibility/verification.ts';
export { ready } from '../operations/check-before-signing.ts';
export { fetchReceipt } from '../operations/fetch-receipt.ts';
export { waitForOperation } from '../operations/outcome/wait-for-operation.ts';
export { prepare } from '../operations/prepare.ts';
export { signAndSubmit } from '../operations/sign-and-submit.ts';
export { prove, write } from '../operations/writes.ts';
export { requirePlatform } from '../platform/check-platform.ts';
export { checkProof } from '../preflight/check-proof.ts';
export { checkTransfer } from '../preflight/check-transfer.ts';
export { checkReceipt } from '../receipt/check-receipt.ts';
export { authenticate, prepareSignIn } from '../session/authenticate.ts';

/** Everything of the client that needs kit's codecs: reading the chain, signing, proving. Loaded at its first use, by `loadChainPart` or `verifyReceipt`. */
import { chainOf } from './chain-rpc.ts';
import type { ClientCore, ServiceCore } from './core.ts';

export { programAddresses } from '@service/protocol';
export { artifactsFrom } from '../prover/artifacts/artifacts-from.ts';
export { checkReceipt } from '../receipt/check-receipt.ts';
export { authenticate } from './authenticate.ts';
export { checkPassOpens, checkProve } from './check-prove.ts';
export { explainTransfer } from './explain-transfer.ts';
export { proofContext } from './proof-context.ts';
export { proofOfWitness } from './proof-of-witness.ts';
export { resume } from './resume.ts';
export { signAndSubmit } from './sign-and-submit.ts';
export { startVerification, waitForCredential } from './verification.ts';
export { verifyOperation } from './verify-operation.ts';
export { waitForOperation } from './wait-for-operation.ts';

/** The same core, with the caller's RPC or one of the deployment. */
export function withChain(service: ServiceCore): ClientCore {
  return Object.assign(service, chainOf(service.deployment, service.rpc));
}

/** A whole service in the test process, and what wallets, governance and verifiers do there without the client. */
export {
  createMint,
  createTokenAccount,
  retireCircuit,
  send,
  setCircuit,
  setGovernance,
  setVerifier,
  transferSol,
} from './chain.ts';
export { deployTo, PASS_FEE } from './cluster.ts';
export {
  endProver,
  issueCredential,
  newWitness,
  nextCircuit,
  proveRuleSet,
  revokeCredential,
} from './eligible-person.ts';
export { type ReachedRefusal, watchRefusals } from './refusal-watch.ts';
export { openRpcGate, type RpcGate } from './rpc-gate.ts';
export { type Answer, type OperationJson, ruleSetBody, Visitor } from './visitor.ts';
export { ORIGIN, startWorld, WEBHOOK_SECRET, WORLD_START, type World } from './world.ts';

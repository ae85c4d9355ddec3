/** A whole service in the test's process, and what wallets, governance and verifiers do at it without the client. */
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
export { endProver, issueCredential, newWitness, nextCircuit, proveRuleSet } from './eligible-person.ts';
export { type ReachedRefusal, watchRefusals } from './refusal-watch.ts';
export { openRpcGate, type RpcGate } from './rpc-gate.ts';
export { type Answer, type OperationJson, ruleSetBody, Visitor } from './visitor.ts';
export {
  ORIGIN,
  PASS_FEE,
  startWorld,
  WEBHOOK_SECRET,
  WORLD_START,
  type World,
  whileSlotsPass,
} from './world.ts';

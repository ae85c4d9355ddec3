/** A whole service in the test process, and what wallets, governance and verifiers do there without the client. */
export * from './chain.ts';
export * from './cluster.ts';
export * from './eligible-person.ts';
export * from './gated-mints.ts';
export * from './keeper-steps.ts';
export * from './refusal-watch.ts';
export * from './rpc-gate.ts';
export * from './visitor.ts';
export * from './world.ts';

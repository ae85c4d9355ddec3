/** The SDK's own worker. journey-without.ts says where it is, because the package exports no worker. */
declare module 'prover-worker';

/** An address for tests that need any valid one. */
export const ADDRESS = '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi';
export const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** The JSON of a valid deployment. Nothing listens at its RPC. */
export const DEPLOYMENT = {
  program: ADDRESS,
  genesisHash: MAINNET_GENESIS,
  artifactsDigest: 'a'.repeat(64),
  rpcUrl: 'http://127.0.0.1:1',
  verifierOrigins: ['http://localhost:3001'],
  baseUrl: 'https://app.example',
};

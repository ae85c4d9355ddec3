/** Every variable of `npm run deploy`, each also an option: RPC_URL is `--rpc-url`, a file with a key `--payer-file`. */
import { artifactsDirectory } from '@service/circuit';
import { addressField, nameField, originField, rpcUrlField } from '@service/contract';
import { MAX_CIRCUIT_GRACE_SECONDS, MAX_PASS_FEE } from '@service/protocol';
import { holdsUser, keypair, variable, wholeNumber } from '@service/server/configuration';
import * as z from 'zod/mini';
import { PROGRAM_FILE } from './read-program.ts';

const KEYPAIR = 'the JSON list of 64 bytes that solana-keygen writes';

/** The variables of a deployment. */
export const deployVariables = z.object({
  RPC_URL: variable(rpcUrlField.check(z.refine((url) => !holdsUser(url))), {
    description:
      'The Solana RPC to deploy by. It goes into the deployment file unless PUBLIC_RPC_URL names another.',
    expected: 'an http or https URL without a user name',
    example: 'https://api.devnet.solana.com',
  }),
  PUBLIC_RPC_URL: variable(z.optional(rpcUrlField), {
    description: 'The RPC that the deployment file names; name one here when RPC_URL holds a key.',
    expected: 'an http or https URL',
    example: 'https://api.devnet.solana.com',
    otherwise: 'RPC_URL',
  }),
  PAYER: variable(keypair, {
    description: 'Pays rent and fees: about 0.6 SOL.',
    expected: KEYPAIR,
    example: '`PAYER_FILE=~/.config/solana/id.json`',
    secret: true,
  }),
  PROGRAM_KEYPAIR: variable(keypair, {
    description:
      "The program's own key: its address is where the program will be. Keep it until all is deployed.",
    expected: KEYPAIR,
    example: '`PROGRAM_KEYPAIR_FILE=program.json`',
    secret: true,
  }),
  UPGRADE_AUTHORITY: variable(z.optional(keypair), {
    description: 'Who may upgrade the program later.',
    expected: KEYPAIR,
    example: '`UPGRADE_AUTHORITY_FILE=upgrade-authority.json`',
    otherwise: 'PAYER',
    secret: true,
  }),
  GOVERNANCE_AUTHORITY: variable(z.optional(keypair), {
    description: 'Who may set verifiers, circuit and pass fee, and pause the protocol.',
    expected: KEYPAIR,
    example: '`GOVERNANCE_AUTHORITY_FILE=governance.json`',
    otherwise: 'PAYER',
    secret: true,
  }),
  VERIFIER_AUTHORITY: variable(addressField, {
    description: 'Address of the key by which the external verifier signs credentials.',
    expected: 'a base58 address',
    example: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
  }),
  VERIFIER_NAME: variable(z._default(nameField, 'Verifier'), {
    description: 'What people are told of the verifier.',
    expected: '1 to 32 bytes of text',
    example: 'Example Verifier',
  }),
  VERIFIER_URL: variable(z.url({ protocol: /^https?$/ }), {
    description: 'Where the verifier is; the deployment file pins its origin.',
    expected: 'an http or https URL',
    example: 'https://verifier.example',
  }),
  PASS_FEE_LAMPORTS: variable(wholeNumber(0, Number(MAX_PASS_FEE)), {
    description: 'Lamports that each prove takes from the pass funds of its rule set.',
    expected: `a whole number from 0 to ${MAX_PASS_FEE}`,
    example: '50000',
  }),
  BASE_URL: variable(originField, {
    description: 'Origin of the site: where the server will be reached.',
    expected: 'an http or https origin without a path',
    example: 'https://app.example',
  }),
  DEPLOYMENT_FILE: variable(z._default(z.string(), 'deployment.json'), {
    description: 'The file that is written, for servers and clients.',
    expected: 'a path',
    example: '/etc/service/deployment.json',
  }),
  PROGRAM_FILE: variable(z._default(z.string(), PROGRAM_FILE), {
    description: 'The program, with its digest beside it in a file that ends with .sha256.',
    expected: 'the path of a .so file',
    example: 'program.so',
    otherwise: 'the committed program',
  }),
  ARTIFACTS_DIRECTORY: variable(z._default(z.string(), artifactsDirectory), {
    description: 'Folder of the proof artifacts: manifest.json and the files that it lists.',
    expected: 'the path of a folder',
    example: '/srv/artifacts',
    otherwise: 'the committed artifacts',
  }),
  CIRCUIT_GRACE_SECONDS: variable(z._default(wholeNumber(0, Number(MAX_CIRCUIT_GRACE_SECONDS)), 86_400), {
    description: 'With `--update`: seconds for which proofs of the circuit before are still taken.',
    expected: `a whole number from 0 to ${MAX_CIRCUIT_GRACE_SECONDS}`,
    example: '604800',
  }),
});

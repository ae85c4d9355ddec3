/** The variables of `deploy`. Each is also an option: RPC_URL is `--rpc-url`; the secret PAYER is `--payer-file`. */
import { artifactsDirectory } from '@service/circuit';
import { holdsUser, keypair, variable, wholeNumber } from '@service/configuration';
import { addressField, nameField, originField, rpcUrlField } from '@service/contract';
import { PROGRAM_FILE } from '@service/program';
import { MAX_CIRCUIT_GRACE_SECONDS, MAX_PASS_FEE } from '@service/protocol';
import * as z from 'zod/mini';

/** The variables of a deployment. */
export const deployVariables = z.object({
  RPC_URL: variable(rpcUrlField.check(z.refine((url) => !holdsUser(url))), {
    description:
      'The Solana RPC that the deployment uses. The deployment file names it, unless PUBLIC_RPC_URL is set.',
    expected: 'an http or https URL without a user name',
    example: 'https://api.devnet.solana.com',
  }),
  PUBLIC_RPC_URL: variable(z.optional(rpcUrlField), {
    description: 'The RPC that the deployment file names. Set it when RPC_URL contains a key.',
    expected: 'an http or https URL',
    example: 'https://api.devnet.solana.com',
    otherwise: 'RPC_URL',
  }),
  PAYER: variable(keypair, {
    description: 'The key that pays rent and fees: about 1.05 SOL.',
    example: '`PAYER_FILE=~/.config/solana/id.json`',
    secret: true,
  }),
  PROGRAM_KEYPAIR: variable(keypair, {
    description:
      "The program's own key. Its address becomes the address of the program. Keep it until everything is deployed.",
    example: '`PROGRAM_KEYPAIR_FILE=program.json`',
    secret: true,
  }),
  UPGRADE_AUTHORITY: variable(z.optional(keypair), {
    description: 'The key that can upgrade the program later.',
    example: '`UPGRADE_AUTHORITY_FILE=upgrade-authority.json`',
    otherwise: 'PAYER',
    secret: true,
  }),
  GOVERNANCE_AUTHORITY: variable(z.optional(keypair), {
    description: 'The key that can set verifiers, the circuit and the pass fee, and pause the protocol.',
    example: '`GOVERNANCE_AUTHORITY_FILE=governance.json`',
    otherwise: 'PAYER',
    secret: true,
  }),
  VERIFIER_AUTHORITY: variable(addressField, {
    description: 'Address of the key with which the verifier signs credentials.',
    expected: 'a base58 address',
    example: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
  }),
  VERIFIER_NAME: variable(z._default(nameField, 'Verifier'), {
    description: 'Name of the verifier, as people see it.',
    expected: '1 to 32 bytes of text',
    example: 'Example Verifier',
  }),
  VERIFIER_URL: variable(z.url({ protocol: /^https?$/ }), {
    description: 'URL of the verifier. The deployment file pins its origin.',
    expected: 'an http or https URL',
    example: 'https://verifier.example',
  }),
  PASS_FEE_LAMPORTS: variable(wholeNumber(0, Number(MAX_PASS_FEE)), {
    description: 'The pass fee: lamports that each prove takes from the pass funds of its rule set.',
    example: '50000',
  }),
  BASE_URL: variable(originField, {
    description: 'Origin of the site, at which the server can be reached.',
    expected: 'an http or https origin without a path',
    example: 'https://app.example',
  }),
  DEPLOYMENT_FILE: variable(z._default(z.string(), 'deployment.json'), {
    description: 'The deployment file to write, for servers and clients.',
    expected: 'a path',
    example: '/etc/service/deployment.json',
  }),
  PROGRAM_FILE: variable(z._default(z.string(), PROGRAM_FILE), {
    description: 'The program. A file of the same name with `.sha256` at the end must contain its digest.',
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
    description: 'With `--update`: seconds for which proofs of the previous circuit are still accepted.',
    example: '604800',
  }),
});

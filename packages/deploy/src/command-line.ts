/** From the command line and the environment to what is deployed. */
import { parseArgs } from 'node:util';
import { readArtifacts } from '@service/circuit';
import {
  ConfigurationError,
  documentationOf,
  type Environment,
  type Fault,
  readVariables,
} from '@service/server/configuration';
import { createKeyPairSignerFromBytes, getBase16Encoder } from '@solana/kit';
import type * as z from 'zod/mini';
import type { Protocol } from './protocol.ts';
import { readProgram } from './read-program.ts';
import { deployVariables } from './variables.ts';

/** What was asked for. */
export interface DeployOptions {
  readonly values: z.infer<typeof deployVariables>;
  /** Change what stands otherwise. */
  readonly update: boolean;
  /** Overwrite the deployment file of another program. */
  readonly force: boolean;
}

/** The option that sets a variable; a secret is never on the command line, but the file that holds it may be. */
export function optionOf(name: string): string {
  return `${name.toLowerCase().replaceAll('_', '-')}${isSecret(name) ? '-file' : ''}`;
}

function isSecret(name: string): boolean {
  return documentationOf(name, deployVariables.shape[name as 'RPC_URL']).secret === true;
}

/**
 * Reads options and environment; an option counts before its variable. Null when help is asked for.
 *
 * @throws ConfigurationError with one line for each thing that is wrong or missing.
 */
export function readDeployOptions(args: readonly string[], environment: Environment): DeployOptions | null {
  const names = Object.keys(deployVariables.shape);
  const { help, update, force, ...given } = parseOptions(args, names);
  if (help) return null;
  const merged: Record<string, string | undefined> = { ...environment };
  for (const name of names) {
    const text = given[optionOf(name)];
    if (typeof text !== 'string') continue;
    // The variable itself would be a second word on the same thing.
    delete merged[name];
    merged[isSecret(name) ? `${name}_FILE` : name] = text;
  }
  const { values, faults } = readVariables(deployVariables, merged);
  if (faults.length > 0) throw new ConfigurationError(faults);
  return { values: values as DeployOptions['values'], update: update === true, force: force === true };
}

/** Reads program, artifacts and keys. Throws Error when a file is not what it should be. */
export async function readProtocol(values: DeployOptions['values'], genesisHash: string) {
  const signer = createKeyPairSignerFromBytes;
  const [so, artifacts, payer, program] = await Promise.all([
    readProgram(values.PROGRAM_FILE),
    readArtifacts(values.ARTIFACTS_DIRECTORY),
    signer(values.PAYER),
    signer(values.PROGRAM_KEYPAIR),
  ]);
  const upgradeAuthority = values.UPGRADE_AUTHORITY ? await signer(values.UPGRADE_AUTHORITY) : payer;
  const governance = values.GOVERNANCE_AUTHORITY ? await signer(values.GOVERNANCE_AUTHORITY) : payer;
  const protocol: Protocol = {
    genesisHash,
    so,
    keys: { payer, program, upgradeAuthority, governance },
    circuit: {
      id: artifacts.manifest.circuit,
      artifactsDigest: new Uint8Array(getBase16Encoder().encode(artifacts.digest)),
      verifyingKey: artifacts.key,
    },
    verifier: { authority: values.VERIFIER_AUTHORITY, name: values.VERIFIER_NAME },
    passFee: BigInt(values.PASS_FEE_LAMPORTS),
  };
  return { protocol, artifacts };
}

function parseOptions(args: readonly string[], names: readonly string[]) {
  const flags = {
    help: { type: 'boolean' },
    update: { type: 'boolean' },
    force: { type: 'boolean' },
  } as const;
  const texts = Object.fromEntries(names.map((name) => [optionOf(name), { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options: { ...texts, ...flags } }).values as Environment & {
      help?: boolean;
      update?: boolean;
      force?: boolean;
    };
  } catch (error) {
    const fault: Fault = {
      variable: 'options',
      line: `${(error as Error).message}. --help lists the options.`,
    };
    throw new ConfigurationError([fault]);
  }
}

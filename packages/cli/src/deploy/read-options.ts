/** Reads the options of `deploy`. */
import { parseArgs } from 'node:util';
import { readArtifacts } from '@service/circuit';
import { ConfigurationError, documentationOf, type Environment, readVariables } from '@service/configuration';
import { circuitOf, type Protocol } from '@service/deploy';
import { readProgram } from '@service/program';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import type * as z from 'zod/mini';
import { deployVariables } from './variables.ts';

/** The options of a deployment. */
export interface DeployOptions {
  readonly values: z.infer<typeof deployVariables>;
  /** Replace the circuit, the verifier and the pass fee where they differ. */
  readonly update: boolean;
  /** Overwrite the deployment file of another program. */
  readonly force: boolean;
}

/** Returns the option that sets a variable. The option of a secret names a file, because others can read a command line. */
export function optionOf(name: string): string {
  return `${name.toLowerCase().replaceAll('_', '-')}${isSecret(name) ? '-file' : ''}`;
}

function isSecret(name: string): boolean {
  return documentationOf(name, deployVariables.shape[name as 'RPC_URL']).secret === true;
}

/**
 * Reads options and environment variables. An option overrides its variable. Returns null for `--help`.
 *
 * @throws ConfigurationError with one line for each value that is wrong or missing.
 */
export function readDeployOptions(args: readonly string[], environment: Environment): DeployOptions | null {
  const names = Object.keys(deployVariables.shape);
  const { help, update, force, ...options } = parseOptions(args, names);
  if (help) return null;
  const merged: Record<string, string | undefined> = { ...environment };
  for (const name of names) {
    const text = options[optionOf(name)];
    if (typeof text !== 'string') continue;
    // A secret and its file must not both be set.
    delete merged[name];
    merged[isSecret(name) ? `${name}_FILE` : name] = text;
  }
  const { values, faults } = readVariables(deployVariables, merged);
  if (faults.length > 0) throw new ConfigurationError(faults);
  return { values: values as DeployOptions['values'], update: update === true, force: force === true };
}

/** Reads the program, the artifacts and the keys. Throws Error when a file is invalid. */
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
    circuit: circuitOf(artifacts),
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
      [K in keyof typeof flags]?: boolean;
    };
  } catch (error) {
    const line = `${(error as Error).message}. --help lists the options.`;
    throw new ConfigurationError([{ variable: 'options', line }]);
  }
}

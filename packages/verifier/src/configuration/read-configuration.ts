/** Reads the configuration of a verifier from environment variables. */
import {
  ConfigurationError,
  type Environment,
  type Fault,
  readDeployment,
  readVariables,
  type VariablesSchema,
} from '@service/configuration';
import { MAINNET_GENESIS_HASH } from '@service/contract';
import type { OpenDatabaseOptions } from '@service/database';
import type * as z from 'zod/mini';
import { fileAttestationKey, filePersonKey } from '../keys/file-keys.ts';
import type { AttestationKey, PersonKey } from '../keys/keys.ts';
import { serviceAttestationKey, servicePersonKey } from '../keys/service-keys.ts';
import { type Policy, readPolicy } from '../policy/policy.ts';
import type { Provider } from '../provider.ts';
import { PROVIDER_KINDS } from '../providers/kinds.ts';
import { SANDBOX_POLICY } from '../providers/sandbox.ts';
import type { Settings } from '../verifier.ts';
import { verifierVariables } from './variables.ts';

/** Everything that a verifier needs to start. */
export interface Configuration {
  readonly settings: Settings;
  readonly provider: Provider;
  readonly attestationKey: AttestationKey;
  readonly personKey: PersonKey;
  readonly database: OpenDatabaseOptions;
  readonly listen: { readonly host: string; readonly port: number };
  /** Undefined if metrics are not served. */
  readonly metricsPort: number | undefined;
  readonly trustedProxies: readonly string[];
  readonly logLevel: string;
}

type Variables = z.infer<typeof verifierVariables>;

/** Reads the configuration and the files that it names. @throws ConfigurationError with one line for each fault */
export async function readConfiguration(environment: Environment): Promise<Configuration> {
  const file = environment.DEPLOYMENT_FILE || undefined;
  const deployment = file === undefined ? undefined : readDeployment(file);
  const pinned = deployment?.deployment;
  const fromFile = pinned ? { PROGRAM: pinned.program, GENESIS_HASH: pinned.genesisHash } : {};
  const given = Object.fromEntries(Object.entries(environment).filter(([, text]) => text));
  const { values, faults } = readVariables(verifierVariables, { ...fromFile, ...given });
  const kind = values.PROVIDER === undefined ? undefined : PROVIDER_KINDS[values.PROVIDER];
  const own = kind
    ? readVariables(kind.variables as VariablesSchema, environment)
    : { values: {}, faults: [] };
  const policy = policyOf(values);
  const problems = [
    ...(deployment?.faults ?? []).map((line) => ({
      variable: 'DEPLOYMENT_FILE',
      line: `DEPLOYMENT_FILE: ${line}`,
    })),
    ...faults,
    ...own.faults,
    ...('faults' in policy ? policy.faults : []),
    ...choiceFaults(values, new Set(faults.map(({ variable }) => variable))),
    ...sandboxFaults(values),
  ];
  if (problems.length > 0 || !kind || 'faults' in policy) throw new ConfigurationError(problems);
  const read = values as Variables;
  return {
    settings: {
      origin: read.ORIGIN,
      program: read.PROGRAM,
      genesisHash: read.GENESIS_HASH,
      sites: read.SITES,
      policy: policy.policy,
      allowSandbox: read.ALLOW_SANDBOX,
    },
    provider: kind.create(own.values, { origin: read.ORIGIN, policy: policy.policy }),
    ...(await keysOf(read)),
    database: { url: read.DATABASE_URL, directory: read.DATA_DIRECTORY },
    listen: { host: read.HOST, port: read.PORT },
    metricsPort: read.METRICS_PORT,
    trustedProxies: read.TRUSTED_PROXIES,
    logLevel: read.LOG_LEVEL,
  };
}

function policyOf({ POLICY_FILE, PROVIDER }: Partial<Variables>): { policy: Policy } | { faults: Fault[] } {
  const fault = (line: string) => ({ variable: 'POLICY_FILE', line });
  if (POLICY_FILE !== undefined) {
    const { policy, faults } = readPolicy(POLICY_FILE);
    return policy ? { policy } : { faults: faults.map((line) => fault(`POLICY_FILE: ${line}`)) };
  }
  if (PROVIDER === undefined || PROVIDER === 'sandbox') return { policy: SANDBOX_POLICY };
  return { faults: [fault('POLICY_FILE is not set. Expected the path of a JSON file.')] };
}

/** Of these variables, exactly one must be set. */
const CHOICES = [
  ['DATABASE_URL', 'DATA_DIRECTORY'],
  ['ATTESTATION_KEY', 'ATTESTATION_KEY_URL'],
  ['PERSON_KEY', 'PERSON_KEY_URL'],
] as const;
/** What a key service needs besides. */
const NEEDED = [
  ['ATTESTATION_KEY_URL', 'VERIFIER_AUTHORITY'],
  ['ATTESTATION_KEY_URL', 'KEY_SERVICE_TOKEN'],
  ['PERSON_KEY_URL', 'KEY_SERVICE_TOKEN'],
] as const;

function choiceFaults(values: Partial<Variables>, reported: ReadonlySet<string>): Fault[] {
  const faults: Fault[] = [];
  for (const [one, other] of CHOICES) {
    const count = [values[one], values[other]].filter((value) => value !== undefined).length;
    if (count === 1 || reported.has(one) || reported.has(other)) continue;
    const line = `${one} and ${other} are ${count ? 'both' : 'not'} set. Expected exactly one of them.`;
    faults.push({ variable: one, line });
  }
  for (const [url, needed] of NEEDED) {
    if (values[url] === undefined || values[needed] !== undefined || reported.has(needed)) continue;
    faults.push({ variable: needed, line: `${needed} is not set. ${url} needs it.` });
  }
  return faults;
}

/** On mainnet, decisions of a test environment must never count. */
function sandboxFaults({ ALLOW_SANDBOX, GENESIS_HASH, PROVIDER }: Partial<Variables>): Fault[] {
  if (GENESIS_HASH !== MAINNET_GENESIS_HASH) return [];
  if (ALLOW_SANDBOX) {
    const line = 'ALLOW_SANDBOX is true on mainnet. Expected false: test decisions check nobody.';
    return [{ variable: 'ALLOW_SANDBOX', line }];
  }
  return PROVIDER === 'sandbox'
    ? [
        {
          variable: 'PROVIDER',
          line: 'PROVIDER is sandbox on mainnet. Expected a provider that checks people.',
        },
      ]
    : [];
}

async function keysOf(values: Variables): Promise<{ attestationKey: AttestationKey; personKey: PersonKey }> {
  const token = values.KEY_SERVICE_TOKEN ?? '';
  return {
    attestationKey: values.ATTESTATION_KEY
      ? await fileAttestationKey(values.ATTESTATION_KEY)
      : serviceAttestationKey({ url: values.ATTESTATION_KEY_URL!, token }, values.VERIFIER_AUTHORITY!),
    personKey: values.PERSON_KEY
      ? filePersonKey(values.PERSON_KEY)
      : servicePersonKey({ url: values.PERSON_KEY_URL!, token }),
  };
}

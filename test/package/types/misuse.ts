/** Misuses that the compiler rejects. Nothing here runs: `npm run types` fails if one of them compiles. */
import {
  artifactsFrom,
  type Clause,
  type Credential,
  type Deployment,
  type EligibilityContext,
  type EligibilityProof,
  generateEligibilityProof,
  isRegionCode,
  isServiceError,
  isStatusCode,
  type Operation,
  type PreparedOperation,
  type ProgramErrorName,
  parseWitness,
  REGION_GROUPS,
  ServiceClient,
  type ServiceErrorOf,
  type Wallet,
  type Witness,
} from '@service/sdk';
import { fundRuleSet } from '@service/sdk/chain';
import { verifiedPerson } from '@service/testing';
import { type Address, address, createSolanaRpc, type KeyPairSigner } from '@solana/kit';

declare const client: ServiceClient;
declare const deployment: Deployment;
declare const wallet: KeyPairSigner;
declare const rule: Address;
declare const prepared: PreparedOperation<'TRANSFER'>;
declare const context: EligibilityContext;
declare const proof: EligibilityProof;
declare const witness: Witness;
declare const text: string;

const mint = address('11111111111111111111111111111111');
const accounts = { mint, source: mint, destination: mint };

/** Correct uses compile. */
export async function uses() {
  new ServiceClient({ deployment, rpc: createSolanaRpc('http://localhost') });
  await client.transfer(wallet, { ...accounts, amount: 5n });
  await client.prove(wallet, proof);
  await client.prove(wallet, { rule, witness });
  await client.signAndSubmit(wallet, prepared);
  const request = { mint, destination: mint, amount: 1n };
  const made: PreparedOperation<'ISSUE'> = await client.prepare.issue(request);
  await generateEligibilityProof(context, parseWitness(text), client.artifacts);
  return made;
}

/** Guards narrow codes from a form. */
export async function codes(regions: readonly string[], status: string) {
  const clause = { regions: regions.filter(isRegionCode), statuses: ['retail'], minAge: 18 } as const;
  if (isStatusCode(status)) {
    const clauses = [clause, { ...clause, statuses: [status] }];
    await client.createRuleSet(wallet, { name: 'a', clauses, maxPassAgeSeconds: 86_400n });
  }
  // A rule set from the chain is a valid request.
  for await (const { name, clauses, maxPassAgeSeconds } of client.ruleSets()) {
    await client.createRuleSet(wallet, { name, clauses, maxPassAgeSeconds });
  }
  const french: Clause = { regions: ['FR', ...REGION_GROUPS.EEA], statuses: ['retail'], minAge: 0 };
  const wrong: Clause[] = [
    // @ts-expect-error codes are in upper case
    { ...french, regions: ['fr'] },
    // @ts-expect-error EU is a group, not a code: use REGION_GROUPS.EU
    { ...french, regions: ['EU'] },
    // @ts-expect-error the status does not exist
    { ...french, statuses: ['profesional'] },
    // @ts-expect-error a string may be no region code
    { ...french, regions },
  ];
  return wrong;
}

export async function requests() {
  await verifiedPerson(deployment, { region: 'FR', status: 'retail' });
  // @ts-expect-error codes are in upper case
  await verifiedPerson(deployment, { region: 'fr' });
  // @ts-expect-error the status does not exist
  await verifiedPerson(deployment, { status: 'profesional' });

  // @ts-expect-error a number loses base units past 2^53
  await client.transfer(wallet, { ...accounts, amount: 5 });
  // @ts-expect-error a string would be concatenated, not added
  await client.issue(wallet, { mint, destination: mint, amount: '5' });
  // @ts-expect-error a cap is in lamports, which are bigint
  new ServiceClient({ deployment, guards: true, maxPriorityFeeLamports: 10_000 });
  // @ts-expect-error lamports are bigint
  await fundRuleSet(wallet, { deployment, rule, lamports: 10_000 });
  // @ts-expect-error Unix seconds are bigint, not a Date
  await client.prove(wallet, { rule, witness, expiresAt: new Date() });
  // @ts-expect-error seconds are bigint
  await client.createRuleSet(wallet, { name: 'a', clauses: [], maxPassAgeSeconds: 86_400 });

  // @ts-expect-error address() of kit checks a string and returns an address
  await client.prove(wallet, { rule: text, witness });
  // @ts-expect-error a token account is an address too
  await client.transfer(wallet, { ...accounts, destination: text, amount: 5n });
  // @ts-expect-error the program in JSON is only a string: parseDeployment checks it
  new ServiceClient({ deployment: { ...deployment, program: text } });
  // @ts-expect-error a client without a deployment pins nothing
  new ServiceClient({ baseUrl: 'https://app.example' });
}

export async function madeByHand(credential: Credential) {
  const { operationId, kind, request, expiresAt } = prepared;
  // @ts-expect-error only an operation that prepare returned can be signed
  await client.signAndSubmit(wallet, { operationId, kind, wallet: mint, request, expiresAt });
  // @ts-expect-error an id is not a prepared operation
  await client.signAndSubmit(wallet, operationId);
  const { ruleHash, commitment, clauses, asOf, circuit, artifactsDigest, genesisHash } = context;
  const copy = { ruleHash, commitment, clauses, asOf, circuit, artifactsDigest, genesisHash };
  await generateEligibilityProof(
    // @ts-expect-error only buildEligibilityContext creates a context
    { ...copy, wallet: mint, rule, expiresAt },
    witness,
    client.artifacts,
  );
  // @ts-expect-error a credential is not a witness
  await client.prove(wallet, { rule, witness: credential });
  // @ts-expect-error prepared operations are frozen
  prepared.expiresAt = 0n;
}

export async function walletsAndArtifacts() {
  const { address: of, signMessages } = wallet;
  // @ts-expect-error the wallet must be able to sign transactions
  await client.authenticate({ address: of, signMessages }, deployment.genesisHash);
  // @ts-expect-error a wallet must sign the operation
  await client.signAndSubmit(prepared);
  // @ts-expect-error genesisHash names the cluster that the person wants
  await client.authenticate(wallet);
  const plain: Wallet = {
    address: of,
    signMessage: async (message) => message,
    // @ts-expect-error the wallet must return bytes, not base64
    signTransaction: async () => 'AQAB',
  };

  // @ts-expect-error any artifacts would be accepted without the pinned digest
  artifactsFrom({ url: 'https://app.example/artifacts' });
  // @ts-expect-error artifacts need exactly one source
  artifactsFrom({ digest: '00' });
  return plain;
}

export function errors(error: unknown) {
  // @ts-expect-error the code does not exist
  isServiceError(error, 'NOT_ELIGBLE');
  if (isServiceError(error, 'NOT_ELIGIBLE')) {
    // @ts-expect-error the context of NOT_ELIGIBLE has clauses, and no answer
    return error.context.answer;
  }
  // @ts-expect-error the type of the error is not known yet
  return error.code;
}

/** The name of a program error is a union. */
export function describe(name?: ProgramErrorName, texts?: Partial<Record<ProgramErrorName, string>>) {
  switch (name) {
    case 'DESTINATION_PASS_MISSING':
      return 'The recipient has no pass.';
    // @ts-expect-error the program has no error with this name
    case 'DESTINATION_PASS_MISING':
      return '';
    case 'CUSTOM_7000':
      return 'An error of a newer program.';
    default:
      return name && texts?.[name];
  }
}

/** OPERATION_FAILED and the operation record both name program errors by the union. */
export function isPaused(error: ServiceErrorOf<'OPERATION_FAILED'>, operation: Operation) {
  // @ts-expect-error OPERATION_FAILED has no such program error
  if (error.context.programError?.name === 'PROTOCOL_PAUSD') return true;
  // @ts-expect-error an operation record has no such program error
  return operation.state === 'FAILED' && operation.failure.programError?.name === 'PROTOCOL_PAUSD';
}

/** Misuses that the compiler refuses. Nothing here runs: `npm run types` fails where one of them compiles. */
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

/** What is right compiles. */
export async function uses() {
  new ServiceClient({ deployment, rpc: createSolanaRpc('http://localhost') });
  await client.transfer(wallet, { ...accounts, amount: 5n });
  await client.prove(wallet, proof);
  await client.prove(wallet, { rule, witness });
  await client.signAndSubmit(wallet, prepared);
  const made: PreparedOperation<'ISSUE'> = await client.prepare.issue({
    mint,
    destination: mint,
    amount: 1n,
  });
  await generateEligibilityProof(context, parseWitness(text), client.artifacts);
  return made;
}

/** Codes from a form are narrowed by a guard. */
export async function codes(regions: readonly string[], status: string) {
  const clause = { regions: regions.filter(isRegionCode), statuses: ['retail'], minAge: 18 } as const;
  if (isStatusCode(status)) {
    const clauses = [clause, { ...clause, statuses: [status] }];
    await client.createRuleSet(wallet, { name: 'a', clauses, maxPassAgeSeconds: 86_400n });
  }
  // What the chain has is a request, too.
  for await (const { name, clauses, maxPassAgeSeconds } of client.ruleSets()) {
    await client.createRuleSet(wallet, { name, clauses, maxPassAgeSeconds });
  }
  const french: Clause = { regions: ['FR', ...REGION_GROUPS.EEA], statuses: ['retail'], minAge: 0 };
  const wrong: Clause[] = [
    // @ts-expect-error codes are in upper case
    { ...french, regions: ['fr'] },
    // @ts-expect-error a group is REGION_GROUPS.EU, no code
    { ...french, regions: ['EU'] },
    // @ts-expect-error there is no such status
    { ...french, statuses: ['profesional'] },
    // @ts-expect-error a text may be anything
    { ...french, regions },
  ];
  return wrong;
}

/** So too of the people of tests. */
export async function people() {
  await verifiedPerson(deployment, { region: 'FR', status: 'retail' });
  // @ts-expect-error codes are in upper case
  await verifiedPerson(deployment, { region: 'fr' });
  // @ts-expect-error there is no such status
  await verifiedPerson(deployment, { status: 'profesional' });
}

/** What is wrong does not. */
export async function amounts() {
  // @ts-expect-error a number loses base units past 2^53
  await client.transfer(wallet, { ...accounts, amount: 5 });
  // @ts-expect-error as text it would be concatenated, not added
  await client.issue(wallet, { mint, destination: mint, amount: '5' });
  // @ts-expect-error lamports are bigint
  await fundRuleSet(wallet, { deployment, rule, lamports: 10_000 });
  // @ts-expect-error Unix seconds are bigint, and no Date
  await client.prove(wallet, { rule, witness, expiresAt: new Date() });
  // @ts-expect-error seconds are bigint
  await client.createRuleSet(wallet, { name: 'a', clauses: [], maxPassAgeSeconds: 86_400 });
}

export async function addresses() {
  // @ts-expect-error a text becomes an address with kit's address(), which checks it
  await client.prove(wallet, { rule: text, witness });
  // @ts-expect-error a token account too
  await client.transfer(wallet, { ...accounts, destination: text, amount: 5n });
  // @ts-expect-error a JSON's program is a mere text: parseDeployment checks it
  new ServiceClient({ deployment: { ...deployment, program: text } });
  // @ts-expect-error without a deployment nothing is pinned
  new ServiceClient({ baseUrl: 'https://app.example' });
}

export async function madeByHand(credential: Credential) {
  const { operationId, kind, request, expiresAt } = prepared;
  // @ts-expect-error only what prepare returned can be signed
  await client.signAndSubmit(wallet, { operationId, kind, wallet: mint, request, expiresAt });
  // @ts-expect-error the id alone is not what was prepared
  await client.signAndSubmit(wallet, operationId);
  const { ruleHash, commitment, clauses, asOf, circuit, artifactsDigest, genesisHash } = context;
  const copy = { ruleHash, commitment, clauses, asOf, circuit, artifactsDigest, genesisHash };
  await generateEligibilityProof(
    // @ts-expect-error only buildEligibilityContext makes a context
    { ...copy, wallet: mint, rule, expiresAt },
    witness,
    client.artifacts,
  );
  // @ts-expect-error a credential is public, the witness is not
  await client.prove(wallet, { rule, witness: credential });
  // @ts-expect-error prepared operations are frozen
  prepared.expiresAt = 0n;
}

export async function wallets() {
  const { address: of, signMessages } = wallet;
  // @ts-expect-error it cannot sign transactions
  await client.authenticate({ address: of, signMessages }, deployment.genesisHash);
  // @ts-expect-error the operation names its wallet, but somebody has to sign
  await client.signAndSubmit(prepared);
  // @ts-expect-error genesisHash says which cluster the person means
  await client.authenticate(wallet);
  const plain: Wallet = {
    address: of,
    signMessage: async (message) => message,
    // @ts-expect-error bytes come back, no base64
    signTransaction: async () => 'AQAB',
  };
  return plain;
}

export function artifacts() {
  // @ts-expect-error without the pinned digest any artifacts would do
  artifactsFrom({ url: 'https://app.example/artifacts' });
  // @ts-expect-error from one place only
  artifactsFrom({ digest: '00' });
}

export function errors(error: unknown) {
  // @ts-expect-error there is no such code
  isServiceError(error, 'NOT_ELIGBLE');
  if (isServiceError(error, 'NOT_ELIGIBLE')) {
    // @ts-expect-error its context has clauses, and no answer
    return error.context.answer;
  }
  // @ts-expect-error nothing is known of it yet
  return error.code;
}

/** The name of a program error is a union. */
export function describe(
  name: ProgramErrorName | undefined,
  texts: Partial<Record<ProgramErrorName, string>>,
) {
  switch (name) {
    case 'DESTINATION_PASS_MISSING':
      return 'The recipient has no pass.';
    // @ts-expect-error the program has no error with this name
    case 'DESTINATION_PASS_MISING':
      return '';
    case 'CUSTOM_7000':
      return 'An error of a newer program.';
    default:
      return name && texts[name];
  }
}

/** OPERATION_FAILED and the operation record both name program errors by the union. */
export function isPaused(error: ServiceErrorOf<'OPERATION_FAILED'>, operation: Operation) {
  // @ts-expect-error OPERATION_FAILED has no such program error
  if (error.context.programError?.name === 'PROTOCOL_PAUSD') return true;
  // @ts-expect-error an operation record has no such program error
  return operation.state === 'FAILED' && operation.failure.programError?.name === 'PROTOCOL_PAUSD';
}

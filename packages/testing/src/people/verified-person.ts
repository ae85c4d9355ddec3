import {
  type Credential,
  type RegionCode,
  regionIndexOf,
  type StatusCode,
  statusIndexOf,
  type Witness,
} from '@service/contract';
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { ServiceClient } from '../../../sdk/src/client/service-client.ts';
import type { Deployment } from '../../../sdk/src/deployment.ts';
import { parseWitnessFragment } from '../../../sdk/src/eligibility/witness.ts';
import { ServiceError } from '../../../sdk/src/errors.ts';
import { withDeadline } from '../../../sdk/src/lib/deadline.ts';
import { askFaucet, type FundedWalletOptions } from './funded-wallet.ts';

/** What a person tells the sandbox verifier, for {@link verifiedPerson}. Not in SPEC.md: for tests. */
export interface VerifiedPersonOptions extends FundedWalletOptions {
  /** A region code of REGIONS, ISO 3166-1 alpha-2. @default FR */
  readonly region?: RegionCode | undefined;
  /** A status code of STATUSES. @default professional */
  readonly status?: StatusCode | undefined;
  /** YYYY-MM-DD, from 1900-01-01 until today. @default 1990-05-17 */
  readonly birthDate?: string | undefined;
}

/** A person who can prove and transfer. Not in SPEC.md: for tests. */
export interface VerifiedPerson {
  /** Signed in with the wallet. */
  readonly client: ServiceClient;
  /** A new key with SOL. */
  readonly wallet: KeyPairSigner;
  /** What the person told the verifier, with the salt of the credential's commitment. */
  readonly witness: Witness;
  /** As it stands on chain. */
  readonly credential: Credential;
}

/** Milliseconds that the verifier has: it answers once it has reported to the service. */
const VERIFIER_MS = 30_000;

/**
 * A new person at a running development stack, such as that of `npm start`: a wallet with SOL from the faucet, signed
 * in, and verified at the sandbox verifier, whose hosted form it fills in over HTTP. Resolves when SOL and credential
 * are finalized. For Node: in a page the verifier's answer cannot be read. Not in SPEC.md: for tests.
 *
 * @throws ServiceError INVALID_ARGUMENT naming the option, or `deployment.rpcUrl` when the cluster has no faucet;
 *   UNEXPECTED_RESPONSE when the verifier sends no witness back, as when it is no sandbox; TIMEOUT, NETWORK_ERROR,
 *   RPC_ERROR, ABORTED, and what `authenticate`, `startVerification` and `waitForCredential` throw
 * @example
 * const { client, wallet, witness } = await verifiedPerson(deployment, { region: 'DE', status: 'accredited' });
 * await client.prove(wallet, { rule, witness });
 */
export async function verifiedPerson(
  deployment: Deployment,
  options: VerifiedPersonOptions = {},
): Promise<VerifiedPerson> {
  const { region = 'FR', status = 'professional', birthDate = '1990-05-17', signal } = options;
  if (regionIndexOf(region) === undefined) throw invalid('region', `no region of REGIONS: ${region}`);
  if (statusIndexOf(status) === undefined) throw invalid('status', `no status of STATUSES: ${status}`);
  const client = new ServiceClient({ deployment });
  const wallet = await generateKeyPairSigner();
  // The SOL arrives while the person is verified.
  const untilFunded = await askFaucet(deployment, wallet.address, options);
  await client.authenticate(wallet, deployment.genesisHash, { signal });
  const returnUrl = `${deployment.baseUrl}/verified`;
  const { url } = await client.startVerification({ returnUrl }, { signal });
  const witness = await fillIn(url, { region, status, birthDate }, signal);
  const credential = await client.waitForCredential({ signal });
  await untilFunded();
  return { client, wallet, witness, credential };
}

/** Sends the hosted form, and takes the witness from where the answer leads. */
export async function fillIn(
  url: string,
  form: Record<'region' | 'status' | 'birthDate', string>,
  signal: AbortSignal | undefined,
): Promise<Witness> {
  const what = 'The verification';
  const answer = await withDeadline({ signal, timeoutMs: VERIFIER_MS, what }, async (stop) => {
    try {
      const body = new URLSearchParams(form);
      return await fetch(url, { method: 'POST', body, redirect: 'manual', signal: stop });
    } catch (cause) {
      if (stop.aborted) throw cause;
      const message = `The verifier at ${new URL(url).origin} cannot be reached.`;
      throw new ServiceError('NETWORK_ERROR', { message, context: {}, cause });
    }
  });
  await answer.body?.cancel();
  // The sandbox shows the form again. The other two fields were checked before.
  if (answer.status === 422) throw invalid('birthDate', 'not a date from 1900-01-01 until today');
  const location = answer.headers.get('location');
  const witness = location && parseWitnessFragment(new URL(location, url).hash);
  if (witness) return witness;
  throw new ServiceError('UNEXPECTED_RESPONSE', {
    message: `The verifier at ${new URL(url).origin} answered ${answer.status} and sent no witness back: verifiedPerson knows the form of the sandbox verifier only.`,
    context: {},
    status: answer.status,
  });
}

function invalid(field: string, why: string): ServiceError {
  return new ServiceError('INVALID_ARGUMENT', { message: `${field} is ${why}.`, context: { field } });
}

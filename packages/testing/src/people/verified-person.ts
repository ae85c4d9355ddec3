import { regionIndexOf, statusIndexOf } from '@service/contract';
import {
  type Credential,
  type Deployment,
  parseWitnessFragment,
  type RegionCode,
  ServiceClient,
  ServiceError,
  type StatusCode,
  type Witness,
} from '@service/sdk';
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { type FundedWalletOptions, invalidArgument, requestSol } from './funded-wallet.ts';
import { withTimeout } from './with-timeout.ts';

/** Options of {@link verifiedPerson}: what the person enters at the sandbox verifier. */
export interface VerifiedPersonOptions extends FundedWalletOptions {
  /** A region code of REGIONS, ISO 3166-1 alpha-2. @default FR */
  readonly region?: RegionCode | undefined;
  /** A status code of STATUSES. @default professional */
  readonly status?: StatusCode | undefined;
  /** YYYY-MM-DD, from 1900-01-01 until today. @default 1990-05-17 */
  readonly birthDate?: string | undefined;
  /** The number of the document. Two wallets with the same one are one person. @default a new person */
  readonly document?: string | undefined;
  /** An existing wallet, such as one of `fundedWallet`. It gets SOL, too. @default a new key */
  readonly wallet?: KeyPairSigner | undefined;
}

/** A person who can prove and transfer. */
export interface VerifiedPerson {
  /** A client that is signed in with the wallet. */
  readonly client: ServiceClient;
  /** The wallet of the options, or a new key, with SOL. */
  readonly wallet: KeyPairSigner;
  /** What the person entered, with salt and person of the credential's commitment. */
  readonly witness: Witness;
  /** The credential on chain. */
  readonly credential: Credential;
}

/** The sandbox verifier reports to the service before it responds. */
const VERIFIER_TIMEOUT_MS = 30_000;

/**
 * Creates a person at a running development stack, such as the stack of `npm start`: a wallet with SOL from the faucet,
 * signed in, and verified at the sandbox verifier, whose form it sends over HTTP. Resolves when the SOL and the
 * credential are finalized. Works in Node; a page cannot read the verifier's redirect.
 *
 * @throws ServiceError INVALID_ARGUMENT, which names the option, or `deployment.rpcUrl` if the cluster has no faucet;
 *   UNEXPECTED_RESPONSE if the verifier returns no witness, for example because it is not the sandbox verifier; TIMEOUT,
 *   NETWORK_ERROR, RPC_ERROR, ABORTED, and what `authenticate`, `startVerification` and `waitForCredential` throw
 * @example
 * const { client, wallet, witness } = await verifiedPerson(deployment, { region: 'DE', status: 'accredited' });
 * await client.prove(wallet, { rule, witness });
 */
export async function verifiedPerson(
  deployment: Deployment,
  options: VerifiedPersonOptions = {},
): Promise<VerifiedPerson> {
  const { region = 'FR', status = 'professional', birthDate = '1990-05-17', signal } = options;
  const document = options.document ?? crypto.randomUUID();
  if (regionIndexOf(region) === undefined) {
    throw invalidArgument('region', `The region ${region} is not one of REGIONS.`);
  }
  if (statusIndexOf(status) === undefined) {
    throw invalidArgument('status', `The status ${status} is not one of STATUSES.`);
  }
  const client = new ServiceClient({ deployment });
  const wallet = options.wallet ?? (await generateKeyPairSigner());
  // The SOL arrives while the person is verified.
  const untilFunded = await requestSol(deployment, wallet.address, options);
  await client.authenticate(wallet, deployment.genesisHash, { signal });
  const returnUrl = `${deployment.baseUrl}/verified`;
  const { url } = await client.startVerification({ returnUrl }, { signal });
  const witness = await submitForm(url, { region, status, birthDate, document }, signal);
  const credential = await client.waitForCredential({ signal });
  await untilFunded();
  return { client, wallet, witness, credential };
}

/** Sends the form of the sandbox verifier, and reads the witness from the redirect. */
export async function submitForm(
  url: string,
  form: Record<'region' | 'status' | 'birthDate' | 'document', string>,
  signal: AbortSignal | undefined,
): Promise<Witness> {
  const { origin } = new URL(url);
  const limit = { what: 'The verification', timeoutMs: VERIFIER_TIMEOUT_MS, signal };
  const response = await withTimeout(limit, async (stop) => {
    try {
      return await fetch(url, {
        method: 'POST',
        body: new URLSearchParams(form),
        redirect: 'manual',
        signal: stop,
      });
    } catch (cause) {
      const message = `The verifier at ${origin} did not respond. Check that it runs.`;
      throw new ServiceError('NETWORK_ERROR', { message, context: {}, cause });
    }
  });
  // Does not wait: with msw, whose copy of the body stays open, that would take until the time limit.
  response.body?.cancel().catch(() => undefined);
  // The sandbox shows the form again. The other two fields were checked before.
  if (response.status === 422) {
    throw invalidArgument('birthDate', 'birthDate must be a date from 1900-01-01 until today.');
  }
  const location = response.headers.get('location');
  const witness = location && parseWitnessFragment(new URL(location, url).hash);
  if (witness) return witness;
  throw new ServiceError('UNEXPECTED_RESPONSE', {
    message: `The verifier at ${origin} responded with ${response.status} and returned no witness. Use the sandbox verifier: verifiedPerson knows only its form.`,
    context: {},
    status: response.status,
  });
}

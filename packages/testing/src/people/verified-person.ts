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
  /** Lets the verifier take its approval back, which revokes the credential. */
  revoke(): Promise<void>;
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
  const answers = { region, status, birthDate, document };
  const { witness, revoke } = await visitSandbox(url, answers, { signal });
  const credential = await client.waitForCredential({ signal });
  await untilFunded();
  return { client, wallet, witness, credential, revoke };
}

/** What a person enters at the sandbox verifier. */
export interface SandboxAnswers {
  /** A region code of REGIONS, ISO 3166-1 alpha-2. */
  readonly region: RegionCode;
  /** A status code of STATUSES. */
  readonly status: StatusCode;
  /** YYYY-MM-DD, from 1900-01-01 until today. */
  readonly birthDate: string;
  /** The number of the document. Two wallets with the same one are one person. @default the other answers */
  readonly document?: string;
}

/** Options of {@link visitSandbox}. */
export interface VisitOptions {
  /** Cancels the visit. */
  readonly signal?: AbortSignal | undefined;
}

/** A verification at the sandbox verifier. */
export interface SandboxVisit {
  /** What the person entered, with salt and person of the credential's commitment. */
  readonly witness: Witness;
  /**
   * Lets the verifier take its approval back, as a real provider may. It revokes the credentials of all wallets of this person.
   * Resolves when it has the request; the credential is revoked on chain soon after.
   */
  revoke(): Promise<void>;
}

/**
 * Verifies a person at the sandbox verifier of a development stack, as a browser would: agrees to the wallet, and sends the form.
 * Resolves when the service has the credential. Works in Node; a page cannot read the verifier's redirects.
 *
 * @param url the URL that `startVerification` returned
 * @throws ServiceError INVALID_ARGUMENT, UNEXPECTED_RESPONSE if it is not the sandbox verifier, TIMEOUT, NETWORK_ERROR, ABORTED
 * @example
 * const { url } = await client.startVerification({ returnUrl: 'https://app.example/verified' });
 * const answers = { region: 'FR', status: 'professional', birthDate: '1990-05-17' } as const;
 * const { witness, revoke } = await visitSandbox(url, answers);
 */
export async function visitSandbox(
  url: string,
  answers: SandboxAnswers,
  { signal }: VisitOptions = {},
): Promise<SandboxVisit> {
  const visit = newVisit(url, signal);
  const checkUrl = await visit(url, {});
  const back = await visit(checkUrl, { ...answers });
  const witness = parseWitnessFragment(new URL(await visit(back)).hash);
  if (!witness) throw unexpected(url, 303);
  return { witness, revoke: async () => void (await newVisit(url, signal)(`${checkUrl}/take-back`, {})) };
}

/** Returns a function that sends a form, or opens a page, and returns to where the response redirects. It keeps cookies. */
function newVisit(start: string, signal: AbortSignal | undefined) {
  const { origin } = new URL(start);
  const cookies: string[] = [];
  const limit = { what: 'The verification', timeoutMs: VERIFIER_TIMEOUT_MS, signal };
  return async (url: string, form?: Record<string, string>): Promise<string> => {
    // Only the verifier gets its cookies.
    if (new URL(url).origin !== origin) throw unexpected(start, 303);
    const response = await withTimeout(limit, async (stop) => {
      try {
        return await fetch(url, {
          headers: { cookie: cookies.join('; '), origin },
          redirect: 'manual',
          signal: stop,
          ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
        });
      } catch (cause) {
        const message = `The verifier at ${origin} did not respond. Check that it runs.`;
        throw new ServiceError('NETWORK_ERROR', { message, context: {}, cause });
      }
    });
    // Does not wait: with msw, whose copy of the body stays open, that would take until the time limit.
    response.body?.cancel().catch(() => undefined);
    // The sandbox shows the form again. The other fields were checked before.
    if (response.status === 422) {
      throw invalidArgument('birthDate', 'birthDate must be a date from 1900-01-01 until today.');
    }
    for (const line of response.headers.getSetCookie()) cookies.push(line.split(';')[0]!);
    const location = response.headers.get('location');
    if (location !== null) return new URL(location, url).href;
    if (response.ok && url.endsWith('/take-back')) return url;
    throw unexpected(start, response.status);
  };
}

function unexpected(url: string, status: number): ServiceError {
  return new ServiceError('UNEXPECTED_RESPONSE', {
    message: `The verifier at ${new URL(url).origin} responded with ${status} and returned no witness. Use the sandbox verifier, because visitSandbox knows only its pages.`,
    context: {},
    status,
  });
}

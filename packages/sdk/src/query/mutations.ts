/** Mutations: the calls that sign or change something. */
import type { SignedIn, VerificationSession, Witness } from '@service/contract';
import type { ServiceClient } from '../client/service-client.ts';
import type { StartVerificationRequest } from '../eligibility/verification.ts';
import type { CallOptions } from '../lib/clock.ts';
import type {
  BindMintRequest,
  CreateRuleSetRequest,
  GrantRequest,
  IssueRequest,
  ProveFromProof,
  ProveFromWitness,
  RecoverRequest,
  RedeemRequest,
  SuspendRequest,
  TransferRequest,
} from '../operations/requests.ts';
import type { FinalizedOperation } from '../operations/wait-options.ts';
import type {
  MintBound,
  PassChanged,
  PassOpened,
  RuleSetCreated,
  WriteOptions,
} from '../operations/writes.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { serviceQueryKeys } from './keys.ts';
import { missing } from './missing.ts';
import { type ProveWithProgressOptions, proveWithProgress } from './prove-with-progress.ts';
import type { ServiceMutationOptions } from './shapes.ts';
import type { ServiceWrite } from './stale-after.ts';

/** Signs the wallet in: `client.authenticate` (SPEC.md section 5). */
export function authenticateMutationOptions(
  client: ServiceClient,
  wallet: Wallet | null | undefined,
  options: CallOptions = {},
): ServiceMutationOptions<SignedIn, void> {
  return mutation(client, 'authenticate', wallet, (signer) =>
    client.authenticate(signer, client.deployment.genesisHash, options),
  );
}

/** Ends the session: `client.logout` (SPEC.md section 5). */
export function logoutMutationOptions(
  client: ServiceClient,
  options: CallOptions = {},
): ServiceMutationOptions<void, void> {
  return {
    ...NEVER_TWICE,
    mutationKey: [...serviceQueryKeys(client).all, 'logout'],
    mutationFn: () => client.logout(options),
  };
}

/** Starts a verification; send the person to the `url` of the result: `client.startVerification` (SPEC.md section 4). */
export function startVerificationMutationOptions(
  client: ServiceClient,
  options: CallOptions = {},
): ServiceMutationOptions<VerificationSession, StartVerificationRequest> {
  return {
    ...NEVER_TWICE,
    // The session that the result opens is the person's.
    mutationKey: [...serviceQueryKeys(client).wallet(client.getSnapshot().wallet), 'startVerification'],
    mutationFn: (request) => client.startVerification(request, options),
  };
}

/** Creates a rule set: `client.createRuleSet` (SPEC.md section 4). */
export function createRuleSetMutationOptions(
  client: ServiceClient,
  wallet: Wallet | null | undefined,
  options: WriteOptions = {},
): ServiceMutationOptions<RuleSetCreated, CreateRuleSetRequest> {
  return mutation(client, 'CREATE_RULE_SET', wallet, (signer, request) =>
    client.createRuleSet(signer, request, options),
  );
}

/** Binds a mint to a rule set: `client.bindMint` (SPEC.md section 4). */
export function bindMintMutationOptions(
  client: ServiceClient,
  wallet: Wallet | null | undefined,
  options: WriteOptions = {},
): ServiceMutationOptions<MintBound, BindMintRequest> {
  return mutation(client, 'BIND_MINT', wallet, (signer, request) =>
    client.bindMint(signer, request, options),
  );
}

/** What to prove. The witness can be here or in the options. */
export type ProveVariables =
  | ProveFromProof
  | (Omit<ProveFromWitness, 'witness'> & Partial<Pick<ProveFromWitness, 'witness'>>);

/**
 * Options of {@link proveMutationOptions}.
 *
 * @inline
 */
export interface ProveMutation extends ProveWithProgressOptions {
  /**
   * The witness. TanStack keeps what is passed to `mutate` in its cache, where devtools show it. So pass the witness here.
   */
  readonly witness?: Witness | null | undefined;
}

/** Proves a rule set and opens or renews the wallet's pass: {@link proveWithProgress} (SPEC.md section 4). */
export function proveMutationOptions(
  client: ServiceClient,
  wallet: Wallet | null | undefined,
  options: ProveMutation = {},
): ServiceMutationOptions<PassOpened, ProveVariables> {
  const { witness: given, ...proveOptions } = options;
  const run = async (signer: Wallet, request: ProveVariables) => {
    if ('proof' in request) return proveWithProgress(client, signer, request, proveOptions);
    const witness = request.witness ?? given;
    if (!witness) throw missing('witness', 'Take it from the verifier, and pass it as an option.');
    return proveWithProgress(client, signer, { ...request, witness }, proveOptions);
  };
  // The variables can have the witness, so they leave the cache as soon as nobody shows the mutation.
  return { ...mutation(client, 'PROVE', wallet, run), gcTime: 0 };
}

/** Issues tokens of a bound mint; amount in base units: `client.issue` (SPEC.md section 4). */
export function issueMutationOptions(
  client: ServiceClient,
  wallet: Wallet | null | undefined,
  options: WriteOptions = {},
): ServiceMutationOptions<FinalizedOperation, IssueRequest> {
  return mutation(client, 'ISSUE', wallet, (signer, request) => client.issue(signer, request, options));
}

/** Transfers tokens of a bound mint; amount in base units: `client.transfer` (SPEC.md section 4). */
export function transferMutationOptions(
  client: ServiceClient,
  wallet: Wallet | null | undefined,
  options: WriteOptions = {},
): ServiceMutationOptions<FinalizedOperation, TransferRequest> {
  return mutation(client, 'TRANSFER', wallet, (signer, request) => client.transfer(signer, request, options));
}

/** Moves tokens to another token account as the issuer; amount in base units: `client.recover` (SPEC.md section 4). */
export function recoverMutationOptions(
  client: ServiceClient,
  wallet: Wallet | null | undefined,
  options: WriteOptions = {},
): ServiceMutationOptions<FinalizedOperation, RecoverRequest> {
  return mutation(client, 'RECOVER', wallet, (signer, request) => client.recover(signer, request, options));
}

/** Burns tokens of a holder as the issuer; amount in base units: `client.redeem` (SPEC.md section 4). */
export function redeemMutationOptions(
  client: ServiceClient,
  wallet: Wallet | null | undefined,
  options: WriteOptions = {},
): ServiceMutationOptions<FinalizedOperation, RedeemRequest> {
  return mutation(client, 'REDEEM', wallet, (signer, request) => client.redeem(signer, request, options));
}

/** Suspends a holder, or lifts the suspension; Unix seconds: `client.suspend` (SPEC.md section 4). */
export function suspendMutationOptions(
  client: ServiceClient,
  wallet: Wallet | null | undefined,
  options: WriteOptions = {},
): ServiceMutationOptions<PassChanged, SuspendRequest> {
  return mutation(client, 'SUSPEND', wallet, (signer, request) => client.suspend(signer, request, options));
}

/** Grants a pass, or ends a grant; Unix seconds: `client.grant` (SPEC.md section 4). */
export function grantMutationOptions(
  client: ServiceClient,
  wallet: Wallet | null | undefined,
  options: WriteOptions = {},
): ServiceMutationOptions<PassChanged, GrantRequest> {
  return mutation(client, 'GRANT', wallet, (signer, request) => client.grant(signer, request, options));
}

/** Options of all mutations. They override the defaults of the dApp's QueryClient. */
const NEVER_TWICE = { retry: false, networkMode: 'always' } as const;

function mutation<TData, TVariables>(
  client: ServiceClient,
  name: ServiceWrite,
  wallet: Wallet | null | undefined,
  run: (signer: Wallet, variables: TVariables) => Promise<TData>,
): ServiceMutationOptions<TData, TVariables> {
  return {
    ...NEVER_TWICE,
    mutationKey: [...serviceQueryKeys(client).wallet(wallet?.address), name],
    mutationFn: async (variables) => {
      if (!wallet) throw missing('wallet', 'Connect a wallet first.');
      return run(wallet, variables);
    },
  };
}

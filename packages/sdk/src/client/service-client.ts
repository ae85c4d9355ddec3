import type {
  Credential,
  NetworkConfiguration,
  Passport,
  ProofContext,
  RuleSet,
  ServiceConfig,
  SignedIn,
  VerificationSession,
} from '@service/contract';
import type { Address } from '@solana/kit';
import type { Deployment } from '../deployment.ts';
import type { WaitForCredentialOptions } from '../eligibility/verification.ts';
import { checkAddresses, checkObject } from '../lib/check-arguments.ts';
import type { CallOptions } from '../lib/deadline.ts';
import { type Prepare, prepareOf } from '../operations/prepare.ts';
import type { PreparedOperation } from '../operations/prepared.ts';
import type {
  BindMintRequest,
  CreateRuleSetRequest,
  IssueRequest,
  ProveRequest,
  TransferRequest,
} from '../operations/requests.ts';
import type { SubmittedOperation } from '../operations/same-operation.ts';
import type { FinalizedOperation, WaitOptions } from '../operations/wait-options.ts';
import {
  type MintBound,
  type PassOpened,
  type ProveOptions,
  prove,
  type RuleSetCreated,
  type WriteOptions,
  write,
} from '../operations/writes.ts';
import type { CheckProofOptions, CheckProofRequest, ProofCheck } from '../preflight/proof-check.ts';
import type {
  CheckTransferOptions,
  CheckTransferRequest,
  TransferCheck,
} from '../preflight/transfer-check.ts';
import type { ArtifactSource } from '../prover/artifact-source/artifacts-from.ts';
import type { FetchReceiptOptions } from '../receipt/fetch-receipt.ts';
import type { Receipt } from '../receipt/receipt.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { readConfig } from './config.ts';
import type { ServiceCore } from './core.ts';
import { createCore, type ServiceClientOptions } from './create-core.ts';
import { loadChainFor } from './load-chain-chunk.ts';
import { type RuleSetsOptions, ruleSets } from './reads.ts';
import { servedArtifacts } from './served-artifacts.ts';
import type { ClientSnapshot } from './snapshot.ts';

/**
 * A client of the Rule-Set and Pass Service for one session.
 *
 * It trusts no server: every write is rebuilt from the caller's own request with facts from the caller's own RPC and
 * compared byte for byte before the wallet is asked. A hostile service can refuse, never deceive (SPEC.md section 1).
 *
 * Beside what each call names, whatever asks the service throws NETWORK_ERROR, TIMEOUT, UNEXPECTED_RESPONSE, ABORTED,
 * RATE_LIMITED, UNAVAILABLE and INTERNAL (SPEC.md section 7).
 *
 * @example
 * const client = new ServiceClient({ deployment, baseUrl: 'https://app.example' });
 * await client.authenticate(wallet, deployment.genesisHash);
 * const { rule } = await client.createRuleSet(wallet, {
 *   name: 'EU professionals',
 *   clauses: [{ regions: REGION_GROUPS.EU, statuses: ['professional'], minAge: 18 }],
 *   maxPassAgeSeconds: 30n * 86_400n,
 * });
 */
export class ServiceClient {
  /** What this client pins. */
  readonly deployment: Deployment;
  /** The pinned proof artifacts, as the site serves them; loaded and checked when first needed. */
  readonly artifacts: ArtifactSource;
  /** Prepares operations without signing them; sign with {@link signAndSubmit}. */
  readonly prepare: Prepare;
  /**
   * Calls a listener after each change of {@link getSnapshot}; returns what ends that. Needs no `this`, so that both fit
   * React: `useSyncExternalStore(client.subscribe, client.getSnapshot)`. A listener that throws stops nobody else.
   */
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * The signed-in wallet and the operations under way, frozen; the same object until something changes. What it says of
   * operations is the service's word: {@link waitForOperation} proves it, and takes them off when their end is proven.
   */
  readonly getSnapshot: () => ClientSnapshot;
  readonly #core: ServiceCore;

  /** @throws ServiceError INVALID_ARGUMENT when the deployment or baseUrl cannot be used. */
  constructor(options: ServiceClientOptions) {
    const core = createCore(options);
    this.#core = core;
    this.deployment = core.deployment;
    this.subscribe = core.store.subscribe;
    this.getSnapshot = core.store.getSnapshot;
    this.prepare = prepareOf(core);
    this.artifacts = servedArtifacts(core, options.fetch);
  }

  /**
   * Signs the wallet in (SPEC.md section 5): gets a challenge, checks everything that its message is bound to, has the
   * wallet sign it, and opens a session of 12 hours. Calls at once for one wallet share one prompt; one that is not
   * answered ends with its challenge, after five minutes, as TIMEOUT, or as soon as the signals of all of them fire.
   *
   * @param genesisHash base58; must be the deployment's and the one of your own RPC
   * @throws ServiceError GENESIS_HASH_MISMATCH, CHALLENGE_REFUSED with the binding that is off,
   *   WALLET_CANNOT_SIGN_MESSAGES before anything is asked, WALLET_REJECTED, WALLET_SIGNATURE_INVALID, AUTHENTICATION_REQUIRED, RATE_LIMITED
   */
  async authenticate(wallet: Wallet, genesisHash: string, options: CallOptions = {}): Promise<SignedIn> {
    const { authenticate, core } = await loadChainFor(this.#core);
    return authenticate(core, wallet, genesisHash, options);
  }

  /** Address of the signed-in wallet by the service's word, or null (SPEC.md section 5). */
  async session(options: CallOptions = {}): Promise<Address | null> {
    const { wallet } = await this.#core.api.call('session', options);
    this.#core.session.wallet = wallet;
    return wallet;
  }

  /** Ends the session (SPEC.md section 5). */
  async logout(options: CallOptions = {}): Promise<void> {
    this.#core.session.wallet = null;
    await this.#core.api.call('logout', { body: {}, ...options });
  }

  /**
   * Program, genesis hash, digest of the artifacts, region and status names, all of them as pinned; public RPC and
   * manifest by the service's word (SPEC.md section 4).
   *
   * @throws ServiceError CONFIG_MISMATCH with the fields that differ from the deployment or from this SDK's names
   */
  config(options: CallOptions = {}): Promise<ServiceConfig> {
    return readConfig(this.#core, options);
  }

  /**
   * Governance, verifiers, circuit, fees (lamports) and chain time (Unix seconds), by the service's word (SPEC.md
   * section 4).
   *
   * @throws ServiceError INDEX_STALE
   */
  network(options: CallOptions = {}): Promise<NetworkConfiguration> {
    return this.#core.api.call('network', options);
  }

  /**
   * Credential, passes, rule sets with live-pass counts and bindings of the signed-in wallet, from the finalized index
   * (SPEC.md section 4). The service bounds each list, the wallet's own records first; `fetchPass`, `fetchRuleSet` and
   * `fetchBinding` of `@service/sdk/chain` read any of them from the chain.
   *
   * @throws ServiceError AUTHENTICATION_REQUIRED, SESSION_EXPIRED, INDEX_STALE
   */
  passport(options: CallOptions = {}): Promise<Passport> {
    return this.#core.api.call('passport', options);
  }

  /**
   * Every rule set, read page by page (SPEC.md section 4).
   *
   * @throws ServiceError INDEX_STALE
   * @example
   * for await (const ruleSet of client.ruleSets()) console.log(ruleSet.name);
   */
  ruleSets(options: RuleSetsOptions = {}): AsyncIterable<RuleSet> {
    return ruleSets(this.#core, options);
  }

  /**
   * What a proof of a rule set must use, read from your own RPC at finalized commitment; the service's copy is only
   * compared (SPEC.md section 4). `buildEligibilityContext` takes the credential and the rule set from here and from
   * nowhere else.
   *
   * @param request.rule base58 address of the rule set
   * @throws ServiceError CREDENTIAL_REQUIRED, ACCOUNT_NOT_FOUND, CIRCUIT_MISMATCH, RECORD_MISMATCH (retryable: the
   *   index may lag), the codes of `POST /api/proofs/context`
   */
  async proofContext(request: { readonly rule: Address }, options: CallOptions = {}): Promise<ProofContext> {
    checkObject('request', request, 'an object: { rule }');
    const { rule } = request;
    checkAddresses({ rule });
    const { proofContext, core } = await loadChainFor(this.#core);
    return proofContext(core, { rule }, options);
  }

  /**
   * Starts a verification: send the person to the `url` of the result. They come back to `returnUrl` with the witness
   * in the fragment; `takeWitnessFromLocation` reads it (SPEC.md section 4).
   *
   * @param request.returnUrl a page under the site's own origin
   * @throws ServiceError VERIFIER_ORIGIN_MISMATCH when the URL is not of a verifier that the deployment pins
   */
  async startVerification(
    request: { readonly returnUrl: string },
    options: CallOptions = {},
  ): Promise<VerificationSession> {
    checkObject('request', request, 'an object: { returnUrl }');
    const { returnUrl } = request;
    const { startVerification, core } = await loadChainFor(this.#core);
    return startVerification(core, { returnUrl }, options);
  }

  /**
   * Waits until the wallet's credential is final on your own RPC and in the service's index (SPEC.md section 1). Ends at
   * once when the service says that the wallet's latest verification failed.
   *
   * @throws ServiceError VERIFICATION_FAILED, TIMEOUT, ABORTED, RPC_ERROR
   */
  async waitForCredential(options: WaitForCredentialOptions = {}): Promise<Credential> {
    const { waitForCredential, core } = await loadChainFor(this.#core);
    return waitForCredential(core, options);
  }

  /**
   * Signs what `prepare` returned and submits it (SPEC.md section 4): rebuilds the message from the caller's request
   * with facts from your own RPC, compares it whole, checks cluster and blockhash, has the wallet sign, compares again,
   * verifies the signature, submits. On any refusal before that nothing is signed, or nothing is sent.
   *
   * One operation of a wallet at a time; a prompt that is not answered ends with its draft, after 90 seconds, as
   * DRAFT_EXPIRED. Keep the result's `signature` with the id: {@link waitForOperation} takes both after a page load.
   *
   * @throws ServiceError NOT_PREPARED, OPERATION_ALREADY_SIGNED, SIGNED_OPERATION_PENDING, INSUFFICIENT_FUNDS, WALLET_MISMATCH, PREPARED_MISMATCH with the differences, BLOCKHASH_INVALID,
   *   GENESIS_HASH_MISMATCH, WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, WALLET_SIGNATURE_INVALID, DRAFT_EXPIRED;
   *   OUTCOME_UNKNOWN for everything after the signed bytes have left
   */
  async signAndSubmit(
    wallet: Wallet,
    prepared: PreparedOperation,
    options: CallOptions = {},
  ): Promise<SubmittedOperation> {
    const { signAndSubmit, core } = await loadChainFor(this.#core);
    return signAndSubmit(core, wallet, prepared, options);
  }

  /**
   * Waits until an operation is final on your own RPC and in the service's index (SPEC.md sections 3 and 4, prepare rule
   * 3). If the index is not there in time, it resolves with `indexed: false`. Never signs. Works the same after a page
   * load, when only the id was kept.
   *
   * | the operation | what happens |
   * |---|---|
   * | this client signed it | its outcome is read from your own RPC |
   * | a wallet is being asked to sign it | the wait goes on with its answer |
   * | this client prepared it, and no wallet is asked | OPERATION_NOT_SIGNED at once |
   * | the service names its transaction | your own RPC must show it, signed by a wallet that signed in here or by `wallet` |
   * | `signature` is passed | only that transaction counts, whatever the service says |
   * | anything else | your own RPC is searched until nothing that was signed before the call can land: about two minutes |
   *
   * Close other tabs of this site before a search. A transaction that they sign later would not be counted. An RPC
   * without the whole history proves nothing unless `preparedAt` is passed.
   *
   * @throws ServiceError OPERATION_FAILED if your own RPC proves that it failed or never landed; DRAFT_EXPIRED if it was
   *   certainly never signed: prepare again; OPERATION_NOT_SIGNED; OUTCOME_UNKNOWN if your own RPC proves nothing in time
   *   or no wallet is known; GENESIS_HASH_MISMATCH
   */
  async waitForOperation(operationId: string, options: WaitOptions = {}): Promise<FinalizedOperation> {
    const { waitForOperation, core } = await loadChainFor(this.#core);
    return waitForOperation(core, operationId, options);
  }

  /**
   * The receipt of a finalized operation: plain JSON of what your own RPC shows of it, which `verifyReceipt` and
   * `npx @service/sdk verify receipt.json` check against any RPC (SPEC.md sections 3 and 4). Slot and amounts in it are
   * decimal strings.
   *
   * @throws ServiceError OUTCOME_UNKNOWN while it is not final, OPERATION_FAILED when it failed on chain,
   *   WALLET_MISMATCH when it is of a wallet that neither signed in nor was passed, RECORD_MISMATCH when the service
   *   tells another kind or slot, UNEXPECTED_RESPONSE when its transaction is not of this operation, NOT_FOUND
   * @example
   * await writeFile('receipt.json', JSON.stringify(await client.fetchReceipt(operationId)));
   */
  async fetchReceipt(operationId: string, options: FetchReceiptOptions = {}): Promise<Receipt> {
    const { fetchReceipt, core } = await loadChainFor(this.#core);
    return fetchReceipt(core, operationId, options);
  }

  /**
   * Whether a transfer would pass now, by your own RPC alone at finalized commitment; if not, every reason, and who must
   * act (SPEC.md section 1). Nothing is prepared or signed. Amount in base units; times in Unix seconds, with the seconds
   * that each pass still lives.
   *
   * @throws ServiceError INVALID_ARGUMENT, GENESIS_HASH_MISMATCH, RPC_ERROR, ABORTED
   * @example
   * const verdict = await client.checkTransfer({ mint, source, destination, amount: 500n });
   * if (!verdict.ok) for (const { code, who } of verdict.reasons) console.log(`${who}: ${code}`);
   */
  async checkTransfer(
    request: CheckTransferRequest,
    options: CheckTransferOptions = {},
  ): Promise<TransferCheck> {
    const asked = { ...request };
    const { checkTransfer, core } = await loadChainFor(this.#core);
    return checkTransfer(core, asked, options);
  }

  /**
   * Whether a proof of a rule set would get a pass now, by your own RPC at finalized commitment; if not, every reason, and
   * who must act (SPEC.md sections 1 and 7). With the witness it says what each clause leaves unmet; the witness stays on
   * this machine. Lamports, Unix seconds. The service is asked for nothing but the session's wallet, where `wallet` is
   * not passed, and the name of a circuit that was replaced.
   *
   * @throws ServiceError INVALID_ARGUMENT, AUTHENTICATION_REQUIRED, GENESIS_HASH_MISMATCH, RPC_ERROR, ABORTED
   */
  async checkProof(request: CheckProofRequest, options: CheckProofOptions = {}): Promise<ProofCheck> {
    const asked = { ...request };
    const { checkProof, core } = await loadChainFor(this.#core);
    return checkProof(core, asked, options);
  }

  /**
   * Creates a rule set: prepares, signs, submits, waits until final and indexed (SPEC.md section 4).
   *
   * @throws ServiceError those of `prepare`, {@link signAndSubmit} and {@link waitForOperation}
   */
  createRuleSet(
    wallet: Wallet,
    request: CreateRuleSetRequest,
    options: WriteOptions = {},
  ): Promise<RuleSetCreated> {
    return write(this.#core, wallet, 'CREATE_RULE_SET', request, options);
  }

  /**
   * Binds a mint to a rule set; from then on tokens of it are issued and moved to pass holders only (SPEC.md section 4).
   *
   * @throws ServiceError those of {@link createRuleSet}, MINT_NOT_BINDABLE, UNSUPPORTED_MINT_EXTENSIONS
   */
  bindMint(wallet: Wallet, request: BindMintRequest, options: WriteOptions = {}): Promise<MintBound> {
    return write(this.#core, wallet, 'BIND_MINT', request, options);
  }

  /**
   * Proves a rule set and opens or renews the wallet's pass, from a proof of `generateEligibilityProof` or from the
   * witness, which stays on this machine (SPEC.md section 4).
   *
   * @throws ServiceError those of {@link createRuleSet}, {@link proofContext}, `buildEligibilityContext` and
   *   `generateEligibilityProof`, PASS_FEE_UNFUNDED, PASS_FEE_UNSET, PROOF_INVALID
   */
  prove(wallet: Wallet, request: ProveRequest, options: ProveOptions = {}): Promise<PassOpened> {
    return prove(this.#core, this.artifacts, wallet, request, options);
  }

  /**
   * Issues tokens of a bound mint to a pass holder's token account; amount in base units (SPEC.md section 4).
   *
   * @throws ServiceError those of {@link createRuleSet}, MINT_NOT_BOUND, NOT_ISSUER, TOKEN_ACCOUNT_NOT_FOUND
   */
  issue(wallet: Wallet, request: IssueRequest, options: WriteOptions = {}): Promise<FinalizedOperation> {
    return write(this.#core, wallet, 'ISSUE', request, options);
  }

  /**
   * Transfers tokens of a bound mint between token accounts; amount in base units (SPEC.md section 4).
   *
   * @throws ServiceError those of {@link createRuleSet}, MINT_NOT_BOUND, TOKEN_ACCOUNT_NOT_FOUND
   */
  transfer(
    wallet: Wallet,
    request: TransferRequest,
    options: WriteOptions = {},
  ): Promise<FinalizedOperation> {
    return write(this.#core, wallet, 'TRANSFER', request, options);
  }
}

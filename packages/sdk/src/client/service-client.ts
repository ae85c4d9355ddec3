import type {
  Credential,
  NetworkConfiguration,
  OperationKind,
  Passport,
  ProofContext,
  RuleSet,
  ServiceConfig,
  SignedIn,
  VerificationSession,
} from '@service/contract';
import type { Address } from '@solana/kit';
import type { Deployment } from '../deployment.ts';
import type { StartVerificationRequest, WaitForCredentialOptions } from '../eligibility/verification.ts';
import { checkObject, readRule } from '../lib/check-arguments.ts';
import type { CallOptions } from '../lib/clock.ts';
import { readProve, readWrite } from '../operations/asked.ts';
import type { SubmittedOperation } from '../operations/outcome/ledger.ts';
import type { PreparedOperation } from '../operations/prepared.ts';
import type {
  BindMintRequest,
  CreateRuleSetRequest,
  GrantRequest,
  IssueRequest,
  ProveRequest,
  RecoverRequest,
  RedeemRequest,
  Requests,
  SuspendRequest,
  TransferRequest,
} from '../operations/requests.ts';
import type { SignOptions } from '../operations/sign-and-submit.ts';
import type { ClientState } from '../operations/state.ts';
import type { FetchReceiptOptions, FinalizedOperation, WaitOptions } from '../operations/wait-options.ts';
import type {
  MintBound,
  PassChanged,
  PassOpened,
  ProveOptions,
  RuleSetCreated,
  WriteOptions,
} from '../operations/writes.ts';
import type { CheckProofOptions, CheckProofRequest, ProofCheck } from '../preflight/proof-check-types.ts';
import type {
  CheckTransferOptions,
  CheckTransferRequest,
  TransferCheck,
} from '../preflight/transfer-check-types.ts';
import type { ArtifactSource } from '../prover/artifact-source/artifacts-from.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { readConfig } from '../session/read-config.ts';
import { type RuleSetsOptions, ruleSets } from '../session/rule-sets.ts';
import { endSession, readSession, subscribeWithTabs } from '../session/session.ts';
import type { ClientSnapshot } from '../session/snapshot.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { createState, type ServiceClientOptions } from './create-state.ts';
import { loadChain, loadedChain } from './load-chain.ts';
import { type Prepare, prepareOf } from './prepare.ts';
import { servedArtifacts } from './served-artifacts.ts';

/**
 * A client of the Rule-Set and Pass Service for one session.
 *
 * The client trusts no server. It rebuilds every write from the caller's request with facts from the caller's RPC, and
 * compares the bytes before the wallet is asked. A hostile service can refuse, but not deceive (SPEC.md section 1).
 *
 * Every call of the service can also throw NETWORK_ERROR, TIMEOUT, UNEXPECTED_RESPONSE, ABORTED, RATE_LIMITED,
 * UNAVAILABLE and INTERNAL (SPEC.md section 7).
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
  /** The deployment that this client pins. */
  readonly deployment: Deployment;
  /** The pinned proof artifacts, which the site serves. They are loaded and checked when first needed. */
  readonly artifacts: ArtifactSource;
  /** Prepares operations without signing them. Sign with {@link signAndSubmit}. */
  readonly prepare: Prepare;
  /**
   * Calls a listener after each change of {@link getSnapshot}, and returns a function that unsubscribes it. While a listener
   * is subscribed, the client asks the service who is signed in after each sign-in and sign-out in another tab. The methods do
   * not need `this`: in React, `useSyncExternalStore(client.subscribe, client.getSnapshot, client.getServerSnapshot)`.
   */
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * Returns the signed-in wallet and the operations under way, frozen; the same object until something changes. The
   * service names the states. {@link waitForOperation} removes an operation once its end is proven.
   */
  readonly getSnapshot: () => ClientSnapshot;
  /** Returns the snapshot of a new client, which servers render and pages hydrate: no wallet, no operations. */
  readonly getServerSnapshot: () => ClientSnapshot;
  readonly #state: ClientState;

  /**
   * Starts to load the endpoints' code.
   *
   * @throws ServiceError INVALID_ARGUMENT if the deployment or baseUrl cannot be used; UNSUPPORTED_PLATFORM without a global
   *   that each call needs, such as `fetch`
   */
  constructor(options: ServiceClientOptions) {
    const state = createState(options);
    this.#state = state;
    this.deployment = state.chain.deployment;
    this.subscribe = subscribeWithTabs(state.session);
    this.getSnapshot = state.session.snapshot.getSnapshot;
    this.getServerSnapshot = state.session.snapshot.getServerSnapshot;
    this.prepare = prepareOf(state);
    this.artifacts = servedArtifacts(state);
  }

  /**
   * Signs the wallet in (SPEC.md section 5): gets a challenge, checks every binding of its message, has the wallet sign
   * it, and opens a session of 12 hours. Concurrent calls for one wallet share one prompt. If nobody answers the prompt,
   * it ends as TIMEOUT with its challenge, after five minutes, or once the signals of all calls have fired.
   *
   * @param genesisHash base58; must be that of the deployment and of your own RPC
   * @throws ServiceError GENESIS_HASH_MISMATCH, CHALLENGE_REFUSED with the wrong binding, WALLET_CANNOT_SIGN_MESSAGES
   *   before any prompt, WALLET_REJECTED, WALLET_SIGNATURE_INVALID, AUTHENTICATION_REQUIRED, RATE_LIMITED
   * @example
   * if ((await client.session()) !== wallet.address) await client.authenticate(wallet, deployment.genesisHash);
   */
  async authenticate(wallet: Wallet, genesisHash: string, options: CallOptions = {}): Promise<SignedIn> {
    const chain = loadedChain(options) ?? (await loadChain(options));
    return chain.authenticate(this.#state, wallet, genesisHash, options);
  }

  /**
   * Gets a challenge ahead of the click, and checks it (SPEC.md section 5, steps 1 and 2). The next {@link authenticate} of
   * the wallet then asks it in the same task, checks the challenge again first, and uses it once. Resolves to the Unix
   * seconds, by this machine's clock, until which that works; after them, `authenticate` gets a new challenge.
   *
   * @throws ServiceError those of {@link authenticate} before a prompt
   * @example
   * await client.prepareSignIn(wallet, deployment.genesisHash); // such as when the wallet has been connected
   * document.querySelector('button')!.onclick = () => client.authenticate(wallet, deployment.genesisHash);
   */
  async prepareSignIn(wallet: Wallet, genesisHash: string, options: CallOptions = {}): Promise<bigint> {
    return (await loadChain(options)).prepareSignIn(this.#state, wallet, genesisHash, options);
  }

  /**
   * Returns the address of the wallet that the service names as signed in, or null (SPEC.md section 5).
   *
   * @example
   * const signedIn = await client.session();
   * console.log(signedIn ?? 'nobody is signed in');
   */
  async session(options: CallOptions = {}): Promise<Address | null> {
    return readSession(this.#state.session, options);
  }

  /**
   * Ends the session (SPEC.md section 5).
   *
   * @example
   * await client.logout();
   */
  async logout(options: CallOptions = {}): Promise<void> {
    return endSession(this.#state.session, options);
  }

  /**
   * Returns the program, genesis hash, artifacts digest, and region and status names, all checked against the pinned
   * ones. Unchecked are the public RPC, the manifest and the cap of priority fees, in lamports (SPEC.md section 4).
   *
   * @throws ServiceError CONFIG_MISMATCH with the fields that differ from the deployment or from this SDK's names
   * @example
   * const { regions } = await client.config();
   * console.log(regions.map(({ code, name }) => `${code}: ${name}`));
   */
  config(options: CallOptions = {}): Promise<ServiceConfig> {
    return readConfig(this.#state, options);
  }

  /**
   * Fetches governance, verifiers, circuit, fees (lamports) and chain time (Unix seconds), unchecked (SPEC.md section 4).
   *
   * @throws ServiceError INDEX_STALE
   * @example
   * const { passFee, chainTime } = await client.network();
   * console.log(`a pass costs ${passFee} lamports at ${new Date(Number(chainTime) * 1000).toISOString()}`);
   */
  network(options: CallOptions = {}): Promise<NetworkConfiguration> {
    return this.#state.session.api.call('network', options);
  }

  /**
   * Returns the credential, passes, rule sets with live-pass counts and bindings of the signed-in wallet, from the
   * finalized index (SPEC.md section 4). The service bounds each list, with the wallet's own records first. `fetchPass`,
   * `fetchRuleSet` and `fetchBinding` of `@service/sdk/chain` read any of them from the chain.
   *
   * @throws ServiceError AUTHENTICATION_REQUIRED, SESSION_EXPIRED, INDEX_STALE
   * @example
   * const { credential, passes } = await client.passport();
   * console.log(credential ? 'verified' : 'not verified', passes.map(({ rule }) => rule));
   */
  passport(options: CallOptions = {}): Promise<Passport> {
    return this.#state.session.api.call('passport', options);
  }

  /**
   * Yields every rule set, read page by page (SPEC.md section 4).
   *
   * @throws ServiceError INDEX_STALE
   * @example
   * for await (const ruleSet of client.ruleSets()) console.log(ruleSet.name);
   */
  ruleSets(options: RuleSetsOptions = {}): AsyncIterable<RuleSet> {
    return ruleSets(this.#state.session, options);
  }

  /**
   * Returns what a proof of a rule set must use, read from your own RPC at finalized commitment. The service's copy is
   * only compared (SPEC.md section 4). `buildEligibilityContext` accepts a credential and a rule set only from this call.
   *
   * @param request.rule base58 address of the rule set
   * @throws ServiceError CREDENTIAL_REQUIRED, ACCOUNT_NOT_FOUND, CIRCUIT_MISMATCH, RECORD_MISMATCH (retryable, because the
   *   index may be behind), the codes of `POST /api/proofs/context`
   * @example
   * const facts = await client.proofContext({ rule });
   * const context = buildEligibilityContext(facts.credential, facts.ruleSet, latestPassExpiry(facts));
   * const proof = await generateEligibilityProof(context, witness, client.artifacts);
   */
  async proofContext(request: { readonly rule: Address }, options: CallOptions = {}): Promise<ProofContext> {
    const rule = readRule(request);
    return (await loadChain(options)).proofContext(this.#state, rule, options);
  }

  /**
   * Starts a verification. Send the person to the `url` of the result. They come back to `returnUrl` with the witness in
   * the fragment, which `takeWitnessFromLocation` reads (SPEC.md section 4).
   *
   * @param request.returnUrl a page under the site's own origin
   * @param request.verifier the name of a verifier, if the service has several
   * @throws ServiceError VERIFIER_ORIGIN_MISMATCH if the URL is not of a verifier that the deployment pins
   * @example
   * const { url } = await client.startVerification({ returnUrl: `${location.origin}/verified` });
   * location.assign(url);
   */
  async startVerification(
    request: StartVerificationRequest,
    options: CallOptions = {},
  ): Promise<VerificationSession> {
    checkObject('request', request, 'an object: { returnUrl }');
    const { returnUrl, verifier } = request;
    return (await loadChain(options)).startVerification(this.#state, { returnUrl, verifier }, options);
  }

  /**
   * Waits until the wallet's credential is final on your own RPC and in the service's index (SPEC.md section 1). With the
   * witness, it waits for the credential that the witness belongs to, so a page needs to store nothing while the person is
   * at the verifier. Throws at once if the service reports that the wallet's latest verification failed.
   *
   * @throws ServiceError VERIFICATION_FAILED, WITNESS_INVALID if the witness belongs to an earlier credential,
   *   WALLET_MISMATCH if it belongs to another wallet, TIMEOUT, ABORTED, RPC_ERROR
   * @example
   * const witness = takeWitnessFromLocation();
   * if (witness) console.log((await client.waitForCredential({ witness })).expiresAt);
   */
  async waitForCredential(options: WaitForCredentialOptions = {}): Promise<Credential> {
    return (await loadChain(options)).waitForCredential(this.#state, options);
  }

  /**
   * Signs what `prepare` returned and submits it (SPEC.md section 4). First it rebuilds the message from the caller's request
   * with facts from your own RPC, compares every byte, and checks cluster and blockhash. Then the wallet signs. Before it
   * submits, it compares again and verifies the signature. If a step fails, nothing is signed or nothing is sent.
   * A wallet may add guards and a priority fee if `guards` and `maxPriorityFeeLamports` allow it. A wallet has one operation
   * at a time. If nobody answers the prompt, it ends as DRAFT_EXPIRED with its draft, after 90 seconds. Keep the result's
   * `signature` with the id: {@link waitForOperation} takes both after a page load.
   *
   * @throws ServiceError NOT_PREPARED, OPERATION_ALREADY_SIGNED, SIGNED_OPERATION_PENDING, INSUFFICIENT_FUNDS, AMOUNT_TOO_HIGH,
   *   WALLET_MISMATCH, AUTHENTICATION_REQUIRED after a sign-out, PREPARED_MISMATCH, BLOCKHASH_INVALID, GENESIS_HASH_MISMATCH,
   *   WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, WALLET_SIGNATURE_INVALID, TRANSACTION_MISMATCH, DRAFT_EXPIRED;
   *   OUTCOME_UNKNOWN once signed bytes have left
   * @example
   * const prepared = await client.prepare.transfer({ mint, source, destination, amount: 25_00n });
   * const { operationId } = await client.signAndSubmit(wallet, prepared);
   * const { signature } = await client.waitForOperation(operationId);
   */
  async signAndSubmit(
    wallet: Wallet,
    prepared: PreparedOperation,
    options: SignOptions = {},
  ): Promise<SubmittedOperation> {
    const chain = loadedChain(options) ?? (await loadChain(options));
    return chain.signAndSubmit(this.#state, wallet, prepared, options);
  }

  /**
   * Gets a prepared operation ready ahead of the click: makes the checks of {@link signAndSubmit} that come before the wallet
   * (SPEC.md section 4, prepare rule 3). `signAndSubmit` then asks the wallet in the task of the click, with no request
   * before. What can change is checked again after the signature: session, accounts, funds, draft and blockhash. If a check
   * fails, nothing is sent, and the client holds the signed bytes. Resolves to the Unix seconds, by this machine's
   * clock, until which it stays ready, at most 30 seconds later. After them, `signAndSubmit` makes the checks before it asks.
   *
   * @throws ServiceError those of {@link signAndSubmit} before the wallet is asked
   * @example
   * const prepared = await client.prepare.transfer({ mint, source, destination, amount: 25_00n });
   * await client.ready(prepared);
   * document.querySelector('button')!.onclick = () => client.signAndSubmit(wallet, prepared);
   */
  async ready(prepared: PreparedOperation, options: CallOptions = {}): Promise<bigint> {
    return (await loadChain(options)).ready(this.#state, prepared, options);
  }

  /**
   * Waits until an operation is final on your own RPC and in the service's index (SPEC.md sections 3 and 4, prepare rule
   * 3). Waits at most 10 seconds for the index, then resolves with `indexed: false`. Never signs. After a page load, the id
   * is enough.
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
   * @throws ServiceError OPERATION_FAILED if your own RPC proves that it failed or never landed; DRAFT_EXPIRED if it proves
   *   that nobody signed it; OUTCOME_UNKNOWN if no proof in time or no wallet; OPERATION_NOT_SIGNED; GENESIS_HASH_MISMATCH
   * @example
   * // After a page load: the id and the signature were stored before the bytes left, and nothing is signed again.
   * const { slot, indexed } = await client.waitForOperation(operationId, { wallet: wallet.address });
   * console.log(`final in slot ${slot}`, indexed ? '' : 'and the index is behind');
   */
  async waitForOperation(operationId: string, options: WaitOptions = {}): Promise<FinalizedOperation> {
    return (await loadChain(options)).waitForOperation(this.#state, operationId, options);
  }

  /**
   * Returns the receipt of a finalized operation: plain JSON of what your own RPC shows (SPEC.md sections 3 and 4).
   * `verifyReceipt` and `npx @service/cli verify receipt.json` check it against any RPC.
   *
   * @throws ServiceError OUTCOME_UNKNOWN while it is not final, OPERATION_FAILED if it failed on chain, WALLET_MISMATCH if
   *   its wallet neither signed in nor was passed, RECORD_MISMATCH if the service names another kind or slot,
   *   UNEXPECTED_RESPONSE if its transaction is not of this operation, NOT_FOUND
   * @example
   * await writeFile('receipt.json', JSON.stringify(await client.fetchReceipt(operationId)));
   */
  async fetchReceipt(operationId: string, options: FetchReceiptOptions = {}): Promise<Receipt> {
    return (await loadChain(options)).fetchReceipt(this.#state, operationId, options);
  }

  /**
   * Checks whether a transfer would pass now, with your own RPC alone, at finalized commitment, but for the wallet's SOL at
   * confirmed (SPEC.md section 1). If not, returns every reason and who must act. Prepares and signs nothing. Amount in base
   * units; times in Unix seconds.
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
    return (await loadChain(options)).checkTransfer(this.#state, asked, options);
  }

  /**
   * Checks whether a proof of a rule set would open a pass now, with your own RPC at finalized commitment, but for the wallet's
   * SOL at confirmed (SPEC.md sections 1 and 7). If not, returns every reason and who must act, and with the witness what each
   * clause lacks. The witness stays on this machine. The service only names the session's wallet and a replaced circuit.
   * Lamports; Unix seconds.
   *
   * @throws ServiceError INVALID_ARGUMENT, AUTHENTICATION_REQUIRED, GENESIS_HASH_MISMATCH, RPC_ERROR, ABORTED
   * @example
   * const check = await client.checkProof({ rule, witness });
   * if (!check.ok) for (const { code, who } of check.reasons) console.log(`${who}: ${code}`);
   */
  async checkProof(request: CheckProofRequest, options: CheckProofOptions = {}): Promise<ProofCheck> {
    const asked = { ...request };
    return (await loadChain(options)).checkProof(this.#state, asked, options);
  }

  /**
   * Creates a rule set: prepares, signs, submits, and waits until it is final and indexed (SPEC.md section 4).
   *
   * @throws ServiceError those of `prepare`, {@link signAndSubmit} and {@link waitForOperation}
   * @example
   * const { rule } = await client.createRuleSet(wallet, {
   *   name: 'EU professionals',
   *   clauses: [{ regions: REGION_GROUPS.EU, statuses: ['professional'], minAge: 18 }],
   *   maxPassAgeSeconds: 30n * 86_400n,
   * });
   */
  async createRuleSet(
    wallet: Wallet,
    request: CreateRuleSetRequest,
    options: WriteOptions = {},
  ): Promise<RuleSetCreated> {
    return this.#write('CREATE_RULE_SET', wallet, request, options);
  }

  /**
   * Binds a mint to a rule set. From then on, only pass holders can receive its tokens (SPEC.md section 4).
   *
   * @throws ServiceError those of {@link createRuleSet}, MINT_NOT_BINDABLE, UNSUPPORTED_MINT_EXTENSIONS
   * @example
   * const { mint } = await createBindableMint(wallet, { deployment, decimals: 2 });
   * await client.bindMint(wallet, { mint, rule, requireSource: true });
   */
  async bindMint(wallet: Wallet, request: BindMintRequest, options: WriteOptions = {}): Promise<MintBound> {
    return this.#write('BIND_MINT', wallet, request, options);
  }

  /**
   * Proves a rule set and opens or renews the wallet's pass (SPEC.md section 4). Takes a proof of
   * `generateEligibilityProof`, or the witness, which stays on this machine. With the witness, it first waits for its
   * credential, as {@link waitForCredential} does, if the wallet was verified and the credential is on its way.
   *
   * @throws ServiceError those of {@link createRuleSet}, {@link waitForCredential}, {@link proofContext}, `buildEligibilityContext` and
   *   `generateEligibilityProof`, PASS_FEE_UNFUNDED, PASS_FEE_ABOVE_LIMIT, PASS_FEE_UNSET, PROOF_INVALID
   * @example
   * const { passExpiresAt } = await client.prove(wallet, { rule, witness });
   * console.log(`the pass is live until ${new Date(Number(passExpiresAt) * 1000).toISOString()}`);
   */
  async prove(wallet: Wallet, request: ProveRequest, options: ProveOptions = {}): Promise<PassOpened> {
    const asked = readProve(wallet, request, options);
    return (await loadChain(options)).prove(this.#state, this.artifacts, wallet, asked, options);
  }

  /**
   * Issues tokens of a bound mint to a pass holder's token account; amount in base units (SPEC.md section 4).
   *
   * @throws ServiceError those of {@link createRuleSet}, MINT_NOT_BOUND, NOT_ISSUER, TOKEN_ACCOUNT_NOT_FOUND
   * @example
   * await client.issue(wallet, { mint, destination, amount: 1_000_00n });
   */
  async issue(
    wallet: Wallet,
    request: IssueRequest,
    options: WriteOptions = {},
  ): Promise<FinalizedOperation> {
    return this.#write('ISSUE', wallet, request, options);
  }

  /**
   * Transfers tokens of a bound mint between token accounts; amount in base units (SPEC.md section 4).
   *
   * @throws ServiceError those of {@link createRuleSet}, MINT_NOT_BOUND, TOKEN_ACCOUNT_NOT_FOUND
   * @example
   * const { signature } = await client.transfer(wallet, { mint, source, destination, amount: 25_00n });
   */
  async transfer(
    wallet: Wallet,
    request: TransferRequest,
    options: WriteOptions = {},
  ): Promise<FinalizedOperation> {
    return this.#write('TRANSFER', wallet, request, options);
  }

  /**
   * Moves tokens from one token account to another one, as the issuer, such as for a holder who lost a key.
   * The owner of the source does not sign. The owner of the destination needs a live pass. Only a mint of the templates
   * `security` and `fund` allows this. If the source is frozen, call `recover` of `@service/sdk/chain`, which thaws it and
   * freezes it again. Amount in base units (SPEC.md section 4).
   *
   * @throws ServiceError those of {@link createRuleSet}, MINT_NOT_BOUND, NOT_ISSUER, RECOVERY_NOT_ENABLED,
   *   TOKEN_ACCOUNT_NOT_FOUND, MINT_PAUSED, PASS_REQUIRED, PASS_SUSPENDED, CREDENTIAL_REQUIRED
   * @example
   * await client.recover(wallet, { mint, source, destination, amount: 25_00n, reason: 'lost-key' });
   */
  async recover(
    wallet: Wallet,
    request: RecoverRequest,
    options: WriteOptions = {},
  ): Promise<FinalizedOperation> {
    return this.#write('RECOVER', wallet, request, options);
  }

  /**
   * Takes tokens of a token account as the issuer, and burns them. The owner does not sign. Mints and frozen sources: see
   * {@link recover}. Amount in base units (SPEC.md section 4).
   *
   * @throws ServiceError those of {@link recover}, except those of the destination
   * @example
   * await client.redeem(wallet, { mint, source, amount: 25_00n, reason: 'redemption' });
   */
  async redeem(
    wallet: Wallet,
    request: RedeemRequest,
    options: WriteOptions = {},
  ): Promise<FinalizedOperation> {
    return this.#write('REDEEM', wallet, request, options);
  }

  /**
   * Suspends a holder as the creator of a rule set with the power `suspend`, until a time in Unix seconds. Meanwhile its pass
   * does not count, and it cannot prove. 0 lifts the suspension. 18446744073709551615 means: until it is lifted (SPEC.md section 4).
   *
   * @throws ServiceError those of {@link createRuleSet}, NOT_FOUND, NOT_CREATOR, POWER_NOT_GIVEN, PASS_NOT_SUSPENDED
   * @example
   * const until = BigInt(Math.floor(Date.now() / 1000)) + 30n * 86_400n;
   * const { pass } = await client.suspend(wallet, { rule, holder: holder.address, until });
   */
  async suspend(wallet: Wallet, request: SuspendRequest, options: WriteOptions = {}): Promise<PassChanged> {
    return this.#write('SUSPEND', wallet, request, options);
  }

  /**
   * Grants a pass as the creator of a rule set with the power `grant`, until a time in Unix seconds, to a wallet that cannot
   * prove, such as a custodian. It counts only for mints whose binding has `honoursGranted`. 0 ends the grant. The pass fee is
   * taken from the pass funds (SPEC.md section 4).
   *
   * @throws ServiceError those of {@link createRuleSet}, NOT_FOUND, NOT_CREATOR, POWER_NOT_GIVEN, PASS_SUSPENDED, PASS_PROVED,
   *   PASS_NOT_GRANTED, PASS_FEE_UNSET, PASS_FEE_UNFUNDED, PASS_FEE_ABOVE_LIMIT
   * @example
   * const expiresAt = BigInt(Math.floor(Date.now() / 1000)) + 30n * 86_400n;
   * await client.grant(wallet, { rule, holder: holder.address, expiresAt });
   */
  async grant(wallet: Wallet, request: GrantRequest, options: WriteOptions = {}): Promise<PassChanged> {
    return this.#write('GRANT', wallet, request, options);
  }

  /** Reads the arguments before it waits for anything, then writes. */
  async #write<K extends OperationKind>(
    kind: K,
    wallet: Wallet,
    request: Requests[K],
    options: WriteOptions,
  ) {
    const asked = readWrite(kind, wallet, request, options);
    return (await loadChain(options)).write(this.#state, wallet, asked, options);
  }
}

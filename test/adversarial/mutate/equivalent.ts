/**
 * Checks that can be taken out and nothing false is trusted, each with the reason. They are listed by file and text, so
 * that a moved line keeps its reason and a changed check loses it.
 */
export const EQUIVALENT: Readonly<Record<string, string>> = {
  'packages/protocol/src/memo.ts | !isOperationId(operationId)':
    'Ids come from responses whose schema accepts only UUIDs, or from callers after the same check.',
  'packages/protocol/src/plans/message.ts | signature && signature.length !== 64':
    'The signature was verified before, and no signature of another length is valid.',
  'packages/protocol/src/plans/message.ts | wire.length <= 65':
    'The rest of a shorter wire is not a message. It is rejected because it differs from the rebuilt one.',
  'packages/protocol/src/plans/message.ts | wire.length > MAX_TRANSACTION_BYTES':
    'A transaction of an RPC counts only with the wallet’s signature, and wallets sign none that is too long.',
  'packages/protocol/src/plans/message.ts | wire[0] !== 1':
    'Only the message is compared. The wire that is sent is written again with a count of one.',
  'packages/protocol/src/plans/plan-instruction.ts | !options.circuitId':
    'Every caller passes the id for PROVE. It finds mistakes inside this package.',
  'packages/protocol/src/plans/plan-instruction.ts | intent.source === intent.destination':
    'The caller asked for it and it moves nothing. The service rejects it with the same code.',
  'packages/protocol/src/state/read.ts | !account.exists':
    'A missing account has no owner, so the check of the owner fails.',
  'packages/protocol/src/state/read.ts | owner === program':
    'Only the index of the server asks for the kind of an account. Its own tests have accounts of another owner.',
  'packages/protocol/src/state/read.ts | hasKnownVersion(data)':
    'Only the index of the server asks for the kind of an account. Its own tests have accounts of another version.',
  'packages/sdk/src/session/authenticate.ts | signer.lacks':
    'The signer rejects with the same code. This only saves a challenge.',
  "packages/sdk/src/eligibility/eligibility-context.ts | typeof context === 'object'":
    'A WeakSet contains only objects, so the last operand is false.',
  'packages/sdk/src/eligibility/eligibility-context.ts | context !== null':
    'A WeakSet does not contain null, so the last operand is false.',
  'packages/sdk/src/eligibility/eligibility-context.ts | circuit.artifactsDigest !== deployment.artifactsDigest':
    'proofContext rejects such a circuit before. This is for facts that were made in another way.',
  'packages/sdk/src/eligibility/usable-artifacts.ts | loaded.manifest.circuit !== context.circuit':
    'The digest covers the circuit id. Only governance can put the same digest under another id on chain.',
  'packages/sdk/src/eligibility/generate-eligibility-proof.ts | checkDigest(context, artifacts);':
    'The loaded bytes are checked against the pinned digest before use. This rejects before it loads them.',
  'packages/sdk/src/eligibility/generate-eligibility-proof.ts | artifacts.digest === context.artifactsDigest':
    'It is part of checkDigest: the loaded bytes are checked against the pinned digest before use.',
  'packages/sdk/src/eligibility/verification.ts | isSettled':
    'It decides only when a wait ends with an error, and trusts nothing. test/query/credential.test.ts covers it.',
  'packages/sdk/src/eligibility/proof-context.ts | credential.data.wallet !== wallet':
    'The account is at the address that is derived from the wallet, and only the program writes it.',
  'packages/sdk/src/http/read-body.ts | body !== undefined':
    'Only the code of the error differs. packages/sdk/src/platform/check-platform.test.ts covers it.',
  'packages/sdk/src/http/read-body.ts | !bytes':
    'Decoding no bytes fails, and the catch returns undefined too.',
  'packages/sdk/src/http/session-fetch.ts | new URL(request.url).origin !== site':
    'Every URL is built under baseUrl, and redirects are not followed. This checks it again.',
  "packages/sdk/src/http/transport.ts | answer.type === 'opaqueredirect'":
    'Such a response has status 0 and no body. It is rejected as a failure without an error of the contract.',
  'packages/sdk/src/http/transport.ts | checkOptions(call);':
    'It turns the TypeError of a wrong argument into a ServiceError. packages/sdk/src/client/garbage.test.ts covers it.',
  'packages/sdk/src/http/transport.ts | encoded.success':
    'The service rejects such a body with the same code. The body has only what the caller passed.',
  'packages/protocol/src/absence/find-by-memo.ts | !found?.meta':
    'Reading the members of nothing fails, and the catch returns undefined too.',
  'packages/protocol/src/absence/find-by-memo.ts | !oldest':
    'An empty page is shorter than a full one, so the next operand ends the search.',
  'packages/protocol/src/absence/find-by-memo.ts | page.length < PAGE':
    'Without it the client reads one more page, which is empty. The result is the same.',
  'packages/protocol/src/absence/find-by-memo.ts | isBefore(oldest, backTo)':
    'Without it the client reads older pages, which cannot contain the memo of a later operation.',
  "packages/protocol/src/absence/find-by-memo.ts | typeof blockTime === 'bigint'":
    'No case has an RPC without memos and with an earliest time. test/sdk/slot-rates.test.ts covers block times.',
  'packages/protocol/src/absence/find-by-memo.ts | blockTime < start.time':
    'No case has an RPC without memos and with an earliest time. test/sdk/slot-rates.test.ts covers block times.',
  'packages/sdk/src/operations/outcome/ledger.ts | !isAllowed':
    'signAndSubmit asks before. The tests of the ledger cover its own check.',
  "packages/sdk/src/operations/check-before-signing.ts | state === 'UNANSWERED'":
    'The next check rejects every state but DRAFT too. This check only names the reason.',
  "packages/sdk/src/operations/outcome/ledger.ts | 'signed' in operation":
    'Without it the result is the member `signed` of an operation without one: undefined.',
  'packages/sdk/src/operations/outcome/ledger.ts | this.wasSent(operationId)':
    'prepare and unsigned() check this before. The tests of the ledger cover its own check.',
  "packages/sdk/src/operations/outcome/ledger.ts | before?.state !== 'DRAFT'":
    'signAndSubmit checks this before. The tests of the ledger cover its own check.',
  'packages/sdk/src/operations/outcome/ledger.ts | this.isAsked(wallet)':
    'signAndSubmit checks this before. The tests of the ledger cover its own check.',
  "packages/sdk/src/operations/outcome/ledger.ts | this.stateOf(operationId) !== 'ASKING'":
    'Only a signAndSubmit that has asked sends. The tests of the ledger cover its own check.',
  "packages/sdk/src/operations/outcome/ledger.ts | state === 'ASKING'":
    'The wait checks this before it reports a draft as expired. The tests of the ledger cover its own check.',
  'packages/sdk/src/operations/asked.ts | checkOptions(options);':
    'It turns the TypeError of a wrong argument into a ServiceError. packages/sdk/src/client/garbage.test.ts covers it.',
  "packages/sdk/src/operations/asked.ts | typeof seconds !== 'bigint'":
    'The schema of the request rejects every other value with the same code.',
  'packages/sdk/src/eligibility/circuit.ts | error instanceof EligibilityError':
    'Only the code of the error differs. packages/sdk/src/eligibility/circuit.test.ts covers it.',
  'packages/sdk/src/rpc/chain.ts | isMistake(error)':
    'Only the code of the error differs. packages/sdk/src/rpc/chain.test.ts covers it.',
  'packages/sdk/src/rpc/confirmed.ts | !(slots > 0 && secondsPerSlot >= 0 && secondsPerSlot <= MOST_SLOT_SECONDS)':
    'It is about an estimate of seconds, which nothing depends on. test/sdk/confirmed.test.ts covers it.',
  "packages/sdk/src/saved-witness/saved-witness.ts | checkObject('options', options, 'an object: { witness, deployment, passphrase }');":
    'It turns the TypeError of a wrong argument into a ServiceError. packages/sdk/src/client/garbage.test.ts covers it.',
  "packages/sdk/src/saved-witness/saved-witness.ts | checkObject('options', options, 'an object: { saved, deployment, wallet, passphrase }');":
    'It turns the TypeError of a wrong argument into a ServiceError. packages/sdk/src/client/garbage.test.ts covers it.',
  'packages/sdk/src/saved-witness/saved-witness.ts | one.length === other.length':
    'Both are as long as the facts of a header.',
  'packages/sdk/src/receipt/landed.ts | error instanceof RangeError':
    'Without it such a transaction is an UNEXPECTED_ERROR, and counts no more. packages/sdk/src/receipt/landed.test.ts covers it.',
  'packages/sdk/src/receipt/landed.ts | isSolanaError(error)':
    'Without it such a transaction is an UNEXPECTED_ERROR, and counts no more. packages/sdk/src/receipt/landed.test.ts covers it.',
  'packages/sdk/src/operations/outcome/find-on-chain.ts | !landed':
    'Reading the members of nothing fails, and a wait that fails ends as OUTCOME_UNKNOWN too.',
  'packages/sdk/src/operations/check-before-signing.ts | checkSignedIn(state.session, secret);':
    'signAndSubmit checks it again before the wallet is asked. test/sdk/ready.test.ts covers what ready returns.',
  'packages/sdk/src/operations/writes.ts | checkNotSent(ledger, prepared.operationId);':
    'The ledger throws for such an operation too, but no ServiceError. test/sdk/ready.test.ts covers it.',
  'packages/sdk/src/operations/writes.ts | checkNotAsked(ledger, prepared.operationId);':
    'The ledger throws for such an operation too, but no ServiceError. test/sdk/ready.test.ts covers it.',
  'packages/sdk/src/http/transport.ts | !isFromOutside(error)':
    'Only the code of the error differs. packages/sdk/src/lib/unexpected-error.test.ts covers it.',
  'packages/sdk/src/prover/artifact-source/download.ts | !isFromOutside(error)':
    'Only the code of the error differs. packages/sdk/src/lib/unexpected-error.test.ts covers it.',
  'packages/sdk/src/session/session.ts | await checkSession(session, wallet, signal);':
    'It names the other wallet. The service has rejected the call, or checkDraft and checkClaims reject its answer. test/sdk/other-tabs.test.ts covers it.',
  'packages/sdk/src/operations/prepare.ts | await checkCanPay(state, wanted, signal);':
    'signAndSubmit checks again before the wallet is asked. This only saves a draft, or has better words.',
  'packages/sdk/src/operations/prepare.ts | await checkFundsToPrepare(chain, { intent, budget }, signal);':
    'See checkCanPay() of this file, which calls it.',
  "packages/sdk/src/operations/asked.ts | isOwnKey && (typeof idempotencyKey !== 'string' || !IDEMPOTENCY_KEY_PATTERN.test(idempotencyKey))":
    'The service rejects the key with the same code. A key that it accepts anyway is harmless.',
  "packages/sdk/src/operations/outcome/prove-outcome.ts | (await orIfRpcFails(fateOf(state, held, signal), null)) !== 'ABSENT'":
    'No case waits for what a wallet signed and nobody sent. test/sdk/held-answers.test.ts covers it.',
  'packages/sdk/src/operations/outcome/prove-outcome.ts | !wanted':
    'Without a transaction to look for, the request fails and counts as not found.',
  "packages/sdk/src/operations/outcome/ledger.ts | 'signature' in operation":
    'Without a signature the comparison is with undefined, which equals no signature.',
  'packages/sdk/src/operations/outcome/wait-for-operation.ts | !signature || isUnder(signature, operation)':
    'The client reads the chain for the signature that it has. This is only about reported states.',
  'packages/sdk/src/operations/outcome/wait-for-operation.ts | isSameOperation(operation, signed)':
    'The chain is asked for what was signed, and the chain decides the result. This is about reported states alone.',
  'packages/sdk/src/operations/outcome/wait-for-operation.ts | signature':
    'Without it the wait throws the error of the service, and trusts nothing.',
  'packages/sdk/src/operations/outcome/wait-for-operation.ts | state.operations.ledger.isUnsigned(operationId)':
    'Without it the wait throws the error of the service, and trusts nothing.',
  'packages/sdk/src/operations/writes.ts | await checkPassOpens(state, asked.request.rule, options.signal);':
    'The program refuses such a pass. This rejects it before the wallet is asked. test/sdk/check-proof.test.ts covers it.',
  'packages/sdk/src/operations/writes.ts | answer !== undefined':
    'ERROR_CODES has no member `undefined`, so the next operand is false.',
  'packages/sdk/src/prover/artifact-source/check-artifacts.ts | bytes.length > limit':
    'The size is compared with that of the manifest after the copy. This saves the copy of a larger file.',
  'packages/sdk/src/prover/artifact-source/check-artifacts.ts | bytes.length !== size':
    'A file of another length has another SHA-256, so the next operand is true.',
  'packages/sdk/src/prover/artifact-source/download.ts | !body':
    'Reading a missing body fails with the same NETWORK_ERROR.',
  'packages/sdk/src/prover/artifact-source/download.ts | signal.aborted':
    'It only ends a cancelled download. The bytes are checked against the pinned digest before use.',
  'packages/sdk/src/prover/artifact-source/download.ts | !bytes':
    'Without it a file above the limit has no bytes, and the check of its size and digest fails.',
  'packages/sdk/src/receipt/landed.ts | !action':
    'Without an instruction readAction returns null, and the transaction is rejected.',
  "packages/sdk/src/transaction/compare-messages.ts | message.version !== 'legacy' && message.version !== 0":
    'The bytes are compared with a rebuilt message of version 0. This only decides how to describe a difference.',
  'packages/sdk/src/wallet/signer.ts | !sign':
    'Only authenticate has messages signed, and it rejects such a wallet before.',
  'packages/sdk/src/wallet/signer.ts | Array.isArray((wallet as { features?: unknown }).features)':
    'The next line rejects such a wallet too. This check only names the remedy.',
  'packages/sdk/src/transaction/check-answer.ts | message':
    'An answer without a message is not the given transaction, and an earlier check rejects it.',
  'packages/sdk/src/transaction/check-answer.ts | answer.length > MAX_TRANSACTION_BYTES':
    'A longer answer is not the given transaction, and is rejected. This check only prevents a description of it.',
  'packages/sdk/src/transaction/check-answer.ts | signature':
    'A missing signature is then an empty one, which never verifies.',
};

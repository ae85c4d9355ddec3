/**
 * Checks that can be taken out without anything being believed that is not true, each with the argument. By file and
 * text, so that a line moved keeps its argument and a check changed loses it.
 */
export const EQUIVALENT: Readonly<Record<string, string>> = {
  "packages/sdk/src/transaction/compare-messages.ts | message.version !== 'legacy' && message.version !== 0":
    'What is signed is rebuilt as version 0 and compared by bytes; this decides only how a difference is told.',
  'packages/sdk/src/operations/prepare.ts | !IDEMPOTENCY_KEY_PATTERN.test(idempotencyKey)':
    'The service refuses the key with the same code; a key that it takes all the same harms nobody.',
  'packages/sdk/src/http/read-body.ts | !bytes':
    'Decoding nothing fails, and that failure is caught: the answer is undefined either way.',
  'packages/sdk/src/http/session-fetch.ts | new URL(request.url).origin !== site':
    'Every URL is built under baseUrl, and redirects are not followed: a second lock on the same door.',
  "packages/sdk/src/http/transport.ts | answer.type === 'opaqueredirect'":
    'Such an answer has status 0 and no body, and is refused as a failure without an error of the contract.',
  'packages/sdk/src/http/transport.ts | encoded.success':
    'The service refuses such a body with the same code; it holds nothing but the caller’s own words.',
  'packages/sdk/src/prover/artifact-source/download.ts | signal.aborted':
    'The wait has ended already. This check only stops reading what nobody waits for.',
  'packages/sdk/src/prover/artifact-source/download.ts | !bytes':
    'Nothing is not the file that the manifest lists. The reader throws the same code for it.',
  'packages/sdk/src/prover/artifact-source/download.ts | !response.body':
    'Reading a body that is not there fails, and is the same NETWORK_ERROR.',
  'packages/protocol/src/memo.ts | !isOperationId(operationId)':
    'Ids come from answers whose schema takes UUIDs alone, and from callers through the same test.',
  'packages/protocol/src/plans/message.ts | signature && signature.length !== 64':
    'A signature is verified before it gets here, and none of another length verifies.',
  'packages/protocol/src/plans/message.ts | wire.length <= 65':
    'What is left of a shorter wire is no message, and is refused as different from the rebuilt one.',
  'packages/protocol/src/plans/message.ts | wire.length > MAX_TRANSACTION_BYTES':
    'What an RPC shows counts when the wallet’s signature verifies over it, and wallets sign nothing that cannot be sent.',
  'packages/protocol/src/plans/message.ts | wire[0] !== 1':
    'The message alone is compared, and the wire that is sent is written anew with a count of one.',
  'packages/protocol/src/plans/resolve.ts | !options.circuitId':
    'Every caller passes the id for PROVE; it guards this package against itself.',
  'packages/protocol/src/plans/resolve.ts | intent.source === intent.destination':
    'It is what the caller asked for and moves nothing; the service refuses it with the same code.',
  'packages/protocol/src/state/read.ts | !account.exists':
    'An account that is not there has no owner, which the check of the owner sees.',
  'packages/sdk/src/operations/find-by-memo.ts | !oldest':
    'An empty page is shorter than a full one, which the next operand sees: the search ends the same.',
  'packages/sdk/src/operations/find-by-memo.ts | page.length < PAGE':
    'Without it the node is asked for one page more, which is empty: the answer is the same.',
  'packages/sdk/src/operations/find-by-memo.ts | oldest.slot < backTo':
    'Without it the node is asked for older pages, in which the memo of a later operation cannot be.',
  'packages/sdk/src/eligibility/proof-context.ts | credential.data.wallet !== wallet':
    'The account lies at the address that is derived from the wallet, and only the program writes it.',
  'packages/sdk/src/eligibility/proof-context.ts | checkCircuit(core, circuitId, circuit);':
    'The id was believed after the same check of the same account; buildEligibilityContext compares the digest again.',
  'packages/sdk/src/operations/wait-for-operation.ts | !signature || isUnder(signature, operation)':
    'The chain is asked for the signature that is held, and what is returned is the chain’s: this is of states alone.',
  "packages/sdk/src/operations/same-operation.ts | 'signature' in operation":
    'Without a signature the comparison that follows is of undefined, which equals no signature.',
  'packages/sdk/src/operations/prove-outcome.ts | !wanted':
    'Without a transaction to look for the question fails, and counts as unseen.',
  'packages/sdk/src/operations/writes.ts | answer !== undefined':
    'ERROR_CODES has no member of that name, which the next operand sees.',
  "packages/sdk/src/eligibility/context.ts | typeof context === 'object'":
    'A WeakSet holds no value that is not an object: the last operand says no.',
  'packages/sdk/src/eligibility/context.ts | context !== null':
    'A WeakSet does not hold null: the last operand says no.',
  'packages/sdk/src/eligibility/context.ts | circuit.artifactsDigest !== deployment.artifactsDigest':
    'proofContext refuses such a circuit before it gives out the facts; stands for facts made in another way.',
  'packages/sdk/src/eligibility/generate-eligibility-proof.ts | loaded.manifest.circuit !== context.circuit':
    'The pinned digest covers the circuit id; only governance can put the same digest under another id on chain.',
  'packages/sdk/src/prover/artifact-source/check-artifacts.ts | bytes.length !== size':
    'A file of another length has another SHA-256, which the next operand sees.',
  'packages/sdk/src/auth/authenticate.ts | !signer.canSignMessages':
    'The signer refuses with the same code when it is asked; this spares the service a challenge.',
  'packages/sdk/src/wallet/signer.ts | !sign':
    'authenticate, which alone has messages signed, refuses such a wallet before: a second lock on the same door.',
  "packages/sdk/src/wallet/signer.ts | typeof wallet !== 'object'":
    'What is no object has no address, which the next operand sees.',
  'packages/sdk/src/eligibility/generate-eligibility-proof.ts | checkDigest(context, artifacts);':
    'What the source gives is hashed against the pinned digest before use; this refuses before it is loaded.',
  'packages/sdk/src/eligibility/generate-eligibility-proof.ts | artifacts.digest === context.artifactsDigest':
    'As with the call of checkDigest that it is in: the bytes are hashed against the pinned digest before use.',
  "packages/sdk/src/operations/ledger.ts | 'signed' in operation":
    'Without it the result is the member `signed` of an operation that has none: undefined.',
  'packages/sdk/src/operations/ledger.ts | this.wasSent(operationId)':
    'prepare and unsigned() check this before. The tests of the ledger cover its own check.',
  "packages/sdk/src/operations/ledger.ts | before?.state !== 'DRAFT'":
    'signAndSubmit checks this before. The tests of the ledger cover its own check.',
  'packages/sdk/src/operations/ledger.ts | this.isAsked(wallet)':
    'signAndSubmit checks this before. The tests of the ledger cover its own check.',
  "packages/sdk/src/operations/ledger.ts | before?.state !== 'ASKING'":
    'Only a signAndSubmit that has asked withdraws. The tests of the ledger cover its own check.',
  "packages/sdk/src/operations/ledger.ts | this.stateOf(operationId) !== 'ASKING'":
    'Only a signAndSubmit that has asked sends. The tests of the ledger cover its own check.',
  "packages/sdk/src/operations/ledger.ts | state === 'ASKING'":
    'The wait checks this before it reports a draft as expired. The tests of the ledger cover its own check.',
  'packages/sdk/src/operations/wait-for-operation.ts | isSameOperation(operation, signed)':
    'The chain is asked for what was signed, and the chain decides the result. This is about reported states alone.',
  'packages/sdk/src/operations/wait-for-operation.ts | signature':
    'Without it the wait throws the error of the service, and trusts nothing.',
  'packages/sdk/src/operations/wait-for-operation.ts | core.ledger.isUnsigned(operationId)':
    'Without it the wait throws the error of the service, and trusts nothing.',
  'packages/sdk/src/receipt/read-landed.ts | message.header.numSignerAccounts !== 1':
    'A wire with one signature of a message with two signers cannot land: the chain rejects it.',
  'packages/sdk/src/receipt/read-landed.ts | !wallet':
    'A message without keys has no program either, so its first instruction is no memo.',
  'packages/sdk/src/receipt/read-landed.ts | !action':
    'Without an instruction readAction returns null, and the transaction is refused as no operation.',
};

/** The bodies of requests (SPEC.md section 4). All are strict: a field that is not listed is refused. */
import {
  bindMintRequest,
  challengeRequest,
  clauseRequest,
  createRuleSetRequest,
  emptyRequest,
  issueRequest,
  proofContextRequest,
  proveRequest,
  submitRequest,
  transferRequest,
  verificationSessionRequest,
  verifyRequest,
  webhookRequest,
} from '@service/contract';
import { record } from './component.ts';

/** The named request bodies. */
export const REQUESTS = {
  ChallengeRequest: record(challengeRequest, 'Who wants to sign in.', { wallet: 'The wallet.' }),
  VerifyRequest: record(verifyRequest, 'The answer to a challenge.', {
    challengeId: 'Id of the challenge.',
    wallet: 'The wallet that the challenge is for.',
    signature: 'The wallet’s ed25519 signature over the exact message, 64 bytes.',
  }),
  EmptyRequest: record(emptyRequest, 'Nothing: no body, or an empty object.', {}),
  VerificationSessionRequest: record(verificationSessionRequest, 'Where a person comes back to.', {
    returnUrl: 'A URL under the site’s origin, without a fragment.',
  }),
  ProofContextRequest: record(proofContextRequest, 'Which rule set is to be proved.', {
    rule: 'Address of the rule set.',
  }),
  ClauseRequest: record(clauseRequest, 'A clause of a rule set that is to be made.', {
    regions: { description: 'Regions, any of which will do.', uniqueItems: true },
    statuses: { description: 'Statuses, any of which will do.', uniqueItems: true },
    minAge: 'Least age in whole years.',
  }),
  CreateRuleSetRequest: record(createRuleSetRequest, 'A rule set that is to be made.', {
    name: 'Its name.',
    nonce: 'A number that none of the wallet’s rule sets has yet.',
    clauses: 'A person is eligible when any one of these holds.',
    maxPassAgeSeconds: 'Seconds that a pass may last: one hour to 366 days. An integer is taken too.',
  }),
  BindMintRequest: record(bindMintRequest, 'A mint that is to be bound to a rule set.', {
    mint: 'A Token-2022 mint of the binding profile, of which the wallet is the mint authority.',
    rule: 'Address of the rule set.',
    requireSource: 'Whether senders need a pass too.',
  }),
  ProveRequest: record(proveRequest, 'A proof of eligibility.', {
    rule: 'Address of the rule set.',
    expiresAt: 'When the pass is to end, in Unix seconds.',
    proof: 'The Groth16 proof, 256 bytes.',
  }),
  IssueRequest: record(issueRequest, 'Tokens that are to be issued.', {
    mint: 'A bound mint that the wallet is the issuer of.',
    destination: 'A token account of the mint, of a pass holder.',
    amount: 'How many, in base units.',
  }),
  TransferRequest: record(transferRequest, 'Tokens that are to be moved.', {
    mint: 'A bound mint.',
    source: 'A token account of the wallet.',
    destination: 'A token account of the mint, of a pass holder.',
    amount: 'How many, in base units.',
  }),
  SubmitRequest: record(submitRequest, 'A signed draft.', {
    operationId: 'Id of the operation.',
    transaction: 'The prepared transaction with the wallet’s signature in it, and nothing else changed.',
  }),
  WebhookRequest: record(webhookRequest, 'A message of the verifier.', {
    type: 'What happened.',
    timestamp: 'When, as ISO 8601 in UTC.',
    data: 'To whom, and for a completed verification the signed credential.',
  }),
  WebhookData: record(webhookRequest.shape.data, 'What a message of the verifier is about.', {
    sessionId: 'Id of the verification session.',
    wallet: 'The wallet that started the session.',
    commitment: 'Of verification.completed: commitment to the person’s attributes.',
    issuedAt: 'Of verification.completed: when the credential begins, in Unix seconds.',
    expiresAt: 'Of verification.completed: when the credential ends, in Unix seconds.',
    signature: 'Of verification.completed: the verifier’s ed25519 signature over the credential, 64 bytes.',
  }),
};

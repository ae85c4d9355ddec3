/** The texts of the document about the service and each endpoint (SPEC.md section 4). */
import { type FileRouteName, MAX_PASSPORT_RECORDS, type RouteName, RULES_PAGE } from '@service/contract';

/** The groups of endpoints, in order. */
export const TAGS = {
  Service: 'The configuration and health of the service.',
  'Sign-in': 'A wallet signs in by signing a message. A cookie holds the session.',
  Reads: 'Records from the index and the chain.',
  Verification: 'A person gets a credential from the external verifier.',
  Operations: 'Writes on chain. The service prepares them, the wallet signs them, the service submits them.',
  Events: 'What happened to wallets, as webhooks to the receiver that the operator sets.',
  Files: 'The proof artifacts and this document.',
} as const;

/** The texts of one endpoint. */
export interface EndpointText {
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
}

const PREPARED =
  'Returns a draft with an unsigned transaction. Sign and submit it within 90 seconds. A repeated request with the same key and body returns the same operation in its current state.';

/** The texts of each endpoint. */
export const TEXTS: Record<RouteName | FileRouteName, EndpointText> = {
  config: {
    tag: 'Service',
    summary: 'Public configuration',
    description: 'The configuration that a client reads first. Compare it with the deployment that you pin.',
  },
  network: {
    tag: 'Reads',
    summary: 'Network configuration',
    description:
      'Governance, the verifiers, the circuits whose proofs are accepted, the pass fee and the chain time.',
  },
  rules: {
    tag: 'Reads',
    summary: 'List rule sets',
    description: 'A page of all rule sets, from the finalized index.',
  },
  mintBinding: {
    tag: 'Reads',
    summary: 'Binding of a mint',
    description:
      'The binding of a mint and its rule set, from the finalized index. Both are null if the mint is not bound. Anybody can bind a mint to any rule set: `issuerIsCreator` says whether the creator of the rule set issues the token.',
  },
  live: {
    tag: 'Service',
    summary: 'Liveness',
    description: 'Returns 200 while the process runs, even if everything else fails.',
  },
  ready: {
    tag: 'Service',
    summary: 'Readiness',
    description: 'The service is ready, waits for governance to set something up, or fails with status 503.',
  },
  webhook: {
    tag: 'Verification',
    summary: 'Receive a report of the verifier',
    description:
      'Only for the verifier, which signs messages with Standard Webhooks. The header `webhook-signature` is `v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`. The service stores a message before it responds. A repeated id changes nothing.',
  },
  challenge: {
    tag: 'Sign-in',
    summary: 'Request a challenge',
    description:
      'Returns a message to sign. It names the site, the wallet, the program and the cluster, and expires after five minutes.',
  },
  verify: {
    tag: 'Sign-in',
    summary: 'Sign in',
    description:
      'Answers a challenge, which works once. Every error in the answer returns AUTHENTICATION_REQUIRED.',
  },
  session: {
    tag: 'Sign-in',
    summary: 'Get the session',
    description: 'Returns the wallet of the session cookie, or null.',
  },
  logout: {
    tag: 'Sign-in',
    summary: 'Sign out',
    description: 'Ends the session and deletes the cookie. It also succeeds without a session.',
  },
  passport: {
    tag: 'Reads',
    summary: 'Records of the signed-in wallet',
    description: `The credential, passes, rule sets with live passes, and bindings, from the finalized index. At most ${MAX_PASSPORT_RECORDS} of each, the wallet’s own first. Bindings by the creator of a rule set come before those by others. If there may be more, read the accounts of the program from the chain.`,
  },
  verificationSessions: {
    tag: 'Verification',
    summary: 'Start a verification',
    description: 'Opens a session at the external verifier. Send the person to the returned `url`.',
  },
  proofContext: {
    tag: 'Operations',
    summary: 'Get the context of a proof',
    description:
      'Returns the finalized records for the eligibility context. The client makes the proof itself.',
  },
  createRuleSet: { tag: 'Operations', summary: 'Prepare a rule set', description: PREPARED },
  bindMint: { tag: 'Operations', summary: 'Prepare a mint binding', description: PREPARED },
  prove: {
    tag: 'Operations',
    summary: 'Prepare a pass from a proof',
    description: `Send only the proof; the witness stays with the person. ${PREPARED}`,
  },
  issue: { tag: 'Operations', summary: 'Prepare an issue of tokens', description: PREPARED },
  transfer: { tag: 'Operations', summary: 'Prepare a transfer of tokens', description: PREPARED },
  recover: {
    tag: 'Operations',
    summary: 'Prepare a recovery of tokens',
    description: `Moves tokens from one token account to another one, as the issuer and without the signature of the owner. ${PREPARED}`,
  },
  redeem: {
    tag: 'Operations',
    summary: 'Prepare a redemption of tokens',
    description: `Burns tokens of a token account, as the issuer and without the signature of the owner. ${PREPARED}`,
  },
  suspend: {
    tag: 'Operations',
    summary: 'Prepare a suspension of a wallet',
    description: `Suspends the pass of a wallet, or lifts the suspension, as the creator of the rule set. ${PREPARED}`,
  },
  grant: {
    tag: 'Operations',
    summary: 'Prepare a grant of a pass',
    description: `Gives a wallet a pass without a proof, or ends the grant, as the creator of the rule set. The pass funds of the rule set pay the pass fee. ${PREPARED}`,
  },
  adopt: {
    tag: 'Operations',
    summary: 'Adopt the signed message',
    description:
      'Replaces the message of a draft, once, with the one that the wallet signed. The new message must have the same memo and action, and may add only read-only guards of Lighthouse and a compute budget. Afterwards, submit accepts only that message. A repeated request with the same message returns the draft.',
  },
  submit: {
    tag: 'Operations',
    summary: 'Submit a signed draft',
    description:
      'The service saves the signed bytes before it responds, and broadcasts them until there is a final result. If you submit the same bytes again, it returns the operation in its current state.',
  },
  operation: {
    tag: 'Operations',
    summary: 'Get an operation',
    description: 'Poll this endpoint until the state is FINALIZED, FAILED or EXPIRED.',
  },
  artifact: {
    tag: 'Files',
    summary: 'Download a proof artifact',
    description:
      'A file of the manifest, or `manifest.json`. A file never changes under its digest. Verify its hash anyway.',
  },
  openApi: { tag: 'Files', summary: 'This document', description: 'OpenAPI 3.1 as JSON.' },
  docs: { tag: 'Files', summary: 'This document as a page', description: 'HTML.' },
  docsScript: { tag: 'Files', summary: 'Script of the page', description: 'Swagger UI.' },
  docsStyle: { tag: 'Files', summary: 'Style of the page', description: 'CSS.' },
};

/** The introduction of the document. */
export const INTRODUCTION = `The HTTP API of an on-chain program. A signed-in wallet creates rule sets and binds token mints to them. It gets a pass with a zero-knowledge proof of a rule set. It issues and transfers tokens.

Every write has three steps. The service prepares an unsigned transaction, the wallet signs it, and the service broadcasts the signed bytes until there is a final result. Before you sign, compare the prepared transaction with the instructions that you expect.

Every POST must have the header \`Origin\` with the URL of the server. Browsers send it, and do not let pages set it. Outside a browser, set it once for all requests. The webhook may omit it.

A path answers 405 \`METHOD_NOT_ALLOWED\` to a method that it does not have, and its header \`Allow\` names those that it has. HEAD works wherever GET does.

The service checks a request in this order: rate, origin, size and JSON, session, idempotency key, body, then the request itself. Requests are strict: a field that is not listed is rejected. Responses may get more fields.

Each \`pattern\` uses only what ECMAScript, Python and RE2 share. \`$\` is the end of the text. In Python, it also matches before a line break at the end, which the service rejects.`;

/** The texts of the parameters in paths and queries. */
export const PARAMETERS: Record<string, string> = {
  id: 'Id of the operation. A malformed id, or the id of another wallet’s operation, returns NOT_FOUND.',
  mint: 'Base58 address of the mint.',
  limit: `Rule sets per page: 1 to ${RULES_PAGE.max}. The default is ${RULES_PAGE.default}.`,
  cursor: '`nextCursor` of the previous page.',
  digest: 'SHA-256 of the manifest: `artifacts.digest` of the configuration.',
  name: 'Name of the file in the manifest, or `manifest.json`.',
};

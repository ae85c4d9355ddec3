/** What the document says of the service and of each endpoint (SPEC.md section 4). */
import { type FileRouteName, MAX_PASSPORT_RECORDS, type RouteName, RULES_PAGE } from '@service/contract';

/** The groups of endpoints, in order. */
export const TAGS = {
  Service: 'What the service is, and how it is.',
  'Sign-in': 'A wallet signs in by signing a message; a cookie carries the session.',
  Reads: 'What the index and the chain know.',
  Verification: 'Getting a credential from the external verifier.',
  Operations:
    'What a wallet does on chain: prepared here, signed there, submitted here, followed to its end.',
  Files: 'Proof artifacts, and this document.',
} as const;

/** What is said of one endpoint. */
export interface EndpointText {
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
}

const PREPARED =
  'Answers a draft: an unsigned transaction that the wallet signs within 90 seconds and submits. The same key with the same body answers the same operation, as it stands by then.';

/** What is said of each endpoint. */
export const TEXTS: Record<RouteName | FileRouteName, EndpointText> = {
  config: {
    tag: 'Service',
    summary: 'The public configuration',
    description:
      'What a client is told before it knows anything. Compare it with the deployment that you pin.',
  },
  network: {
    tag: 'Reads',
    summary: 'What governance has set',
    description: 'Governance, verifiers, the circuit, the pass fee and the time of the chain.',
  },
  rules: {
    tag: 'Reads',
    summary: 'Every rule set',
    description: 'A page of the rule sets, from the finalized index.',
  },
  live: {
    tag: 'Service',
    summary: 'Whether the server runs',
    description: 'Answers while the process does, whatever else fails.',
  },
  ready: {
    tag: 'Service',
    summary: 'Whether the service can do its work',
    description: 'Ready, waiting for governance to set something up, or failing: then the status is 503.',
  },
  webhook: {
    tag: 'Verification',
    summary: 'What the verifier reports',
    description:
      'For the verifier alone, signed by Standard Webhooks: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`. A message that was answered is stored; a repeat of its id changes nothing.',
  },
  challenge: {
    tag: 'Sign-in',
    summary: 'Ask for a message to sign',
    description:
      'The message is bound to the site, the wallet, the program and the cluster, for five minutes.',
  },
  verify: {
    tag: 'Sign-in',
    summary: 'Sign in',
    description: 'Takes a challenge once. Whatever is wrong with the answer is AUTHENTICATION_REQUIRED.',
  },
  session: {
    tag: 'Sign-in',
    summary: 'Who is signed in',
    description: 'The wallet of the session cookie, or null.',
  },
  logout: {
    tag: 'Sign-in',
    summary: 'Sign out',
    description: 'Ends the session and takes the cookie back. Fine without a session, too.',
  },
  passport: {
    tag: 'Reads',
    summary: 'What the signed-in wallet has',
    description: `Credential, passes, rule sets with live passes and bindings, from the finalized index; at most ${MAX_PASSPORT_RECORDS} of each, the wallet’s own first. Whoever may have more reads the rest from the chain: they are accounts of the program.`,
  },
  verificationSessions: {
    tag: 'Verification',
    summary: 'Start a verification',
    description: 'Opens a session at the external verifier. Send the person to its `url`.',
  },
  proofContext: {
    tag: 'Operations',
    summary: 'What a proof must be made from',
    description:
      'The finalized records that the eligibility context is built from. The proof itself is made by the client.',
  },
  createRuleSet: { tag: 'Operations', summary: 'Prepare a rule set', description: PREPARED },
  bindMint: { tag: 'Operations', summary: 'Prepare a mint binding', description: PREPARED },
  prove: {
    tag: 'Operations',
    summary: 'Prepare a pass by a proof',
    description: `Only the proof is posted: the witness stays with the person. ${PREPARED}`,
  },
  issue: { tag: 'Operations', summary: 'Prepare an issue of tokens', description: PREPARED },
  transfer: { tag: 'Operations', summary: 'Prepare a transfer of tokens', description: PREPARED },
  submit: {
    tag: 'Operations',
    summary: 'Submit a signed draft',
    description:
      'The signed bytes are saved before this answers, then broadcast until there is a final result. The same bytes again answer the operation as it stands.',
  },
  operation: {
    tag: 'Operations',
    summary: 'How an operation stands',
    description: 'Poll it until the state is FINALIZED, FAILED or EXPIRED.',
  },
  artifact: {
    tag: 'Files',
    summary: 'A proof artifact',
    description:
      'A file of the manifest, or `manifest.json`. It never changes under its digest; check it all the same.',
  },
  openApi: { tag: 'Files', summary: 'This document', description: 'OpenAPI 3.1 as JSON.' },
  docs: { tag: 'Files', summary: 'This document as a page', description: 'HTML that needs no script.' },
  docsStyle: { tag: 'Files', summary: 'The style of the page', description: 'CSS.' },
};

/** What is said of the service. */
export const INTRODUCTION = `HTTP API in front of an on-chain program. A wallet that has signed in creates rule sets, binds token mints to them, proves a rule set in zero knowledge and so gets a pass, issues tokens and transfers them.

Every write has three steps: the service prepares an unsigned transaction, the wallet signs it, the service broadcasts the signed bytes until there is a final result. Compare a prepared transaction with the instructions that you expect before you sign it.

Every POST must carry the site's Origin. A request is refused in this order: rate, origin, size and JSON, session, idempotency key, body, and then what it asks for. Requests are strict: a field that is not listed is refused. Answers may get more fields.`;

/** What is said of each parameter of a path or query. */
export const PARAMETERS: Record<string, string> = {
  id: 'Id of the operation. An id that is none, or another wallet’s, is NOT_FOUND.',
  limit: `Rule sets on a page: 1 to ${RULES_PAGE.max}, ${RULES_PAGE.default} without it.`,
  cursor: 'nextCursor of the page before.',
  digest: 'SHA-256 of the manifest: `artifacts.digest` of the configuration.',
  name: 'Name of the file in the manifest, or `manifest.json`.',
};

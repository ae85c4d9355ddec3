/** The texts of the OpenAPI document (SPEC.md section 4). */
import { type FileRouteName, MAX_PASSPORT_RECORDS, type RouteName, RULES_PAGE } from '@service/contract';

/** The groups of endpoints, in order. */
export const TAGS = {
  Service: 'Configuration and health of the service.',
  'Sign-in': 'A wallet signs in by signing a message. A cookie carries the session.',
  Reads: 'Records from the finalized index and the chain.',
  Verification: 'Credentials from the external verifier.',
  Operations:
    'Writes to the chain: the service prepares them, the wallet signs them, and the service submits them and follows them to a final result.',
  Files: 'Proof artifacts and this document.',
} as const;

/** The text of one endpoint. */
export interface EndpointText {
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
}

const PREPARED =
  'Returns a draft: an unsigned transaction. The wallet signs and submits it within 90 seconds. The same key with the same body returns the same operation in its current state.';

/** The text of each endpoint. */
export const TEXTS: Record<RouteName | FileRouteName, EndpointText> = {
  config: {
    tag: 'Service',
    summary: 'The public configuration',
    description: 'The values that a client needs first. Compare them with the deployment that you pin.',
  },
  network: {
    tag: 'Reads',
    summary: 'Network configuration',
    description: 'Governance, verifiers, the circuit, the pass fee and the chain time.',
  },
  rules: {
    tag: 'Reads',
    summary: 'All rule sets',
    description: 'Returns a page of rule sets from the finalized index.',
  },
  live: {
    tag: 'Service',
    summary: 'Liveness',
    description: 'Responds while the process runs, even when other parts fail.',
  },
  ready: {
    tag: 'Service',
    summary: 'Readiness',
    description:
      'The service is ready, waiting for governance to set something up, or failing. When it fails, the status is 503.',
  },
  webhook: {
    tag: 'Verification',
    summary: 'Report of the verifier',
    description:
      'Only the verifier calls this endpoint. It signs by Standard Webhooks: the header `webhook-signature` is `v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`. The service stores a message before it responds. A repeat of the same id changes nothing.',
  },
  challenge: {
    tag: 'Sign-in',
    summary: 'Request a message to sign',
    description:
      'The message is bound to the site, the wallet, the program and the cluster. It is valid for five minutes.',
  },
  verify: {
    tag: 'Sign-in',
    summary: 'Sign in',
    description: 'Accepts each challenge once. Every fault of the answer returns AUTHENTICATION_REQUIRED.',
  },
  session: {
    tag: 'Sign-in',
    summary: 'The signed-in wallet',
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
    description: `Returns the credential, passes, rule sets with their live passes, and bindings, from the finalized index. It returns at most ${MAX_PASSPORT_RECORDS} of each, the wallet’s own first. To get more, read the accounts of the program from the chain.`,
  },
  verificationSessions: {
    tag: 'Verification',
    summary: 'Start a verification',
    description: 'Opens a session at the external verifier. Send the person to the `url` of the response.',
  },
  proofContext: {
    tag: 'Operations',
    summary: 'Context of a proof',
    description:
      'Returns the finalized records that the eligibility context is built from. The client makes the proof.',
  },
  createRuleSet: { tag: 'Operations', summary: 'Prepare a rule set', description: PREPARED },
  bindMint: { tag: 'Operations', summary: 'Prepare a mint binding', description: PREPARED },
  prove: {
    tag: 'Operations',
    summary: 'Prepare a pass with a proof',
    description: `Post only the proof: the witness stays with the person. ${PREPARED}`,
  },
  issue: { tag: 'Operations', summary: 'Prepare an issue of tokens', description: PREPARED },
  transfer: { tag: 'Operations', summary: 'Prepare a transfer of tokens', description: PREPARED },
  submit: {
    tag: 'Operations',
    summary: 'Submit a signed draft',
    description:
      'The service saves the signed bytes before it responds, and broadcasts them until there is a final result. The same bytes again return the operation in its current state.',
  },
  operation: {
    tag: 'Operations',
    summary: 'State of an operation',
    description: 'Poll until the state is FINALIZED, FAILED or EXPIRED.',
  },
  artifact: {
    tag: 'Files',
    summary: 'A proof artifact',
    description:
      'Returns a file of the manifest, or `manifest.json`. A file never changes under its digest, but verify its hash.',
  },
  openApi: { tag: 'Files', summary: 'This document', description: 'OpenAPI 3.1 as JSON.' },
  docs: { tag: 'Files', summary: 'This document as a page', description: 'HTML without scripts.' },
  docsStyle: { tag: 'Files', summary: 'The style of the page', description: 'CSS.' },
};

/** The introduction of the document. */
export const INTRODUCTION = `HTTP API for an on-chain program. A signed-in wallet creates rule sets, binds token mints to them, proves a rule set in zero knowledge to get a pass, issues tokens and transfers them.

Every write has three steps: the service prepares an unsigned transaction, the wallet signs it, and the service broadcasts the signed bytes until there is a final result. Before you sign, compare the transaction with the instructions that you expect.

Every POST must carry the site's Origin. The service checks a request in this order: rate, origin, size and JSON, session, idempotency key, body, and then the action. Requests are strict: an unknown field is rejected. Later versions may add fields to responses, so ignore unknown ones.`;

/** The text of each parameter of a path or query. */
export const PARAMETERS: Record<string, string> = {
  id: 'Id of the operation. An unknown id, or one of another wallet, returns NOT_FOUND.',
  limit: `Rule sets per page: 1 to ${RULES_PAGE.max}. The default is ${RULES_PAGE.default}.`,
  cursor: '`nextCursor` of the previous page.',
  digest: 'SHA-256 of the manifest: `artifacts.digest` of the configuration.',
  name: 'Name of the file in the manifest, or `manifest.json`.',
};

/** The bodies of answers (SPEC.md section 4). They may get more fields: a client ignores those it does not know. */
import {
  challengeResponse,
  configResponse,
  errorBody,
  failingResponse,
  liveResponse,
  networkResponse,
  passportResponse,
  proofContextResponse,
  readyResponse,
  rulesResponse,
  sessionResponse,
  verificationSessionResponse,
  verifyResponse,
  webhookResponse,
} from '@service/contract';
import { record, value } from './component.ts';

const [ready, waiting] = readyResponse.def.options;

/** The named bodies of answers. */
export const ANSWERS = {
  Config: record(configResponse, 'What the service runs on.', {
    program: 'The program on chain.',
    rpcUrl: 'A Solana RPC that clients may use.',
    genesisHash: 'The cluster that the program is on.',
    artifacts: 'The proof artifacts.',
    regions: 'The regions that clauses name.',
    statuses: 'The statuses that clauses name.',
  }),
  ConfigArtifacts: record(
    configResponse.shape.artifacts,
    'Where the proof artifacts are, and what they must be.',
    {
      digest: 'SHA-256 of the manifest in canonical JSON: compare it with the one you pin.',
      baseUrl: 'The files lie at `{baseUrl}/{digest}/{name}`.',
      manifest: 'What the files are.',
    },
  ),
  NameEntry: record(configResponse.shape.regions.def.element, 'A region or status.', {
    index: 'Its fixed bit on chain.',
    code: 'Its code.',
    name: 'Its name.',
  }),
  Network: record(networkResponse, 'What governance has set.', {
    governance: 'Who governs; null before the program is set up.',
    verifiers: 'Every verifier.',
    circuit: 'The circuit that new proofs should use; null before there is one.',
    upgradeAuthority: 'Who may replace the program; null when nobody may.',
    passFee: 'Lamports per pass; null before governance has set them.',
    passFeesHeld: 'Lamports of pass fees that the protocol holds.',
    chainTime: 'Time of the chain, in Unix seconds.',
  }),
  Governance: record(networkResponse.shape.governance.def.innerType, 'The governance configuration.', {
    address: 'Address of the configuration.',
    authority: 'Who may change it.',
    paused: 'Whether the protocol is paused.',
  }),
  Rules: record(rulesResponse, 'A page of the rule sets.', {
    ruleSets: 'The rule sets, in the order of their addresses.',
    index: 'How far the chain was read.',
    nextCursor: '`cursor` of the next page; null on the last one.',
  }),
  Live: record(liveResponse, 'The server runs.', { status: 'Always `ok`.' }),
  Readiness: value(readyResponse, 'Ready, or waiting for governance.', {
    discriminator: { propertyName: 'status' },
  }),
  Ready: record(ready, 'All is set up and well.', { status: 'Always `ok`.' }),
  Waiting: record(waiting, 'All is well, and something is not set up yet.', {
    status: 'Always `waiting`.',
    missing: 'What is not set up: `program`, `governance`, `circuit`, `passFee`.',
  }),
  Failing: record(failingResponse, 'Something that the service needs fails.', {
    status: 'Always `failing`.',
    checks: 'What was looked at: false where it fails.',
    error: 'The same as every error has.',
  }),
  Checks: record(failingResponse.shape.checks, 'What readiness looks at.', {
    database: 'The database answers.',
    chain: 'The chain answers.',
    index: 'The index is not stale.',
    jobs: 'Signed operations are broadcast, and credentials are put on chain.',
  }),
  FailingDetail: record(failingResponse.shape.error, 'The error of a failing readiness.', {
    code: 'Always UNAVAILABLE.',
    message: 'What fails.',
    requestId: 'Id of the request.',
  }),
  Challenge: record(challengeResponse, 'What a wallet signs to sign in.', {
    challengeId: 'Id of the challenge.',
    message:
      'The exact text to be signed. It names site, wallet, program, cluster, a nonce and its expiry: check them.',
    expiresAt: 'When it ends, in Unix seconds: five minutes after issue.',
  }),
  SignedIn: record(verifyResponse, 'Who is signed in now.', {
    wallet: 'The wallet.',
    expiresAt: 'When the session ends, in Unix seconds: 12 hours after sign-in.',
  }),
  Session: record(sessionResponse, 'Who is signed in.', { wallet: 'The wallet; null for nobody.' }),
  Passport: record(passportResponse, 'What the index knows of the signed-in wallet.', {
    wallet: 'The wallet.',
    credential: 'Its credential; null without one.',
    passes: 'Its passes, live or ended.',
    ruleSets: 'Rule sets that it made, holds a pass of, or issues under.',
    bindings: 'Bindings of those rule sets.',
    index: 'How far the chain was read.',
  }),
  VerificationSession: record(verificationSessionResponse, 'A session at the verifier.', {
    sessionId: 'Id of the session.',
    url: 'The verifier’s hosted page: send the person there.',
    expiresAt: 'When the session ends, in Unix seconds.',
  }),
  ProofContext: record(proofContextResponse, 'The records that a proof must be made from.', {
    credential: 'The wallet’s credential.',
    ruleSet: 'The rule set.',
    verifier: 'The verifier of the credential.',
    circuit: 'The circuit to prove under.',
    passFee: 'Lamports per pass; null before governance has set them.',
    chainTime: 'Time of the chain, in Unix seconds.',
  }),
  WebhookReceived: record(webhookResponse, 'The message was stored.', { received: 'Always true.' }),
  Error: record(errorBody, 'The body of every refusal.', { error: 'What is wrong.' }),
  ErrorDetail: record(errorBody.shape.error, 'Why a request was refused.', {
    code: 'Stable code, to be acted on.',
    message: 'What is wrong and what helps, for people.',
    requestId: 'Id of the request, for whoever runs the service; also in X-Request-Id.',
  }),
};

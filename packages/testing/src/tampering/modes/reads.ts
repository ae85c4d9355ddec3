/** Modes of reads: configuration, records, the verifier's URL, the session and the proof artifacts. */
import { MAINNET_GENESIS_HASH } from '@service/contract';
import { PREPARING } from '../../routes.ts';
import { changeArtifact } from '../edits/artifacts.ts';
import { onProofContext } from '../edits/proof-context.ts';
import { editJson, type Json, refusal, set, withBody } from '../edits/responses.ts';
import { type HostileMode, UNKNOWN_ADDRESS } from '../hostile-mode.ts';

const READS = { category: 'reads' } as const;

export const READ_MODES: readonly HostileMode[] = [
  {
    ...READS,
    id: 'reads-other-genesis',
    description:
      'The service says that it works on another cluster than the deployment that the client pins.',
    page: 'Say that the service is not the one that this page was made for.',
    call: 'config',
    code: 'CONFIG_MISMATCH',
    context: { fields: ['genesisHash'] },
    start: () => editJson(['config'], set({ genesisHash: MAINNET_GENESIS_HASH })),
  },
  {
    ...READS,
    id: 'reads-no-session',
    description: 'The service says that nobody is signed in.',
    page: 'Offer to sign in, and keep what the person has entered.',
    call: 'prepare',
    code: 'AUTHENTICATION_REQUIRED',
    start: () => editJson(['session'], set({ wallet: null })),
  },
  {
    ...READS,
    id: 'reads-session-of-another',
    description: 'The session and the prepared operation are another wallet’s.',
    page: 'Name the wallet that is signed in, and offer to sign in with the selected one.',
    call: 'signAndSubmit',
    code: 'WALLET_MISMATCH',
    context: { expected: UNKNOWN_ADDRESS },
    kinds: ['BIND_MINT', 'PROVE', 'ISSUE', 'TRANSFER'],
    start: () => editJson(['session', ...PREPARING], set({ wallet: UNKNOWN_ADDRESS })),
  },
  {
    ...READS,
    id: 'reads-verifier-elsewhere',
    description: 'The verifier’s page, where people enter personal data, is at another origin.',
    page: 'Show no link to the page, and do not open it.',
    call: 'startVerification',
    code: 'VERIFIER_ORIGIN_MISMATCH',
    start: () => editJson(['verificationSessions'], set({ url: 'https://evil.example/verify' })),
  },
  {
    ...READS,
    id: 'reads-indexed-older-credential',
    description: 'The service never shows the credential that is on chain.',
    page: 'Say that the credential has not arrived, and offer to wait again.',
    call: 'waitForCredential',
    code: 'TIMEOUT',
    start: () =>
      editJson(['passport'], (json) => ({
        ...json,
        credential: { ...(json.credential as Json), issuedAt: '1' },
      })),
  },
  {
    ...READS,
    id: 'reads-made-up-rule',
    description: 'A rule set that does not exist gets the record of one that exists.',
    page: 'Say that the rule set does not exist.',
    call: 'proofContext',
    code: 'ACCOUNT_NOT_FOUND',
    start: () =>
      onProofContext(async (rule, ask) => {
        const { ruleSets } = await ask('/api/rules?limit=500');
        for (const { address } of ruleSets as Json[]) {
          const context = await ask('/api/proofs/context', { rule: address });
          if (context.ruleSet)
            return { ...context, ruleSet: { ...(context.ruleSet as Json), address: rule } };
        }
        return null;
      }),
  },
  {
    ...READS,
    id: 'reads-made-up-credential',
    description: 'A wallet without a credential gets a made-up one.',
    page: 'Offer to start a verification.',
    call: 'proofContext',
    code: 'CREDENTIAL_REQUIRED',
    start: () =>
      onProofContext(async (rule, ask) => {
        const [{ ruleSets }, network, { wallet }] = await Promise.all([
          ask('/api/rules?limit=500'),
          ask('/api/network'),
          ask('/api/auth/session'),
        ]);
        const verifier = (network.verifiers as Json[])[0]!;
        return {
          credential: madeUpCredential(wallet, verifier.address),
          ruleSet: (ruleSets as Json[]).find(({ address }) => address === rule),
          verifier,
          circuit: network.circuit,
          passFee: network.passFee,
          chainTime: network.chainTime,
        };
      }),
  },
  {
    ...READS,
    id: 'reads-rule-set-clauses',
    description: 'The rule set has other clauses, so that each attempt to prove would reveal one attribute.',
    page: 'Say that the service and the chain differ, offer to try again, and show none of its clauses.',
    call: 'proofContext',
    code: 'RECORD_MISMATCH',
    context: { fields: ['ruleSet.clauses'] },
    start: () =>
      editJson(['proofContext'], (json) => {
        const clauses = [{ regions: ['AD'], statuses: ['retail'], minAge: 90 }];
        return { ...json, ruleSet: { ...(json.ruleSet as Json), clauses } };
      }),
  },
  {
    ...READS,
    id: 'reads-other-circuit',
    description: 'The manifest names another circuit than the chain, and the pinned artifacts are missing.',
    page: 'Say that proofs do not work until the site is updated.',
    call: 'proofContext',
    code: 'CIRCUIT_MISMATCH',
    start: () => {
      const edit = editJson(['config'], (json) => {
        const artifacts = json.artifacts as Json;
        const manifest = { ...(artifacts.manifest as Json), circuit: 'another' };
        return { ...json, artifacts: { ...artifacts, manifest } };
      });
      return async (request, forward) =>
        new URL(request.url).pathname.startsWith('/artifacts/')
          ? refusal('NOT_FOUND', 404)
          : edit(request, forward);
    },
  },
  {
    ...READS,
    id: 'reads-changed-key',
    description: 'One bit of the verifying key differs.',
    page: 'Say that the files for the proof were changed, and that no proof was made.',
    call: 'prove',
    code: 'ARTIFACTS_INVALID',
    start: () =>
      changeArtifact(/\.key(\.bin)?$/, async (response) => {
        const bytes = new Uint8Array(await response.arrayBuffer());
        bytes[bytes.length >> 1]! ^= 1;
        return withBody(response, bytes);
      }),
  },
];

const madeUpCredential = (wallet: unknown, verifier: unknown): Json => ({
  address: UNKNOWN_ADDRESS,
  wallet,
  verifier,
  commitment: '9'.repeat(64),
  issuedAt: '1',
  expiresAt: '99999999999',
  revoked: false,
});

/** Proof artifacts other than the pinned ones. */
import { endless, stalled } from './bodies.ts';
import { type Tampering, tamperings } from './hostile-mode.ts';
import { withBody } from './responses.ts';

const MANIFEST = /^manifest\.json$/;
const COMPACT_KEY = /compact-key\.bin$/;
const VKEY = /vkey[^/]*\.json$|verification_key\.json$/;
const KEY = /\.key(\.bin)?$/;

/** The file that a mode changes, by name, and its response. */
type Change = readonly [
  file: RegExp,
  change: (response: Response, request: Request) => Response | Promise<Response>,
];

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());
const notFound = () => new Response('<!doctype html><title>Not found</title>', { status: 404 });

async function flipBit(response: Response): Promise<Response> {
  const bytes = await bytesOf(response);
  bytes[bytes.length >> 1]! ^= 1;
  return withBody(response, bytes);
}

const replace = (pattern: RegExp, text: string) => async (response: Response) =>
  withBody(response, (await response.text()).replace(pattern, text));

/** Tampers with the artifacts. */
export const ARTIFACT_TAMPERINGS: readonly Tampering[] = tamperings<Change>(
  { category: 'reads', call: 'prove', code: 'ARTIFACTS_INVALID' },
  ([file, change]) =>
    async (request, forward) => {
      const [, folder, , name] = new URL(request.url).pathname.split('/');
      const response = await forward(request);
      return folder === 'artifacts' && name && file.test(name) && response.ok
        ? change(response, request)
        : response;
    },
  {
    'changed-compact-key': ['One bit of the compact key differs.', [COMPACT_KEY, flipBit]],
    'changed-vkey': ['One bit of the verifying key (JSON) differs.', [VKEY, flipBit]],
    'changed-key': ['One bit of the verifying key (binary) differs.', [KEY, flipBit]],
    'changed-manifest': [
      'The manifest lists another digest of a file.',
      [MANIFEST, replace(/"sha256":\s*"[0-9a-f]{8}/, '"sha256":"00000000')],
    ],
    'manifest-of-another-circuit': [
      'The manifest names another circuit.',
      [MANIFEST, replace(/"circuit":\s*"/, '"circuit":"x')],
    ],
    'manifest-not-json': [
      'The manifest is an HTML page.',
      [MANIFEST, replace(/^.*$/s, '<!doctype html><title>Not found</title>')],
    ],
    'endless-manifest': [
      'The manifest never ends.',
      [MANIFEST, (response, { signal }) => withBody(response, endless('{"circuit":"', ' ', signal))],
    ],
    'truncated-compact-key': [
      'The last byte of the compact key is missing.',
      [COMPACT_KEY, async (response) => withBody(response, (await bytesOf(response)).slice(0, -1))],
    ],
    'endless-compact-key': [
      'The compact key never ends.',
      [COMPACT_KEY, (response, { signal }) => withBody(response, endless('bn254k02', 'x', signal))],
    ],
    'missing-compact-key': [
      'The compact key is missing.',
      [COMPACT_KEY, notFound],
      { code: 'NETWORK_ERROR' },
    ],
    'empty-compact-key': [
      'The response for the compact key has no body.',
      [COMPACT_KEY, () => new Response(null, { status: 200 })],
      { code: 'NETWORK_ERROR' },
    ],
    'stalled-compact-key': [
      'The compact key stops arriving.',
      [COMPACT_KEY, (response, { signal }) => withBody(response, stalled('key', signal))],
      { code: 'TIMEOUT', call: 'artifacts.load' },
    ],
  },
);

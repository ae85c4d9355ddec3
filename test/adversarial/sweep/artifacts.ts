/** Edits of the proof artifacts, by name of the file. */
import { changeArtifact, endless, stalled, withBody } from '@service/testing/edits';
import { cases, type Expected, type SweepMode } from './row.ts';

const MANIFEST = /^manifest\.json$/;
const COMPACT_KEY = /compact-key\.bin$/;
const VKEY = /vkey[^/]*\.json$|verification_key\.json$/;

/** The file to change, and its response. */
type Change = readonly [
  file: RegExp,
  change: (response: Response, request: Request) => Response | Promise<Response>,
];

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

async function flipBit(response: Response): Promise<Response> {
  const bytes = await bytesOf(response);
  bytes[bytes.length >> 1]! ^= 1;
  return withBody(response, bytes);
}

const cut = async (response: Response) => withBody(response, (await bytesOf(response)).slice(0, -1));
const replace = (pattern: RegExp, text: string) => async (response: Response) =>
  withBody(response, (await response.text()).replace(pattern, text));
const endlessAfter =
  (begin: string, more: string): Change[1] =>
  (response, { signal }) =>
    withBody(response, endless(begin, more, signal));

const artifacts = (differs: Partial<Expected>, table: Readonly<Record<string, Change>>) =>
  cases(
    { category: 'reads', call: 'prove', code: 'ARTIFACTS_INVALID', ...differs },
    ([file, change]) => changeArtifact(file, change),
    table,
  );

export const ARTIFACTS_SWEEP: readonly SweepMode[] = [
  ...artifacts(
    {},
    {
      'changed-compact-key': [COMPACT_KEY, flipBit],
      'changed-vkey': [VKEY, flipBit],
      'changed-manifest': [MANIFEST, replace(/"sha256":\s*"[0-9a-f]{8}/, '"sha256":"00000000')],
      'manifest-of-another-circuit': [MANIFEST, replace(/"circuit":\s*"/, '"circuit":"x')],
      'manifest-not-json': [MANIFEST, replace(/^.*$/s, '<!doctype html><title>Not found</title>')],
      'endless-manifest': [MANIFEST, endlessAfter('{"circuit":"', ' ')],
      'truncated-compact-key': [COMPACT_KEY, cut],
      'endless-compact-key': [COMPACT_KEY, endlessAfter('bn254k02', 'x')],
    },
  ),
  ...artifacts(
    { code: 'NETWORK_ERROR' },
    {
      'missing-compact-key': [
        COMPACT_KEY,
        () => new Response('<!doctype html><title>Not found</title>', { status: 404 }),
      ],
      'empty-compact-key': [COMPACT_KEY, () => new Response(null, { status: 200 })],
    },
  ),
  ...artifacts(
    { code: 'TIMEOUT', call: 'artifacts.load' },
    {
      'stalled-compact-key': [
        COMPACT_KEY,
        (response, { signal }) => withBody(response, stalled('key', signal)),
      ],
    },
  ),
];

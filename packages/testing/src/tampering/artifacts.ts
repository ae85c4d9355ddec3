/** Proof artifacts that are not the pinned ones. */

import { withBody } from '../memory/answers.ts';
import { endless, stalled } from './bodies.ts';
import type { HostileMode, Liar, Lie } from './hostile-mode.ts';

const KINDS = {
  wasm: /\.wasm$/,
  zkey: /\.zkey$/,
  vkey: /vkey[^/]*\.json$|verification_key\.json$/,
  key: /key\.bin$|\.key$/,
} as const;

function artifact(
  id: string,
  lie: string,
  isMeant: (name: string) => boolean,
  change: (response: Response, request: Request) => Response | Promise<Response>,
  more: Partial<Pick<HostileMode, 'code' | 'call'>> = {},
): Lie {
  const liar: Liar = async (request, ask) => {
    const [, folder, , name] = new URL(request.url).pathname.split('/');
    const response = await ask(request);
    return folder === 'artifacts' && name && isMeant(name) && response.ok
      ? change(response, request)
      : response;
  };
  return {
    mode: { id: `reads-${id}`, category: 'reads', call: 'prove', code: 'ARTIFACTS_INVALID', lie, ...more },
    liar: () => liar,
  };
}

const isManifest = (name: string) => name === 'manifest.json';
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

const changed = Object.entries(KINDS).map(([kind, pattern]) =>
  artifact(
    `changed-${kind}`,
    `One bit of the ${kind} differs.`,
    (name) => pattern.test(name),
    async (response) => {
      const bytes = await bytesOf(response);
      bytes[bytes.length >> 1]! ^= 1;
      return withBody(response, bytes);
    },
  ),
);

async function otherManifest(response: Response, change: (text: string) => string): Promise<Response> {
  return withBody(response, change(await response.text()));
}

/** The lies in the artifacts. */
export const ARTIFACT_LIES: readonly Lie[] = [
  ...changed,
  artifact('changed-manifest', 'The manifest lists another digest of a file.', isManifest, (response) =>
    otherManifest(response, (text) => text.replace(/"sha256":\s*"[0-9a-f]{8}/, '"sha256":"00000000')),
  ),
  artifact('manifest-of-another-circuit', 'The manifest is of another circuit.', isManifest, (response) =>
    otherManifest(response, (text) => text.replace(/"circuit":\s*"/, '"circuit":"x')),
  ),
  artifact('manifest-not-json', 'The manifest is a page of HTML.', isManifest, (response) =>
    withBody(response, '<!doctype html><title>Not found</title>'),
  ),
  artifact('endless-manifest', 'The manifest never ends.', isManifest, (response, request) =>
    withBody(response, endless('{"circuit":"', ' ', request.signal)),
  ),
  artifact(
    'truncated-zkey',
    'The proving key ends early.',
    (name) => KINDS.zkey.test(name),
    async (response) => withBody(response, (await bytesOf(response)).slice(0, -1)),
  ),
  artifact(
    'endless-wasm',
    'The witness calculator never ends.',
    (name) => KINDS.wasm.test(name),
    (response, request) => withBody(response, endless('\0asm', 'x', request.signal)),
  ),
  artifact(
    'missing-zkey',
    'There is no proving key.',
    (name) => KINDS.zkey.test(name),
    () => new Response('<!doctype html><title>Not found</title>', { status: 404 }),
    {
      code: 'NETWORK_ERROR',
    },
  ),
  artifact(
    'empty-zkey',
    'The proving key is an answer without a body.',
    (name) => KINDS.zkey.test(name),
    () => new Response(null, { status: 200 }),
    { code: 'NETWORK_ERROR' },
  ),
  artifact(
    'stalled-zkey',
    'The proving key stops arriving.',
    (name) => KINDS.zkey.test(name),
    (response, request) => withBody(response, stalled('zkey', request.signal)),
    { code: 'TIMEOUT', call: 'artifacts.load' },
  ),
];

/** Measures what the SDK fetches for a first proof. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { answer } from './answer.mjs';
import { serveArtifacts } from './artifact-server.mjs';

const { BROTLI_PARAM_QUALITY, BROTLI_MAX_QUALITY } = constants;
const compressed = (bytes) =>
  brotliCompressSync(bytes, { params: { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY } }).length;

answer({
  /** Brotli bytes of the files that a proof requests, and of wasm in the build, which a page fetches with the code. */
  async bytes() {
    const { importOurs } = await import('./our-proof.mjs');
    const person = JSON.parse(process.env.BENCH_PERSON);
    const { url, requested } = await serveArtifacts(person.artifacts);
    const prove = await (await importOurs())(person, { artifactsUrl: url });
    await prove();
    if (requested.size === 0) throw new Error('The proof requested no file.');
    const wasm = wasmOfBuild();
    // If the bundles for pages and for Node contain the same module, a page fetches it once.
    const once = new Map([...requested.values(), ...wasm].map((bytes) => [bytes.toString('base64'), bytes]));
    return { value: [...once.values()].reduce((sum, bytes) => sum + compressed(bytes), 0) };
  },
});

/** Returns wasm files of the built SDK, and wasm that is inside its code in base64. */
function wasmOfBuild() {
  const folder = dirname(fileURLToPath(import.meta.resolve('@service/sdk')));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.flatMap((file) => {
    if (file.endsWith('.wasm')) return [readFileSync(join(folder, file))];
    if (!file.endsWith('.js') || file === 'command.js') return [];
    const inside = readFileSync(join(folder, file), 'utf8').match(/AGFzbQ[A-Za-z0-9+/]{200,}/g) ?? [];
    return inside.map((text) => Buffer.from(text, 'base64'));
  });
}

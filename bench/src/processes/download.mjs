/** Lists what the SDK fetches for a first proof. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { answer } from './answer.mjs';

const { BROTLI_PARAM_QUALITY, BROTLI_MAX_QUALITY } = constants;
const compressed = (bytes) =>
  brotliCompressSync(bytes, { params: { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY } }).length;

answer({
  /** Brotli bytes of the files that a proof fetches, and of wasm in the build, which a page fetches with the code. */
  async bytes() {
    const { importOurs } = await import('./our-proof.mjs');
    const prove = await (await importOurs())(JSON.parse(process.env.BENCH_PERSON), { isDownloaded: true });
    const files = new Map();
    const { fetch } = globalThis;
    globalThis.fetch = async (...request) => {
      const response = await fetch(...request);
      files.set(String(request[0]?.url ?? request[0]), response.clone().arrayBuffer());
      return response;
    };
    await prove();
    if (files.size === 0) throw new Error('The proof fetched nothing that this process can see.');
    const fetched = (await Promise.all(files.values())).map((bytes) => new Uint8Array(bytes));
    return { value: [...fetched, ...wasmOfBuild()].reduce((sum, bytes) => sum + compressed(bytes), 0) };
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

import { expect, it } from 'vitest';
import { readJson } from './read-body.ts';

/** A body that reuses one array for all pieces, so a reader that keeps pieces without a copy gets the last one again. */
function inPieces(text: string, size: number): Response {
  const bytes = new TextEncoder().encode(text);
  const piece = new Uint8Array(size);
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        const part = bytes.subarray(at, at + size);
        piece.set(part);
        at += size;
        controller.enqueue(piece.subarray(0, part.length));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

it.each([
  [1, 1_000],
  [3, 1_000],
  [5_000, 40_000],
  [40_000, 100_000],
])('joins a body in pieces of %i bytes, and copies each piece', async (size, length) => {
  const value = Array.from({ length: length / 10 }, (_, index) => String(index).padStart(7, '0'));
  expect(await readJson(inPieces(JSON.stringify(value), size))).toEqual(value);
});

it('accepts a body up to the limit, and not one byte more', async () => {
  const text = JSON.stringify('a'.repeat(20_000));
  expect(await readJson(inPieces(text, 7_000), text.length)).toBe(JSON.parse(text));
  expect(await readJson(inPieces(text, 7_000), text.length - 1)).toBeUndefined();
});

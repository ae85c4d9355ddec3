/** Sources of random numbers that do not work, each as `crypto.getRandomValues`. */
type Source = (bytes: Uint8Array) => Uint8Array;

/** Returns a source that counts: each draw differs from all before, and the next source returns the same ones. */
export function countingSource(period = Number.POSITIVE_INFINITY): Source {
  let draws = 0;
  return (bytes) => {
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, (draws % period) + 1);
    draws += 1;
    return bytes;
  };
}

/** Sources that the first proof refuses. */
export const DEAD_SOURCES: readonly (readonly [name: string, source: Source | undefined])[] = [
  ['is missing', undefined],
  ['writes nothing', (bytes) => bytes],
  ['writes zeros', (bytes) => bytes.fill(0)],
  ['writes one byte', (bytes) => bytes.fill(0x5e)],
  ['always writes the same bytes', countingSource(1)],
  [
    'throws',
    () => {
      throw new Error('no entropy');
    },
  ],
];

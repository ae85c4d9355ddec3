/** Bodies that no honest service sends. */

const encode = (text: string) => new TextEncoder().encode(text);

/** Far past every limit: a client that has none fails its test, and not the machine. */
const MOST_CHUNKS = 256;

/** A body that begins and goes on for as good as ever. */
export function endless(begin: string, more: string, signal: AbortSignal): ReadableStream<Uint8Array> {
  const chunk = encode(more.repeat(256 * 1024));
  let count = 0;
  return new ReadableStream<Uint8Array>({
    start: (controller) => endOn(signal, controller),
    pull(controller) {
      controller.enqueue(count === 0 ? encode(begin) : chunk.slice());
      count += 1;
      if (count > MOST_CHUNKS) controller.close();
    },
  });
}

/** A body that begins and then says nothing more. */
export function stalled(begin: string, signal: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      endOn(signal, controller);
      controller.enqueue(encode(begin));
    },
  });
}

/** What a real connection does when its request is aborted. */
function endOn(signal: AbortSignal, controller: ReadableStreamDefaultController<Uint8Array>): void {
  signal.addEventListener(
    'abort',
    () => {
      try {
        controller.error(signal.reason);
      } catch {
        // It was read to its end, or cancelled.
      }
    },
    { once: true },
  );
}

/** Bodies that do not end. */

const encode = (text: string) => new TextEncoder().encode(text);

/** Stops far above every limit, so that a client without a limit fails its test and does not exhaust the machine. */
const MAX_CHUNKS = 256;

/** Returns a body that begins and then practically never ends. */
export function endless(begin: string, more: string, signal: AbortSignal): ReadableStream<Uint8Array> {
  const chunk = encode(more.repeat(256 * 1024));
  let count = 0;
  return new ReadableStream<Uint8Array>({
    start: (controller) => endOn(signal, controller),
    pull(controller) {
      controller.enqueue(count === 0 ? encode(begin) : chunk.slice());
      count += 1;
      if (count > MAX_CHUNKS) controller.close();
    },
  });
}

/** Returns a body that begins and then stops arriving. */
export function stalled(begin: string, signal: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      endOn(signal, controller);
      controller.enqueue(encode(begin));
    },
  });
}

/** Ends the body with an error when the request is aborted, as a real connection does. */
function endOn(signal: AbortSignal, controller: ReadableStreamDefaultController<Uint8Array>): void {
  signal.addEventListener(
    'abort',
    () => {
      try {
        controller.error(signal.reason);
      } catch {
        // The body was read to its end or cancelled.
      }
    },
    { once: true },
  );
}

/** One open stream of server-sent events, with a bounded buffer. */

/** Bytes that wait for a reader at most. A slower reader is disconnected, and resumes after the last event that it has. */
export const MAX_BUFFERED_BYTES = 256 * 1_024;

/** Whose events a stream has. */
export type Audience =
  | { readonly wallet: null }
  | {
      readonly wallet: string;
      /** The session that it belongs to, and its end in Unix milliseconds. */
      readonly session: string;
      readonly expiresAt: number;
    };

/** A stream. Its body ends with `end`, and fails with `cut`. */
export class EventStream {
  readonly audience: Audience;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The position of the last event that it has; null until it has every older one. */
  position: bigint | null = null;
  #controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  #isOpen = true;
  #onClose: (stream: EventStream) => void;
  #wake: () => void = () => undefined;

  constructor(audience: Audience, onClose: (stream: EventStream) => void) {
    this.audience = audience;
    this.#onClose = onClose;
    this.body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#wake(),
        // The reader disconnected.
        cancel: () => this.#close(),
      },
      { highWaterMark: MAX_BUFFERED_BYTES, size: ({ length }) => length },
    );
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Sends text, or cuts the stream if its buffer is full. */
  send(text: string): void {
    if (!this.#isOpen) return;
    if (this.#hasRoom) this.#controller.enqueue(new TextEncoder().encode(text));
    else this.cut();
  }

  /** Waits until the buffer has room, or the stream is closed. */
  async room(): Promise<void> {
    while (this.#isOpen && !this.#hasRoom) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Ends the stream after what is in its buffer. */
  end(): void {
    if (!this.#isOpen) return;
    this.#controller.close();
    this.#close();
  }

  /** Disconnects the reader at once, without what is in the buffer. */
  cut(): void {
    if (!this.#isOpen) return;
    this.#controller.error(new Error('The reader of the event stream is too slow.'));
    this.#close();
  }

  get #hasRoom(): boolean {
    return (this.#controller.desiredSize ?? 0) > 0;
  }

  #close(): void {
    this.#isOpen = false;
    this.#wake();
    this.#onClose(this);
  }
}

/** One open stream of server-sent events, with a bounded buffer. */

/** Bytes that may wait for a reader. The last message may exceed it. */
export const MAX_BUFFERED_BYTES = 256 * 1_024;

/** A signed-in wallet that reads its own events. */
export interface Visitor {
  readonly wallet: string;
  /** The session that the stream belongs to, and its end in Unix milliseconds. */
  readonly session: string;
  readonly expiresAt: number;
  /** The network address under which the stream is counted. */
  readonly address: string;
}

/** Whose events a stream has: those of one wallet, or those of all wallets for the backend. */
export type Audience = Visitor | { readonly wallet: null };

/** A stream. Its body ends with `end`, and fails with `cut`. */
export class EventStream {
  readonly audience: Audience;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The stream has every event of its audience up to this position; null while it catches up. */
  position: bigint | null = null;
  #controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  #isOpen = true;
  #onClose: (stream: EventStream) => void;
  #wake: () => void = () => undefined;
  #sentBytes = 0;
  /** The bytes that the reader had taken at the last beat; null if there was room. */
  #takenBytes: number | null = null;

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

  get hasRoom(): boolean {
    return this.#freeBytes > 0;
  }

  /** Waits until the buffer has room, or the stream is closed. */
  async room(): Promise<void> {
    while (this.#isOpen && !this.hasRoom) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Sends text, even without room: check `hasRoom` first. Does nothing if the stream is closed. */
  send(text: string): void {
    if (!this.#isOpen) return;
    const bytes = new TextEncoder().encode(text);
    this.#controller.enqueue(bytes);
    this.#sentBytes += bytes.length;
  }

  /** Sends a comment. Without room, cuts the stream if its reader has taken nothing since the last beat without room. */
  beat(): void {
    const takenBytes = this.hasRoom ? null : this.#sentBytes - MAX_BUFFERED_BYTES + this.#freeBytes;
    if (takenBytes === null) this.send(': \n\n');
    else if (takenBytes === this.#takenBytes) this.cut();
    this.#takenBytes = takenBytes;
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
    this.#controller.error(new Error('The service cut the event stream.'));
    this.#close();
  }

  get #freeBytes(): number {
    return this.#controller.desiredSize ?? 0;
  }

  #close(): void {
    this.#isOpen = false;
    this.#wake();
    this.#onClose(this);
  }
}

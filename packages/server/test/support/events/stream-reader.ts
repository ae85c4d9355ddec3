/** Reads server-sent events of an app in this process, or of a service over HTTP. */

/** A message of a stream. */
export interface StreamMessage {
  readonly id: string;
  readonly event: string;
  readonly data: { id: string; type: string; wallet: string; data: Record<string, unknown> };
}

/** An open stream. */
export interface StreamReader {
  /** Every message that came, and every comment. */
  readonly messages: StreamMessage[];
  readonly comments: string[];
  /** The id that the reader would send to resume. By the HTML standard, a block without data sets it too. */
  readonly lastEventId: string;
  /** Reads what is in the buffer. Resolves to false if the stream has ended. */
  read(): Promise<boolean>;
  /** Reads until there are this many messages, or the stream has ended. */
  readUntil(count: number): Promise<StreamMessage[]>;
  /** Reads until the stream ends. Rejects if it was cut. */
  readToEnd(): Promise<void>;
  cancel(): Promise<void>;
}

/** Reads the body of a response. */
export function readStream(response: Response): StreamReader {
  if (response.status !== 200) throw new Error(`The stream has the status ${response.status}.`);
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let lastEventId = '';
  const stream: StreamReader = {
    messages: [],
    comments: [],
    get lastEventId() {
      return lastEventId;
    },
    async read() {
      const { done, value } = await reader.read();
      if (done) return false;
      const blocks = `${rest}${decoder.decode(value, { stream: true })}`.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        );
        lastEventId = fields.id ?? lastEventId;
        if (block.startsWith(':')) stream.comments.push(block);
        else if (fields.data) {
          stream.messages.push({ id: fields.id!, event: fields.event!, data: JSON.parse(fields.data) });
        }
      }
      return true;
    },
    async readUntil(count) {
      while (stream.messages.length < count && (await stream.read()));
      return stream.messages;
    },
    async readToEnd() {
      while (await stream.read());
    },
    cancel: () => reader.cancel(),
  };
  return stream;
}

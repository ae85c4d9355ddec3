/** The events that the program logs, read by the IDL. */
import { getAddressDecoder, type ReadonlyUint8Array } from '@solana/kit';
import idl from '../../idl.json' with { type: 'json' };
import type { Outcome } from './outcome.ts';

/** An event: its name in the IDL and its fields. */
export type Event = { readonly event: string } & Readonly<Record<string, string | bigint | Uint8Array>>;

/** The events of a transaction in order. Throws when one is not as the IDL says. */
export function eventsOf({ logs }: Pick<Outcome, 'logs'>): Event[] {
  const lines = logs.flatMap((log) => /^Program data: (\S+)$/.exec(log)?.[1] ?? []);
  return lines.map((line) => read(Uint8Array.from(Buffer.from(line, 'base64'))));
}

function read(data: Uint8Array): Event {
  const found = idl.program.events.find(
    ({ discriminators }) => discriminators[0]!.constant.value.number === data[0],
  );
  if (!found) throw new Error(`The IDL has no event ${data[0]}.`);
  const event: Record<string, string | bigint | Uint8Array> = { event: found.name };
  let offset = 1;
  for (const { name, type } of found.data.fields.slice(1)) {
    const [bytes, value] = field(type, data, offset);
    event[name] = value;
    offset += bytes;
  }
  if (offset !== data.length) throw new Error(`${found.name} has ${data.length} bytes, not ${offset}.`);
  return event as Event;
}

function field(
  { kind, format }: { kind: string; format?: string },
  data: Uint8Array,
  offset: number,
): [bytes: number, value: Event[string]] {
  const bytes = data.slice(offset, offset + 32) as ReadonlyUint8Array;
  if (format === 'u8') return [1, BigInt(data[offset]!)];
  if (kind === 'publicKeyTypeNode') return [32, getAddressDecoder().decode(bytes)];
  if (kind === 'fixedSizeTypeNode') return [32, Uint8Array.from(bytes)];
  if (kind === 'numberTypeNode') return [8, new DataView(data.buffer).getBigUint64(offset, true)];
  throw new Error(`No event has a field of ${kind}.`);
}

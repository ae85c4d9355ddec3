/** Gets a write ready to sign ahead of the click. */
import type { Address } from '@solana/kit';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isServiceError } from '../errors.ts';
import { withEither } from '../lib/clock.ts';
import type { WriteOptions } from '../operations/writes.ts';
import { useSnapshot } from './provider.ts';

/**
 * How far the write is that `prepare` gets ready:
 *
 * | value | meaning |
 * |---|---|
 * | `none` | nothing is prepared, or the person has confirmed it |
 * | `preparing` | the write is being prepared and checked |
 * | `ready` | `mutate` or `prove` with an equal request asks the wallet in the same task |
 * | `expired` | it is no longer ready, after at most 30 seconds. `mutate` or `prove` prepares it again before it asks |
 * | `failed` | it could not be prepared. `mutate` or `prove` tries again |
 */
export type Readiness = 'none' | 'preparing' | 'ready' | 'expired' | 'failed';

/** A write that waits for the person. */
interface Waiting<TData> extends Consent {
  readonly key: string;
  readonly cancel: AbortController;
  readiness: Readiness;
  ended?: Promise<TData>;
}

/** What a write needs to wait for the person. */
type Ahead = Required<Pick<WriteOptions, 'onReady' | 'signal'>>;

/** Whether the person wants a write to be signed. */
export interface Consent {
  /** Resolves once the person wants it. */
  readonly given: Promise<void>;
  /** Notes that the person wants it. */
  readonly give: () => void;
}

/** Returns a consent that is not given yet. */
export function newConsent(): Consent {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}

/** Returns a text that is equal for equal requests. */
export function keyOf(request: unknown): string {
  return JSON.stringify(request, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** Returns the readiness of a write that ended with this error before anybody confirmed it. */
export const readinessAfter = (error: unknown): Readiness =>
  isServiceError(error, 'DRAFT_EXPIRED') ? 'expired' : 'failed';

/**
 * Calls `discard` when the component unmounts, when the wallet or an option changes, such as the priority fee, and when the
 * session ends or changes.
 */
export function useDiscard(discard: () => void, wallet: Address | undefined, options: WriteOptions): void {
  const { wallet: signedIn } = useSnapshot();
  const asked = keyOf([wallet, options]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of what was asked for discards too.
  useEffect(() => discard, [discard, asked]);
  // After a page load, the client learns who is signed in while it prepares.
  useEffect(() => (signedIn ? discard : undefined), [discard, signedIn]);
}

/**
 * Returns `prepare` and its `readiness`. `confirm` lets the prepared write of an equal request be signed and returns its
 * end; it discards any other one and returns undefined. While a call of `busy` runs, `prepare` does nothing.
 */
export function usePreparation<TData, TVariables>(
  wallet: Address | undefined,
  start: (request: TVariables, ahead: Ahead) => Promise<TData>,
  options: WriteOptions,
) {
  const [readiness, show] = useState<Readiness>('none');
  const waiting = useRef<Waiting<TData> | null>(null);
  const underWay = useRef({ writes: 0 });
  const discard = useCallback(() => {
    waiting.current?.cancel.abort();
    waiting.current = null;
    underWay.current = { writes: 0 };
    show('none');
  }, []);
  useDiscard(discard, wallet, options);

  const prepare = (request: TVariables | null) => {
    const before = waiting.current;
    const key = request === null ? null : keyOf(request);
    if (underWay.current.writes > 0 || (before?.key === key && before?.readiness !== 'expired')) return;
    discard();
    if (request === null || key === null) return;
    const own: Waiting<TData> = {
      ...newConsent(),
      key,
      cancel: new AbortController(),
      readiness: 'preparing',
    };
    waiting.current = own;
    const note = (next: Readiness) => {
      own.readiness = next;
      if (waiting.current === own) show(next);
    };
    note('preparing');
    const onReady = () => {
      note('ready');
      return own.given;
    };
    const either = options.signal ?? own.cancel.signal;
    own.ended = withEither(either, own.cancel.signal, (signal) => start(request, { onReady, signal }));
    own.ended.catch((error: unknown) => note(readinessAfter(error)));
  };
  const confirm = (request: TVariables): Promise<TData> | undefined => {
    const own = waiting.current;
    waiting.current = null;
    show('none');
    if (!own) return undefined;
    if (own.key === keyOf(request) && ['preparing', 'ready'].includes(own.readiness)) {
      own.give();
      return own.ended;
    }
    own.cancel.abort();
    return undefined;
  };
  const busy = async (write: () => Promise<TData>): Promise<TData> => {
    const own = underWay.current;
    own.writes += 1;
    try {
      return await write();
    } finally {
      own.writes -= 1;
    }
  };
  return { prepare, readiness, confirm, busy };
}

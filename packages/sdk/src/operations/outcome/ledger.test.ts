import type { Address, Signature } from '@solana/kit';
import { describe, expect, it, vi } from 'vitest';
import { Ledger, type LedgerState, MOST_REMEMBERED, type SignedOperation } from './ledger.ts';

const ID = 'an-operation';
const WALLET = 'a-wallet' as Address;

const signed = (operationId = ID, wallet = WALLET): SignedOperation => ({
  operationId,
  kind: 'TRANSFER',
  wallet,
  signature: `signature of ${operationId}` as Signature,
  signedAtSlot: 1n,
  lastValidBlockHeight: 151n,
});

const held = (operationId = ID) => ({
  operationId,
  wallet: WALLET,
  signedAtSlot: 1n,
  signature: undefined,
  nonce: undefined,
});

const changes = {
  draft: (ledger: Ledger, id: string) => ledger.draft(id, { isPrivate: true, deadline: 90_000 }),
  ask: (ledger: Ledger, id: string) => ledger.ask(id, WALLET),
  withdraw: (ledger: Ledger, id: string) => ledger.withdraw(id),
  leave: (ledger: Ledger, id: string) => ledger.leave(id),
  hold: (ledger: Ledger, id: string) => ledger.hold(held(id)),
  send: (ledger: Ledger, id: string) => ledger.send(signed(id)),
  end: (ledger: Ledger, id: string) => ledger.end(id),
  expire: (ledger: Ledger, id: string) => ledger.expire(id),
};
type Change = keyof typeof changes;

/** The changes that lead to each state. */
const paths: Record<LedgerState | 'unknown', readonly Change[]> = {
  unknown: [],
  DRAFT: ['draft'],
  ASKING: ['draft', 'ask'],
  UNANSWERED: ['draft', 'ask', 'leave'],
  HELD: ['draft', 'ask', 'hold'],
  SENT: ['draft', 'ask', 'send'],
  ENDED: ['draft', 'ask', 'send', 'end'],
  EXPIRED: ['draft', 'expire'],
};

/** Returns a ledger whose operation is in a state. */
function ledgerIn(state: keyof typeof paths, ledger = new Ledger(), id = ID): Ledger {
  for (const change of paths[state]) changes[change](ledger, id);
  return ledger;
}

/** Returns a ledger with a draft under a key of the caller. */
function withSharedDraft(): Ledger {
  const ledger = new Ledger();
  ledger.draft(ID, { isPrivate: false, deadline: 90_000 });
  return ledger;
}

describe('a change', () => {
  const NO = undefined;
  // The columns are the changes, in their order.
  const table: Record<keyof typeof paths, readonly (LedgerState | undefined)[]> = {
    unknown: ['DRAFT', NO, NO, NO, NO, NO, 'ENDED', 'EXPIRED'],
    DRAFT: ['DRAFT', 'ASKING', NO, NO, NO, NO, 'ENDED', 'EXPIRED'],
    ASKING: ['ASKING', NO, 'DRAFT', 'UNANSWERED', 'HELD', 'SENT', 'ENDED', NO],
    UNANSWERED: ['UNANSWERED', NO, 'DRAFT', NO, 'HELD', NO, 'ENDED', 'EXPIRED'],
    HELD: ['HELD', NO, NO, NO, NO, NO, 'ENDED', 'EXPIRED'],
    SENT: [NO, NO, NO, NO, NO, NO, 'ENDED', NO],
    ENDED: [NO, NO, 'ENDED', 'ENDED', 'ENDED', NO, 'ENDED', NO],
    EXPIRED: ['EXPIRED', NO, 'EXPIRED', 'EXPIRED', 'EXPIRED', NO, 'ENDED', 'EXPIRED'],
  };
  const rows = Object.entries(table).flatMap(([from, row]) =>
    Object.keys(changes).map((change, index) => ({ from, change, to: row[index] })),
  ) as { from: keyof typeof paths; change: Change; to: LedgerState | undefined }[];
  const allowed = rows.filter(({ to }) => to !== undefined);
  const forbidden = rows.filter(({ to }) => to === undefined);

  it.each(allowed)('$change of an operation that is $from makes it $to', ({ from, change, to }) => {
    const ledger = ledgerIn(from);
    changes[change](ledger, ID);
    expect(ledger.stateOf(ID)).toBe(to);
  });

  it.each(forbidden)('$change of an operation that is $from throws and has no effect', ({ from, change }) => {
    const ledger = ledgerIn(from);
    const before = ledger.stateOf(ID);
    const message = `${change} is not allowed of ${ID}, which is ${before}`;
    expect(() => changes[change](ledger, ID)).toThrow(message);
    expect(ledger.stateOf(ID)).toBe(before);
  });

  it('asks a wallet for one operation at a time', () => {
    const ledger = ledgerIn('ASKING');
    ledger.draft('another', { isPrivate: true, deadline: 90_000 });
    expect(() => ledger.ask('another', WALLET)).toThrow('not allowed');
    ledger.ask('another', 'another-wallet' as Address);
    expect(ledger.stateOf('another')).toBe('ASKING');
  });
});

describe('a question', () => {
  const answers = (ledger: Ledger) => ({
    wasSent: ledger.wasSent(ID),
    isUnsigned: ledger.isUnsigned(ID),
    isOver: ledger.isOver(ID),
    isAsked: ledger.isAsked(WALLET),
    inFlight: ledger.inFlight(WALLET).length,
    held: ledger.held(WALLET).length,
    hasRecord: ledger.signedOperation(ID) !== undefined,
  });
  const no = { wasSent: false, isUnsigned: false, isOver: false, isAsked: false };
  const nothing = { ...no, inFlight: 0, held: 0, hasRecord: false };

  it.each<[keyof typeof paths, Partial<typeof nothing>]>([
    ['unknown', {}],
    ['DRAFT', { isUnsigned: true }],
    ['ASKING', { isAsked: true }],
    ['UNANSWERED', {}],
    ['HELD', { held: 1 }],
    ['SENT', { wasSent: true, inFlight: 1, hasRecord: true }],
    ['ENDED', { wasSent: true, isOver: true, hasRecord: true }],
    ['EXPIRED', { isUnsigned: true, isOver: true }],
  ])('about an operation that is %s is answered by its state', (state, expected) => {
    expect(answers(ledgerIn(state))).toEqual({ ...nothing, ...expected });
  });

  it('about held transactions is answered until they are released, also after the end of the operation', () => {
    for (const change of ['end', 'expire'] as const) {
      const ledger = ledgerIn('HELD');
      changes[change](ledger, ID);
      expect(ledger.held(WALLET)).toEqual([held()]);
      ledger.release(ID);
      expect(ledger.held(WALLET)).toEqual([]);
      expect(ledger.isOver(ID)).toBe(true);
    }
  });

  it.each(['ENDED', 'EXPIRED'] as const)(
    'about an answer that came when the operation was %s has it',
    (state) => {
      const ledger = ledgerIn(state);
      ledger.hold(held());
      expect(ledger.heldTransaction(ID)).toEqual(held());
      expect(ledger.held('another-wallet' as Address)).toEqual([]);
    },
  );

  it('about the operations in flight returns those of the wallet', () => {
    const ledger = ledgerIn('SENT');
    ledger.draft('other', { isPrivate: true, deadline: 90_000 });
    ledger.ask('other', 'other-wallet' as Address);
    ledger.send(signed('other', 'other-wallet' as Address));
    expect(ledger.inFlight(WALLET)).toEqual([signed()]);
  });

  it('about what another client signed has no record', () => {
    const ledger = ledgerIn('unknown');
    ledger.end(ID);
    expect(answers(ledger)).toEqual({ ...nothing, wasSent: true, isOver: true });
  });
});

describe('a draft under a key of the caller', () => {
  it('is not known to be unsigned after a search that found nothing', () => {
    const ledger = withSharedDraft();
    ledger.expire(ID);
    expect(ledger.isUnsigned(ID)).toBe(false);
    expect(() => ledger.ask(ID, WALLET)).toThrow();
  });

  it('is not known to be unsigned, because another page may have the key', () => {
    expect(withSharedDraft().isUnsigned(ID)).toBe(false);
  });

  it('stays shared when it is prepared again or withdrawn from the wallet', () => {
    const ledger = withSharedDraft();
    ledger.draft(ID, { isPrivate: true, deadline: 90_000 });
    expect(ledger.isUnsigned(ID)).toBe(false);
    ledger.ask(ID, WALLET);
    ledger.withdraw(ID);
    expect(ledger.isUnsigned(ID)).toBe(false);
  });
});

describe('an idempotency key', () => {
  it('identifies the first operation that used it, for each wallet', () => {
    const ledger = new Ledger();
    const key = { wallet: WALLET, key: 'payment-1' };
    expect(ledger.operationUnder(key, 'first')).toBe('first');
    expect(ledger.operationUnder(key, 'second')).toBe('first');
    expect(ledger.operationUnder({ ...key, wallet: 'other' as Address }, 'second')).toBe('second');
  });
});

describe('memory', () => {
  it('does not grow with operations that have ended', () => {
    const onOver = vi.fn();
    const ledger = new Ledger(onOver);
    const count = 3 * MOST_REMEMBERED;
    for (let index = 0; index < count; index += 1) {
      ledgerIn('ENDED', ledger, `operation-${index}`);
      ledger.operationUnder({ wallet: WALLET, key: `key-${index}` }, `operation-${index}`);
    }
    expect(ledger.openCount).toBe(0);
    expect(onOver).toHaveBeenCalledTimes(count);
    const known = Array.from({ length: count }, (_, index) => ledger.wasSent(`operation-${index}`));
    expect(known.filter(Boolean)).toHaveLength(MOST_REMEMBERED);
    expect(known.slice(-MOST_REMEMBERED).every(Boolean)).toBe(true);
    // The oldest key is dropped too, and the newest is not.
    const operationOf = (index: number) =>
      ledger.operationUnder({ wallet: WALLET, key: `key-${index}` }, 'new');
    expect(operationOf(count - 1)).toBe(`operation-${count - 1}`);
    expect(operationOf(0)).toBe('new');
  });

  it('drops the oldest drafts that nobody signs, and nothing that was sent', () => {
    const ledger = ledgerIn('SENT');
    for (let index = 0; index <= MOST_REMEMBERED; index += 1) {
      ledger.draft(`draft-${index}`, { isPrivate: true, deadline: 90_000 });
    }
    expect(ledger.openCount).toBe(MOST_REMEMBERED);
    expect(ledger.stateOf(ID)).toBe('SENT');
    expect(ledger.stateOf('draft-0')).toBeUndefined();
    // What was dropped cannot be signed.
    expect(() => ledger.ask('draft-0', WALLET)).toThrow('not allowed');
    expect(ledger.isUnsigned(`draft-${MOST_REMEMBERED}`)).toBe(true);
  });
});

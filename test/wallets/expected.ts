/**
 * What happens with each simulated wallet, the message for the developer, and what to tell the person. The tests run each
 * write and compare. `npm run generate` makes the tables of the docs from this file.
 */
import type { SimulatedWalletId } from '@service/testing';
import type { Mode, Observed, WriteKind } from './play.ts';

/** What a write must do. */
export interface Expected
  extends Pick<Observed, 'outcome' | 'told' | 'next' | 'signed' | 'landed' | 'failed' | 'guards' | 'known'> {
  /** Whether the wallet pays for priority. */
  readonly paysPriority: boolean;
}

/** What a wallet must do in both modes, and the advice in the docs. */
export interface ExpectedWallet extends Readonly<Record<Mode, (kind: WriteKind) => Expected>> {
  /** What to tell the person. */
  readonly person: string;
  /** What the developer can do. */
  readonly developer: string;
  /** Whether the outcome depends on the program of the guards, which some clusters do not have. */
  readonly needsGuardProgram?: boolean;
}

const NOTHING = {
  told: null,
  next: null,
  signed: 1,
  landed: 0,
  failed: 0,
  guards: 0,
  known: null,
  paysPriority: false,
} as const;

/** The wallet is not asked: it cannot be connected, or cannot sign in. */
const unusable = (outcome: string, told: string) => () => ({ ...NOTHING, outcome, told, signed: 0 });

/** The write is final, and every page finds it. */
const lands = { ...NOTHING, outcome: 'FINALIZED', landed: 1, known: 'INDEXED' } as const;

const IN_TWO_MINUTES = 'so wait about two minutes';
const AFTER_THE_NONCE = 'and it never expires: it has the durable nonce of (address). Advance that nonce';

/** The client sends nothing. The same page waits until nothing of it can land. */
function refused(changes: string, remedy: string, reason?: string, repeat = IN_TWO_MINUTES): Expected {
  const why = reason ? ` This change is not accepted, because the wallet ${reason}.` : '';
  return {
    ...NOTHING,
    outcome: 'WALLET_CHANGED_TRANSACTION',
    told: `The wallet changed the transaction: it ${changes}.${why} The service accepts only what it prepared. ${remedy} This client sent nothing. The wallet can still send what it signed, ${repeat} before you repeat the call.`,
    next: 'SIGNED_OPERATION_PENDING',
  };
}

/** The transaction fails on the chain and costs its fee. */
function fails(why: string, remedy: string): Expected {
  return {
    ...NOTHING,
    outcome: 'OPERATION_FAILED',
    told: `The operation (operation) failed: the chain refused it${why}. Nothing changed but the network fee.${remedy}`,
    next: 'READY',
    landed: 1,
    failed: 1,
    known: 'FAILED',
  };
}

/** Both of two transactions land. What can be done only once is done by the one that the client does not follow. */
const landsTwice = (kind: WriteKind): Expected => {
  const both = { signed: 2, landed: 2, guards: 1 };
  if (kind === 'ISSUE' || kind === 'TRANSFER') return { ...lands, ...both };
  const [name, remedy] =
    kind === 'PROVE'
      ? ['PASS_RENEWAL_TOO_EARLY', ' client.checkProof reports why.']
      : ['ALREADY_INITIALIZED', ''];
  return { ...fails(` with ${name} ((number)) in instruction 1`, remedy), ...both };
};

const LIMIT = 'added a limit of (number) compute units (Compute Budget)';
const PRICE = 'added a priority fee of (number) micro-lamports for each compute unit (Compute Budget)';
const GUARD = 'added a guard instruction of Lighthouse (L2TE…)';
const INSTRUCTION = 'added an instruction of the program (address)';
const BLOCKHASH = 'replaced the blockhash (address) with (address)';
const changed = (part: string) => `changed the transaction itself: ${part}`;

const OTHER_WALLET = 'Use another wallet.';
const PASS_GUARDS = 'To accept such a wallet, pass guards: true.';
const PASS_FEE = 'To accept such a wallet, pass maxPriorityFeeLamports.';
const PASS_BOTH = 'To accept such a wallet, pass guards: true and maxPriorityFeeLamports.';
const CHANGE_LIMITS = 'To accept this change, adjust maxPriorityFeeLamports. Otherwise, use another wallet.';
const MORE = 'added more than guards and a compute budget';

/** A wallet whose change is rejected, whatever the caller allows. */
function alwaysRefused(changes: string, reason: string, repeat?: string) {
  return {
    defaults: () => refused(changes, OTHER_WALLET, undefined, repeat),
    allowed: () => refused(changes, OTHER_WALLET, reason, repeat),
  };
}

/** A wallet that works either way. */
const always = (expected: (kind: WriteKind) => Expected) => ({ defaults: expected, allowed: expected });

const isOfToken = (kind: WriteKind) => kind === 'ISSUE' || kind === 'TRANSFER';

const SENT_AGAIN =
  'Your wallet returned a different transaction from the one you were shown. Use another wallet.';
const NO_DEFENSE = 'Nothing. A wallet has the key, so no site can prevent that.';

/** Every wallet. */
export const EXPECTED: Readonly<Record<SimulatedWalletId, ExpectedWallet>> = {
  'phantom-2026-01': {
    defaults: () => refused(`${LIMIT}, and ${PRICE}, and ${GUARD}`, PASS_BOTH),
    allowed: () => ({ ...lands, guards: 1, paysPriority: true }),
    person: '"Confirm in your wallet. It adds a priority fee and a protection."',
    developer: 'Pass `guards: true` and `maxPriorityFeeLamports`.',
    needsGuardProgram: true,
  },
  'phantom-2026-08': {
    defaults: (kind) =>
      refused(`${LIMIT}, and ${PRICE}, and ${GUARD}, ${isOfToken(kind) ? 4 : 2} times`, PASS_BOTH),
    allowed: (kind) => ({ ...lands, guards: isOfToken(kind) ? 4 : 2, paysPriority: true }),
    person: '"Confirm in your wallet. It adds a priority fee and a protection."',
    developer: 'Pass `guards: true` and `maxPriorityFeeLamports`.',
    needsGuardProgram: true,
  },
  solflare: {
    defaults: () => refused(`${LIMIT}, and ${GUARD}, 2 times`, PASS_GUARDS),
    allowed: () => ({ ...lands, guards: 2 }),
    person: '"Confirm in your wallet. It adds a protection."',
    developer: 'Pass `guards: true`.',
    needsGuardProgram: true,
  },
  seeker: {
    ...alwaysRefused(
      `${BLOCKHASH}, and ${LIMIT}, and ${PRICE}, and ${GUARD}, and ${INSTRUCTION}`,
      'replaced the blockhash',
    ),
    person:
      '"This wallet changes the transaction in a way that this site cannot accept. Use another wallet."',
    developer: 'Offer another wallet before the person starts.',
    needsGuardProgram: true,
  },
  backpack: {
    ...always(() => lands),
    person: 'nothing',
    developer: 'Nothing.',
  },
  'ledger-without-messages': {
    ...always(
      unusable(
        'WALLET_CANNOT_SIGN_MESSAGES',
        'The wallet object of (wallet) has no signMessage, which signing in needs. Pass one that has it: a kit signer of messages and transactions, or { address, signMessage, signTransaction }. If it comes from standardWallet, the account itself cannot sign messages: let the person sign in with another account or wallet. The wallet was not asked.',
      ),
    ),
    person: '"This account cannot sign in here. Choose another account or wallet."',
    developer: 'Let the person sign in with an account that signs messages.',
  },
  'signs-and-sends-only': {
    ...always(
      unusable(
        'INVALID_ARGUMENT',
        'The wallet "A wallet that sends what it signs" cannot be used: it has no solana:signTransaction for this account. Let the person choose another account or wallet.',
      ),
    ),
    person: '"This wallet cannot be used here. Choose another wallet."',
    developer: 'List only wallets with `solana:signTransaction`, because the service broadcasts.',
  },
  'fresh-blockhash': {
    ...alwaysRefused(BLOCKHASH, 'replaced the blockhash'),
    person:
      '"Your wallet replaced the transaction with a newer one. Try again in two minutes and confirm quickly. If it happens each time, use another wallet."',
    developer: 'Offer another wallet.',
  },
  'other-amount': {
    ...alwaysRefused(changed('instruction 1, data'), 'changed what the transaction does'),
    person: `"${SENT_AGAIN}"`,
    developer: 'Nothing.',
  },
  'other-destination': {
    ...alwaysRefused(changed('instruction 1, accounts'), 'changed what the transaction does'),
    person: `"${SENT_AGAIN}"`,
    developer: 'Nothing.',
  },
  'extra-instruction': {
    ...alwaysRefused(INSTRUCTION, MORE),
    person: '"Your wallet added something to the transaction. Use another wallet."',
    developer: 'Nothing.',
  },
  'second-memo': {
    ...alwaysRefused(INSTRUCTION, MORE),
    person: '"Your wallet added something to the transaction. Use another wallet."',
    developer: 'Nothing.',
  },
  'promoted-accounts': {
    ...alwaysRefused(
      changed('instruction 1, (accounts)'),
      'changed which accounts the transaction may write to',
    ),
    person: `"${SENT_AGAIN}"`,
    developer: 'Nothing.',
  },
  'lookup-table': {
    ...alwaysRefused(changed('address lookup tables'), MORE),
    person: `"${SENT_AGAIN}"`,
    developer: 'Nothing.',
  },
  'failing-guard': {
    defaults: () => refused(GUARD, PASS_GUARDS),
    allowed: () => ({
      ...fails(
        ' with GUARD_FAILED ((number)) in instruction 2',
        ' A guard that the wallet added did not hold, for example because an account changed in the meantime. Try again. If it fails again, use another wallet.',
      ),
      guards: 1,
    }),
    person: '"Your wallet stopped the transaction. Try again. If it happens again, use another wallet."',
    developer: 'Nothing. The wallet lost the network fee.',
    needsGuardProgram: true,
  },
  'tiny-limit': {
    defaults: () => refused(LIMIT, PASS_FEE),
    allowed: () =>
      fails(
        ' in instruction (index)',
        ' No program returned an error. If the wallet set a compute limit, it may be too low: reset it in the wallet, or use another wallet.',
      ),
    person: '"The transaction failed. Reset the fee settings of your wallet, or use another wallet."',
    developer: 'Nothing. The wallet lost the network fee.',
  },
  'huge-price': {
    defaults: () => refused(PRICE, PASS_FEE),
    allowed: () =>
      refused(
        PRICE,
        CHANGE_LIMITS,
        'set a priority fee of (number) lamports, which is above the cap of (number)',
      ),
    person: '"Your wallet set a very high priority fee. Lower it in the wallet, or use another wallet."',
    developer: 'Raise `maxPriorityFeeLamports` only to what you would pay.',
  },
  'durable-nonce': {
    ...alwaysRefused(`${BLOCKHASH}, and ${INSTRUCTION}`, 'replaced the blockhash', AFTER_THE_NONCE),
    person: '"Your wallet returned a transaction that never expires. Use another wallet."',
    developer: 'Do not repeat the write with this wallet before the nonce has advanced.',
  },
  'returns-changed-sends-original': {
    defaults: () => ({
      ...refused(GUARD, PASS_GUARDS),
      next: 'OPERATION_ALREADY_SIGNED',
      signed: 2,
      landed: 1,
      known: 'ON_CHAIN',
    }),
    allowed: landsTwice,
    person: `"${SENT_AGAIN}"`,
    developer: 'Call `waitForOperation` before a new write: the client asks for it.',
    needsGuardProgram: true,
  },
  'returns-original-sends-changed': {
    ...always(landsTwice),
    person: '"Your wallet sent the transaction twice. Use another wallet."',
    developer: NO_DEFENSE,
    needsGuardProgram: true,
  },
  'answers-late': {
    ...always(() => ({
      ...NOTHING,
      outcome: 'ABORTED',
      told: 'signAndSubmit was aborted by the caller.',
      next: 'SIGNED_OPERATION_PENDING',
    })),
    person: '"Your wallet confirmed too late. Try again in about two minutes."',
    developer: 'Repeat the write after the time that the message names.',
  },
  'signs-twice': {
    defaults: () => ({ ...refused(GUARD, PASS_GUARDS), signed: 2 }),
    allowed: () => ({ ...lands, signed: 2, guards: 1 }),
    person: `"${SENT_AGAIN}"`,
    developer: NO_DEFENSE,
    needsGuardProgram: true,
  },
};

/** Lamports of rent that a write of a kind pays. */
export const RENT_LAMPORTS: Readonly<Record<WriteKind, bigint>> = {
  CREATE_RULE_SET: 4_238_640n,
  BIND_MINT: 5_206_080n,
  PROVE: 2_303_760n,
  ISSUE: 0n,
  TRANSFER: 0n,
};

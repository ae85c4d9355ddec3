/** Valid transactions that are not the one that was asked for: what a hostile service would like to have signed. */
import {
  type Intent,
  MEMO_PROGRAM,
  memoText,
  operationMessage,
  SYSTEM_PROGRAM,
  wireTransaction,
} from '@service/protocol';
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransactionMessage,
  createNoopSigner,
  createTransactionMessage,
  getCompiledTransactionMessageEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import { getAdvanceNonceAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import type { StillChain } from './_chain.ts';
import { OPERATION_ID, planOf } from './_kinds.ts';

/** An edit: what it is, and the wire transaction. */
export type Edit = readonly [name: string, wire: Uint8Array];

const COMPUTE_BUDGET = address('ComputeBudget111111111111111111111111111111');
const OLD_MEMO_PROGRAM = address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
const LOOKUP_TABLE = address('AddressLookupTab1e1111111111111111111111111');

/** The same kind of operation with another request, per field of the request. */
export async function requestEdits(chain: StillChain, intent: Intent): Promise<Edit[]> {
  const edits: Edit[] = [];
  for (const [name, changed] of changedIntents(chain, intent)) {
    const instruction = await planOf(chain, changed);
    const { wallet } = intent;
    const message = operationMessage({
      wallet,
      operationId: OPERATION_ID,
      blockhash: chain.blockhash,
      instruction,
    });
    edits.push([name, wireTransaction(message)]);
  }
  return edits;
}

function changedIntents(chain: StillChain, intent: Intent): [string, Intent][] {
  switch (intent.kind) {
    case 'CREATE_RULE_SET': {
      const clause = intent.clauses[0]!;
      return [
        ['another name', { ...intent, name: 'Acme US' }],
        ['another nonce', { ...intent, nonce: intent.nonce + 1n }],
        ['a longer pass age', { ...intent, maxPassAgeSeconds: intent.maxPassAgeSeconds + 1n }],
        ['a clause more', { ...intent, clauses: [...intent.clauses, { ...clause, minAge: 0 }] }],
        ['a region more', { ...intent, clauses: [{ ...clause, regionMask: clause.regionMask | 1n }] }],
        [
          'a region without a name',
          { ...intent, clauses: [{ ...clause, regionMask: clause.regionMask | (1n << 252n) }] },
        ],
        ['a status more', { ...intent, clauses: [{ ...clause, statusMask: clause.statusMask | 1 }] }],
        [
          'a status without a name',
          { ...intent, clauses: [{ ...clause, statusMask: (clause.statusMask | 0x80000000) >>> 0 }] },
        ],
        ['a lower age', { ...intent, clauses: [{ ...clause, minAge: 0 }] }],
      ];
    }
    case 'BIND_MINT':
      return [
        ['another mint', { ...intent, mint: chain.boundMint }],
        ['another rule set', { ...intent, rule: chain.destination }],
        ['source required', { ...intent, requireSource: !intent.requireSource }],
      ];
    case 'PROVE':
      return [
        ['another rule set', { ...intent, rule: chain.destination }],
        ['another expiry', { ...intent, expiresAt: intent.expiresAt + 1n }],
        ['another proof', { ...intent, proof: intent.proof.map((byte) => byte ^ 1) }],
      ];
    case 'ISSUE':
      return [
        ['another amount', { ...intent, amount: intent.amount * 10n }],
        ['another destination', { ...intent, destination: chain.source }],
      ];
    case 'TRANSFER':
      return [
        ['another amount', { ...intent, amount: intent.amount + 1n }],
        ['everything', { ...intent, amount: 18_446_744_073_709_551_615n }],
        [
          'source and destination swapped',
          { ...intent, source: intent.destination, destination: intent.source },
        ],
      ];
  }
}

/** The same request inside another transaction. */
export async function transactionEdits(chain: StillChain, intent: Intent): Promise<Edit[]> {
  const action = await planOf(chain, intent);
  const { wallet } = intent;
  const stranger = chain.other.address;
  const memo = (text: string, program: Address = MEMO_PROGRAM) =>
    getAddMemoInstruction({ memo: text }, { programAddress: program });
  const own = memo(memoText(OPERATION_ID));
  const drain = getTransferSolInstruction({
    source: createNoopSigner(wallet),
    destination: stranger,
    amount: 1n,
  });
  const budget = (...data: number[]): Instruction => ({
    programAddress: COMPUTE_BUDGET,
    data: Uint8Array.from(data),
  });
  const wire = (instructions: readonly Instruction[], options: BuildOptions = {}) =>
    wireTransaction(build(chain, wallet, instructions, options));
  const accounts = action.accounts ?? [];
  const withAccounts = (changed: typeof accounts) =>
    wire([own, { ...action, accounts: changed } as Instruction]);
  const nonceAdvance = getAdvanceNonceAccountInstruction({
    nonceAccount: stranger,
    nonceAuthority: createNoopSigner(wallet),
  });

  const edits: Edit[] = [
    ['an instruction appended', wire([own, action, drain])],
    ['an instruction prepended', wire([drain, own, action])],
    ['an instruction between', wire([own, drain, action])],
    ['another instruction instead', wire([own, drain])],
    ['the action twice', wire([own, action, action])],
    ['the action missing', wire([own])],
    ['the memo missing', wire([action])],
    ['the memo twice', wire([own, own, action])],
    ['the memo after the action', wire([action, own])],
    ['the memo of another operation', wire([memo(memoText('00000000-0000-4000-8000-000000000001')), action])],
    ['the memo of another version', wire([memo(`service:v2:${OPERATION_ID}`), action])],
    ['the memo in capitals', wire([memo(memoText(OPERATION_ID).toUpperCase()), action])],
    ['the memo with a space', wire([memo(`${memoText(OPERATION_ID)} `), action])],
    ['the memo through the old program', wire([memo(memoText(OPERATION_ID), OLD_MEMO_PROGRAM), action])],
    [
      'the memo signed',
      wire([{ ...own, accounts: [{ address: wallet, role: AccountRole.READONLY_SIGNER }] }, action]),
    ],
    ['a priority fee', wire([budget(3, 255, 255, 255, 255, 0, 0, 0, 0), own, action])],
    ['a compute limit', wire([budget(2, 64, 66, 15, 0), own, action])],
    [
      'an extra signer',
      withAccounts([...accounts, { address: stranger, role: AccountRole.READONLY_SIGNER }]),
    ],
    ['an extra account', withAccounts([...accounts, { address: stranger, role: AccountRole.READONLY }])],
    ['an account less', withAccounts(accounts.slice(0, -1))],
    ['another fee payer', wire([own, action], { feePayer: stranger })],
    ['a legacy message', wire([own, action], { version: 'legacy' })],
    ['an unused lookup table', wireTransaction(withLookupTable(build(chain, wallet, [own, action])))],
    ['another program', wire([own, { ...action, programAddress: SYSTEM_PROGRAM }])],
    ['data appended', wire([own, { ...action, data: Uint8Array.from([...(action.data ?? []), 0]) }])],
    ['data cut', wire([own, { ...action, data: Uint8Array.from(action.data ?? []).slice(0, -1) }])],
    ['a durable nonce', wire([nonceAdvance, own, action])],
    ['a blockhash of another cluster', wire([own, action], { blockhash: chain.deployment.genesisHash })],
    ['a byte after the message', Uint8Array.from([...wire([own, action]), 0])],
    ['a byte less', wire([own, action]).slice(0, -1)],
    [
      'a signature already there',
      wireTransaction(build(chain, wallet, [own, action]), new Uint8Array(64).fill(7)),
    ],
    ['two signatures', twoSignatures(build(chain, wallet, [own, action]))],
    ['nothing', new Uint8Array()],
  ];
  for (const [index, { role, address: key }] of accounts.entries()) {
    const label = `account ${index}`;
    const replaced = (meta: object) =>
      withAccounts(accounts.map((old, at) => (at === index ? { ...old, ...meta } : old)));
    if (key !== wallet) edits.push([`${label} replaced`, replaced({ address: stranger })]);
    // The wallet pays, so it signs and is writable whatever an instruction says of it.
    if (key === wallet) continue;
    // Of a program that is called, a message says nothing but readonly.
    const isCalled = key === action.programAddress;
    if (!isCalled)
      edits.push([`${label} with its writable flag turned`, replaced({ role: role ^ AccountRole.WRITABLE })]);
    edits.push([`${label} as a signer`, replaced({ role: role | AccountRole.READONLY_SIGNER })]);
    const next = accounts[index + 1];
    if (next && next.address !== key) {
      const swapped = [...accounts];
      [swapped[index], swapped[index + 1]] = [next, accounts[index]!];
      edits.push([`accounts ${index} and ${index + 1} swapped`, withAccounts(swapped)]);
    }
  }
  return edits;
}

interface BuildOptions {
  readonly version?: 0 | 'legacy';
  readonly feePayer?: Address;
  readonly blockhash?: string;
}

function build(
  chain: StillChain,
  wallet: Address,
  instructions: readonly Instruction[],
  { version = 0, feePayer = wallet, blockhash = chain.blockhash }: BuildOptions = {},
): Uint8Array {
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n };
  const compiled =
    version === 0
      ? compileTransactionMessage(
          pipe(
            createTransactionMessage({ version: 0 }),
            (message) => setTransactionMessageFeePayer(feePayer, message),
            (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
            (message) => appendTransactionMessageInstructions(instructions, message),
          ),
        )
      : compileTransactionMessage(
          pipe(
            createTransactionMessage({ version: 'legacy' }),
            (message) => setTransactionMessageFeePayer(feePayer, message),
            (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
            (message) => appendTransactionMessageInstructions(instructions, message),
          ),
        );
  return new Uint8Array(getCompiledTransactionMessageEncoder().encode(compiled));
}

/** The same message with a lookup table that nothing refers to: its count of tables is the last byte. */
function withLookupTable(message: Uint8Array): Uint8Array {
  const table = createLookup();
  return Uint8Array.from([...message.slice(0, -1), 1, ...table]);
}

function createLookup(): number[] {
  const compiled = {
    ...compileTransactionMessage(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayer(SYSTEM_PROGRAM, message),
        (message) =>
          setTransactionMessageLifetimeUsingBlockhash(
            { blockhash: SYSTEM_PROGRAM as unknown as Blockhash, lastValidBlockHeight: 0n },
            message,
          ),
      ),
    ),
    addressTableLookups: [{ lookupTableAddress: LOOKUP_TABLE, writableIndexes: [0], readonlyIndexes: [1] }],
  };
  const bytes = getCompiledTransactionMessageEncoder().encode(compiled);
  // The table: 32 bytes of address, one index of each kind with its count.
  return [...bytes.slice(-36)];
}

function twoSignatures(message: Uint8Array): Uint8Array {
  return Uint8Array.from([2, ...new Uint8Array(128), ...message]);
}

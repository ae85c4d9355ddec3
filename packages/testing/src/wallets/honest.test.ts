/** Honest wallets, on a cluster that runs their guards. */
import { LIGHTHOUSE_PROGRAM, MEMO_PROGRAM } from '@service/protocol';
import {
  AccountRole,
  generateKeyPairSigner,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
} from '@solana/kit';
import { describe, expect, it, test } from 'vitest';
import {
  land,
  memo,
  operationOf,
  prepared,
  read,
  receiveTokens,
  shapeOf,
  simulated,
  solTransfer,
  spendTokens,
  stage,
  tokenTransfer,
  transactionOf,
  useStage,
} from '../../test/support/wallet-stage.ts';
import { SIMULATED_WALLETS } from '../index.ts';
import { computeLimit, computePrice } from './compute-budget.ts';

useStage();

const answerOf = (id: Parameters<typeof simulated>[0], wire: Uint8Array, options = {}) =>
  simulated(id, options).wallet.signTransaction(wire);

const failureAt = (index: number, code: bigint) => ({ InstructionError: [BigInt(index), { Custom: code }] });

const HONEST = SIMULATED_WALLETS.filter(({ isHostile, id }) => !isHostile && id !== 'signs-and-sends-only');

describe.each(HONEST)('$label', ({ id }) => {
  it.each([
    ['a transfer of tokens', tokenTransfer],
    ['another action', solTransfer],
  ])('signs %s that still has its memo and its action, and lands', async (_name, action) => {
    const wire = await prepared(action());
    stage.net.advanceSlots(1);
    const signed = await answerOf(id, wire);
    const added = id === 'seeker' ? [expect.objectContaining({ programAddress: MEMO_PROGRAM })] : [];
    expect(operationOf(signed)).toEqual([...operationOf(wire), ...added]);
    expect(signed.length).toBeLessThanOrEqual(1_232);
    expect(await land(signed)).toBeNull();
  });
});

describe('Phantom since 2026-08-31', () => {
  it('adds guards of the observed sizes at the observed places', async () => {
    const wire = await transactionOf([computeLimit(100_000), computePrice(1n), tokenTransfer(), memo()]);
    const signed = await answerOf('phantom-2026-08', wire);
    expect(shapeOf(signed)).toEqual([
      'budget 5',
      'budget 9',
      'guard 17',
      'guard 52',
      'guard 16',
      'action 10',
      'memo 6',
      'guard 27',
    ]);
    expect(await land(signed)).toBeNull();
  });

  it('adds its guards before the memo if that comes first, after a budget of its own', async () => {
    const signed = await answerOf('phantom-2026-08', await prepared(tokenTransfer()));
    expect(shapeOf(signed)).toEqual([
      'budget 5',
      'budget 9',
      'guard 17',
      'guard 52',
      'guard 16',
      'memo 47',
      'action 10',
      'guard 27',
    ]);
  });

  it('guards the fee payer if no token account of the wallet changes', async () => {
    const signed = await answerOf('phantom-2026-08', await prepared(solTransfer()));
    expect(shapeOf(signed)).toEqual(['budget 5', 'budget 9', 'guard 16', 'memo 47', 'action 12', 'guard 16']);
  });

  it('fails at its guards if the tokens or the lamports of the wallet changed before it landed', async () => {
    await spendTokens();
    const wire = await prepared(tokenTransfer());
    const tokensSpent = await answerOf('phantom-2026-08', wire);
    await spendTokens();
    expect(await land(tokensSpent)).toEqual(failureAt(2, 0x1900n));
    // More tokens than before satisfy the first guard, but not the hash of the second.
    const tokensReceived = await answerOf('phantom-2026-08', await prepared(tokenTransfer()));
    await receiveTokens();
    expect(await land(tokensReceived)).toEqual(failureAt(3, 0x1902n));
    // The failure cost the fee, so this transaction was simulated before it with more lamports.
    const lamportsSpent = await answerOf('phantom-2026-08', await prepared(tokenTransfer()));
    await stage.net.land([stage.holder], [solTransfer()]);
    expect(await land(lamportsSpent)).toEqual(failureAt(4, 0x1900n));
  });
});

test('Phantom before 2026-08-31 adds one guard at the end, and it fails if the state changed', async () => {
  const wire = await prepared(tokenTransfer());
  const signed = await answerOf('phantom-2026-01', wire);
  expect(shapeOf(signed)).toEqual(['budget 5', 'budget 9', 'memo 47', 'action 10', 'guard 27']);
  const sol = await answerOf('phantom-2026-01', await prepared(solTransfer()));
  expect(shapeOf(sol)).toEqual(['budget 5', 'budget 9', 'memo 47', 'action 12', 'guard 16']);
  // The other transaction costs a fee, so the wallet has less than was simulated.
  await spendTokens();
  expect(await land(sol)).toEqual(failureAt(4, 0x1900n));
});

test.each(['phantom-2026-01', 'phantom-2026-08'] as const)(
  '%s adds no guards outside mainnet, and no second budget',
  async (id) => {
    const action = tokenTransfer();
    const elsewhere = await answerOf(id, await prepared(action), { mainnet: false });
    expect(shapeOf(elsewhere)).toEqual(['budget 5', 'budget 9', 'memo 47', 'action 10']);
    const limited = await transactionOf([computeLimit(100_000), memo(), action]);
    expect(shapeOf(await answerOf(id, limited, { mainnet: false }))).toEqual(shapeOf(limited));
  },
);

test('Phantom adds nothing that makes the transaction too large', async () => {
  const long = { ...memo(), data: new Uint8Array(800).fill(97) };
  const wire = await transactionOf([long, tokenTransfer()]);
  const signed = await answerOf('phantom-2026-08', wire);
  expect(shapeOf(signed)).toEqual(['budget 5', 'budget 9', 'memo 800', 'action 10']);
});

test('Solflare adds a limit and two guards, one of them as it was observed', async () => {
  const signed = await answerOf('solflare', await prepared(tokenTransfer()));
  expect(shapeOf(signed)).toEqual(['budget 5', 'memo 47', 'action 10', 'guard 6', 'guard 27']);
  const [observed] = read(signed).instructions.filter(
    ({ programAddress }) => programAddress === LIGHTHOUSE_PROGRAM,
  );
  expect(Buffer.from(observed!.data).toString('hex')).toBe('060401030000');
  expect(observed!.accounts.map(({ address }) => address)).toEqual([stage.holder.address]);
});

test('Seeker overwrites the budget and the blockhash, adds a memo, and reorders the addresses', async () => {
  const wire = await transactionOf([computeLimit(90_000), computePrice(1n), memo(), tokenTransfer()]);
  stage.net.advanceSlots(1);
  const signed = await answerOf('seeker', wire, { microLamports: 5_000n });
  expect(shapeOf(signed)).toEqual(['budget 5', 'budget 9', 'memo 6', 'action 10', 'guard 16', 'memo 6']);
  expect(read(signed).instructions[1]).toEqual(computePrice(5_000n));
  expect(read(signed).blockhash).not.toBe(read(wire).blockhash);
  const order = (of: Uint8Array) => read(of).instructions.flatMap(({ accounts }) => accounts);
  expect(order(signed)).toEqual(expect.arrayContaining(order(wire)));
});

test('a wallet that refreshes the blockhash changes nothing else', async () => {
  const wire = await prepared(tokenTransfer());
  stage.net.advanceSlots(1);
  const signed = read(await answerOf('fresh-blockhash', wire));
  expect(signed).toEqual({ ...read(wire), blockhash: signed.blockhash });
  expect(signed.blockhash).not.toBe(read(wire).blockhash);
});

test.each(HONEST.filter(({ id }) => id !== 'fresh-blockhash'))(
  '$label changes no transaction that fails',
  async ({ id }) => {
    await spendTokens(15);
    const wire = await prepared(tokenTransfer());
    const signed = await answerOf(id, wire);
    expect(signed.slice(65)).toEqual(wire.slice(65));
  },
);

test.each(HONEST)('$label changes no transaction that somebody else has signed', async ({ id }) => {
  const [wallet, cosigner] = [stage.holder, await generateKeyPairSigner()];
  const cosigning = {
    ...memo(),
    accounts: [{ address: cosigner.address, role: AccountRole.READONLY_SIGNER }],
  };
  const { wire } = await stage.net.sign([wallet, cosigner], [solTransfer(), cosigning]);
  const complete = getTransactionDecoder().decode(Buffer.from(wire, 'base64'));
  const unsigned = { ...complete, signatures: { ...complete.signatures, [wallet.address]: null } };
  const cosigned = await partiallySignTransaction([cosigner.keyPair], unsigned as never);
  const given = new Uint8Array(getTransactionEncoder().encode(cosigned));
  expect(await answerOf(id, given)).toEqual(new Uint8Array(getTransactionEncoder().encode(complete)));
});

/** Whether a transfer would pass, by checkTransfer and by the chain, in the same situations. */
import {
  createTokenAccountInstruction,
  decodeTransactionError,
  TOKEN_2022_PROGRAM,
  tokenAccountAddress,
  transferInstruction,
} from '@service/protocol';
import type { TransferCheckReason } from '@service/sdk';
import { createTokenAccount, PASS_FEE, send, setGovernance } from '@service/test-support/service';
import { type Address, createNoopSigner, generateKeyPairSigner } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  getApproveInstruction,
  getFreezeAccountInstruction,
  getInitializeAccount3Instruction,
  getRevokeInstruction,
  getThawAccountInstruction,
} from '@solana-program/token';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-refusal.ts';
import { HOLDER_SECONDS, type Market, startMarket } from './support/market.ts';

let market: Market;
beforeAll(async () => {
  market = await startMarket();
});
afterAll(() => market?.close());

interface Asked {
  readonly mint: Address;
  readonly source: Address;
  readonly destination: Address;
  readonly amount: bigint;
  /** Signs it. */
  readonly wallet: Address;
  /** What the plan would read. */
  readonly owners: { readonly source: Address; readonly destination: Address };
}

const asked = (change: Partial<Asked> = {}): Asked => ({
  mint: market.mint,
  source: market.source,
  destination: market.destination,
  amount: 10n,
  wallet: market.issuer.signer.address,
  owners: { source: market.issuer.signer.address, destination: market.holder.signer.address },
  ...change,
});

/** What both say; for the chain the name of the error, '' for one without a number, null for none. */
async function compare(request: Asked) {
  const { wallet, owners, ...transfer } = request;
  const verdict = await market.newClient().checkTransfer(transfer, { wallet });
  const instruction = await transferInstruction(
    market.world.program,
    { kind: 'TRANSFER', wallet, ...transfer },
    {
      rule: market.rule,
      requireSource: true,
      decimals: 2,
      sourceOwner: owners.source,
      destinationOwner: owners.destination,
    },
  );
  const err = await market.simulate(wallet, instruction);
  const chain = err === null ? null : (decodeTransactionError('TRANSFER', err).programError?.name ?? '');
  return { verdict, chain, reasons: verdict.ok ? [] : verdict.reasons };
}

/** Both must agree on whether it passes, and the chain's reason be among those told. */
async function expectBoth(request: Asked, reasons: readonly TransferCheckReason[], chain: string | null) {
  const both = await compare(request);
  expect(both).toMatchObject({ reasons, chain });
  expect(both.reasons).toHaveLength(reasons.length);
  expect(both.verdict.ok).toBe(chain === null);
  return both.verdict;
}

test('a good transfer passes, and both passes are told with what is left of them', async () => {
  const verdict = await expectBoth(asked(), [], null);
  const { issuer, holder, rule } = market;
  expect(verdict).toMatchObject({ ok: true, rule, requireSource: true });
  expect(verdict.sourcePass).toMatchObject({ wallet: issuer.signer.address });
  expect(verdict.destinationPass).toMatchObject({ wallet: holder.signer.address });
  const { expiresAt, secondsLeft } = verdict.destinationPass!;
  expect(secondsLeft).toBe(expiresAt - verdict.chainTime);
  expect(secondsLeft).toBeGreaterThan(0n);
  expect(Object.isFrozen(verdict)).toBe(true);
});

test('an issue is explained like a transfer, and a failed one names the call that does', async () => {
  const { issuer, holder, mint, destination, rule, world } = market;
  const issue = { mint, destination, amount: 1n };
  expect(await issuer.client.checkTransfer(issue)).toMatchObject({ ok: true, rule, sourcePass: null });
  expect(await holder.client.checkTransfer(issue)).toMatchObject({
    reasons: [{ code: 'NOT_ISSUER', who: 'issuer', issuer: issuer.signer.address }],
  });

  const stranger = (await world.visitor()).address;
  const theirs = await createTokenAccount(world, issuer.signer, { mint, owner: stranger });
  await world.finalize();
  const refused = { ...issue, destination: theirs };
  const verdict = await issuer.client.checkTransfer(refused);
  expect(verdict.ok ? [] : verdict.reasons).toEqual([
    { code: 'DESTINATION_PASS_MISSING', who: 'recipient', rule, wallet: stranger },
  ]);
  await expectRefusal(
    market.live(() => issuer.client.issue(issuer.signer, refused)),
    'OPERATION_FAILED',
    { message: expect.stringMatching(/network fee\. client\.checkTransfer reports why\.$/) },
  );
});

describe('what is asked for', () => {
  test('more than there is', async () => {
    await expectBoth(
      asked({ amount: 1_001n }),
      [{ code: 'BALANCE_TOO_LOW', who: 'holder', balance: 1_000n }],
      'INSUFFICIENT_FUNDS',
    );
    await expectBoth(asked({ amount: 1_000n }), [], null);
  });

  test('nothing, too much, and from an account to itself: refused before the chain is asked', async () => {
    const { client } = market.issuer;
    for (const [change, code] of [
      [{ amount: 0n }, 'AMOUNT_INVALID'],
      [{ amount: 2n ** 64n }, 'AMOUNT_INVALID'],
      [{ destination: market.source }, 'SAME_TOKEN_ACCOUNT'],
    ] as const) {
      const { wallet, owners: _owners, ...request } = asked(change);
      const verdict = await client.checkTransfer(request, { wallet });
      expect(verdict).toMatchObject({
        ok: false,
        reasons: expect.arrayContaining([{ code, who: 'holder' }]),
      });
      await expectRefusal(client.prepare.transfer(request), 'INVALID_REQUEST');
    }
  });

  test('from another’s account, until its owner has delegated enough', async () => {
    const [wallet, owner] = [market.holder.signer.address, market.issuer.signer.address];
    const mine = asked({ wallet });
    await expectBoth(mine, [{ code: 'NOT_SOURCE_OWNER', who: 'holder', owner }], 'OWNER_MISMATCH');
    const approve = getApproveInstruction(
      { source: market.source, delegate: wallet, owner: createNoopSigner(owner), amount: 5n },
      { programAddress: TOKEN_2022_PROGRAM },
    );
    await send(market.world, market.issuer.signer, [approve]);
    await market.world.finalize();
    await expectBoth({ ...mine, amount: 5n }, [], null);
    const tooLow = { code: 'DELEGATED_AMOUNT_TOO_LOW', who: 'holder', delegatedAmount: 5n } as const;
    await expectBoth({ ...mine, amount: 6n }, [tooLow], 'INSUFFICIENT_FUNDS');
  });

  test('from one’s own account, of which one has approved oneself for less', async () => {
    const { signer } = market.issuer;
    const owner = createNoopSigner(signer.address);
    const approve = getApproveInstruction(
      { source: market.source, delegate: signer.address, owner, amount: 5n },
      { programAddress: TOKEN_2022_PROGRAM },
    );
    await send(market.world, signer, [approve]);
    await market.world.finalize();
    const tooLow = { code: 'DELEGATED_AMOUNT_TOO_LOW', who: 'holder', delegatedAmount: 5n } as const;
    await expectBoth(asked({ amount: 10n }), [tooLow], 'INSUFFICIENT_FUNDS');
    await expectBoth(asked({ amount: 5n }), [], null);
    const revoke = getRevokeInstruction(
      { source: market.source, owner },
      { programAddress: TOKEN_2022_PROGRAM },
    );
    await send(market.world, signer, [revoke]);
    await market.world.finalize();
  });

  test('without a session or a wallet any owner of the source is taken', async () => {
    const { wallet: _wallet, owners: _owners, ...request } = asked();
    expect(await market.newClient().checkTransfer(request)).toMatchObject({ ok: true });
    // With a session it is the session's wallet.
    expect(await market.holder.client.checkTransfer(request)).toMatchObject({
      reasons: [{ code: 'NOT_SOURCE_OWNER' }],
    });
  });

  test('not as the types say', async () => {
    const { wallet: _wallet, owners: _owners, ...request } = asked();
    const client = market.newClient();
    await expectRefusal(client.checkTransfer({ ...request, mint: 'me' as Address }), 'INVALID_ARGUMENT', {
      context: { field: 'mint' },
    });
    await expectRefusal(client.checkTransfer({ ...request, amount: 5 as never }), 'INVALID_ARGUMENT', {
      context: { field: 'amount' },
    });
  });
});

describe('the accounts', () => {
  test('missing, and made a moment ago', async () => {
    const owner = market.issuer.signer.address;
    const stranger = await generateKeyPairSigner();
    const address = await tokenAccountAddress({ mint: market.mint, owner: stranger.address });
    const to = asked({ destination: address, owners: { source: owner, destination: stranger.address } });
    await expectBoth(to, [{ code: 'TOKEN_ACCOUNT_NOT_FOUND', who: 'recipient', address }], '');
    await createTokenAccount(market.world, market.issuer.signer, {
      mint: market.mint,
      owner: stranger.address,
    });
    await market.world.finalize();
    const missing = { code: 'DESTINATION_PASS_MISSING', who: 'recipient', rule: market.rule } as const;
    await expectBoth(to, [{ ...missing, wallet: stranger.address }], 'DESTINATION_PASS_MISSING');
    const from = asked({ source: (await generateKeyPairSigner()).address });
    await expectBoth(from, [{ code: 'TOKEN_ACCOUNT_NOT_FOUND', who: 'holder', address: from.source }], '');
  });

  test('of another mint, which is not bound', async () => {
    const mint = await market.createMint();
    const owner = market.holder.signer.address;
    const address = await tokenAccountAddress({ mint, owner });
    await send(market.world, market.issuer.signer, [
      await createTokenAccountInstruction({ payer: market.issuer.signer.address, mint, owner }),
    ]);
    await market.world.finalize();
    await expectBoth(
      asked({ destination: address }),
      [{ code: 'TOKEN_ACCOUNT_OF_OTHER_MINT', who: 'recipient', address, mint }],
      'MINT_MISMATCH',
    );
    const { verdict, chain } = await compare(asked({ mint }));
    expect(verdict).toMatchObject({
      ok: false,
      rule: null,
      reasons: expect.arrayContaining([{ code: 'MINT_NOT_BOUND', who: 'issuer', mint }]),
    });
    expect(chain).not.toBeNull();
  });

  test('whose owner could change', async () => {
    const account = await generateKeyPairSigner();
    // Base, account type, and the one extension that a mint with a hook asks for.
    const space = 165n + 1n + 4n + 1n;
    const { signer } = market.issuer;
    await send(
      market.world,
      signer,
      [
        getCreateAccountInstruction({
          payer: createNoopSigner(signer.address),
          newAccount: createNoopSigner(account.address),
          lamports: await market.world.rpc.getMinimumBalanceForRentExemption(space).send(),
          space,
          programAddress: TOKEN_2022_PROGRAM,
        }),
        getInitializeAccount3Instruction(
          { account: account.address, mint: market.mint, owner: market.holder.signer.address },
          { programAddress: TOKEN_2022_PROGRAM },
        ),
      ],
      [account],
    );
    await market.world.finalize();
    const reason = {
      code: 'TOKEN_ACCOUNT_OWNER_MUTABLE',
      who: 'recipient',
      address: account.address,
    } as const;
    await expectBoth(asked({ destination: account.address }), [reason], 'TOKEN_ACCOUNT_OWNER_MUTABLE');
  });

  test.each(['source', 'destination'] as const)('frozen: the %s', async (which) => {
    const account = market[which];
    const authority = createNoopSigner(market.issuer.signer.address);
    const input = { account, mint: market.mint, owner: authority };
    const at = { programAddress: TOKEN_2022_PROGRAM };
    await send(market.world, market.issuer.signer, [getFreezeAccountInstruction(input, at)]);
    await market.world.finalize();
    const reason = { code: 'TOKEN_ACCOUNT_FROZEN', who: 'issuer', address: account } as const;
    await expectBoth(asked(), [reason], 'ACCOUNT_FROZEN');
    await send(market.world, market.issuer.signer, [getThawAccountInstruction(input, at)]);
    await market.world.finalize();
    await expectBoth(asked(), [], null);
  });
});

describe('the rules', () => {
  test('while paused', async () => {
    await setGovernance(market.world, { paused: true, passFee: PASS_FEE });
    await market.world.finalize();
    await expectBoth(asked(), [{ code: 'PROTOCOL_PAUSED', who: 'operator' }], 'PROTOCOL_PAUSED');
    await setGovernance(market.world, { passFee: PASS_FEE });
    await market.world.finalize();
    await expectBoth(asked(), [], null);
  });

  test('without a pass of the sender', async () => {
    // The holder sends what it was given to the issuer, from an account of one who never proved.
    const stranger = await market.world.visitor();
    const source = await createTokenAccount(market.world, market.issuer.signer, {
      mint: market.mint,
      owner: stranger.address,
    });
    await market.world.finalize();
    const both = await compare(
      asked({
        source,
        wallet: stranger.address,
        owners: { source: stranger.address, destination: market.holder.signer.address },
      }),
    );
    expect(both.reasons.map(({ code }) => code)).toEqual(['BALANCE_TOO_LOW', 'SOURCE_PASS_MISSING']);
    expect(both.chain).toBe('INSUFFICIENT_FUNDS');
  });

  test('to the last second of each pass', async () => {
    const { world, holder, issuer, rule } = market;
    const before = await expectBoth(asked(), [], null);
    const wallet = holder.signer.address;
    const until = before.destinationPass!.expiresAt;
    expect(before.sourcePass!.expiresAt - until).toBeGreaterThan(HOLDER_SECONDS);
    const reach = (time: bigint) => {
      world.net.setTime(time);
      world.net.finalize();
      world.net.setTime(time);
      world.net.advanceSlots(1);
    };
    reach(until - 60n);
    await expectBoth(asked(), [], null);
    reach(until);
    const gone = {
      code: 'DESTINATION_PASS_EXPIRED',
      who: 'recipient',
      rule,
      wallet,
      expiresAt: until,
    } as const;
    const verdict = await expectBoth(asked(), [gone], 'DESTINATION_PASS_EXPIRED');
    expect(verdict.destinationPass).toMatchObject({ expiresAt: until, secondsLeft: 0n });
    const last = verdict.sourcePass!.expiresAt;
    reach(last);
    const own = { rule, wallet: issuer.signer.address, expiresAt: last } as const;
    await expectBoth(
      asked(),
      [gone, { code: 'SOURCE_PASS_EXPIRED', who: 'holder', ...own }],
      'DESTINATION_PASS_EXPIRED',
    );
  });
});

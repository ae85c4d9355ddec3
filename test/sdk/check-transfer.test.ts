/** Whether a transfer would pass, by checkTransfer and by the chain, in the same situations. */
import {
  createTokenAccountInstruction,
  decodeTransactionError,
  MEMO_PROGRAM,
  programAddresses,
  TOKEN_2022_PROGRAM,
  tokenAccountAddress,
  transferInstruction,
} from '@service/protocol';
import {
  getExtraAccountMetaListCodec,
  getMintBindingCodec,
  getPassCodec,
  type PassArgs,
} from '@service/protocol/generated';
import type { TransferCheckReason } from '@service/sdk';
import { pause, unpause } from '@service/server/test-service';
import { type Address, createNoopSigner, fetchEncodedAccount, generateKeyPairSigner } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  getApproveInstruction,
  getFreezeAccountInstruction,
  getInitializeAccount3Instruction,
  getRevokeInstruction,
  getThawAccountInstruction,
} from '@solana-program/token';
import { describe, expect, test } from 'vitest';
import { changeAccount } from '../support/change-account.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { HOLDER_SECONDS, useMarket } from './support/market.ts';

const market = useMarket();
const TOKEN_2022 = { programAddress: TOKEN_2022_PROGRAM };

const transferOf = (amount = 10n) => {
  const { mint, source, destination } = market;
  return { mint, source, destination, amount };
};

/** Returns a transfer from the issuer to the holder. The owners are those that the plan would read. */
const asked = (change: Partial<ReturnType<typeof transferOf> & Signers> = {}) => ({
  ...transferOf(),
  wallet: market.issuer.signer.address,
  sourceOwner: market.issuer.signer.address,
  destinationOwner: market.holder.signer.address,
  ...change,
});

interface Signers {
  readonly wallet: Address;
  readonly sourceOwner: Address;
  readonly destinationOwner: Address;
}

/** Returns what both find. For the chain: the error's name, '' if it has no number, null if there is none. */
async function compare({ wallet, sourceOwner, destinationOwner, ...transfer }: ReturnType<typeof asked>) {
  const verdict = await market.newClient().checkTransfer(transfer, { wallet });
  const instruction = await transferInstruction(
    market.world.program,
    { kind: 'TRANSFER', wallet, ...transfer },
    {
      ...{ rule: market.rule, requireSource: true, readsCredential: false, decimals: 2 },
      ...{ sourceOwner, destinationOwner },
    },
  );
  const err = await market.simulate(wallet, instruction);
  const { program } = market.world;
  const failed = {
    action: 'TRANSFER',
    program,
    programs: [MEMO_PROGRAM, instruction.programAddress],
  } as const;
  const chain = err === null ? null : (decodeTransactionError(failed, err).programError?.name ?? '');
  return { verdict, chain, reasons: verdict.ok ? [] : verdict.reasons };
}

/** Checks that both agree on whether the transfer passes, and on why it does not. */
async function expectBoth(
  request: ReturnType<typeof asked>,
  reasons: readonly TransferCheckReason[] = [],
  chain: string | null = null,
) {
  const both = await compare(request);
  expect(both).toMatchObject({ reasons, chain });
  expect(both.reasons).toHaveLength(reasons.length);
  expect(both.verdict.ok).toBe(chain === null);
  return both.verdict;
}

test('a good transfer passes, and the verdict has both passes with their remaining seconds', async () => {
  const verdict = await expectBoth(asked());
  const { issuer, holder, rule } = market;
  expect(verdict).toMatchObject({ ok: true, rule, requireSource: true });
  expect(verdict.sourcePass).toMatchObject({ wallet: issuer.signer.address });
  expect(verdict.destinationPass).toMatchObject({ wallet: holder.signer.address });
  const { expiresAt, secondsLeft } = verdict.destinationPass!;
  expect(secondsLeft).toBe(expiresAt - verdict.chainTime);
  expect(secondsLeft).toBeGreaterThan(0n);
  expect(Object.isFrozen(verdict)).toBe(true);
});

test('an issue has reasons like a transfer, and the error of a failed one names checkTransfer', async () => {
  const { issuer, holder, mint, destination, rule, world } = market;
  const issue = { mint, destination, amount: 1n };
  expect(await issuer.client.checkTransfer(issue)).toMatchObject({ ok: true, rule, sourcePass: null });
  expect(await holder.client.checkTransfer(issue)).toMatchObject({
    reasons: [{ code: 'NOT_ISSUER', who: 'issuer', issuer: issuer.signer.address }],
  });

  const wallet = (await world.visitor()).address;
  const rejected = { ...issue, destination: await market.tokenAccount(wallet) };
  const verdict = await issuer.client.checkTransfer(rejected);
  expect(verdict.ok ? [] : verdict.reasons).toEqual([
    { code: 'DESTINATION_PASS_MISSING', who: 'recipient', rule, wallet },
  ]);
  await expectRefusal(
    market.live(() => issuer.client.issue(issuer.signer, rejected)),
    'OPERATION_FAILED',
    { message: expect.stringMatching(/network fee\. client\.checkTransfer reports why\.$/) },
  );
});

describe('a request', () => {
  const tooLow = { code: 'DELEGATED_AMOUNT_TOO_LOW', who: 'holder', delegatedAmount: 5n } as const;
  /** Lets a wallet send 5 units of the source. */
  const approve = (delegate: Address) => {
    const owner = createNoopSigner(market.issuer.signer.address);
    const approval = { source: market.source, delegate, owner, amount: 5n };
    return market.sendFinal([getApproveInstruction(approval, TOKEN_2022)]);
  };

  test('for more than the balance', async () => {
    const reason = { code: 'BALANCE_TOO_LOW', who: 'holder', balance: 1_000n } as const;
    await expectBoth(asked({ amount: 1_001n }), [reason], 'INSUFFICIENT_FUNDS');
    await expectBoth(asked({ amount: 1_000n }));
  });

  test('for nothing, for too much, or from an account to itself is rejected before the chain is read', async () => {
    const { client, signer } = market.issuer;
    for (const [change, code] of [
      [{ amount: 0n }, 'AMOUNT_INVALID'],
      [{ amount: 2n ** 64n }, 'AMOUNT_INVALID'],
      [{ destination: market.source }, 'SAME_TOKEN_ACCOUNT'],
    ] as const) {
      const request = { ...transferOf(), ...change };
      const verdict = await client.checkTransfer(request, { wallet: signer.address });
      const reasons = expect.arrayContaining([{ code, who: 'holder' }]);
      expect(verdict).toMatchObject({ ok: false, reasons });
      await expectRefusal(client.prepare.transfer(request), 'INVALID_REQUEST');
    }
  });

  test('from another wallet’s account passes when the owner has delegated enough', async () => {
    const [wallet, owner] = [market.holder.signer.address, market.issuer.signer.address];
    const mine = asked({ wallet });
    await expectBoth(mine, [{ code: 'NOT_SOURCE_OWNER', who: 'holder', owner }], 'OWNER_MISMATCH');
    await approve(wallet);
    await expectBoth({ ...mine, amount: 5n });
    await expectBoth({ ...mine, amount: 6n }, [tooLow], 'INSUFFICIENT_FUNDS');
  });

  test('from one’s own account fails above the amount that one has delegated to oneself', async () => {
    const { address } = market.issuer.signer;
    await approve(address);
    await expectBoth(asked({ amount: 10n }), [tooLow], 'INSUFFICIENT_FUNDS');
    await expectBoth(asked({ amount: 5n }));
    const revocation = { source: market.source, owner: createNoopSigner(address) };
    await market.sendFinal([getRevokeInstruction(revocation, TOKEN_2022)]);
  });

  test('without a session or a wallet is checked for the owner of the source', async () => {
    expect(await market.newClient().checkTransfer(transferOf())).toMatchObject({ ok: true });
    // With a session it is checked for the session's wallet.
    const reasons = [{ code: 'NOT_SOURCE_OWNER' }];
    expect(await market.holder.client.checkTransfer(transferOf())).toMatchObject({ reasons });
  });

  test('with values of the wrong type is rejected', async () => {
    for (const [field, value] of [
      ['mint', 'me'],
      ['amount', 5],
    ] as const) {
      const call = market.newClient().checkTransfer({ ...transferOf(), [field]: value as never });
      await expectRefusal(call, 'INVALID_ARGUMENT', { context: { field } });
    }
  });
});

describe('the accounts', () => {
  test('missing, and just created', async () => {
    const { mint, rule } = market;
    const { address: wallet } = await generateKeyPairSigner();
    const address = await tokenAccountAddress({ mint, owner: wallet });
    const to = asked({ destination: address, destinationOwner: wallet });
    await expectBoth(to, [{ code: 'TOKEN_ACCOUNT_NOT_FOUND', who: 'recipient', address }], '');
    await market.tokenAccount(wallet);
    const missing = { code: 'DESTINATION_PASS_MISSING', who: 'recipient', rule, wallet } as const;
    await expectBoth(to, [missing], 'DESTINATION_PASS_MISSING');
    const from = asked({ source: (await generateKeyPairSigner()).address });
    await expectBoth(from, [{ code: 'TOKEN_ACCOUNT_NOT_FOUND', who: 'holder', address: from.source }], '');
  });

  test('of another mint, which is not bound', async () => {
    const mint = await market.createMint();
    const owner = market.holder.signer.address;
    const address = await tokenAccountAddress({ mint, owner });
    const payer = market.issuer.signer.address;
    await market.sendFinal([await createTokenAccountInstruction({ payer, mint, owner })]);
    const reason = { code: 'TOKEN_ACCOUNT_OF_OTHER_MINT', who: 'recipient', address, mint } as const;
    await expectBoth(asked({ destination: address }), [reason], 'MINT_MISMATCH');
    const { verdict, chain } = await compare(asked({ mint }));
    const reasons = expect.arrayContaining([{ code: 'MINT_NOT_BOUND', who: 'issuer', mint }]);
    expect(verdict).toMatchObject({ ok: false, rule: null, reasons });
    expect(chain).not.toBeNull();
  });

  test('with an owner that can change', async () => {
    const account = await generateKeyPairSigner();
    const { address } = account;
    // The base, the account type, and the one extension that a mint with a hook requires.
    const space = 165n + 1n + 4n + 1n;
    const create = getCreateAccountInstruction({
      payer: createNoopSigner(market.issuer.signer.address),
      newAccount: createNoopSigner(address),
      lamports: await market.world.rpc.getMinimumBalanceForRentExemption(space).send(),
      space,
      programAddress: TOKEN_2022_PROGRAM,
    });
    const initialization = { account: address, mint: market.mint, owner: market.holder.signer.address };
    const initialize = getInitializeAccount3Instruction(initialization, TOKEN_2022);
    await market.sendFinal([create, initialize], [account]);
    const reason = { code: 'TOKEN_ACCOUNT_OWNER_MUTABLE', who: 'recipient', address } as const;
    await expectBoth(asked({ destination: address }), [reason], 'TOKEN_ACCOUNT_OWNER_MUTABLE');
  });

  test.each(['source', 'destination'] as const)('frozen: the %s', async (which) => {
    const account = market[which];
    const owner = createNoopSigner(market.issuer.signer.address);
    const input = { account, mint: market.mint, owner };
    await market.sendFinal([getFreezeAccountInstruction(input, TOKEN_2022)]);
    const reason = { code: 'TOKEN_ACCOUNT_FROZEN', who: 'issuer', address: account } as const;
    await expectBoth(asked(), [reason], 'ACCOUNT_FROZEN');
    await market.sendFinal([getThawAccountInstruction(input, TOKEN_2022)]);
    await expectBoth(asked());
  });
});

describe('the rules', () => {
  test('while paused', async () => {
    await pause(market.world);
    await market.world.finalize();
    await expectBoth(asked(), [{ code: 'PROTOCOL_PAUSED', who: 'operator' }], 'PROTOCOL_PAUSED');
    await unpause(market.world);
    await market.world.finalize();
    await expectBoth(asked());
  });

  test('without a pass of the sender', async () => {
    // The holder sends what it was given to the issuer, from an account of a wallet that never proved.
    const wallet = (await market.world.visitor()).address;
    const source = await market.tokenAccount(wallet);
    const both = await compare(asked({ source, wallet, sourceOwner: wallet }));
    expect(both.reasons.map(({ code }) => code)).toEqual(['BALANCE_TOO_LOW', 'SOURCE_PASS_MISSING']);
    expect(both.chain).toBe('INSUFFICIENT_FUNDS');
  });

  /** Changes the pass of a wallet. */
  const changePass = async ({ signer }: { signer: { address: Address } }, change: Partial<PassArgs>) => {
    const { world, rule } = market;
    const pass = await programAddresses(world.program).pass(rule, signer.address);
    await changeAccount(world.net, pass, getPassCodec(), change);
  };

  test('while the creator of the rule set suspends a pass, and from the second on at which that lapses', async () => {
    const { holder, issuer, rule, world } = market;
    const suspendedUntil = BigInt(world.net.time) + 600n;
    await changePass(holder, { suspendedUntil });
    const suspended = { who: 'issuer', rule, suspendedUntil } as const;
    const theirs = {
      code: 'DESTINATION_PASS_SUSPENDED',
      wallet: holder.signer.address,
      ...suspended,
    } as const;
    const verdict = await expectBoth(asked(), [theirs], 'DESTINATION_PASS_SUSPENDED');
    expect(verdict.destinationPass).toMatchObject({ secondsLeft: 0n, suspendedUntil, granted: false });
    await changePass(issuer, { suspendedUntil });
    const own = { code: 'SOURCE_PASS_SUSPENDED', wallet: issuer.signer.address, ...suspended } as const;
    await expectBoth(asked(), [theirs, own], 'DESTINATION_PASS_SUSPENDED');
    await changePass(holder, { suspendedUntil: 0n });
    await expectBoth(asked(), [own], 'SOURCE_PASS_SUSPENDED');
    market.setTime(suspendedUntil);
    const after = await expectBoth(asked());
    expect(after.sourcePass!.secondsLeft).toBe(after.sourcePass!.expiresAt - after.chainTime);
  });

  test('with a granted pass only if the mint honours it', async () => {
    const { holder, issuer, rule, world, mint } = market;
    await changePass(holder, { granted: true });
    const theirs = {
      code: 'DESTINATION_PASS_GRANTED',
      who: 'recipient',
      rule,
      wallet: holder.signer.address,
    } as const;
    await expectBoth(asked(), [theirs], 'DESTINATION_PASS_GRANTED');
    // The program looks at the expiry before it asks whether the mint honours the pass.
    const expiresAt = BigInt(world.net.time) - 1n;
    const pass = await programAddresses(world.program).pass(rule, holder.signer.address);
    const found = await fetchEncodedAccount(world.rpc, pass, { commitment: 'processed' });
    const before = found.exists ? getPassCodec().decode(found.data).expiresAt : 0n;
    await changePass(holder, { expiresAt });
    const { wallet } = theirs;
    const expired = { code: 'DESTINATION_PASS_EXPIRED', who: 'recipient', rule, wallet, expiresAt } as const;
    await expectBoth(asked(), [expired], 'DESTINATION_PASS_EXPIRED');
    await changePass(holder, { expiresAt: before });
    await changePass(issuer, { granted: true });
    await changePass(holder, { granted: false });
    const own = { code: 'SOURCE_PASS_GRANTED', who: 'holder', rule, wallet: issuer.signer.address } as const;
    await expectBoth(asked(), [own], 'SOURCE_PASS_GRANTED');
    const at = programAddresses(world.program);
    const honours = async (honoursGranted: boolean) => {
      await changeAccount(world.net, await at.mintBinding(mint), getMintBindingCodec(), { honoursGranted });
      const list = await at.extraAccountMetaList(mint);
      await changeAccount(world.net, list, getExtraAccountMetaListCodec(), { honoursGranted });
    };
    await honours(true);
    const verdict = await expectBoth(asked());
    expect(verdict.sourcePass).toMatchObject({ granted: true });
    await honours(false);
    await changePass(issuer, { granted: false });
    await expectBoth(asked());
  });

  test('until the last second of each pass', async () => {
    const { holder, issuer, rule } = market;
    const before = await expectBoth(asked());
    const { expiresAt } = before.destinationPass!;
    expect(before.sourcePass!.expiresAt - expiresAt).toBeGreaterThan(HOLDER_SECONDS);
    market.setTime(expiresAt - 60n);
    await expectBoth(asked());
    market.setTime(expiresAt);
    const { address: wallet } = holder.signer;
    const gone = { code: 'DESTINATION_PASS_EXPIRED', who: 'recipient', rule, wallet, expiresAt } as const;
    const verdict = await expectBoth(asked(), [gone], 'DESTINATION_PASS_EXPIRED');
    expect(verdict.destinationPass).toMatchObject({ expiresAt, secondsLeft: 0n });
    const last = verdict.sourcePass!.expiresAt;
    market.setTime(last);
    const own = { rule, wallet: issuer.signer.address, expiresAt: last } as const;
    const reasons = [gone, { code: 'SOURCE_PASS_EXPIRED', who: 'holder', ...own }] as const;
    await expectBoth(asked(), reasons, 'DESTINATION_PASS_EXPIRED');
  });
});

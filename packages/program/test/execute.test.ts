import { TOKEN_2022_PROGRAM, tokenAccountAddress, transferInstruction } from '@service/protocol';
import {
  RULE_SET_PASS_ERROR__BINDING_MISMATCH as BINDING_MISMATCH,
  RULE_SET_PASS_ERROR__DESTINATION_PASS_EXPIRED as DESTINATION_PASS_EXPIRED,
  RULE_SET_PASS_ERROR__DESTINATION_PASS_MISSING as DESTINATION_PASS_MISSING,
  RULE_SET_PASS_ERROR__DUPLICATE_ACCOUNT as DUPLICATE_ACCOUNT,
  getExecuteInstruction,
  RULE_SET_PASS_ERROR__NOT_TRANSFERRING as NOT_TRANSFERRING,
  RULE_SET_PASS_ERROR__PROTOCOL_PAUSED as PROTOCOL_PAUSED,
  RULE_SET_PASS_ERROR__SOURCE_PASS_EXPIRED as SOURCE_PASS_EXPIRED,
  RULE_SET_PASS_ERROR__SOURCE_PASS_MISSING as SOURCE_PASS_MISSING,
  RULE_SET_PASS_ERROR__TOKEN_ACCOUNT_INVALID as TOKEN_ACCOUNT_INVALID,
  RULE_SET_PASS_ERROR__TOKEN_ACCOUNT_OWNER_MUTABLE as TOKEN_ACCOUNT_OWNER_MUTABLE,
  RULE_SET_PASS_ERROR__WRONG_ACCOUNT_COUNT as WRONG_ACCOUNT_COUNT,
  RULE_SET_PASS_ERROR__WRONG_ACCOUNT_TYPE as WRONG_ACCOUNT_TYPE,
  RULE_SET_PASS_ERROR__WRONG_ADDRESS as WRONG_ADDRESS,
} from '@service/protocol/generated';
import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import {
  AuthorityType,
  getApproveInstruction,
  getBurnInstruction,
  getSetAuthorityInstruction,
  getTransferInstruction,
} from '@solana-program/token';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeAccounts } from './_account-checks.ts';
import { addMarket, balanceOf, HOLDER_EXPIRY, holdersChain, issueTokens, mintOf } from './_bindings.ts';
import { at, PASS_FEE, pause } from './_governance.ts';
import { placeOf, withAccount } from './_instruction.ts';
import { addLooseTokenAccount, DECIMALS, remove } from './_mints.ts';
import { expectDone, expectRefused, expectRefusedOutside, type Outcome } from './_outcome.ts';
import { addPass } from './_passes.ts';
import { endProver, LATEST_EXPIRY } from './_proofs.ts';
import { addRuleSet, ruleAddress } from './_rule-sets.ts';
import { addressOf, Chain, PROGRAM } from './_setup.ts';

/** The mint that asks for the destination's pass, and the one that asks for the source's too. */
const [ONE, BOTH] = ['mint', 'mint of both'] as const;

const token2022 = { programAddress: TOKEN_2022_PROGRAM };

let saved: Uint8Array;
let chain: Chain;

beforeAll(async () => {
  const ready = await holdersChain();
  for (const mint of [ONE, BOTH]) {
    await addMarket(ready, { mint, requireSource: mint === BOTH });
    expectDone(await ready.send(await issueTokens({ mint })));
  }
  saved = ready.save();
});
beforeEach(async () => {
  chain = await Chain.from(saved);
});
afterAll(endProver);

/** The associated token account of the key of a name. */
async function tokens(name: string, mint: string = ONE): Promise<Address> {
  return tokenAccountAddress({ mint: await addressOf(mint), owner: await addressOf(name) });
}

interface Transfer {
  mint?: string;
  from?: string;
  to?: string;
  /** Who signs, if it is not the owner of the source. */
  authority?: string;
  source?: Address;
  destination?: Address;
  amount?: bigint;
}

/** TransferChecked of 10 tokens from the holder to the other holder, unless told otherwise. */
async function transfer(change: Transfer = {}): Promise<Instruction> {
  const { mint = ONE, from = 'holder', to = 'other holder', amount = 10n } = change;
  return transferInstruction(
    PROGRAM,
    {
      kind: 'TRANSFER',
      wallet: await addressOf(change.authority ?? from),
      mint: await addressOf(mint),
      source: change.source ?? (await tokens(from, mint)),
      destination: change.destination ?? (await tokens(to, mint)),
      amount,
    },
    {
      rule: await ruleAddress(),
      requireSource: mint === BOTH,
      decimals: DECIMALS,
      sourceOwner: await addressOf(from),
      destinationOwner: await addressOf(to),
    },
  );
}

/** Compute units of the program itself in a transaction, by its logs. */
function unitsOfHook({ logs }: Outcome): number {
  const line = logs.find((log) => log.startsWith(`Program ${PROGRAM} consumed `));
  return Number(/consumed (\d+) of/.exec(line ?? '')?.[1]);
}

describe('a transfer', () => {
  it.each([ONE, BOTH])('goes through between two pass holders: %s', async (mint) => {
    const [source, destination] = [await tokens('holder', mint), await tokens('other holder', mint)];

    const outcome = expectDone(await chain.send(await transfer({ mint })));

    expect([...outcome.changed].sort()).toEqual([source, destination].sort());
    expect([balanceOf(chain, source), balanceOf(chain, destination)]).toEqual([990n, 10n]);
    expect(outcome.units).toBeLessThan(200_000);
    expect(unitsOfHook(outcome)).toBeLessThan(3_000);
    expect(unitsOfHook(outcome)).toBeGreaterThan(0);
    expect(outcome.logs.filter((log) => log.startsWith('Program data:'))).toEqual([]);
  });

  it.each([ONE, BOTH])('to an outsider is refused: %s', async (mint) => {
    expectRefused(await chain.send(await transfer({ mint, to: 'outsider' })), DESTINATION_PASS_MISSING);
  });

  it('needs a destination pass that is live, to the second', async () => {
    const back = { from: 'other holder', to: 'holder' };
    expectDone(await chain.send(await transfer()));
    chain.setTime(HOLDER_EXPIRY);
    expectRefused(await chain.send(await transfer(back)), DESTINATION_PASS_EXPIRED);
    chain.setTime(HOLDER_EXPIRY - 1n);
    expectDone(await chain.send(await transfer(back)));
  });

  it('needs the pass of the source only when the binding requires it', async () => {
    chain.setTime(HOLDER_EXPIRY);
    expectDone(await chain.send(await transfer({ mint: ONE })));
    expectRefused(await chain.send(await transfer({ mint: BOTH })), SOURCE_PASS_EXPIRED);
    chain.setTime(HOLDER_EXPIRY - 1n);
    expectDone(await chain.send(await transfer({ mint: BOTH })));

    remove(chain, await at.pass(await ruleAddress(), await addressOf('holder')));
    expectDone(await chain.send(await transfer({ mint: ONE })));
    expectRefused(await chain.send(await transfer({ mint: BOTH })), SOURCE_PASS_MISSING);
  });

  it.each([ONE, BOTH])('is refused while the protocol is paused: %s', async (mint) => {
    await pause(chain);
    expectRefused(await chain.send(await transfer({ mint })), PROTOCOL_PAUSED);
  });

  it('to a pass holder whose token account can change hands is refused', async () => {
    const mint = await addressOf(ONE);
    const loose = { at: 'loose', owner: 'other holder', mint, immutableOwner: false };
    const destination = await addLooseTokenAccount(chain, loose);
    expectRefused(await chain.send(await transfer({ destination })), TOKEN_ACCOUNT_OWNER_MUTABLE);
  });

  it('by a delegate goes through between pass holders and to nobody else', async () => {
    const approval = {
      source: await tokens('holder', BOTH),
      delegate: await addressOf('outsider'),
      owner: createNoopSigner(await addressOf('holder')),
      amount: 100n,
    };
    expectDone(await chain.send(getApproveInstruction(approval, token2022)));
    const delegated = { mint: BOTH, authority: 'outsider' };
    expectDone(await chain.send(await transfer(delegated)));
    expect(balanceOf(chain, await tokens('other holder', BOTH))).toBe(10n);
    expectRefused(
      await chain.send(await transfer({ ...delegated, to: 'outsider' })),
      DESTINATION_PASS_MISSING,
    );
  });

  it('with the pass of someone else in place of the owner is refused by Token-2022', async () => {
    const [rule, holder] = [await ruleAddress(), await addressOf('holder')];
    const to = await transfer({ to: 'outsider' });
    const outsiderPass = await at.pass(rule, await addressOf('outsider'));
    const place = to.accounts!.findIndex(({ address }) => address === outsiderPass);
    const posing = withAccount(to, place, { address: await at.pass(rule, holder) });
    // IncorrectAccount of the interface: the list derives another address.
    expectRefusedOutside(await chain.send(posing), /InstructionError\(0, Custom\(2724315840\)\)/);
  });

  it('without the list of accounts calls the hook with the four of the transfer, and is refused', async () => {
    const whole = await transfer();
    const hookOnly = whole.accounts!.filter(({ address }, index) => index < 4 || address === PROGRAM);
    expect(hookOnly).toHaveLength(5);
    expectRefused(await chain.send({ ...whole, accounts: hookOnly }), WRONG_ACCOUNT_COUNT);
  });

  it('without any one of the accounts of the hook is refused', async () => {
    const whole = await transfer({ mint: BOTH });
    const bare = { ...whole, accounts: whole.accounts!.slice(0, 4) };
    expectRefusedOutside(await chain.send(bare), /InstructionError\(0/);
    for (let place = 4; place < whole.accounts!.length; place += 1) {
      const accounts = whole.accounts!.filter((_, index) => index !== place);
      const outcome = await chain.send({ ...whole, accounts });
      expectRefusedOutside(outcome, /InstructionError\(0/);
    }
  });

  it('takes accounts beyond those of the list: Token-2022 does not pass them on', async () => {
    const whole = await transfer();
    const extra = { address: await addressOf('stranger'), role: AccountRole.READONLY };
    expectDone(await chain.send({ ...whole, accounts: [...whole.accounts!, extra] }));
  });

  it('by the unchecked Transfer is refused by Token-2022', async () => {
    const { accounts } = await transfer();
    const plain = getTransferInstruction(
      {
        source: await tokens('holder'),
        destination: await tokens('other holder'),
        authority: createNoopSigner(await addressOf('holder')),
        amount: 10n,
      },
      token2022,
    );
    const extras = [...plain.accounts!, ...accounts!.slice(4)] as Instruction['accounts'];
    expectRefusedOutside(await chain.send({ ...plain, accounts: extras! }), /InstructionError\(0/);
  });

  it('to itself moves nothing and never reaches the hook: refused at prepare, not here', async () => {
    await pause(chain);
    const source = await tokens('holder');
    const outcome = expectDone(await chain.send(await transfer({ to: 'holder', destination: source })));
    expect(outcome.changed).toEqual([]);
    expect(outcome.logs.join()).not.toContain(`Program ${PROGRAM} invoke`);
  });
});

describe('around transfers', () => {
  it('a token account of the profile cannot be handed to another owner', async () => {
    const hand = {
      owned: await tokens('holder'),
      owner: createNoopSigner(await addressOf('holder')),
      authorityType: AuthorityType.AccountOwner,
      newAuthority: await addressOf('outsider'),
    };
    expectRefusedOutside(
      await chain.send(getSetAuthorityInstruction(hand, token2022)),
      /immutable|Custom\(34\)/i,
    );
  });

  it('burning asks nobody: supply shrinks by it, and grows only by issue-tokens', async () => {
    await pause(chain);
    const mint = await addressOf(ONE);
    const authority = createNoopSigner(await addressOf('holder'));
    const burn = { account: await tokens('holder'), mint, authority, amount: 1n };
    expectDone(await chain.send(getBurnInstruction(burn, token2022)));
    expect(mintOf(chain, mint).supply).toBe(999n);
  });
});

/** `execute` as anyone can call it. */
async function execute(change: Transfer = {}): Promise<Instruction> {
  const { mint = ONE, from = 'holder', to = 'other holder', amount = 10n } = change;
  const [rule, mintAddress] = [await ruleAddress(), await addressOf(mint)];
  return getExecuteInstruction({
    source: change.source ?? (await tokens(from, mint)),
    mint: mintAddress,
    destination: change.destination ?? (await tokens(to, mint)),
    authority: await addressOf(from),
    extraAccountMetaList: await at.extraAccountMetaList(mintAddress),
    config: await at.config(),
    destinationPass: await at.pass(rule, await addressOf(to)),
    ...(mint === BOTH ? { sourcePass: await at.pass(rule, await addressOf(from)) } : {}),
    amount,
  });
}

/** Sets the mark that Token-2022 sets in a token account for the time of a transfer. */
function markTransferring(on: Chain, account: Address): void {
  const data = on.data(account);
  const view = new DataView(data.buffer);
  for (let offset = 166; offset + 4 <= data.length; offset += 4 + view.getUint16(offset + 2, true)) {
    if (view.getUint16(offset, true) === 15) {
      on.patch(account, offset + 4, [1]);
      return;
    }
  }
  throw new Error('The token account has no mark of transfers.');
}

/** The chain as it is while Token-2022 calls the hook, both accounts marked. */
async function midTransfer(mint: string = ONE): Promise<Chain> {
  const marked = await Chain.from(saved);
  for (const name of ['holder', 'other holder']) markTransferring(marked, await tokens(name, mint));
  return marked;
}

describe('execute', () => {
  it.each([ONE, BOTH])('called directly is refused: %s', async (mint) => {
    expectRefused(await chain.send(await execute({ mint })), NOT_TRANSFERRING);
  });

  it('is refused unless both accounts are in a transfer', async () => {
    for (const name of ['holder', 'other holder']) {
      const marked = await Chain.from(saved);
      markTransferring(marked, await tokens(name));
      expectRefused(await marked.send(await execute()), NOT_TRANSFERRING);
    }
  });

  it('writes nothing and logs nothing of its own', async () => {
    const marked = await midTransfer();
    const outcome = expectDone(await marked.send(await execute()));
    expect(outcome.changed).toEqual([]);
    expect(
      outcome.logs.filter((log) => log.startsWith('Program data:') || log.startsWith('Program log:')),
    ).toEqual([]);
  });

  it('refuses the list of another mint', async () => {
    const marked = await midTransfer();
    const address = await at.extraAccountMetaList(await addressOf(BOTH));
    const posing = withAccount(await execute(), placeOf('execute', 'extraAccountMetaList'), { address });
    expectRefused(await marked.send(posing), BINDING_MISMATCH);
  });

  it('refuses token accounts of another mint, of another program, and no token accounts', async () => {
    const marked = await midTransfer();
    const stranger = await addressOf('stranger');
    for (const account of ['source', 'destination']) {
      const place = placeOf('execute', account);
      for (const address of [
        await tokens('other holder', BOTH),
        await addressOf(ONE),
        await at.config(),
        stranger,
      ]) {
        const posing = withAccount(await execute(), place, { address });
        expectRefused(await marked.send(posing), TOKEN_ACCOUNT_INVALID);
      }
    }
  });

  it('refuses one account as source and destination', async () => {
    const marked = await midTransfer();
    const destination = await tokens('holder');
    expectRefused(await marked.send(await execute({ destination, to: 'holder' })), DUPLICATE_ACCOUNT);
  });

  it('refuses the pass of another wallet and of another rule set', async () => {
    const marked = await midTransfer(BOTH);
    const rule = await addRuleSet(marked, { nonce: 2n, passFunds: 2n * PASS_FEE });
    const holder = { wallet: 'holder', expiresAt: HOLDER_EXPIRY };
    const other = { wallet: 'other holder', expiresAt: LATEST_EXPIRY };
    await addPass(marked, { ...holder, rule });
    await addPass(marked, { ...other, rule });
    const [mine, theirs] = [await addressOf('holder'), await addressOf('other holder')];
    const good = await execute({ mint: BOTH });
    const posing: [string, Address][] = [
      ['destinationPass', await at.pass(await ruleAddress(), mine)],
      ['destinationPass', await at.pass(rule, theirs)],
      ['sourcePass', await at.pass(await ruleAddress(), theirs)],
      ['sourcePass', await at.pass(rule, mine)],
    ];
    for (const [account, address] of posing) {
      const changed = withAccount(good, placeOf('execute', account), { address });
      expectRefused(await marked.send(changed), WRONG_ADDRESS);
    }
    expectDone(await marked.send(good));
  });

  it('refuses without the pass of the source where it is required, and with it where it is not', async () => {
    const both = await execute({ mint: BOTH });
    const fewer = { ...both, accounts: both.accounts!.slice(0, -1) };
    expectRefused(await (await midTransfer(BOTH)).send(fewer), WRONG_ACCOUNT_COUNT);
    const one = await execute({ mint: ONE });
    const more = { ...one, accounts: [...one.accounts!, both.accounts!.at(-1)!] };
    expectRefused(await (await midTransfer(ONE)).send(more), WRONG_ACCOUNT_COUNT);
  });

  it('refuses a list that says otherwise than its length whether the source is required', async () => {
    const marked = await midTransfer();
    const requireSourceAt = 8 + 4 + 4 + 2 * 35 + 8 + 4 + 2;
    marked.patch(await at.extraAccountMetaList(await addressOf(ONE)), requireSourceAt, [1]);
    expectRefused(await marked.send(await execute()), WRONG_ACCOUNT_TYPE);
  });

  describeAccounts('execute', {
    ready: async () => ({ chain: await midTransfer(), instruction: await execute() }),
    existing: ['config', 'extraAccountMetaList', 'destinationPass'],
    missing: { destinationPass: DESTINATION_PASS_MISSING },
  });

  describe('with the pass of the source', () => {
    describeAccounts('execute', {
      ready: async () => ({ chain: await midTransfer(BOTH), instruction: await execute({ mint: BOTH }) }),
      existing: ['extraAccountMetaList', 'sourcePass'],
      missing: { sourcePass: SOURCE_PASS_MISSING },
    });
  });
});

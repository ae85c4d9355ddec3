import { AccountRole, type Instruction } from '@solana/kit';
import { getTransferInstruction } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { addressOf, Chain, DAY, noop, PROGRAM, UNRELATED_WALLET } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { unitsOfProgram } from '../support/compute-units.ts';
import { revoke } from '../support/credentials.ts';
import { at, endPasses, PASS_FEE, pause } from '../support/governance.ts';
import { withAddress } from '../support/instruction.ts';
import {
  addReadingMints,
  balanceOf,
  execute,
  HOLDER_EXPIRY,
  marketChain,
  markTransfer,
  markTransferring,
  mintOf,
  transfer,
} from '../support/market.ts';
import { addLooseTokenAccount } from '../support/mints.ts';
import { closePass, prove } from '../support/passes.ts';
import { addRuleSet, passAt } from '../support/rule-sets.ts';
import {
  approve,
  BOTH,
  burn,
  handOver,
  ONE,
  READS_BOTH,
  READS_ONE,
  token2022,
  tokens,
} from '../support/token-instructions.ts';

const chain = chainPerTest(marketChain);

describe('a transfer', () => {
  it.each([ONE, BOTH])('goes through between two pass holders: %s', async (mint) => {
    const [source, destination] = [await tokens('holder', mint), await tokens('other holder', mint)];

    const outcome = await chain.confirm(transfer({ mint }));

    expect([...outcome.changed].sort()).toEqual([source, destination].sort());
    expect([balanceOf(chain, source), balanceOf(chain, destination)]).toEqual([990n, 10n]);
    expect(outcome.units).toBeLessThan(200_000);
    expect(unitsOfProgram(outcome)).toBeLessThan(3_000);
    expect(unitsOfProgram(outcome)).toBeGreaterThan(0);
    expect(outcome.logs.filter((log) => log.startsWith('Program data:'))).toEqual([]);
  });

  it.each([ONE, BOTH])('to an outsider is refused: %s', async (mint) => {
    await chain.reject('DESTINATION_PASS_MISSING', transfer({ mint, to: 'outsider' }));
  });

  it('needs a destination pass that is live, to the second', async () => {
    const back = { from: 'other holder', to: 'holder' };
    await chain.confirm(transfer());
    chain.setTime(HOLDER_EXPIRY);
    await chain.reject('DESTINATION_PASS_EXPIRED', transfer(back));
    chain.setTime(HOLDER_EXPIRY - 1n);
    await chain.confirm(transfer(back));
  });

  it('needs the pass of the source only when the binding requires it', async () => {
    chain.setTime(HOLDER_EXPIRY);
    await chain.confirm(transfer({ mint: ONE }));
    await chain.reject('SOURCE_PASS_EXPIRED', transfer({ mint: BOTH }));
    chain.setTime(HOLDER_EXPIRY - 1n);
    await chain.confirm(transfer({ mint: BOTH }));

    await revoke(chain);
    await chain.confirm(closePass());
    await chain.confirm(transfer({ mint: ONE }));
    await chain.reject('SOURCE_PASS_MISSING', transfer({ mint: BOTH }));
  });

  it('to or from a wallet whose pass was ended in the hour after its proof is refused', async () => {
    await chain.confirm(transfer());
    await revoke(chain);
    await chain.confirm(closePass());
    await chain.reject('SOURCE_PASS_EXPIRED', transfer({ mint: BOTH }));
    await chain.reject('DESTINATION_PASS_EXPIRED', transfer({ from: 'other holder', to: 'holder' }));
  });

  it('is refused after governance ended the passes, also those of the same second, until they are renewed', async () => {
    const proved = { wallet: 'other holder', expiresAt: chain.time + 31n * DAY };
    const back = { mint: ONE, from: 'other holder', to: 'holder' };
    await chain.confirm(endPasses());
    await chain.reject('DESTINATION_PASS_EXPIRED', transfer({ mint: ONE }));
    chain.setTime(chain.time + DAY);
    await chain.confirm(prove(proved));
    await chain.confirm(transfer({ mint: ONE }));
    await chain.reject('SOURCE_PASS_EXPIRED', transfer({ mint: BOTH }));
    await chain.reject('DESTINATION_PASS_EXPIRED', transfer(back));
    // The pass and the end of all passes have the same second.
    await chain.confirm(endPasses());
    await chain.reject('DESTINATION_PASS_EXPIRED', transfer({ mint: ONE }));
  });

  it.each([ONE, BOTH])('is refused while the protocol is paused: %s', async (mint) => {
    await chain.confirm(pause());
    await chain.reject('PROTOCOL_PAUSED', transfer({ mint }));
  });

  it('to a pass holder whose token account can change hands is refused', async () => {
    const mint = await addressOf(ONE);
    const loose = { at: 'loose', owner: 'other holder', mint, immutableOwner: false };
    const destination = await addLooseTokenAccount(chain, loose);
    await chain.reject('TOKEN_ACCOUNT_OWNER_MUTABLE', transfer({ destination }));
  });

  it('by a delegate works only between pass holders', async () => {
    await chain.confirm(approve(BOTH, 'outsider'));
    const delegated = { mint: BOTH, authority: 'outsider' };
    await chain.confirm(transfer(delegated));
    expect(balanceOf(chain, await tokens('other holder', BOTH))).toBe(10n);
    await chain.reject('DESTINATION_PASS_MISSING', transfer({ ...delegated, to: 'outsider' }));
  });

  it('with the pass of someone else in place of the owner is refused by Token-2022', async () => {
    const forbidden = await transfer({ to: 'outsider' });
    const disguised = withAddress(forbidden, await passAt('outsider'), await passAt('holder'));
    // IncorrectAccount of the interface: the list derives another address.
    await chain.reject(/InstructionError\(0, Custom\(2724315840\)\)/, disguised);
  });

  it('without the list of accounts calls the hook with the four of the transfer, and is refused', async () => {
    const whole = await transfer();
    const hookOnly = whole.accounts!.filter(({ address }, index) => index < 4 || address === PROGRAM);
    expect(hookOnly).toHaveLength(5);
    await chain.reject('WRONG_ACCOUNT_COUNT', { ...whole, accounts: hookOnly });
  });

  it('without any one of the accounts of the hook is refused', async () => {
    const whole = await transfer({ mint: BOTH });
    await chain.reject(/InstructionError\(0/, { ...whole, accounts: whole.accounts!.slice(0, 4) });
    for (let place = 4; place < whole.accounts!.length; place += 1) {
      const accounts = whole.accounts!.filter((_, index) => index !== place);
      await chain.reject(/InstructionError\(0/, { ...whole, accounts });
    }
  });

  it('accepts additional accounts: Token-2022 does not pass them on', async () => {
    const whole = await transfer();
    const extra = { address: UNRELATED_WALLET, role: AccountRole.READONLY };
    await chain.confirm({ ...whole, accounts: [...whole.accounts!, extra] });
  });

  it('by the unchecked Transfer is refused by Token-2022', async () => {
    const { accounts } = await transfer();
    const [source, destination] = [await tokens('holder'), await tokens('other holder')];
    const move = { source, destination, authority: await noop('holder'), amount: 10n };
    const plain = getTransferInstruction(move, token2022);
    const extras = [...plain.accounts!, ...accounts!.slice(4)] as Instruction['accounts'];
    await chain.reject(/InstructionError\(0/, { ...plain, accounts: extras! });
  });

  it('to the same account moves nothing and never calls the hook: only the service refuses it', async () => {
    await chain.confirm(pause());
    const source = await tokens('holder');
    const outcome = await chain.confirm(transfer({ to: 'holder', destination: source }));
    expect(outcome.changed).toEqual([]);
    expect(outcome.logs.join()).not.toContain(`Program ${PROGRAM} invoke`);
  });
});

describe('outside a transfer', () => {
  it('a token account of the profile cannot be handed to another owner', async () => {
    await chain.reject(/immutable|Custom\(34\)/i, handOver(await tokens('holder')));
  });

  it('burning needs no pass and reduces the supply', async () => {
    await chain.confirm(pause());
    await chain.confirm(burn(1n));
    expect(mintOf(chain, await addressOf(ONE)).supply).toBe(999n);
  });
});

describe('execute', () => {
  it.each([ONE, BOTH])('called directly is refused: %s', async (mint) => {
    await chain.reject('NOT_TRANSFERRING', execute({ mint }));
  });

  it('is refused unless both accounts are in a transfer', async () => {
    for (const name of ['holder', 'other holder']) {
      const marked = Chain.from(chain.save());
      markTransferring(marked, await tokens(name));
      await marked.reject('NOT_TRANSFERRING', execute());
    }
  });

  it('writes nothing and logs nothing of its own', async () => {
    await markTransfer(chain);
    const outcome = await chain.confirm(execute());
    expect(outcome.changed).toEqual([]);
    expect(outcome.logs.filter((log) => /^Program (data|log):/.test(log))).toEqual([]);
  });

  it('refuses the pass of another wallet and of another rule set', async () => {
    await markTransfer(chain, BOTH);
    const rule = await addRuleSet(chain, { nonce: 2n, passFunds: 2n * PASS_FEE });
    await chain.confirm(prove({ expiresAt: HOLDER_EXPIRY, rule }));
    await chain.confirm(prove({ wallet: 'other holder', rule }));
    const [sourcePass, destinationPass] = [await passAt('holder'), await passAt('other holder')];
    const good = await execute({ mint: BOTH });
    for (const [from, to] of [
      [destinationPass, sourcePass],
      [destinationPass, await passAt('other holder', rule)],
      [sourcePass, destinationPass],
      [sourcePass, await passAt('holder', rule)],
    ] as const) {
      await chain.reject('WRONG_ADDRESS', withAddress(good, from, to));
    }
    await chain.confirm(good);
  });

  it.each([ONE, BOTH, READS_ONE, READS_BOTH])('takes exactly the accounts of its list: %s', async (mint) => {
    await addReadingMints(chain);
    await markTransfer(chain, mint);
    const { accounts = [], ...rest } = await execute({ mint });
    for (const other of [accounts.slice(0, -1), [...accounts, ...accounts.slice(-1)]])
      await chain.reject('WRONG_ACCOUNT_COUNT', { ...rest, accounts: other });
    await chain.confirm({ ...rest, accounts });
  });

  it('refuses a list whose length contradicts what it requires', async () => {
    await markTransfer(chain);
    const list = await at.extraAccountMetaList(await addressOf(ONE));
    const entry = 8 + 4 + 4 + 2 * 35 + 8 + 4;
    // requireSource, and readsCredential.
    for (const offset of [2, 3 + 3 * 32 + 1]) {
      const changed = Chain.from(chain.save());
      changed.patch(list, entry + offset, [1]);
      await changed.reject('WRONG_ACCOUNT_TYPE', execute());
    }
    await chain.confirm(execute());
  });
});

/** The example programs of `examples/programs`: vaults that take tokens only from holders of live passes. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { addressBytes } from '@service/contract';
import {
  createTokenAccountInstruction,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  tokenAccountAddress,
} from '@service/protocol';
import { getEndGrantInstruction, getGrantPassInstruction } from '@service/protocol/generated';
import { AccountRole, type Address, getProgramDerivedAddress, type Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressOf, type Chain, DAY, HOUR, NOW, noop, PROGRAM, SOL } from './support/chain.ts';
import { chainPerTest } from './support/chain-per-test.ts';
import { revoke } from './support/credentials.ts';
import { at, CONFIG, credentialAt, endPasses } from './support/governance.ts';
import { withAddress } from './support/instruction.ts';
import { announceRule, applyRule } from './support/issuers.ts';
import { addMarket, balanceOf, HOLDER_EXPIRY, holdersChain, issueTokens } from './support/market.ts';
import { DECIMALS } from './support/mints.ts';
import { LATEST_EXPIRY, prove, suspendPass } from './support/passes.ts';
import { addRuleSet, passAt, RULE } from './support/rule-sets.ts';
import { tokens } from './support/token-instructions.ts';

const { READONLY, WRITABLE, WRITABLE_SIGNER } = AccountRole;
const VAULT_PROGRAM = await addressOf('vault program');
const MINT = await addressOf('mint');
const WEEK = 7n * DAY;

/** Returns the first 8 bytes of a SHA-256, as Anchor names instructions. */
const anchor = (name: string) => createHash('sha256').update(`global:${name}`).digest().subarray(0, 8);

/** How a program numbers its instructions and errors. */
const PROGRAMS = {
  'vault-pinocchio': {
    create: Uint8Array.of(0),
    open: null,
    deposit: Uint8Array.of(1),
    withdraw: Uint8Array.of(2),
    errors: {
      notSigned: 1,
      missing: 2,
      expired: 3,
      suspended: 4,
      granted: 5,
      binding: 6,
      account: 7,
      amount: 8,
    },
  },
  'vault-anchor-style': {
    create: anchor('create'),
    open: anchor('open'),
    deposit: anchor('deposit'),
    withdraw: anchor('withdraw'),
    errors: {
      notSigned: 6001,
      missing: 6003,
      expired: 6004,
      suspended: 6004,
      granted: 6004,
      binding: 6002,
      account: 6002,
      amount: 6005,
    },
  },
} as const;

const derive = async (...seeds: (string | Address)[]): Promise<Address> => {
  const bytes = seeds.map((seed) => (seed.length < 32 ? Buffer.from(seed) : addressBytes(seed as Address)));
  const [address] = await getProgramDerivedAddress({ programAddress: VAULT_PROGRAM, seeds: bytes });
  return address;
};

const VAULT = await derive('vault', MINT);
const VAULT_TOKENS = await tokenAccountAddress({ mint: MINT, owner: VAULT });
const VAULT_PASS = await at.pass(RULE, VAULT);
const METAS = await at.extraAccountMetaList(MINT);

const grant = async (expiresAt = LATEST_EXPIRY, rule = RULE) =>
  getGrantPassInstruction({
    creator: await noop('issuer'),
    config: CONFIG,
    ruleSet: rule,
    wallet: VAULT,
    pass: await at.pass(rule, VAULT),
    systemProgram: SYSTEM_PROGRAM,
    expiresAt,
  });

const endGrant = async () =>
  getEndGrantInstruction({
    sender: await noop('issuer'),
    pass: VAULT_PASS,
    ruleSet: RULE,
    creator: await addressOf('issuer'),
    config: CONFIG,
  });

for (const [name, program] of Object.entries(PROGRAMS)) {
  const { errors } = program;

  const instruction = (
    data: Uint8Array,
    accounts: readonly (readonly [Address, AccountRole])[],
  ): Instruction => ({
    programAddress: VAULT_PROGRAM,
    accounts: accounts.map(([address, role]) => ({ address, role })),
    data,
  });

  const create = async (mint = MINT, vault = VAULT) =>
    instruction(program.create, [
      [await addressOf('payer'), WRITABLE_SIGNER],
      [vault, WRITABLE],
      [mint, READONLY],
      [await at.mintBinding(mint), READONLY],
      [SYSTEM_PROGRAM, READONLY],
    ]);

  const recordOf = async (depositor: string) => derive('deposit', VAULT, await addressOf(depositor));

  const move = async (
    way: 'deposit' | 'withdraw',
    depositor: string,
    {
      amount = 100n,
      pass = undefined as Address | undefined,
      vaultTokens = VAULT_TOKENS,
      vaultPass = VAULT_PASS,
    } = {},
  ) => {
    const arguments_ = new DataView(new ArrayBuffer(9));
    arguments_.setBigUint64(0, amount, true);
    arguments_.setUint8(8, DECIMALS);
    return instruction(Buffer.concat([program[way], new Uint8Array(arguments_.buffer)]), [
      [await addressOf(depositor), WRITABLE_SIGNER],
      [VAULT, way === 'deposit' ? WRITABLE : READONLY],
      [await recordOf(depositor), WRITABLE],
      [MINT, READONLY],
      [await tokens(depositor), WRITABLE],
      [vaultTokens, WRITABLE],
      [pass ?? (await passAt(depositor)), READONLY],
      [CONFIG, READONLY],
      [await at.mintBinding(MINT), READONLY],
      [METAS, READONLY],
      [vaultPass, READONLY],
      [await credentialAt(depositor), READONLY],
      [await at.credential(VAULT), READONLY],
      [PROGRAM, READONLY],
      [TOKEN_2022_PROGRAM, READONLY],
      ...(program.open ? [] : [[SYSTEM_PROGRAM, READONLY] as const]),
    ]);
  };

  /** The record of a depositor, which the program with pinocchio opens with the first deposit. */
  const open = async (depositor: string): Promise<Instruction[]> =>
    program.open
      ? [
          instruction(program.open, [
            [await addressOf(depositor), WRITABLE_SIGNER],
            [VAULT, WRITABLE],
            [await recordOf(depositor), WRITABLE],
            [SYSTEM_PROGRAM, READONLY],
          ]),
        ]
      : [];

  /** A chain with the vault, its tokens and its pass, on which three wallets can open their records. */
  const vaultChain = async (requireSource: boolean, readsCredential: boolean): Promise<Chain> => {
    const chain = await holdersChain();
    await addMarket(chain, { requireSource, honoursGranted: true, readsCredential });
    for (const holder of ['holder', 'other holder'])
      await chain.confirm(issueTokens({ holder, amount: 1_000n }));
    const elf = readFileSync(
      new URL(`../../../examples/programs/${name}/artifact/${name}.so`, import.meta.url),
    );
    chain.addProgram(VAULT_PROGRAM, elf);
    const payer = await addressOf('payer');
    for (const wallet of ['payer', 'holder', 'other holder', 'outsider'])
      chain.fund(await addressOf(wallet), SOL);
    await chain.confirm(create());
    await chain.confirm(createTokenAccountInstruction({ payer, mint: MINT, owner: VAULT }));
    await chain.confirm(grant());
    for (const wallet of ['holder', 'other holder', 'outsider']) {
      const opening = await open(wallet);
      if (opening.length > 0) await chain.confirm(opening);
    }
    return chain;
  };

  describe.each([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])(
    `${name}, of a mint whose binding requires the source: %s, and reads credentials: %s`,
    (requireSource, readsCredential) => {
      const chain = chainPerTest(() => vaultChain(requireSource, readsCredential));
      const inVault = () => balanceOf(chain, VAULT_TOKENS);

      it('takes tokens of a holder, and gives back what it took', async () => {
        await chain.confirm(move('deposit', 'holder'));
        await chain.confirm(move('deposit', 'holder', { amount: 50n }));
        await chain.confirm(move('deposit', 'other holder', { amount: 10n }));
        expect(inVault()).toBe(160n);
        await chain.confirm(move('withdraw', 'holder', { amount: 150n }));
        expect([inVault(), balanceOf(chain, await tokens('holder'))]).toEqual([10n, 1_000n]);
        await chain.reject(errors.amount, move('withdraw', 'holder', { amount: 1n }));
      });

      it('gives tokens only to their depositor', async () => {
        await chain.confirm(move('deposit', 'holder'));
        await chain.confirm(move('deposit', 'other holder', { amount: 1n }));
        await chain.reject(errors.amount, move('withdraw', 'other holder'));
        const [other, holder] = [await recordOf('other holder'), await recordOf('holder')];
        await chain.reject(
          errors.account,
          withAddress(await move('withdraw', 'other holder'), other, holder),
        );
        const unsigned = await move('withdraw', 'holder');
        const [depositor, ...others] = unsigned.accounts!;
        const accounts = [{ ...depositor!, role: WRITABLE }, ...others];
        await chain.reject(errors.notSigned, { ...unsigned, accounts });
        // Not to somebody else with a pass either: a depositor without one could send tokens in this way.
        const toOther = withAddress(
          await move('withdraw', 'holder', { pass: await passAt('other holder') }),
          await tokens('holder'),
          await tokens('other holder'),
        );
        await chain.reject(errors.account, toOther);
        await chain.confirm(move('withdraw', 'holder'));
      });

      it('credits nobody for a transfer to an account that is not its own', async () => {
        const loose = await tokens('other holder');
        await chain.reject(errors.account, move('deposit', 'holder', { vaultTokens: loose }));
      });

      it('refuses a wallet without a pass, and one with the pass of somebody else', async () => {
        await chain.reject(errors.missing, move('deposit', 'outsider'));
        const somebodyElse = program.open ? errors.expired : errors.missing;
        await chain.reject(somebodyElse, move('deposit', 'outsider', { pass: await passAt('holder') }));
        await chain.reject(somebodyElse, move('deposit', 'other holder', { pass: await passAt('holder') }));
      });

      it('refuses a pass of another rule set', async () => {
        const rule = await addRuleSet(chain, { nonce: 2n, passFunds: SOL });
        await chain.confirm(prove({ rule }));
        const refused = program.open ? errors.expired : errors.missing;
        await chain.reject(refused, move('deposit', 'holder', { pass: await passAt('holder', rule) }));
      });

      it('refuses a pass that another program wrote, and another Config', async () => {
        const [fake, fakeProgram] = [await addressOf('fake'), await addressOf('fake program')];
        const deposit = await move('deposit', 'holder');
        for (const real of [await passAt('holder'), CONFIG]) {
          chain.write(fake, { ...chain.account(real)!, owner: fakeProgram });
          await chain.reject(errors.missing, withAddress(deposit, real, fake));
        }
        await chain.confirm(deposit);
      });

      it('refuses an expired pass', async () => {
        chain.setTime(HOLDER_EXPIRY - 1n);
        await chain.confirm(move('deposit', 'holder'));
        chain.setTime(HOLDER_EXPIRY);
        await chain.reject(errors.expired, move('deposit', 'holder'));
        await chain.confirm(move('deposit', 'other holder'));
      });

      it('refuses a suspended pass until the suspension ends', async () => {
        await chain.confirm(suspendPass({ until: NOW + HOUR }));
        await chain.reject(errors.suspended, move('deposit', 'holder'));
        chain.setTime(NOW + HOUR);
        await chain.confirm(move('deposit', 'holder'));
      });

      it('refuses a pass that governance ended', async () => {
        chain.setTime(NOW + 1n);
        await chain.confirm(endPasses());
        chain.setTime(NOW + 2n);
        await chain.confirm(grant());
        await chain.reject(errors.expired, move('deposit', 'holder'));
      });

      it('refuses a granted pass of a depositor', async () => {
        chain.setTime(HOLDER_EXPIRY);
        const granted = withAddress(await grant(HOLDER_EXPIRY + HOUR), VAULT, await addressOf('holder'));
        await chain.confirm(withAddress(granted, VAULT_PASS, await passAt('holder')));
        await chain.reject(errors.granted, move('deposit', 'holder'));
      });

      it('cannot receive tokens once its own pass has ended', async () => {
        await chain.confirm(move('deposit', 'holder'));
        await chain.confirm(endGrant());
        await chain.reject('DESTINATION_PASS_MISSING', move('deposit', 'holder'));
        await chain.confirm(grant(NOW + HOUR));
        await chain.confirm(move('withdraw', 'holder'));
        chain.setTime(NOW + HOUR);
        await chain.reject('DESTINATION_PASS_EXPIRED', move('deposit', 'holder'));
      });

      it('gives nothing back to a revoked depositor if the mint reads credentials, even if its pass was kept', async () => {
        await chain.confirm(move('deposit', 'holder'));
        await revoke(chain);
        const withdrawal = await move('withdraw', 'holder');
        if (readsCredential) await chain.reject('DESTINATION_PASS_UNSUPPORTED', withdrawal);
        else await chain.confirm(withdrawal);
      });

      it('gives tokens back without its own pass only if the mint does not require the source', async () => {
        await chain.confirm(move('deposit', 'holder'));
        await chain.confirm(endGrant());
        const withdrawal = await move('withdraw', 'holder');
        if (requireSource) await chain.reject('SOURCE_PASS_MISSING', withdrawal);
        else await chain.confirm(withdrawal);
      });

      it('follows the mint to the rule set that its issuer announced', async () => {
        const rule = await addRuleSet(chain, { nonce: 2n, passFunds: SOL });
        await chain.confirm(prove({ rule }));
        await chain.confirm(announceRule({ mint: 'mint', rule }));
        chain.setTime(NOW + WEEK);
        await chain.confirm(grant(NOW + 2n * WEEK, rule));
        await chain.confirm(applyRule({ mint: 'mint' }));
        const refused = program.open ? errors.expired : errors.missing;
        const vaultPass = await at.pass(rule, VAULT);
        await chain.reject(refused, move('deposit', 'holder', { vaultPass }));
        await chain.confirm(move('deposit', 'holder', { vaultPass, pass: await passAt('holder', rule) }));
      });

      it('needs a mint that honours granted passes', async () => {
        const mint = await addMarket(chain, { mint: 'strict mint' });
        const vault = await derive('vault', mint);
        await chain.reject(errors.binding, create(mint, vault));
        const binding = await at.mintBinding(mint);
        await chain.reject(
          errors.binding,
          withAddress(await create(mint, vault), binding, await at.mintBinding(MINT)),
        );
      });
    },
  );
}

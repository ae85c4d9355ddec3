import { createHash } from 'node:crypto';
import { addressBytes } from '@service/contract';
import { MEMO_PROGRAM, MINT_EXTENSIONS, SYSTEM_PROGRAM } from '@service/protocol';
import { type Address, address, none, some } from '@solana/kit';
import { AuthorityType, getSetAuthorityInstruction } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { addressOf, noop, PROGRAM, UNRELATED_WALLET } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { at, CONFIG } from '../support/governance.ts';
import { bindingOf, bindMint, mintOf } from '../support/market.ts';
import {
  addLooseTokenAccount,
  addMint,
  extensionsTogether,
  initializeMetadata,
  metadataPointer,
  permanentDelegate,
  SUPPORTED_EXTENSIONS,
  transferHook,
  UNSUPPORTED_EXTENSIONS,
} from '../support/mints.ts';
import { addRuleSet, RULE, ruleSetChain } from '../support/rule-sets.ts';
import { mintTo, ofToken2022, token2022 } from '../support/token-instructions.ts';

const chain = chainPerTest(ruleSetChain);
const issuer = await addressOf('issuer');
const TRANSFER_HOOK_TYPE = 14;

const u32 = (value: number) => [value & 0xff, value >> 8, 0, 0];
const sha256 = (text: string) => [...createHash('sha256').update(text).digest()];

/** The account that the interface prescribes, written out by hand from its description and the IDL. */
async function expectedMetas(
  requireSource: boolean,
  { honoursGranted = false, readsCredential = false } = {},
): Promise<number[]> {
  const mint = await addressOf('mint');
  const list = await at.extraAccountMetaList(mint);
  const entries = 1 + (requireSource ? 2 : 1) * (readsCredential ? 2 : 1);
  const bindingStart = 8 + 4 + 4 + entries * 35 + 8 + 4;
  const ruleStart = bindingStart + 3 + 32;
  const literal = [0, ...addressBytes(CONFIG), 0, 0];
  const derived = (seeds: number[]) => [1, ...seeds, ...new Array(32 - seeds.length).fill(0), 0, 0];
  const recordsOf = (tokenAccount: number) => {
    // 32 bytes of the token account from 32 on.
    const owner = [4, tokenAccount, 32, 32];
    // A literal of 4 bytes, and 32 bytes of account 4, the list.
    const pass = derived([1, 4, ...Buffer.from('pass'), 4, 4, ruleStart, 32, ...owner]);
    return readsCredential ? [pass, derived([1, 10, ...Buffer.from('credential'), ...owner])] : [pass];
  };
  const metas = [literal, ...recordsOf(2), ...(requireSource ? recordsOf(0) : [])].flat();
  const bump = chain.data(list)[bindingStart + 1]!;
  const binding = [
    2,
    bump,
    requireSource ? 1 : 0,
    ...[mint, RULE, issuer].flatMap((key) => [...addressBytes(key)]),
    honoursGranted ? 1 : 0,
    readsCredential ? 1 : 0,
    ...new Array<number>(62).fill(0),
  ];
  return [
    ...sha256('spl-transfer-hook-interface:execute').slice(0, 8),
    ...u32(4 + metas.length),
    ...u32(entries),
    ...metas,
    ...sha256('service:v1:binding').slice(0, 8),
    ...u32(binding.length),
    ...binding,
  ];
}

describe('bind-mint', () => {
  it.each([false, true])(
    'binds a mint with requireSource %s, and becomes its mint authority',
    async (requireSource) => {
      const mint = await addMint(chain);

      const outcome = await chain.confirm(bindMint({ requireSource }));

      const [binding, list] = [await at.mintBinding(mint), await at.extraAccountMetaList(mint)];
      expect([...outcome.changed].sort()).toEqual([mint, binding, list].sort());
      expect(await bindingOf(chain, mint)).toMatchObject({ mint, rule: RULE, issuer, requireSource });
      expect([...chain.data(list)]).toEqual(await expectedMetas(requireSource));
      for (const account of [binding, list]) {
        expect(chain.account(account)?.owner).toBe(PROGRAM);
        expect(chain.aboveRent(account)).toBe(0n);
      }
      expect(mintOf(chain, mint)).toMatchObject({
        mintAuthority: some(binding),
        freezeAuthority: none(),
        supply: 0n,
      });
      expect(outcome.units).toBeLessThan(200_000);
    },
  );

  it('accepts the issuer as freeze authority', async () => {
    await addMint(chain, { freezeAuthority: 'issuer' });
    await chain.confirm(bindMint());
  });

  it('accepts a metadata pointer and metadata in the mint', async () => {
    const mint = await addressOf('mint');
    await addMint(chain, { extensions: [transferHook(), metadataPointer(issuer, mint)], spare: 300 });
    await chain.confirm(initializeMetadata(mint));
    await chain.confirm(bindMint());
  });

  it.each(Object.entries(SUPPORTED_EXTENSIONS))('accepts the extension: %s', async (_, extension) => {
    for (const [mint, extensions] of Object.entries({
      'before the hook': [extension(issuer), transferHook()],
      'after the hook': [transferHook(), extension(issuer)],
    })) {
      await addMint(chain, { mint, freezeAuthority: 'issuer', extensions });
      await chain.confirm(bindMint({ mint }));
    }
  });

  it('accepts and refuses the same extensions as the list of @service/protocol', async () => {
    const types = Array.from({ length: 40 }, (_, index) => index + 1);
    const isListed = (type: number) => MINT_EXTENSIONS[type] && !MINT_EXTENSIONS[type].refused;
    for (const type of types.filter((type) => type !== TRANSFER_HOOK_TYPE)) {
      const name = `mint of ${type}`;
      const mint = await addMint(chain, { mint: name });
      const found = chain.account(mint)!;
      // Zeros are no permanent delegate, which is accepted too.
      const entry = [type, 0, 32, 0, ...new Uint8Array(32)];
      chain.write(mint, { ...found, data: Uint8Array.of(...found.data, ...entry) });
      if (isListed(type)) await chain.confirm(bindMint({ mint: name }));
      else await chain.reject('MINT_EXTENSION_UNSUPPORTED', bindMint({ mint: name }));
    }
  });

  it('accepts all that one mint can have, and that of a mint which stands for a group', async () => {
    const mint = await addressOf('mint');
    const extensions = extensionsTogether().map((extension) => extension(issuer));
    await addMint(chain, {
      freezeAuthority: 'issuer',
      extensions: [transferHook(), ...extensions],
      spare: 300,
    });
    // InitializeGroup of the group interface: the authority of updates, and the most members.
    const discriminator = sha256('spl_token_group_interface:initialize_token_group').slice(0, 8);
    const group = [...discriminator, ...addressBytes(issuer), 3, 0, 0, 0, 0, 0, 0, 0];
    await chain.confirm(ofToken2022(group, [mint, mint, issuer], [issuer]));
    await chain.confirm(bindMint());
  });

  describe('takes over for good', () => {
    /** Sends an instruction of the issuer after the binding. Returns whether it worked. */
    const afterwards = async (mint: Address, ...data: number[]) =>
      (await chain.send(ofToken2022(data, [mint, issuer], [issuer]))).refusal === null;
    const NEXT = [1, ...addressBytes(issuer)];

    it.each([
      ['with this program', PROGRAM],
      ['without a program', null],
    ])('a hook of the issuer %s', async (_, program) => {
      const mint = await addMint(chain, { extensions: [transferHook({ authority: issuer, program })] });
      const [start, end] = [chain.data(mint).length - 64, chain.data(mint).length];
      const outcome = await chain.confirm(bindMint());
      const hook = [...new Uint8Array(32), ...addressBytes(PROGRAM)];
      expect([...chain.data(mint).slice(start, end)]).toEqual(hook);
      expect(outcome.units).toBeLessThan(200_000);
      // Update of the hook's program, and SetAuthority of the hook (10).
      expect(await afterwards(mint, 36, 1, ...addressBytes(issuer))).toBe(false);
      expect(await afterwards(mint, 6, 10, ...NEXT)).toBe(false);
    });

    it('the permanent delegate, if it is the issuer', async () => {
      const extensions = [transferHook(), permanentDelegate(issuer)];
      const mint = await addMint(chain, { extensions });
      await chain.confirm(bindMint());
      const delegate = addressBytes(await at.mintBinding(mint));
      expect(chain.data(mint).slice(-32)).toEqual(Uint8Array.from(delegate));
      expect(await afterwards(mint, 6, 8, ...NEXT)).toBe(false);
    });

    it('nothing if the issuer holds neither: a delegate that is the binding, or that was removed', async () => {
      const mint = await addressOf('mint');
      const delegate = permanentDelegate(await at.mintBinding(mint));
      await addMint(chain, { extensions: [transferHook(), delegate] });
      const before = chain.data(mint);
      await chain.confirm(bindMint());
      expect(chain.data(mint).slice(166)).toEqual(before.slice(166));

      const removed = { mint: 'without', extensions: [transferHook(), permanentDelegate(issuer)] };
      const other = await addMint(chain, removed);
      expect(await afterwards(other, 6, 8, 0)).toBe(true);
      await chain.confirm(bindMint({ mint: 'without' }));
      expect(chain.data(other).slice(-32)).toEqual(new Uint8Array(32));
    });

    it('nothing if the binding is rejected', async () => {
      const extensions = [transferHook({ authority: issuer, program: null }), permanentDelegate(issuer)];
      await addMint(chain, { extensions, freezeAuthority: 'unrelated wallet' });
      await chain.reject('MINT_FREEZE_AUTHORITY_MISMATCH', bindMint());
    });
  });

  it('accepts the rule set of another creator', async () => {
    const rule = await addRuleSet(chain, { creator: 'unrelated wallet' });
    const mint = await addMint(chain);
    await chain.confirm(bindMint({ rule }));
    expect((await bindingOf(chain, mint)).rule).toBe(rule);
  });

  describe('refuses a mint', () => {
    it('with a supply', async () => {
      const mint = await addMint(chain);
      const token = await addLooseTokenAccount(chain, { at: 'loose', owner: 'issuer', mint });
      await chain.confirm(mintTo(token, mint, 1n));
      await chain.reject('MINT_SUPPLY_NOT_ZERO', bindMint());
    });

    it('with another mint authority', async () => {
      await addMint(chain, { authority: 'unrelated wallet' });
      await chain.reject('MINT_AUTHORITY_MISMATCH', bindMint());
    });

    it('when another wallet than its mint authority signs', async () => {
      await addMint(chain);
      await chain.reject('MINT_AUTHORITY_MISMATCH', bindMint({ issuer: 'unrelated wallet' }));
    });

    it('without a mint authority', async () => {
      const mint = await addMint(chain);
      const change = { authorityType: AuthorityType.MintTokens, newAuthority: null };
      const owner = await noop('issuer');
      await chain.confirm(getSetAuthorityInstruction({ owned: mint, owner, ...change }, token2022));
      await chain.reject('MINT_AUTHORITY_MISMATCH', bindMint());
    });

    it.each([
      ['without a transfer hook, with extensions or without any', [metadataPointer(issuer, issuer)], []],
      [
        'with the hook of another program, even if the issuer could replace it',
        [transferHook({ program: MEMO_PROGRAM })],
        [transferHook({ authority: issuer, program: MEMO_PROGRAM })],
      ],
    ])('%s', async (_, ...variants) => {
      for (const [index, extensions] of variants.entries()) {
        const mint = `mint ${index}`;
        await addMint(chain, { mint, extensions });
        await chain.reject('MINT_HOOK_MISMATCH', bindMint({ mint }));
      }
    });

    it('whose hook has another authority, with or without a program', async () => {
      for (const [index, program] of [PROGRAM, null].entries()) {
        const mint = `mint ${index}`;
        await addMint(chain, { mint, extensions: [transferHook({ authority: UNRELATED_WALLET, program })] });
        await chain.reject('MINT_HOOK_AUTHORITY_MISMATCH', bindMint({ mint }));
      }
    });

    it('whose hook has neither a program nor an authority any more', async () => {
      const mint = await addMint(chain, { extensions: [transferHook({ authority: issuer, program: null })] });
      // SetAuthority of the hook (10) to none.
      await chain.confirm(ofToken2022([6, 10, 0], [mint, issuer], [issuer]));
      await chain.reject('MINT_HOOK_MISMATCH', bindMint());
    });

    it('with the permanent delegate of another: a wallet, another program, the binding of another mint', async () => {
      const delegates = [UNRELATED_WALLET, MEMO_PROGRAM, await at.mintBinding(UNRELATED_WALLET)];
      for (const [index, delegate] of delegates.entries()) {
        const mint = `mint ${index}`;
        await addMint(chain, { mint, extensions: [transferHook(), permanentDelegate(delegate)] });
        await chain.reject('MINT_DELEGATE_MISMATCH', bindMint({ mint }));
      }
    });

    it('with another freeze authority', async () => {
      await addMint(chain, { freezeAuthority: 'unrelated wallet' });
      await chain.reject('MINT_FREEZE_AUTHORITY_MISMATCH', bindMint());
    });

    it.each(Object.keys(UNSUPPORTED_EXTENSIONS))('with the extension: %s', async (name) => {
      const unsupported = UNSUPPORTED_EXTENSIONS[name]!(issuer);
      for (const [mint, extensions] of Object.entries({
        'before the hook': [unsupported, transferHook()],
        'after the hook': [transferHook(), unsupported],
      })) {
        await addMint(chain, { mint, freezeAuthority: 'issuer', extensions });
        await chain.reject('MINT_EXTENSION_UNSUPPORTED', bindMint({ mint }));
      }
    });

    it('that is not initialized, another account of Token-2022, or of another owner', async () => {
      const mint = await addMint(chain);
      const good = chain.account(mint)!;
      chain.write(mint, { ...good, data: good.data.with(45, 0) });
      await chain.reject('MINT_INVALID', bindMint());

      const legacy = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
      for (const owner of [legacy, SYSTEM_PROGRAM, PROGRAM]) {
        chain.write(mint, { ...good, owner });
        await chain.reject('MINT_INVALID', bindMint());
      }

      chain.write(mint, good);
      await addLooseTokenAccount(chain, { at: 'token account', owner: 'issuer', mint });
      await chain.reject('MINT_INVALID', bindMint({ mint: 'token account' }));
    });

    it('whose extensions are cut short', async () => {
      const mint = await addMint(chain);
      const good = chain.account(mint)!;
      for (const length of [good.data.length - 1, 169, 168, 81]) {
        chain.write(mint, { ...good, data: good.data.slice(0, length) });
        await chain.reject('MINT_INVALID', bindMint());
      }
    });
  });

  it('writes whether the mint honours granted passes; not without that byte, as in the first version', async () => {
    for (const [mint, honoursGranted, byte] of [
      ['mint', true, [1]],
      ['second mint', false, [0]],
      ['third mint', null, []],
    ] as const) {
      await addMint(chain, { mint });
      const binding = await bindMint({ mint, honoursGranted });
      expect([...binding.data]).toEqual([10, 0, ...byte]);
      await chain.confirm(binding);
      const stored = honoursGranted ?? false;
      expect(await bindingOf(chain, await addressOf(mint))).toMatchObject({
        version: 2,
        honoursGranted: stored,
      });
    }
    const list = await at.extraAccountMetaList(await addressOf('mint'));
    expect([...chain.data(list)]).toEqual(await expectedMetas(false, { honoursGranted: true }));
  });

  it.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])(
    'writes that the mint reads credentials, with requireSource %s and honoursGranted %s',
    async (requireSource, honoursGranted) => {
      const mint = await addMint(chain);
      const binding = await bindMint({ requireSource, honoursGranted, readsCredential: true });
      expect([...binding.data].slice(2)).toEqual([honoursGranted ? 1 : 0, 1]);
      await chain.confirm(binding);
      const terms = { honoursGranted, readsCredential: true };
      expect(await bindingOf(chain, mint)).toMatchObject({ version: 2, requireSource, ...terms });
      const list = await at.extraAccountMetaList(mint);
      expect([...chain.data(list)]).toEqual(await expectedMetas(requireSource, terms));
      expect(chain.aboveRent(list)).toBe(0n);
    },
  );

  it('writes that the mint reads none without that byte, as bindings did before', async () => {
    for (const [mint, readsCredential] of [
      ['mint', null],
      ['second mint', false],
    ] as const) {
      const address = await addMint(chain, { mint });
      await chain.confirm(bindMint({ mint, honoursGranted: true, readsCredential }));
      expect((await bindingOf(chain, address)).readsCredential).toBe(false);
    }
    const list = await at.extraAccountMetaList(await addressOf('mint'));
    expect([...chain.data(list)]).toEqual(await expectedMetas(false, { honoursGranted: true }));
  });

  it('refuses a second binding, and the issuer can no longer mint alone', async () => {
    const mint = await addMint(chain);
    await chain.confirm(bindMint());
    const rule = await addRuleSet(chain, { nonce: 2n });
    await chain.reject('ALREADY_INITIALIZED', bindMint({ rule }));

    const token = await addLooseTokenAccount(chain, { at: 'loose', owner: 'issuer', mint });
    expect((await chain.send(mintTo(token, mint, 1n))).refusal?.text).toContain('Custom(4)');
  });
});

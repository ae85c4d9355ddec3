import { address } from '@solana/kit';
import { getFreezeAccountInstruction } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { addressOf, noop } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { revoke } from '../support/credentials.ts';
import { CIRCUIT, endPasses, PASS_FEE, setCircuit, setVerifier, TREASURY } from '../support/governance.ts';
import { addMarket, balanceOf, HOLDER_EXPIRY, holdersChain, issueTokens, mintOf } from '../support/market.ts';
import { addLooseTokenAccount } from '../support/mints.ts';
import { prove } from '../support/passes.ts';
import { addRuleSet } from '../support/rule-sets.ts';
import { token2022, tokens } from '../support/token-instructions.ts';

const chain = chainPerTest(async () => {
  const ready = await holdersChain();
  await addMarket(ready, { freezeAuthority: 'issuer' });
  return ready;
});
const mint = await addressOf('mint');

describe('issue-tokens', () => {
  it('mints to the token account of a pass holder', async () => {
    const outcome = await chain.confirm(issueTokens({ amount: 1_000n }));

    const destination = await tokens('holder');
    expect([...outcome.changed].sort()).toEqual([mint, destination].sort());
    expect(balanceOf(chain, destination)).toBe(1_000n);
    expect(mintOf(chain, mint).supply).toBe(1_000n);
    expect(outcome.units).toBeLessThan(200_000);
  });

  it('mints to any token account whose owner is fixed', async () => {
    const loose = { at: 'loose', owner: 'holder', mint };
    const destination = await addLooseTokenAccount(chain, loose);
    await chain.confirm(issueTokens({ destination, amount: 5n }));
    expect(balanceOf(chain, destination)).toBe(5n);
  });

  it('refuses an owner without a pass', async () => {
    await chain.reject('DESTINATION_PASS_MISSING', issueTokens({ holder: 'outsider' }));
  });

  it('refuses an expired pass, to the second', async () => {
    chain.setTime(HOLDER_EXPIRY);
    await chain.reject('DESTINATION_PASS_EXPIRED', issueTokens());
    chain.setTime(HOLDER_EXPIRY - 1n);
    await chain.confirm(issueTokens());
  });

  it('refuses a pass that governance ended', async () => {
    await chain.confirm(endPasses());
    await chain.reject('DESTINATION_PASS_EXPIRED', issueTokens());
  });

  it('refuses the pass of the same wallet for another rule set', async () => {
    const rule = await addRuleSet(chain, { nonce: 2n, passFunds: PASS_FEE });
    await chain.confirm(prove({ expiresAt: HOLDER_EXPIRY, rule }));
    await chain.reject('WRONG_ADDRESS', issueTokens({ rule }));
  });

  it('refuses an owner whose credential is revoked, also while its pass is live', async () => {
    await revoke(chain);
    await chain.reject('CREDENTIAL_REVOKED', issueTokens());
  });

  it('accepts a live pass of a deactivated verifier and a retired circuit', async () => {
    await chain.confirm(setVerifier({ active: false }));
    await chain.confirm(setCircuit({ id: 'next', previousCircuit: CIRCUIT }));
    await chain.confirm(issueTokens());
  });

  it('refuses a token account whose owner can be changed', async () => {
    const loose = { at: 'loose', owner: 'holder', mint, immutableOwner: false };
    const destination = await addLooseTokenAccount(chain, loose);
    await chain.reject('TOKEN_ACCOUNT_OWNER_MUTABLE', issueTokens({ destination }));
  });

  it('refuses every other wallet as issuer: the holder, governance, an unrelated wallet', async () => {
    for (const issuer of ['holder', 'governance', 'unrelated wallet']) {
      await chain.reject('NOT_ISSUER', issueTokens({ issuer }));
    }
  });

  it('refuses a destination of another mint, of another program, or that is not a token account', async () => {
    const other = await addMarket(chain, { mint: 'other mint' });
    const ofOtherMint = await tokens('holder', 'other mint');
    for (const destination of [ofOtherMint, other, mint, TREASURY, await addressOf('holder')]) {
      await chain.reject('TOKEN_ACCOUNT_INVALID', issueTokens({ destination }));
    }
    const destination = await tokens('holder');
    const good = chain.account(destination)!;
    const legacy = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
    chain.write(destination, { ...good, owner: legacy });
    await chain.reject('TOKEN_ACCOUNT_INVALID', issueTokens());
    chain.write(destination, { ...good, data: good.data.slice(0, 164) });
    await chain.reject('TOKEN_ACCOUNT_INVALID', issueTokens());
    // A token account without extensions, which a bound mint cannot have.
    chain.write(destination, { ...good, data: good.data.slice(0, 165) });
    await chain.reject('TOKEN_ACCOUNT_OWNER_MUTABLE', issueTokens());
  });

  it.each([
    ['is not initialised', 108, 0],
    ['has the type of a mint', 165, 1],
  ])('refuses a destination that %s', async (_, place, value) => {
    chain.patch(await tokens('holder'), place, [value]);
    await chain.reject('TOKEN_ACCOUNT_INVALID', issueTokens());
  });

  it('relies on Token-2022 to refuse an overflow of the supply and a frozen account', async () => {
    await chain.confirm(issueTokens({ amount: 2n ** 64n - 1n }));
    await chain.reject(14, issueTokens({ amount: 1n }));

    const account = await tokens('other holder');
    const owner = await noop('issuer');
    await chain.confirm(getFreezeAccountInstruction({ account, mint, owner }, token2022));
    await chain.reject(17, issueTokens({ holder: 'other holder', amount: 1n }));
  });
});

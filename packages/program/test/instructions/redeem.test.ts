import { getApproveInstruction } from '@solana-program/token';
import { expect, it } from 'vitest';
import { addressOf, noop } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { eventsOf } from '../support/events.ts';
import { at } from '../support/governance.ts';
import { addSecurity, freeze, pauseMint, REASONS, redeem, SECURITY } from '../support/issuers.ts';
import { addMarket, balanceOf, HOLDER_EXPIRY, holdersChain, issueTokens, mintOf } from '../support/market.ts';
import { pausable } from '../support/mints.ts';
import { ONE, token2022, tokens } from '../support/token-instructions.ts';

const chain = chainPerTest(async () => {
  const ready = await holdersChain();
  await addSecurity(ready, { extensions: [pausable(await addressOf('issuer'))] });
  return ready;
});
const [mint, source] = [await addressOf(SECURITY), await tokens('holder', SECURITY)];

it('burns tokens without their owner', async () => {
  const outcome = await chain.confirm(redeem({ amount: 400n }));
  expect([...outcome.changed].sort()).toEqual([mint, source].sort());
  expect([balanceOf(chain, source), mintOf(chain, mint).supply]).toEqual([600n, 600n]);
  expect(outcome.units).toBeLessThan(200_000);
});

it.each(REASONS)('records the reason %s', async (reason) => {
  const outcome = await chain.confirm(redeem({ reason, amount: 5n }));
  const event = { event: 'tokensRedeemed', mint, source, amount: 5n, reason: BigInt(reason) };
  expect(eventsOf(outcome)).toEqual([event]);
});

it('works when the pass of the owner has expired, and up to all that it has', async () => {
  chain.setTime(HOLDER_EXPIRY);
  await chain.confirm(redeem({ amount: 1_000n }));
  await chain.reject(1, redeem({ amount: 1n }));
});

it('is refused for every other wallet: the holder, governance, an unrelated wallet', async () => {
  for (const issuer of ['holder', 'governance', 'unrelated wallet']) {
    await chain.reject('NOT_ISSUER', redeem({ issuer }));
  }
});

it('is refused for no tokens and for a reason without a code', async () => {
  await chain.reject('AMOUNT_INVALID', redeem({ amount: 0n }));
  for (const reason of [0, 8, 255]) await chain.reject('REASON_INVALID', redeem({ reason }));
});

it('is refused without a permanent delegate, even if the holder has approved the binding', async () => {
  await addMarket(chain, { mint: ONE });
  await chain.confirm(issueTokens({ mint: ONE }));
  await chain.reject('RECOVERY_NOT_ENABLED', redeem({ mint: ONE }));
  const delegate = await at.mintBinding(await addressOf(ONE));
  const approval = { source: await tokens('holder', ONE), delegate, owner: await noop('holder') };
  await chain.confirm(getApproveInstruction({ ...approval, amount: 500n }, token2022));
  await chain.reject('RECOVERY_NOT_ENABLED', redeem({ mint: ONE }));
});

it('is refused with a token account of another mint', async () => {
  await addMarket(chain, { mint: ONE });
  await chain.reject('TOKEN_ACCOUNT_INVALID', redeem({ source: await tokens('holder', ONE) }));
});

it('is stopped by a frozen account and by a paused mint until the issuer lifts both', async () => {
  await chain.confirm(freeze('holder'));
  await chain.reject(17, redeem());
  await chain.confirm(freeze('holder', { thaw: true }), redeem(), freeze('holder'));
  await chain.confirm(freeze('holder', { thaw: true }), pauseMint());
  // MintPaused
  await chain.reject(67, redeem());
  await chain.confirm(pauseMint({ resume: true }), redeem());
  expect(mintOf(chain, mint).supply).toBe(980n);
});

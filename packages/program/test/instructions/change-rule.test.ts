/** `announce-rule` and `apply-rule`. */
import { RULE_CHANGE_DELAY_SECONDS, SYSTEM_PROGRAM } from '@service/protocol';
import { expect, it } from 'vitest';
import { addressOf, DAY, NOW } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { eventsOf } from '../support/events.ts';
import { at } from '../support/governance.ts';
import {
  addSecurity,
  announceInTime,
  announceRule,
  applyRule,
  NEXT_RULE,
  recover,
  SECURITY,
  securityChain,
} from '../support/issuers.ts';
import { bindingOf, boundMintOf, HOLDER_EXPIRY, issueTokens, transfer } from '../support/market.ts';
import { prove } from '../support/passes.ts';
import { RULE } from '../support/rule-sets.ts';

const chain = chainPerTest(securityChain);
const mint = await addressOf(SECURITY);
const [binding, list] = [await at.mintBinding(mint), await at.extraAccountMetaList(mint)];
const FROM = NOW + RULE_CHANGE_DELAY_SECONDS;
const next = { mint: SECURITY, rule: NEXT_RULE };

it('takes effect after seven days, to the second, and not by itself', async () => {
  expect(RULE_CHANGE_DELAY_SECONDS).toBe(7n * DAY);
  const outcome = await chain.confirm(announceRule());
  expect(outcome.changed).toEqual([binding]);
  expect(await bindingOf(chain, mint)).toMatchObject({ rule: RULE, nextRule: NEXT_RULE, nextRuleFrom: FROM });
  chain.setTime(FROM - 1n);
  await chain.reject('RULE_CHANGE_TOO_EARLY', applyRule());
  chain.setTime(FROM);
  await chain.confirm(transfer({ mint: SECURITY }));
  await chain.confirm(applyRule());
  await chain.reject('RULE_CHANGE_MISSING', applyRule());
});

it('writes the rule set into both accounts, and changes nothing else', async () => {
  const [bindingBefore, listBefore] = [await bindingOf(chain, mint), boundMintOf(chain, list)];
  await announceInTime(chain, SECURITY);
  const outcome = await chain.confirm(applyRule());
  expect([...outcome.changed].sort()).toEqual([binding, list].sort());
  expect(await bindingOf(chain, mint)).toEqual({ ...bindingBefore, rule: NEXT_RULE });
  expect(boundMintOf(chain, list)).toEqual({ ...listBefore, rule: NEXT_RULE });
});

it.each([false, true])(
  'makes transfers, issues and recoveries require passes of the new rule set (of the source: %s)',
  async (requireSource) => {
    const [name, to] = ['changed', { mint: 'changed', requireSource }];
    await addSecurity(chain, to);
    await chain.confirm(transfer(to));
    await announceInTime(chain, name);
    await chain.confirm(applyRule({ mint: name }));

    const now = { ...to, rule: NEXT_RULE };
    await chain.reject('DESTINATION_PASS_MISSING', transfer(now));
    await chain.reject('DESTINATION_PASS_MISSING', issueTokens(now));
    await chain.reject('DESTINATION_PASS_MISSING', recover(now));
    // A transaction that was prepared before has the accounts of the former rule set.
    await chain.reject(/Custom\(2724315840\)/, transfer(to));
    await chain.reject('WRONG_ADDRESS', issueTokens({ mint: name }));
    await chain.reject('WRONG_ADDRESS', recover({ mint: name }));

    await chain.confirm(prove({ wallet: 'other holder', rule: NEXT_RULE }));
    if (requireSource) {
      await chain.reject('SOURCE_PASS_MISSING', transfer(now));
      await chain.confirm(prove({ expiresAt: HOLDER_EXPIRY, rule: NEXT_RULE }));
    }
    await chain.confirm(transfer(now));
    await chain.confirm(issueTokens({ ...now, holder: 'other holder' }));
    await chain.confirm(recover(now));
  },
);

it('waits again when another announcement replaces it, and is cancelled by the present rule set', async () => {
  await chain.confirm(announceRule());
  chain.setTime(NOW + DAY);
  await chain.confirm(announceRule());
  expect(await bindingOf(chain, mint)).toMatchObject({ nextRuleFrom: FROM + DAY });
  const cancelled = await chain.confirm(announceRule({ rule: RULE }));
  expect(await bindingOf(chain, mint)).toMatchObject({ nextRule: SYSTEM_PROGRAM, nextRuleFrom: 0n });
  expect(eventsOf(cancelled)).toEqual([{ event: 'ruleAnnounced', mint, rule: RULE, from: 0n }]);
  chain.setTime(FROM + 2n * DAY);
  await chain.reject('RULE_CHANGE_MISSING', applyRule());
});

it('is announced only by the issuer, and only for a rule set', async () => {
  for (const issuer of ['holder', 'governance', 'unrelated wallet']) {
    await chain.reject('NOT_ISSUER', announceRule({ issuer }));
  }
  await chain.reject('WRONG_OWNER', announceRule({ rule: await addressOf('holder') }));
  await chain.reject('WRONG_ACCOUNT_TYPE', announceRule({ rule: binding }));
});

it('can be changed back, with the same notice', async () => {
  await announceInTime(chain, SECURITY);
  await chain.confirm(applyRule());
  await chain.confirm(announceRule({ rule: RULE }));
  await chain.reject('RULE_CHANGE_TOO_EARLY', applyRule());
  chain.setTime(FROM);
  await chain.confirm(applyRule());
  await chain.confirm(transfer({ mint: SECURITY }));
  await chain.reject(/Custom\(2724315840\)/, transfer(next));
});

it('brings the binding of an older program to the newest version', async () => {
  chain.patch(binding, 1, [1]);
  await chain.confirm(issueTokens({ mint: SECURITY }));
  await chain.confirm(announceRule());
  expect(chain.data(binding)[1]).toBe(2);
});

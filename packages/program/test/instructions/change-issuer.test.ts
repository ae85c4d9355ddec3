/** `nominate-issuer` and `accept-issuer`. */
import { SYSTEM_PROGRAM } from '@service/protocol';
import { expect, it } from 'vitest';
import { addressOf } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { at } from '../support/governance.ts';
import {
  acceptIssuer,
  announceInTime,
  announceRule,
  applyRule,
  freeze,
  NEXT_RULE,
  nominateIssuer,
  recover,
  redeem,
  SECURITY,
  securityChain,
} from '../support/issuers.ts';
import { bindingOf, boundMintOf, issueTokens, transfer } from '../support/market.ts';
import { RULE } from '../support/rule-sets.ts';

const chain = chainPerTest(securityChain);
const mint = await addressOf(SECURITY);
const [binding, list] = [await at.mintBinding(mint), await at.extraAccountMetaList(mint)];
const [issuer, next] = [await addressOf('issuer'), await addressOf('next issuer')];

it('changes nothing until the nominee accepts', async () => {
  const outcome = await chain.confirm(nominateIssuer());
  expect(outcome.changed).toEqual([binding]);
  expect(await bindingOf(chain, mint)).toMatchObject({ issuer, nominee: next });
  await chain.reject('NOT_ISSUER', issueTokens({ mint: SECURITY, issuer: 'next issuer' }));
  await chain.confirm(issueTokens({ mint: SECURITY }));
});

it('makes the nominee the issuer in both accounts, and changes nothing else', async () => {
  const [bindingBefore, listBefore] = [await bindingOf(chain, mint), boundMintOf(chain, list)];
  const mintBefore = chain.data(mint);
  await chain.confirm(nominateIssuer());
  const outcome = await chain.confirm(acceptIssuer());
  expect([...outcome.changed].sort()).toEqual([binding, list].sort());
  expect(await bindingOf(chain, mint)).toEqual({ ...bindingBefore, issuer: next });
  expect(boundMintOf(chain, list)).toEqual({ ...listBefore, issuer: next });
  expect(chain.data(mint)).toEqual(mintBefore);
});

it('moves every power of the issuer over the binding', async () => {
  await chain.confirm(nominateIssuer());
  await chain.confirm(acceptIssuer());
  const acts = [
    (by: string) => issueTokens({ mint: SECURITY, issuer: by }),
    (by: string) => recover({ issuer: by }),
    (by: string) => redeem({ issuer: by }),
    (by: string) => announceRule({ issuer: by }),
    (by: string) => nominateIssuer({ issuer: by, nominee: null }),
  ];
  for (const act of acts) {
    await chain.reject('NOT_ISSUER', act('issuer'));
    await chain.confirm(act('next issuer'));
  }
  await chain.confirm(transfer({ mint: SECURITY }));
});

it('does not move the authorities of the mint, such as the freeze authority', async () => {
  await chain.confirm(nominateIssuer());
  await chain.confirm(acceptIssuer());
  await chain.reject(/Custom\(4\)/, freeze('holder', { by: 'next issuer' }));
  await chain.confirm(freeze('holder', { by: 'issuer' }));
});

it('is accepted only by the present nominee', async () => {
  await chain.reject('NOT_ISSUER_NOMINEE', acceptIssuer());
  await chain.confirm(nominateIssuer({ nominee: 'holder' }));
  await chain.confirm(nominateIssuer());
  for (const nominee of ['holder', 'issuer', 'governance']) {
    await chain.reject('NOT_ISSUER_NOMINEE', acceptIssuer({ nominee }));
  }
  await chain.confirm(acceptIssuer());
  await chain.reject('NOT_ISSUER_NOMINEE', acceptIssuer());
});

it('ends when the nomination is withdrawn, also by the address of zeros', async () => {
  await chain.confirm(nominateIssuer());
  await chain.confirm(nominateIssuer({ nominee: null }));
  expect((await bindingOf(chain, mint)).nominee).toBe(SYSTEM_PROGRAM);
  await chain.reject('NOT_ISSUER_NOMINEE', acceptIssuer());
});

it('cancels an announced rule set, so that nothing of a stolen key takes effect later', async () => {
  await announceInTime(chain, SECURITY);
  await chain.confirm(nominateIssuer());
  expect(await bindingOf(chain, mint)).toMatchObject({ nextRule: NEXT_RULE });
  await chain.confirm(acceptIssuer());
  expect(await bindingOf(chain, mint)).toMatchObject({
    rule: RULE,
    nextRule: SYSTEM_PROGRAM,
    nextRuleFrom: 0n,
  });
  await chain.reject('RULE_CHANGE_MISSING', applyRule());
});

it('works while a transfer is prepared: the accounts of a transfer stay the same', async () => {
  const prepared = await transfer({ mint: SECURITY });
  await chain.confirm(nominateIssuer());
  await chain.confirm(acceptIssuer());
  await chain.confirm(prepared);
});

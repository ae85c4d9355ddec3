/** No holder takes more of the pass funds than one fee for each half of the longest pass life. */

import { getClosePassInstruction } from '@service/protocol/generated';
import { afterAll, expect, it } from 'vitest';
import { addressOf, NOW } from '../support/chain.ts';
import { addCredential } from '../support/credentials.ts';
import { at, CIRCUIT_ID, PASS_FEE, readyChain } from '../support/governance.ts';
import { expectRefused } from '../support/outcome.ts';
import { addPass, prove } from '../support/passes.ts';
import { endProver } from '../support/proofs.ts';
import { addRuleSet, passFundsOf, ruleAddress } from '../support/rule-sets.ts';

afterAll(endProver);

it('a pass of one second, closed when it has expired, is no way to drain the pass funds', async () => {
  const chain = await readyChain();
  const rule = await addRuleSet(chain, { passFunds: 10n * PASS_FEE });
  await addCredential(chain);
  const holder = await addressOf('holder');
  await addPass(chain, { expiresAt: NOW + 1n });
  chain.setTime(NOW + 1n);
  const close = getClosePassInstruction({
    pass: await at.pass(await ruleAddress(), holder),
    wallet: holder,
    ruleSet: rule,
    credential: await at.credential(holder),
    verifier: await at.verifier(await addressOf('verifier')),
    circuit: await at.circuit(CIRCUIT_ID),
  });
  await chain.send(close);
  const outcome = await chain.send(prove({ expiresAt: NOW + 2n }));
  expect(passFundsOf(chain, rule)).toBe(9n * PASS_FEE);
  expectRefused(outcome, 'PASS_RENEWAL_TOO_EARLY');
});

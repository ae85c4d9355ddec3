import { none, some } from '@solana/kit';
import { expect, test } from 'vitest';
import { checkOpens } from './check-pass-opens.ts';
import type { PassState } from './proof-state.ts';

const [ACCEPTED, OTHER] = ['accepted verifier', 'another verifier'];

/** What decides about the verifier, with a fee that the pass funds pay. */
function stateWith(ofRuleSet: string | null, ofCredential: string): PassState {
  const verifier = ofRuleSet === null ? none() : some(ofRuleSet);
  const config = { paused: false, passFee: some(1n), nextPassFee: none(), passesValidFrom: 0n };
  return {
    config: { data: config },
    credential: { data: { verifier: ofCredential } },
    ruleSet: { data: { verifier, maxPassFee: 1n, maxPassAgeSeconds: 3_600n } },
    pass: null,
    passFunds: 1n,
    chainTime: 1n,
  } as unknown as PassState;
}

test('a credential of another verifier is refused with the verifier that the rule set accepts', () => {
  const message = expect.stringContaining(`the verifier ${ACCEPTED}. Verify there.`);
  expect(() => checkOpens(stateWith(ACCEPTED, OTHER))).toThrow(
    expect.objectContaining({ code: 'VERIFIER_NOT_ACCEPTED', message }),
  );
  expect(() => checkOpens(stateWith(ACCEPTED, ACCEPTED))).not.toThrow();
  expect(() => checkOpens(stateWith(null, OTHER))).not.toThrow();
});

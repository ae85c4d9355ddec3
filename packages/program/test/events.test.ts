/** Every event, logged by the instruction that it is of; what does nothing logs none. */
import { afterAll, expect, it } from 'vitest';
import idl from '../idl.json' with { type: 'json' };
import { bindMint, HOLDER_EXPIRY, issueTokens } from './support/bindings.ts';
import { addressOf, type Chain } from './support/chain.ts';
import { commitmentBytes, issueCredential, revokeCredential } from './support/credentials.ts';
import { type Event, eventsOf } from './support/events.ts';
import {
  at,
  CIRCUIT_ID,
  deployedChain,
  initialize,
  PASS_FEE,
  retireCircuit,
  setCircuit,
  setGovernance,
  setVerifier,
  withdrawFees,
} from './support/governance.ts';
import { addMint, addTokenAccount } from './support/mints.ts';
import { expectDone } from './support/outcome.ts';
import { closePass, prove } from './support/passes.ts';
import { endProver } from './support/proofs.ts';
import { createRuleSet, ruleAddress, withdrawPassFunds } from './support/rule-sets.ts';

afterAll(endProver);

/** Sends instructions and sees their events. */
async function logs(chain: Chain, sent: Parameters<Chain['send']>, events: readonly Event[]) {
  const outcome = expectDone(await chain.send(...sent));
  expect(eventsOf(outcome)).toEqual(events);
  return events.map(({ event }) => event);
}

it('logs each event of the IDL, from initialize to the close of a pass', async () => {
  const chain = await deployedChain();
  const [config, treasury, rule] = [await at.config(), await at.treasury(), await ruleAddress()];
  const [holder, issuer, stranger] = await Promise.all(['holder', 'issuer', 'stranger'].map(addressOf));
  const [wallet, recipient] = [holder!, stranger!];
  const verifier = await at.verifier(await addressOf('verifier'));
  const circuit = await at.circuit(CIRCUIT_ID);
  const [credential, pass] = [await at.credential(wallet), await at.pass(rule, wallet)];
  const mint = await addMint(chain);

  const seen = [
    await logs(chain, [await initialize()], [{ event: 'governanceSet', config }]),
    await logs(chain, [await setGovernance()], [{ event: 'governanceSet', config }]),
    await logs(chain, [await setVerifier()], [{ event: 'verifierSet', verifier }]),
    await logs(chain, [await setCircuit()], [{ event: 'circuitSet', circuit }]),
    await logs(
      chain,
      [await createRuleSet()],
      [{ event: 'ruleSetCreated', ruleSet: rule, creator: issuer! }],
    ),
    await logs(chain, await issueCredential(), [
      { event: 'credentialIssued', credential, wallet, verifier, commitment: commitmentBytes() },
    ]),
  ];
  chain.fund(rule, 2n * PASS_FEE);
  seen.push(
    await logs(
      chain,
      [await prove({ expiresAt: HOLDER_EXPIRY })],
      [{ event: 'passProved', pass, rule, wallet, expiresAt: HOLDER_EXPIRY, fee: PASS_FEE }],
    ),
    await logs(chain, [await bindMint()], [{ event: 'mintBound', mint, rule, issuer: issuer! }]),
  );
  const destination = await addTokenAccount(chain, 'holder', mint);
  const lamports = PASS_FEE;
  seen.push(
    await logs(
      chain,
      [await issueTokens({ amount: 5n })],
      [{ event: 'tokensIssued', mint, destination, amount: 5n }],
    ),
    await logs(
      chain,
      [await withdrawFees({ lamports })],
      [{ event: 'fundsWithdrawn', from: treasury, recipient, lamports }],
    ),
    await logs(
      chain,
      [await withdrawPassFunds({ lamports })],
      [{ event: 'fundsWithdrawn', from: rule, recipient, lamports }],
    ),
    await logs(chain, [await retireCircuit()], [{ event: 'circuitRetired', circuit }]),
    await logs(chain, await revokeCredential(), [{ event: 'credentialRevoked', credential, wallet }]),
    await logs(chain, [await closePass()], [{ event: 'passClosed', pass, rule, wallet }]),
  );

  expect(new Set(seen.flat())).toEqual(new Set(idl.program.events.map(({ name }) => name)));
});

/** A chain on which every instruction works, and each instruction with valid arguments. */
import type { Instruction } from '@solana/kit';
import { addressOf, type Chain, NOW, SOL } from './chain.ts';
import {
  ATTRIBUTES,
  commitmentBytes,
  discardCredential,
  issueCredential,
  revokeCredential,
} from './credentials.ts';
import {
  addFrozenMint,
  addGatedMarket,
  addTokenAcl,
  canFreeze,
  canThaw,
  createConfig,
  setGate,
} from './gates.ts';
import {
  acceptAuthority,
  CIRCUIT,
  endPasses,
  initialize,
  nominateAuthority,
  pause,
  retireCircuit,
  setCircuit,
  setGuardian,
  setPassFee,
  setVerifier,
  unpause,
  withdrawFees,
} from './governance.ts';
import {
  acceptIssuer,
  addNextRule,
  addSecurity,
  announceInTime,
  announceRule,
  applyRule,
  nominateIssuer,
  recover,
  redeem,
} from './issuers.ts';
import { bindMint, issueTokens, readingChain, transfer } from './market.ts';
import { addMint, permanentDelegate, transferHook } from './mints.ts';
import { closePassOf, endGrant, grantPass, liftSuspension, prove, suspendPass } from './passes.ts';
import { addLimitedRuleSet, heldForAnHour, proveInPlace } from './places.ts';
import { collectFees, createRuleSet, passAt, setMaxPassFee, withdrawPassFunds } from './rule-sets.ts';
import { BOTH, ONE, READS_BOTH, READS_ONE } from './token-instructions.ts';

/** Eight clauses, the most there can be. */
const EIGHT_CLAUSES = Array.from({ length: 8 }, (_, index) => ({
  regionMask: 1n << BigInt(index * 30),
  statusMask: 3,
  minAge: 18 + index,
}));

/** The attributes of the same person with another salt, and those of another person. */
const RENEWED = { ...ATTRIBUTES, salt: 99n };
const STRANGER = { ...ATTRIBUTES, person: 77n };

/** The market, a mint to bind, a wallet that can prove, a pass that can be closed. */
export async function everythingReady(): Promise<Chain> {
  const chain = await readingChain();
  await chain.confirm(collectFees());
  await chain.confirm(nominateAuthority());
  await addMint(chain, { mint: 'unbound mint' });
  await addMint(chain, { mint: 'unbound mint of both' });
  const issuer = await addressOf('issuer');
  await addMint(chain, {
    mint: 'unbound mint to take over',
    extensions: [transferHook({ authority: issuer, program: null }), permanentDelegate(issuer)],
  });
  await addNextRule(chain);
  await addSecurity(chain);
  await chain.confirm(nominateIssuer());
  await addSecurity(chain, { mint: 'announced' });
  await announceInTime(chain, 'announced');
  addTokenAcl(chain);
  await addGatedMarket(chain);
  await addFrozenMint(chain, { mint: 'ungated mint' });
  await chain.confirm(createConfig({ mint: 'ungated mint' }));
  for (const wallet of ['outsider', 'leaver', 'cold wallet', 'hot wallet', 'lost wallet']) {
    chain.fund(await addressOf(wallet), SOL);
    await chain.confirm(issueCredential({ wallet }));
  }
  chain.fund(await addressOf('stranger'), SOL);
  await chain.confirm(issueCredential({ wallet: 'stranger', commitment: commitmentBytes(STRANGER) }));
  await chain.confirm(prove({ wallet: 'leaver' }));
  await addLimitedRuleSet(chain);
  await heldForAnHour(chain, { wallet: 'lost wallet' });
  await heldForAnHour(chain, { wallet: 'hot wallet', place: 1 });
  await chain.confirm(
    issueCredential({ wallet: 'hot wallet', issuedAt: NOW + 1n, commitment: commitmentBytes(RENEWED) }),
  );
  await chain.confirm(revokeCredential({ wallet: 'leaver', revokedAt: NOW + 1n }));
  await chain.confirm(grantPass({ holder: 'vault' }));
  await chain.confirm(suspendPass({ holder: 'suspect' }));
  return chain;
}

/** Every instruction, with what must stand before it, on the chain of {@link everythingReady}; initialize is refused there. */
export async function everyInstruction(chain: Chain): Promise<Record<string, Instruction[]>> {
  const newer = { issuedAt: NOW + 10n, commitment: commitmentBytes({ ...ATTRIBUTES, salt: 7n }) };
  return {
    initialize: [await initialize()],
    pause: [await pause()],
    unpause: [await unpause()],
    'set-pass-fee': [await setPassFee({ passFee: 6_000_000n })],
    'nominate-authority': [await nominateAuthority()],
    'accept-authority': [await acceptAuthority()],
    'set-guardian': [await setGuardian()],
    'end-passes': [await endPasses()],
    'set-verifier': [await setVerifier({ verifier: 'third verifier' })],
    'set-circuit': [await setCircuit({ id: 'next', previousCircuit: CIRCUIT })],
    'retire-circuit': [await retireCircuit()],
    'withdraw-fees': [await withdrawFees({ lamports: 1_000n })],
    'issue-credential, the first': await issueCredential({ wallet: 'newcomer' }),
    'issue-credential, a newer one': await issueCredential(newer),
    'revoke-credential': await revokeCredential(),
    'revoke-credential, with a pass': await revokeCredential({
      wallet: 'leaver',
      revokedAt: NOW + 2n,
      passes: [await passAt('leaver')],
    }),
    'revoke-credential, the first': await revokeCredential({ wallet: 'newcomer' }),
    'discard-credential': [await discardCredential()],
    'create-rule-set': [await createRuleSet({ nonce: 2n, clauses: EIGHT_CLAUSES, name: 'Eight clauses' })],
    'withdraw-pass-funds': [await withdrawPassFunds({ lamports: 1_000n })],
    'set-max-pass-fee': [await setMaxPassFee()],
    'bind-mint': [await bindMint({ mint: 'unbound mint' })],
    'bind-mint, with the source': [await bindMint({ mint: 'unbound mint of both', requireSource: true })],
    'bind-mint, with the source, reading credentials': [
      await bindMint({ mint: 'unbound mint of both', requireSource: true, readsCredential: true }),
    ],
    prove: [await prove({ wallet: 'outsider' })],
    'prove, in a place': [await proveInPlace({ wallet: 'stranger', attributes: STRANGER })],
    'prove, in its place again': [
      await proveInPlace({ wallet: 'hot wallet', place: 1, attributes: RENEWED }),
    ],
    'prove, in the place of another wallet': [
      await proveInPlace({ wallet: 'cold wallet', replaces: 'lost wallet' }),
    ],
    'close-pass': [await closePassOf(chain, 'leaver')],
    'suspend-pass': [await suspendPass()],
    'suspend-pass, of a wallet without a pass': [await suspendPass({ holder: 'newcomer' })],
    'suspend-pass, lifting': [await liftSuspension({ holder: 'suspect' })],
    'grant-pass': [await grantPass()],
    'grant-pass, a renewal': [await grantPass({ holder: 'vault' })],
    'end-grant': [await endGrant({ holder: 'vault' })],
    'bind-mint, with a takeover': [await bindMint({ mint: 'unbound mint to take over' })],
    'issue-tokens': [await issueTokens({ holder: 'other holder' })],
    recover: [await recover()],
    redeem: [await redeem()],
    'nominate-issuer': [await nominateIssuer({ nominee: null })],
    'accept-issuer': [await acceptIssuer()],
    'announce-rule': [await announceRule()],
    'apply-rule': [await applyRule({ mint: 'announced' })],
    'collect-fees': [await collectFees()],
    'set-gate': [await setGate({ mint: 'ungated mint' })],
    'set-gate, again': [await setGate()],
    'can-thaw': [await canThaw()],
    'can-freeze': [await canFreeze({ owner: 'outsider' })],
    transfer: [await transfer({ mint: ONE })],
    'transfer, with the source': [await transfer({ mint: BOTH })],
    'transfer, reading the credential': [await transfer({ mint: READS_ONE })],
    'transfer, with the source, reading credentials': [await transfer({ mint: READS_BOTH })],
  };
}

/** Checks that each instruction logs its events, and that the events of the IDL are all logged. */
import { RULE_CHANGE_DELAY_SECONDS, SYSTEM_PROGRAM } from '@service/protocol';
import { expect, it } from 'vitest';
import idl from '../idl.json' with { type: 'json' };
import { addressOf, HOUR, NOW, type Sendable, UNRELATED_WALLET } from './support/chain.ts';
import { chainPerTest } from './support/chain-per-test.ts';
import { commitmentBytes, issueCredential, revokeCredential } from './support/credentials.ts';
import { type Event, eventsOf } from './support/events.ts';
import { addFrozenMint, addTokenAcl, createConfig, setGate } from './support/gates.ts';
import {
  acceptAuthority,
  at,
  CIRCUIT,
  CONFIG,
  credentialAt,
  deployedChain,
  endPasses,
  initialize,
  nominateAuthority,
  PASS_FEE,
  pause,
  retireCircuit,
  setCircuit,
  setGuardian,
  setPassFee,
  setVerifier,
  TREASURY,
  unpause,
  verifierAt,
  withdrawFees,
} from './support/governance.ts';
import {
  acceptIssuer,
  addNextRule,
  announceRule,
  applyRule,
  NEXT_RULE,
  nominateIssuer,
  recover,
  redeem,
  SECURITY,
} from './support/issuers.ts';
import { addMarket, bindMint, HOLDER_EXPIRY, issueTokens } from './support/market.ts';
import {
  addLooseTokenAccount,
  addMint,
  addTokenAccount,
  permanentDelegate,
  transferHook,
} from './support/mints.ts';
import {
  closePass,
  endGrant,
  grantPass,
  LATEST_EXPIRY,
  liftSuspension,
  prove,
  suspendPass,
  tagBytes,
} from './support/passes.ts';
import { addLimitedRuleSet, LIMITED_RULE, proveInPlace } from './support/places.ts';
import {
  collectFees,
  createRuleSet,
  passAt,
  RULE,
  setMaxPassFee,
  withdrawPassFunds,
} from './support/rule-sets.ts';
import { tokens } from './support/token-instructions.ts';

const chain = chainPerTest(deployedChain);

it('each instruction logs its event of the IDL', async () => {
  const [config, circuit, rule, lamports] = [CONFIG, CIRCUIT, RULE, PASS_FEE];
  const [wallet, issuer, verifier] = [
    await addressOf('holder'),
    await addressOf('issuer'),
    await verifierAt('verifier'),
  ];
  const [credential, pass] = [await credentialAt('holder'), await passAt('holder')];
  const mint = await addMint(chain);

  const seen = new Set<string>();
  const expectLogged = async (sent: Sendable, ...events: Event[]) => {
    expect(eventsOf(await chain.confirm(sent))).toEqual(events);
    for (const { event } of events) seen.add(event);
  };

  await expectLogged(initialize(), { event: 'governanceSet', config });
  for (const change of [pause, unpause, setPassFee, nominateAuthority, acceptAuthority]) {
    await expectLogged(change(), { event: 'governanceSet', config });
  }
  const authority = 'next governance';
  await expectLogged(nominateAuthority({ authority, nominee: await addressOf('governance') }), {
    event: 'governanceSet',
    config,
  });
  await expectLogged(acceptAuthority({ nominee: 'governance' }), { event: 'governanceSet', config });
  for (const change of [setGuardian, endPasses]) {
    await expectLogged(change(), { event: 'governanceSet', config });
  }
  chain.setTime(NOW + 1n);
  await expectLogged(setVerifier(), { event: 'verifierSet', verifier });
  await expectLogged(setCircuit(), { event: 'circuitSet', circuit });
  await expectLogged(createRuleSet(), { event: 'ruleSetCreated', ruleSet: rule, creator: issuer });
  const issued = { credential, wallet, verifier, commitment: commitmentBytes() };
  await expectLogged(issueCredential(), { event: 'credentialIssued', ...issued });
  chain.fund(rule, 3n * PASS_FEE);
  const expiresAt = HOLDER_EXPIRY;
  const proved = { pass, rule, wallet, expiresAt, fee: PASS_FEE };
  await expectLogged(prove({ expiresAt }), { event: 'passProved', ...proved });
  await addLimitedRuleSet(chain);
  await chain.confirm(issueCredential({ wallet: 'other holder' }));
  await chain.confirm(proveInPlace());
  const places = { rule: LIMITED_RULE, tag: await tagBytes(0, { rule: LIMITED_RULE }) };
  const [oldWallet, newWallet] = [wallet, await addressOf('other holder')];
  const ofWallet = async (name: string) => ({
    pass: await passAt(name, LIMITED_RULE),
    rule: LIMITED_RULE,
    wallet: await addressOf(name),
  });
  const before = chain.time;
  chain.setTime(before + HOUR);
  await expectLogged(
    proveInPlace({ wallet: 'other holder', replaces: 'holder' }),
    { event: 'passClosed', ...(await ofWallet('holder')) },
    { event: 'placeTaken', ...places, oldWallet, newWallet },
    { event: 'passProved', ...(await ofWallet('other holder')), expiresAt: LATEST_EXPIRY, fee: PASS_FEE },
  );
  chain.setTime(before);
  const suspended = { event: 'passSuspended', pass, rule, wallet };
  await expectLogged(suspendPass({ until: expiresAt }), { ...suspended, until: expiresAt });
  await expectLogged(liftSuspension(), { ...suspended, until: 0n });
  const granted = { pass: await passAt('custodian'), rule, wallet: await addressOf('custodian') };
  await expectLogged(grantPass({ expiresAt }), {
    event: 'passGranted',
    ...granted,
    expiresAt,
    fee: PASS_FEE,
  });
  await expectLogged(endGrant(), { event: 'passClosed', ...granted });
  await expectLogged(bindMint(), { event: 'mintBound', mint, rule, issuer });
  const destination = await addTokenAccount(chain, 'holder', mint);
  await expectLogged(issueTokens({ amount: 5n }), { event: 'tokensIssued', mint, destination, amount: 5n });
  const security = await addressOf(SECURITY);
  const delegate = permanentDelegate(await at.mintBinding(security));
  await addMarket(chain, { mint: SECURITY, extensions: [transferHook(), delegate] });
  await chain.confirm(issueTokens({ mint: SECURITY }));
  const source = await tokens('holder', SECURITY);
  const loose = { at: 'second account', owner: 'holder', mint: security };
  const second = await addLooseTokenAccount(chain, loose);
  await expectLogged(recover({ to: 'holder', destination: second, amount: 5n, reason: 1 }), {
    event: 'tokensRecovered',
    mint: security,
    source,
    destination: second,
    amount: 5n,
    reason: 1n,
  });
  await expectLogged(redeem({ amount: 6n, reason: 7 }), {
    event: 'tokensRedeemed',
    mint: security,
    source,
    amount: 6n,
    reason: 7n,
  });
  await addNextRule(chain);
  const from = chain.time;
  chain.setTime(from - RULE_CHANGE_DELAY_SECONDS);
  await expectLogged(announceRule(), { event: 'ruleAnnounced', mint: security, rule: NEXT_RULE, from });
  chain.setTime(from);
  await expectLogged(applyRule(), { event: 'ruleChanged', mint: security, rule: NEXT_RULE });
  const nominee = await addressOf('next issuer');
  await expectLogged(nominateIssuer({ nominee: null }), {
    event: 'issuerNominated',
    mint: security,
    nominee: SYSTEM_PROGRAM,
  });
  await expectLogged(nominateIssuer(), { event: 'issuerNominated', mint: security, nominee });
  await expectLogged(acceptIssuer(), { event: 'issuerChanged', mint: security, issuer: nominee });
  addTokenAcl(chain);
  const gated = await addFrozenMint(chain);
  await chain.confirm(createConfig());
  await expectLogged(setGate(), { event: 'gateSet', mint: gated, rule, authority: issuer });
  await expectLogged(collectFees(), { event: 'feesCollected', ruleSet: rule, lamports: 2n * PASS_FEE });
  const withdrawn = { event: 'fundsWithdrawn', recipient: UNRELATED_WALLET, lamports };
  await expectLogged(withdrawFees({ lamports }), { ...withdrawn, from: TREASURY });
  await expectLogged(withdrawPassFunds({ lamports }), { ...withdrawn, from: rule });
  await expectLogged(setMaxPassFee({ lamports }), { event: 'maxPassFeeSet', ruleSet: rule, lamports });
  await expectLogged(retireCircuit(), { event: 'circuitRetired', circuit });
  await expectLogged(revokeCredential(), { event: 'credentialRevoked', credential, wallet });
  await expectLogged(closePass(), { event: 'passClosed', pass, rule, wallet });

  expect(seen).toEqual(new Set(idl.program.events.map(({ name }) => name)));
});

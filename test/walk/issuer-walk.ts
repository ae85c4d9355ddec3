/**
 * What an issuer does after the issue, in one walk at a running stack, after that of `walk`:
 *
 * 1. A rule set with powers, a mint of the template `security`, and a pass that is granted to the vault of a multisig.
 * 2. A pass is suspended, which stops an issue on chain. The suspension is lifted.
 * 3. Tokens are recovered from a holder and redeemed. An account is frozen, and the mint is paused.
 * 4. A mint of Token ACL is gated by passes. Its tokens move with plain transfers.
 * 5. Another wallet becomes the issuer, and announces another rule set, which is refused before seven days have passed.
 *    `applyRule` is a step of its own, for a chain whose time a test moves.
 *
 * Each step is confirmed on chain by plain RPC.
 */
import { type Address, generateKeyPairSigner, getProgramDerivedAddress } from '@solana/kit';
import { announceRule, handOver, refuseEarlyRule } from './binding-changes.ts';
import { freezeAndThaw, pauseAndResume, recover, redeem } from './desk.ts';
import { createGatedMint, freezeSuspended, refuseThaw, setGate, thaw, transferPlainly } from './gate.ts';
import { bindMint, createMint, createRuleSet, fundPasses, issueTokens, openTokenAccount } from './issuing.ts';
import { provePass } from './people.ts';
import { grantPass, lift, refuseSuspended, suspend } from './powers.ts';
import type { DeskState, WalkState } from './walk-state.ts';

/** Options of `issuerWalk`. */
export interface IssuerWalkOptions {
  /** Whether the cluster has Token ACL, or its stand-in. */
  readonly hasTokenAcl: boolean;
}

/** Runs the walk. Returns its state at the end. Throws the error of the first step that fails. */
export async function issuerWalk(walked: WalkState, { hasTokenAcl }: IssuerWalkOptions): Promise<DeskState> {
  const state: DeskState = { ...walked, vault: await newVault() };
  const { issuer, holder, vault } = state;
  const powers = ['suspend', 'grant'] as const;
  await createRuleSet(state, `, with the powers to ${powers.join(' and ')}`, { powers: [...powers] });
  await fundPasses(state);
  await createMint(state, 'security');
  await bindMint(state, { requireSource: false, honoursGranted: true });
  await provePass(state, holder);
  await grantPass(state);
  for (const [name, owner] of [
    ['holder', holder.wallet.address],
    ['vault', vault],
  ] as const) {
    await openTokenAccount(state, { name, owner, payer: issuer });
  }
  await issueTokens(state, holder);
  for (const step of [suspend, refuseSuspended, lift]) await step(state);
  for (const step of [recover, redeem, freezeAndThaw, pauseAndResume]) await step(state);
  if (hasTokenAcl) {
    const gated = await createGatedMint(state);
    for (const step of [setGate, thaw, refuseThaw, transferPlainly, freezeSuspended])
      await step(state, gated);
  }
  await handOver(state);
  await announceRule(state, walked.rule);
  await refuseEarlyRule(state);
  return state;
}

async function newVault(): Promise<Address> {
  const { address: programAddress } = await generateKeyPairSigner();
  const [vault] = await getProgramDerivedAddress({ programAddress, seeds: ['vault'] });
  return vault;
}

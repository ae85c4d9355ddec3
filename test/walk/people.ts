/** Steps of each person: funding, sign-in, the verification up to the credential on chain, and a proof for a pass. */
import {
  getConfigDecoder,
  getCredentialDecoder,
  getPassDecoder,
  getRuleSetDecoder,
} from '@service/protocol/generated';
import {
  buildEligibilityContext,
  generateEligibilityProof,
  latestPassExpiry,
  parseWitnessFragment,
} from '@service/sdk';
import { unwrapOption } from '@solana/kit';
import { lamportsOf, same } from './chain-check.ts';
import { type Actor, decodedAccount, operationStep, runStep, type WalkState } from './walk-state.ts';

/** Public faucets refuse larger requests. */
const START_LAMPORTS = 1_000_000_000n;

/** Funds the wallets of actors from the faucet. */
export async function fundWallets(state: WalkState, actors: readonly Actor[]): Promise<void> {
  await runStep(state, 'fund three wallets from the faucet', async () => {
    const wallets = actors.map(({ wallet }) => wallet.address);
    await state.cluster.fund(wallets, START_LAMPORTS);
    return { state: 'FUNDED' };
  });
}

/** Signs an actor in. The session of its client must have its wallet. */
export async function signIn(state: WalkState, actor: Actor): Promise<void> {
  await runStep(state, `${actor.name} signs in`, async () => {
    same('session before sign-in', await actor.client.session(), null);
    await actor.client.authenticate(actor.wallet, state.deployment.genesisHash);
    same('session', await actor.client.session(), actor.wallet.address);
    return { state: 'SIGNED IN' };
  });
}

/** Verifies an actor at the hosted page. The credential on chain must have the commitment. */
export async function verify(state: WalkState, actor: Actor): Promise<void> {
  const { at, deployment, rpc } = state;
  const { client, name, person, wallet } = actor;
  await runStep(state, `${name} is verified (${person.region}, ${person.status})`, async () => {
    const session = await client.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
    const back = new URL(await state.visit(session.url, person));
    same('origin of the return URL', back.origin, deployment.baseUrl);
    const witness = parseWitnessFragment(back.hash);
    if (!witness) throw new Error('The return URL has no witness.');
    const { salt: _salt, person: _person, ...entered } = witness;
    const { document: _document, ...attributes } = person;
    same('witness', entered, { wallet: wallet.address, ...attributes });
    const credential = await client.waitForCredential();

    const address = await at.credential(wallet.address);
    const onChain = await decodedAccount(state, address, getCredentialDecoder());
    const commitment = Buffer.from(onChain.commitment).toString('hex');
    const expected = [wallet.address, credential.commitment, false];
    same('credential', [onChain.wallet, commitment, onChain.revoked], expected);
    actor.witness = witness;
    const latest = { limit: 1, commitment: 'finalized' } as const;
    const [issued] = await rpc.getSignaturesForAddress(address, latest).send();
    if (!issued) throw new Error('No transaction has issued the credential.');
    return { state: 'ISSUED', signature: issued.signature };
  });
}

/** An actor proves the rule set. The pass must exist on chain, and the rule set must hold the pass fee for the treasury. */
export async function provePass(state: WalkState, actor: Actor): Promise<void> {
  const { at, report, rule } = state;
  await operationStep(state, `${actor.name} proves the rule set and gets a pass`, async (options) => {
    const { client, wallet, witness } = actor;
    if (!witness) throw new Error(`${actor.name} has no witness.`);
    let lastPhase = '';
    const before = await readFunds(state);
    const facts = await client.proofContext({ rule });
    const expiresAt = latestPassExpiry(facts);
    const context = buildEligibilityContext(facts.credential, facts.ruleSet, expiresAt);
    const proof = await generateEligibilityProof(context, witness, client.artifacts, {
      onProgress: ({ phase }) => {
        if (phase !== lastPhase) report.waiting(`proof: ${phase}`);
        lastPhase = phase;
      },
    });
    state.proofs.set(actor.name, proof);
    const proved = await client.prove(wallet, proof, options);

    const pass = await decodedAccount(state, await at.pass(rule, wallet.address), getPassDecoder());
    const expected = [rule, wallet.address, expiresAt, facts.credential.verifier];
    same('pass', [pass.rule, pass.wallet, pass.expiresAt, pass.verifier], expected);
    const { fee, lamports, fees } = before;
    same('funds after the fee', await readFunds(state), { fee, lamports, fees: fees + fee });
    return proved;
  });
}

async function readFunds(state: WalkState) {
  const { at, rpc, rule } = state;
  const config = await decodedAccount(state, await at.config(), getConfigDecoder());
  const { fees } = await decodedAccount(state, rule, getRuleSetDecoder());
  return { fee: unwrapOption(config.passFee) ?? 0n, lamports: await lamportsOf(rpc, rule), fees };
}

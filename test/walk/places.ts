/** Steps of a person with several wallets: proofs in places, a refused one, and a lost wallet that another one replaces. */
import idl from '@service/program/idl.json' with { type: 'json' };
import { MIN_PROOF_INTERVAL_SECONDS, proveInstruction } from '@service/protocol';
import { splitProof } from '@service/protocol/eligibility/proof/proof-with-place';
import {
  getCredentialDecoder,
  getPassDecoder,
  getPlaceDecoder,
  RULE_SET_PASS_ERROR__DESTINATION_PASS_MISSING,
  RULE_SET_PASS_ERROR__PLACE_TAKEN,
  RULE_SET_PASS_ERROR__PLACE_TAKEN_TOO_SOON,
} from '@service/protocol/generated';
import {
  buildEligibilityContext,
  generateEligibilityProof,
  isServiceError,
  latestPassExpiry,
  type ServiceErrorCode,
  type Witness,
} from '@service/sdk';
import { fetchPass, fetchPlaces } from '@service/sdk/chain';
import { callsTo, errorOf } from '@service/test-support';
import {
  type Address,
  fixDecoderSize,
  getAddressDecoder,
  getBytesDecoder,
  getStructDecoder,
  getU8Decoder,
  type Signature,
} from '@solana/kit';
import { customErrorOf, lamportsOf, logsOf, same, tokensOf, transactionOf } from './chain-check.ts';
import { until } from './cluster.ts';
import { accountOfActor } from './issuing.ts';
import { type Actor, decodedAccount, operationStep, runStep, type WalkState } from './walk-state.ts';

/** The state of the walk of a person with three wallets, with a rule set and a mint of its own. */
export interface PersonsState extends WalkState {
  readonly phone: Actor;
  readonly laptop: Actor;
  readonly spare: Actor;
}

const RECOVERED = 100_000n;

/** Returns the Verifier account of the credential of an actor. */
export async function verifierOf(state: WalkState, { wallet }: Actor): Promise<Address> {
  const address = await state.at.credential(wallet.address);
  return (await decodedAccount(state, address, getCredentialDecoder())).verifier;
}

/** A wallet of the person proves in a place of its own, which the client chooses. */
export async function prove(state: PersonsState, actor: Actor): Promise<void> {
  await operationStep(state, `${actor.name} proves in a place of its person`, async (options) => {
    const { client, wallet } = actor;
    const { rule } = state;
    const before = await placesOf(state);
    const proved = await client.prove(wallet, { rule, witness: witnessOf(actor) }, options);
    const after = await placesOf(state);
    same('holders', holdersOf(after), [...holdersOf(before), wallet.address].sort());
    const { place } = after.find((each) => each.wallet === wallet.address)!;
    const { tag } = splitProof((await proofOf(state, actor, place)).proof).place!;
    const held = await decodedAccount(state, await state.at.place(rule, tag), getPlaceDecoder());
    const expected = [rule, wallet.address, await state.at.pass(rule, wallet.address)];
    same('place', [held.rule, held.wallet, held.pass], expected);
    same('live', await isLive(state, actor), true);
    return proved;
  });
}

/** Both places of the person are taken. The client refuses the third wallet, makes no proof and sends nothing. */
export async function refuseThird(state: PersonsState): Promise<void> {
  const { spare, rule } = state;
  await refuseLocally(state, 'a third wallet of the person proves', 'NO_PLACE_FREE', () =>
    spare.client.prove(spare.wallet, { rule, witness: witnessOf(spare) }),
  );
}

/** The third wallet proves in a place that it chose itself. The service refuses, and so does the program. */
export async function refuseTaken(state: PersonsState): Promise<void> {
  const { phone, spare } = state;
  await refuseOnChain(state, 'a proof of the third wallet in a place of another one', {
    error: RULE_SET_PASS_ERROR__PLACE_TAKEN,
    code: 'PLACE_TAKEN',
    proof: await proofOf(state, spare, await placeOf(state, phone)),
  });
}

/** The phone wallet has held its place for less than an hour. Client, service and program refuse to replace it. */
export async function refuseEarlyTakeover(state: PersonsState): Promise<void> {
  const { phone, spare, rule } = state;
  const replaces = phone.wallet.address;
  const what = 'the third wallet replaces another one within an hour';
  await refuseLocally(state, what, 'PLACE_TAKEN_TOO_SOON', () =>
    spare.client.prove(spare.wallet, { rule, witness: witnessOf(spare), replaces }),
  );
  await refuseOnChain(state, what, {
    error: RULE_SET_PASS_ERROR__PLACE_TAKEN_TOO_SOON,
    code: 'PLACE_TAKEN_TOO_SOON',
    proof: await proofOf(state, spare, await placeOf(state, phone)),
    replaces,
  });
}

/** What the chain shows of a wallet that took the place of another one. */
export interface Evidence {
  readonly rule: Address;
  readonly oldWallet: Address;
  readonly newWallet: Address;
}

/** An hour later, the phone is lost: the spare wallet takes its place, and its pass ends. Returns what the chain shows. */
export async function replace(
  state: PersonsState,
  skipTime: (seconds: bigint) => void | Promise<void>,
): Promise<Evidence> {
  const { phone, laptop, spare, rule } = state;
  let signature = '';
  const held = (await placesOf(state)).find(({ wallet }) => wallet === phone.wallet.address)!;
  await skipTime(MIN_PROOF_INTERVAL_SECONDS);
  // Finalized blocks have the new time later.
  const from = held.replaceableAt!;
  await until('the end of the hour', async () => (await spare.client.network()).chainTime >= from);
  await operationStep(
    state,
    'an hour later, spare wallet replaces the lost phone wallet',
    async (options) => {
      const replaces = phone.wallet.address;
      const request = { rule, witness: witnessOf(spare), replaces };
      const replaced = await spare.client.prove(spare.wallet, request, options);
      const holders = [laptop, spare].map(({ wallet }) => wallet.address).sort();
      same('holders', holdersOf(await placesOf(state)), holders);
      const lives = await Promise.all([phone, laptop, spare].map((actor) => isLive(state, actor)));
      same('live', lives, [false, true, true]);
      signature = replaced.signature;
      return replaced;
    },
  );
  const [evidence, ...others] = await evidenceOf(state, signature as Signature);
  same('events of taken places', others.length, 0);
  const { oldWallet, newWallet } = evidence!;
  same('event', [oldWallet, newWallet], [phone.wallet.address, spare.wallet.address]);
  return evidence!;
}

/** The lost wallet gets nothing any more, and its thief cannot take the place back at once. */
export async function refuseLost(state: PersonsState): Promise<void> {
  const { issuer, phone, spare, mint, rule, rpc } = state;
  await runStep(state, 'REFUSED ON CHAIN: an issue to the lost phone wallet', async () => {
    const destination = await accountOfActor(state, phone);
    const before = await tokensOf(rpc, destination);
    const prepared = await issuer.client.prepare.issue({ mint, destination, amount: 1n });
    const sent = await issuer.client.signAndSubmit(issuer.wallet, prepared);
    const failure = await errorOf(issuer.client.waitForOperation(sent.operationId));
    if (!isServiceError(failure, 'OPERATION_FAILED')) throw failure;
    const signature = sent.signature as Signature;
    const { error } = await transactionOf(rpc, signature);
    same('error on chain', customErrorOf(error), RULE_SET_PASS_ERROR__DESTINATION_PASS_MISSING);
    same('tokens', await tokensOf(rpc, destination), before);
    return { state: `FAILED ${failure.context.programError?.name}`, signature };
  });
  await refuseLocally(state, 'the lost wallet takes its place back at once', 'PLACE_TAKEN_TOO_SOON', () =>
    phone.client.prove(phone.wallet, { rule, witness: witnessOf(phone), replaces: spare.wallet.address }),
  );
}

/** The issuer moves all tokens of the lost wallet to the one that replaced it, by the event of the takeover. */
export async function recoverFromLost(state: PersonsState, evidence: Evidence): Promise<void> {
  const { issuer, phone, spare, mint, rpc, rule } = state;
  await operationStep(
    state,
    'issuer recovers the tokens of the lost wallet to the new one',
    async (options) => {
      same('rule set of the event', evidence.rule, rule);
      const lost = [phone, spare].find(({ wallet }) => wallet.address === evidence.oldWallet)!;
      const found = [phone, spare].find(({ wallet }) => wallet.address === evidence.newWallet)!;
      const [source, destination] = [await accountOfActor(state, lost), await accountOfActor(state, found)];
      const request = { mint, source, destination, amount: RECOVERED, reason: 'lost-key' } as const;
      const recovered = await issuer.client.recover(issuer.wallet, request, options);
      same('tokens', [await tokensOf(rpc, source), await tokensOf(rpc, destination)], [0n, RECOVERED]);
      return recovered;
    },
  );
}

/** Runs a step whose call the client refuses, and posts no proof. */
async function refuseLocally(
  state: PersonsState,
  what: string,
  code: ServiceErrorCode,
  act: () => Promise<unknown>,
): Promise<void> {
  await runStep(state, `REFUSED LOCALLY: ${what}`, async () => {
    const posted = () =>
      [state.phone, state.spare].flatMap((actor) => actor.posted.filter((path) => path === '/api/proofs'));
    const before = posted().length;
    const refusal = await errorOf(act());
    if (!isServiceError(refusal, code)) throw refusal;
    same('proofs posted', posted().length, before);
    return { state: code };
  });
}

/** Runs a step in which the third wallet posts a valid proof, which the service refuses, and sends it to the chain itself. */
async function refuseOnChain(
  state: PersonsState,
  what: string,
  {
    error: expected,
    code,
    proof: eligibility,
    replaces,
  }: {
    error: number;
    code: ServiceErrorCode;
    proof: Awaited<ReturnType<typeof proofOf>>;
    replaces?: Address;
  },
): Promise<void> {
  const { spare, deployment, cluster, rpc, rule } = state;
  await runStep(state, `REFUSED BY SERVICE AND CHAIN: ${what}`, async () => {
    const { client, wallet } = spare;
    const refusal = await errorOf(client.prepare.prove({ ...eligibility, replaces }));
    if (!isServiceError(refusal, code)) throw refusal;
    const facts = await client.proofContext({ rule });
    const { expiresAt, asOf } = eligibility;
    const posted = splitProof(eligibility.proof);
    const before = [await lamportsOf(rpc, rule), holdersOf(await placesOf(state))];
    const instruction = await proveInstruction(
      deployment.program,
      { kind: 'PROVE', wallet: wallet.address, rule, expiresAt, asOf, replaces, ...posted },
      { verifier: facts.verifier.address, circuit: facts.circuit.address },
    );
    const { sendRaw, sign } = callsTo({ rpc } as never);
    const signature = await sendRaw(await sign([wallet], [instruction]));
    await cluster.finalized(signature);
    const { error } = await transactionOf(rpc, signature);
    same('error on chain', customErrorOf(error), expected);
    same('pass funds and holders', [await lamportsOf(rpc, rule), holdersOf(await placesOf(state))], before);
    same('live', await isLive(state, spare), false);
    return { state: `FAILED ${code}`, signature };
  });
}

/** Makes a proof for a place, without the client's choice of one. */
async function proofOf({ rule }: PersonsState, actor: Actor, place: number) {
  const facts = await actor.client.proofContext({ rule });
  const context = buildEligibilityContext(facts.credential, facts.ruleSet, latestPassExpiry(facts));
  return generateEligibilityProof(context, witnessOf(actor), actor.client.artifacts, { place });
}

const placesOf = ({ deployment, rule, phone }: PersonsState) =>
  fetchPlaces({ deployment, rule, witness: witnessOf(phone) });

const holdersOf = (places: Awaited<ReturnType<typeof placesOf>>) =>
  places.flatMap(({ wallet }) => wallet ?? []).sort();

async function placeOf(state: PersonsState, { wallet, name }: Actor): Promise<number> {
  const held = (await placesOf(state)).find((each) => each.wallet === wallet.address);
  if (!held) throw new Error(`The ${name} holds no place.`);
  return held.place;
}

function witnessOf({ name, witness }: Actor): Witness {
  if (!witness) throw new Error(`The ${name} has no witness.`);
  return witness;
}

/** Returns whether an actor has a pass that mints of the rule set accept: by the SDK, and by the bytes on chain. */
async function isLive({ at, deployment, rpc, rule }: PersonsState, { wallet }: Actor): Promise<boolean> {
  const left = (await fetchPass({ deployment, rule, wallet: wallet.address }))?.secondsLeft ?? 0n;
  const address = await at.pass(rule, wallet.address);
  const { value } = await rpc.getAccountInfo(address, { encoding: 'base64', commitment: 'finalized' }).send();
  const pass = value && getPassDecoder().decode(Buffer.from(value.data[0], 'base64'));
  const isEnded = !pass || pass.commitment.every((byte) => byte === 0);
  same('ended', isEnded, left === 0n);
  return !isEnded;
}

const placeTaken = idl.program.events.find(({ name }) => name === 'placeTaken')!;
const PLACE_TAKEN = placeTaken.discriminators[0]!.constant.value.number;
const decoder = getStructDecoder([
  ['number', getU8Decoder()],
  ['rule', getAddressDecoder()],
  ['tag', fixDecoderSize(getBytesDecoder(), 32)],
  ['oldWallet', getAddressDecoder()],
  ['newWallet', getAddressDecoder()],
]);

/** Reads the events PlaceTaken in the logs of a transaction. */
async function evidenceOf({ rpc }: PersonsState, signature: Signature): Promise<Evidence[]> {
  const lines = (await logsOf(rpc, signature)).flatMap((log) => /^Program data: (\S+)$/.exec(log)?.[1] ?? []);
  const events = lines
    .map((line) => Buffer.from(line, 'base64'))
    .filter(([number]) => number === PLACE_TAKEN);
  return events.map((event) => decoder.decode(event));
}

/** Plans a PROVE. The wallet must be allowed to prove, and the proof must verify under a circuit that is not retired. */
import { addressBytes } from '@service/contract';
import {
  type ChainReader,
  checkPlace,
  isSuspended,
  type PostedProveIntent,
  programAddresses,
  proofFeeAt,
  proveInstruction,
  readAccounts,
} from '@service/protocol';
import {
  bytesToField,
  contextHash,
  dateCodeAt,
  FIELD_ORDER,
  fieldToBytes,
  type PlaceHashes,
  passHash,
  scopeOf,
} from '@service/protocol/eligibility';
import { bytesToInteger } from '@service/protocol/eligibility/field';
import { type ProofStatement, ProverError, proverModule, verifyProof } from '@service/prover';
import type { Instruction } from '@solana/kit';
import { readerAt } from '../../chain-head/index.ts';
import { findAccounts } from '../../chain-index/find.ts';
import { ServiceFault } from '../../http/failures/fault.ts';
import { acceptedCircuits, assertCanProve } from '../../reads/can-prove.ts';
import { checkExpiry, checkPassFunds, ruleNotFound } from './check-pass-terms.ts';
import { CHAIN_TIME_SLACK_SECONDS, type PlanScope } from './plan-scope.ts';

const DAY_SECONDS = 86_400n;

/**
 * Checks a PROVE and builds its instruction.
 *
 * @throws ServiceFault NOT_FOUND, CREDENTIAL_REQUIRED, CREDENTIAL_EXPIRED, VERIFIER_INACTIVE, VERIFIER_NOT_ACCEPTED,
 *   PASS_SUSPENDED, PASS_FEE_UNSET, PASS_FEE_ABOVE_LIMIT, PASS_FEE_UNFUNDED, INVALID_REQUEST (an expiry out of range) or PROOF_INVALID
 * @throws PlanError with a code of {@link checkPlace}
 */
export async function planProof(scope: PlanScope, intent: PostedProveIntent): Promise<Instruction> {
  const { program } = scope.service.settings;
  const reader = readerAt(scope.service, 'finalized', scope.signal);
  const at = programAddresses(program);
  const [rule, credential, pass] = await readAccounts(reader, [
    ['ruleSet', intent.rule],
    ['credential', await at.credential(intent.wallet)],
    ['pass', await at.pass(intent.rule, intent.wallet)],
  ]);
  if (!rule) throw ruleNotFound(intent.rule);
  const [verifier] = credential
    ? await readAccounts(reader, [['verifier', credential.data.verifier]])
    : [undefined];
  assertCanProve({
    credential: credential?.data,
    ruleSet: rule.data,
    verifier: verifier?.data,
    chainTime: scope.tip.time,
  });
  if (!credential || !verifier) throw new ServiceFault('CREDENTIAL_REQUIRED');
  if (pass && isSuspended(pass.data, scope.tip.time)) {
    throw new ServiceFault(
      'PASS_SUSPENDED',
      'The creator of the rule set suspended the pass. Ask the creator.',
    );
  }
  await checkPlace(reader, intent, { ruleSet: rule.data, chainTime: scope.tip.time });
  await checkPassFunds(scope, rule.address, (facts) =>
    proofFeeAt({ ...facts, credential: credential.data, pass: pass?.data }, scope.tip.time),
  );
  const { maxPassAgeSeconds } = rule.data;
  checkExpiry(intent.expiresAt, {
    now: scope.tip.time,
    maxPassAgeSeconds,
    credentialExpiresAt: credential.data.expiresAt,
  });
  const facts = {
    clauseHashes: rule.data.clauseHashes.map((hash) => bytesToField(new Uint8Array(hash))),
    commitment: bytesToField(new Uint8Array(credential.data.commitment)),
    passHash: await passHash({
      rule: addressBytes(intent.rule),
      wallet: addressBytes(intent.wallet),
      expiresAt: intent.expiresAt,
    }),
    place: await placeHashesOf(intent),
  };
  const days = possibleDays(scope.tip.time, intent.expiresAt - maxPassAgeSeconds);
  const claims = days.map((asOf) => ({ asOf, signal: fieldToBytes(contextHash({ ...facts, asOf })) }));
  const { asOf, circuit } = await provenClaim(scope, reader, claims, intent.proof);
  const proven = { verifier: verifier.address, circuit: circuit.address };
  return proveInstruction(program, { ...intent, asOf }, proven);
}

/** Returns the scope and the tag of the place of a proof, if it takes one. @throws ServiceFault PROOF_INVALID */
async function placeHashesOf({ rule, place }: PostedProveIntent): Promise<PlaceHashes | undefined> {
  if (!place) return undefined;
  const tag = bytesToInteger(place.tag);
  // Poseidon returns no such tag.
  if (tag >= FIELD_ORDER) throw new ServiceFault('PROOF_INVALID');
  return { scope: await scopeOf({ rule: addressBytes(rule), place: place.number }), tag };
}

/**
 * Returns the date codes of the days on which a proof may count age, because only the proof is posted. Clients use the
 * day of the chain time, which may have begun after the finalized one, or have ended since the proof was made. A proof
 * for the longest pass, made earlier, uses the day on which such a pass would begin.
 */
function possibleDays(chainTime: bigint, beginning: bigint): number[] {
  const latest = chainTime + CHAIN_TIME_SLACK_SECONDS;
  const times = [chainTime, latest, chainTime - DAY_SECONDS, beginning];
  return [...new Set(times.filter((time) => time <= latest).map(dateCodeAt))];
}

/**
 * Returns the day and the newest circuit that is not retired for which the proof verifies.
 *
 * @throws ServiceFault PROOF_INVALID
 */
async function provenClaim(
  scope: PlanScope,
  reader: ChainReader,
  claims: readonly { readonly asOf: number; readonly signal: Uint8Array }[],
  proof: Uint8Array,
) {
  const known = await findAccounts(scope.service, 'circuit');
  const read = await readAccounts(
    reader,
    known.map(({ address }) => ['circuit', address] as const),
  );
  const found = read.flatMap((circuit) => (circuit ? [circuit] : []));
  for (const circuit of acceptedCircuits(found, scope.tip.time)) {
    const key = new Uint8Array(circuit.data.verifyingKey);
    for (const { asOf, signal } of claims)
      if (await isProven({ key, signal, proof })) return { asOf, circuit };
  }
  throw new ServiceFault('PROOF_INVALID');
}

/** Returns whether a proof verifies; false also for malformed bytes. The program verifies it again, with other code. */
async function isProven(statement: ProofStatement): Promise<boolean> {
  try {
    return await verifyProof(await proverModule(), statement);
  } catch (error) {
    if (error instanceof ProverError && error.code === 'ARTIFACTS_INVALID') return false;
    throw error;
  }
}

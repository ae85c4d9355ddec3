/** Plans a PROVE. The wallet must be allowed to prove, and the proof must verify under a circuit that is not retired. */
import { addressBytes } from '@service/contract';
import {
  type ProveIntent,
  passFundsOf,
  programAddresses,
  proveInstruction,
  readAccounts,
} from '@service/protocol';
import { asOfDateCode, bytesToField, contextHash, passHash } from '@service/protocol/eligibility';
import { type Instruction, unwrapOption } from '@solana/kit';
import { findAccounts } from '../../chain-index/find.ts';
import { ServiceFault } from '../../http/failures/fault.ts';
import { acceptedCircuits } from '../../reads/accepted-circuits.ts';
import { assertCanProve } from '../../reads/can-prove.ts';
import { finalizedReader, type PlanScope } from './scope.ts';

/** Seconds by which the current chain time, and that at landing, may be ahead of the finalized chain time. */
const CHAIN_TIME_SLACK_SECONDS = 120n;

/**
 * Checks a PROVE and builds its instruction.
 *
 * @throws ServiceFault NOT_FOUND, CREDENTIAL_REQUIRED, CREDENTIAL_EXPIRED, VERIFIER_INACTIVE, PASS_FEE_UNSET,
 *   PASS_FEE_UNFUNDED, INVALID_REQUEST (an expiry out of range) or PROOF_INVALID
 */
export async function planProof(scope: PlanScope, intent: ProveIntent): Promise<Instruction> {
  const { program } = scope.service.settings;
  const reader = finalizedReader(scope);
  const [rule, credential] = await readAccounts(reader, [
    ['ruleSet', intent.rule],
    ['credential', await programAddresses(program).credential(intent.wallet)],
  ]);
  if (!rule)
    throw new ServiceFault('NOT_FOUND', `There is no rule set at ${intent.rule}. Check the address.`);
  const [verifier] = credential
    ? await readAccounts(reader, [['verifier', credential.data.verifier]])
    : [undefined];
  assertCanProve({
    credential: credential?.data,
    verifier: verifier?.data,
    chainTime: scope.tip.time,
  });
  if (!credential || !verifier) throw new ServiceFault('CREDENTIAL_REQUIRED');
  await checkPassFunds(scope, intent);
  const { maxPassAgeSeconds } = rule.data;
  checkExpiry(intent.expiresAt, {
    now: scope.tip.time,
    maxPassAgeSeconds,
    credentialExpiresAt: credential.data.expiresAt,
  });
  const publicSignal = contextHash({
    clauseHashes: rule.data.clauseHashes.map((hash) => bytesToField(new Uint8Array(hash))),
    commitment: bytesToField(new Uint8Array(credential.data.commitment)),
    asOf: asOfDateCode({ expiresAt: intent.expiresAt, maxPassAgeSeconds }),
    passHash: await passHash({
      rule: addressBytes(intent.rule),
      wallet: addressBytes(intent.wallet),
      expiresAt: intent.expiresAt,
    }),
  });
  const circuit = await provenCircuit(scope, { publicSignal, proof: intent.proof });
  return proveInstruction(program, intent, { verifier: verifier.address, circuit: circuit.address });
}

/** Reads pass funds from the chain, not the index: anyone can add lamports to them without the program. */
async function checkPassFunds({ service, signal }: PlanScope, { rule }: ProveIntent): Promise<void> {
  const { program } = service.settings;
  const reader = { rpc: service.rpc, program, commitment: 'confirmed', signal } as const;
  const [config, ruleSet] = await readAccounts(reader, [
    ['config', await programAddresses(program).config()],
    ['ruleSet', rule],
  ]);
  const passFee = config && unwrapOption(config.data.passFee);
  if (passFee === null) throw new ServiceFault('PASS_FEE_UNSET');
  const rent = ruleSet
    ? await service.rpc.getMinimumBalanceForRentExemption(ruleSet.space).send({ abortSignal: signal })
    : 0n;
  const passFunds = ruleSet ? passFundsOf(ruleSet, rent) : 0n;
  if (passFunds < passFee) {
    throw new ServiceFault(
      'PASS_FEE_UNFUNDED',
      `The pass funds are ${passFunds} lamports, but the pass fee is ${passFee}. Send lamports to the rule set ${rule}.`,
    );
  }
}

function checkExpiry(
  expiresAt: bigint,
  limits: { now: bigint; maxPassAgeSeconds: bigint; credentialExpiresAt: bigint },
): void {
  const refuse = (rule: string) => {
    throw new ServiceFault('INVALID_REQUEST', `body.expiresAt must be ${rule}.`);
  };
  if (expiresAt <= limits.now) refuse(`later than the chain time, ${limits.now}`);
  const latest = limits.now + limits.maxPassAgeSeconds;
  if (expiresAt > latest + CHAIN_TIME_SLACK_SECONDS) {
    refuse(`at most maxPassAgeSeconds from the chain time: ${latest}`);
  }
  if (expiresAt > limits.credentialExpiresAt) {
    refuse(`no later than the credential’s expiry, ${limits.credentialExpiresAt}`);
  }
}

/** Returns the newest circuit that is not retired and under which the proof verifies. @throws ServiceFault PROOF_INVALID */
async function provenCircuit(scope: PlanScope, claim: { publicSignal: bigint; proof: Uint8Array }) {
  const { service, tip } = scope;
  const known = await findAccounts(service, 'circuit');
  const read = await readAccounts(
    finalizedReader(scope),
    known.map(({ address }) => ['circuit', address] as const),
  );
  const found = read.flatMap((circuit) => (circuit ? [circuit] : []));
  for (const circuit of acceptedCircuits(found, tip.time)) {
    const verifyingKey = new Uint8Array(circuit.data.verifyingKey);
    if (await service.proofs.verify({ ...claim, verifyingKey })) return circuit;
  }
  throw new ServiceFault('PROOF_INVALID');
}

/** `prove` and `close-pass`, valid unless a test changes an argument, and passes on a chain. */
import { SYSTEM_PROGRAM } from '@service/protocol';
import { getClosePassInstruction, getPassDecoder, getProveInstruction } from '@service/protocol/generated';
import type { Instruction } from '@solana/kit';
import { addressOf, type Chain, noop } from './chain.ts';
import { issueCredential } from './credentials.ts';
import {
  at,
  CIRCUIT,
  CIRCUIT_ID,
  CONFIG,
  credentialAt,
  PASS_FEE,
  TREASURY,
  verifierAt,
} from './governance.ts';
import { withAddress } from './instruction.ts';
import { LATEST_EXPIRY, type ProofChange, proofOf } from './proofs.ts';
import { passAt, RULE, ruleSetChain } from './rule-sets.ts';

/** `prove` by the holder for the tests' rule set, until the latest expiry. Makes the proof unless one is given. */
export async function prove({
  verifier = 'verifier',
  circuitId = CIRCUIT_ID,
  proof,
  ...facts
}: ProofChange & { verifier?: string; circuitId?: string; proof?: Uint8Array } = {}) {
  const { rule = RULE, wallet = 'holder', expiresAt = LATEST_EXPIRY } = facts;
  return getProveInstruction({
    wallet: await noop(wallet),
    config: CONFIG,
    treasury: TREASURY,
    ruleSet: rule,
    credential: await credentialAt(wallet),
    verifier: await verifierAt(verifier),
    circuit: await at.circuit(circuitId),
    pass: await passAt(wallet, rule),
    systemProgram: SYSTEM_PROGRAM,
    expiresAt,
    proof: proof ?? (await proofOf(facts)),
  });
}

/** Returns a chain on which wallets can prove: they have credentials, and the rule set has funds for ten passes. */
export async function eligibleChain({
  wallets = ['holder'],
  passFunds = 10n * PASS_FEE,
} = {}): Promise<Chain> {
  const chain = await ruleSetChain({ passFunds });
  for (const wallet of wallets) await chain.confirm(issueCredential({ wallet }));
  return chain;
}

/** `close-pass` of the holder's pass for the tests' rule set. */
export async function closePass({
  holder = 'holder',
  rule = RULE,
  verifier = 'verifier',
  circuitId = CIRCUIT_ID,
} = {}) {
  return getClosePassInstruction({
    pass: await passAt(holder, rule),
    wallet: await addressOf(holder),
    ruleSet: rule,
    credential: await credentialAt(holder),
    verifier: await verifierAt(verifier),
    circuit: await at.circuit(circuitId),
  });
}

/** `close-pass` of a pass with the verifier and the circuit that it names. */
export async function closePassOf(chain: Chain, holder: string, rule = RULE): Promise<Instruction> {
  const { verifier, circuit } = await passOf(chain, holder, rule);
  const named = withAddress(await closePass({ holder, rule }), await verifierAt('verifier'), verifier);
  return withAddress(named, CIRCUIT, circuit);
}

export async function passOf(chain: Chain, wallet = 'holder', rule = RULE) {
  return getPassDecoder().decode(chain.data(await passAt(wallet, rule)));
}

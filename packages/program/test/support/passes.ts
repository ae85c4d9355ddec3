/** `prove` with valid arguments, and passes on a chain. */
import { SYSTEM_PROGRAM } from '@service/protocol';
import { getClosePassInstruction, getPassDecoder, getProveInstruction } from '@service/protocol/generated';
import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { addressOf, type Chain } from './chain.ts';
import { addCredential } from './credentials.ts';
import { at, CIRCUIT_ID, PASS_FEE } from './governance.ts';
import { placeOf, withAccount } from './instruction.ts';
import { LATEST_EXPIRY, type ProofChange, proofOf } from './proofs.ts';
import { ruleAddress, ruleSetChain } from './rule-sets.ts';

/** What is proved, and with which accounts. */
export interface ProveChange extends ProofChange {
  verifier?: string;
  circuitId?: string;
  /** Another proof than the one of these facts. */
  proof?: Uint8Array;
}

/** `prove` by the holder of the tests' rule set, until the latest expiry, unless the arguments say otherwise. */
export async function prove(change: ProveChange = {}): Promise<Instruction> {
  const { verifier = 'verifier', circuitId = CIRCUIT_ID, proof, ...facts } = change;
  const rule = change.rule ?? (await ruleAddress());
  const wallet = await addressOf(change.wallet ?? 'holder');
  return getProveInstruction({
    wallet: createNoopSigner(wallet),
    config: await at.config(),
    treasury: await at.treasury(),
    ruleSet: rule,
    credential: await at.credential(wallet),
    verifier: await at.verifier(await addressOf(verifier)),
    circuit: await at.circuit(circuitId),
    pass: await at.pass(rule, wallet),
    systemProgram: SYSTEM_PROGRAM,
    expiresAt: change.expiresAt ?? LATEST_EXPIRY,
    proof: proof ?? (await proofOf(facts)),
  });
}

/** Returns a chain on which wallets can prove: they have credentials, and the rule set has funds for ten passes. */
export async function eligibleChain({
  wallets = ['holder'],
  passFunds = 10n * PASS_FEE,
} = {}): Promise<Chain> {
  const chain = await ruleSetChain({ passFunds });
  for (const wallet of wallets) await addCredential(chain, { wallet });
  return chain;
}

/** Proves. */
export async function addPass(chain: Chain, change: ProveChange = {}): Promise<void> {
  await chain.confirm(prove(change));
}

/** What is closed, and with which accounts. */
export interface CloseChange {
  holder?: string;
  rule?: Address;
  verifier?: string;
  circuitId?: string;
}

/** `close-pass` of the holder's pass for the tests' rule set, unless the arguments say otherwise. */
export async function closePass(change: CloseChange = {}): Promise<Instruction> {
  const wallet = await addressOf(change.holder ?? 'holder');
  return getClosePassInstruction({
    pass: await at.pass(change.rule ?? (await ruleAddress()), wallet),
    wallet,
    ruleSet: change.rule ?? (await ruleAddress()),
    credential: await at.credential(wallet),
    verifier: await at.verifier(await addressOf(change.verifier ?? 'verifier')),
    circuit: await at.circuit(change.circuitId ?? CIRCUIT_ID),
  });
}

/** `close-pass` of a wallet's pass, with the verifier and the circuit that it names on chain. */
export async function closePassOf(chain: Chain, holder: string, rule?: Address): Promise<Instruction> {
  const { verifier, circuit } = await passOf(chain, holder, rule);
  const closing = await closePass({ holder, ...(rule ? { rule } : {}) });
  const named = withAccount(closing, placeOf('closePass', 'verifier'), { address: verifier });
  return withAccount(named, placeOf('closePass', 'circuit'), { address: circuit });
}

/** A pass as it is on chain. */
export async function passOf(chain: Chain, wallet = 'holder', rule?: Address) {
  const address = await at.pass(rule ?? (await ruleAddress()), await addressOf(wallet));
  return getPassDecoder().decode(chain.data(address));
}

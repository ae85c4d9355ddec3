/** The instructions of governance with valid arguments, and a protocol that is set up with them. */

import { readArtifacts } from '@service/circuit';
import { type ProgramAddresses, programAddresses, SYSTEM_PROGRAM } from '@service/protocol';
import {
  getConfigDecoder,
  getInitializeInstruction,
  getRetireCircuitInstruction,
  getSetCircuitInstruction,
  getSetGovernanceInstruction,
  getSetVerifierInstruction,
  getWithdrawFeesInstruction,
} from '@service/protocol/generated';
import type { Address, Instruction } from '@solana/kit';
import { addressOf, Chain, GENESIS_HASH, keyOf, noop, PROGRAM, programDataAddress, SOL } from './chain.ts';

const derived = new Map<string, Promise<Address>>();

/** Addresses of the program's accounts. Each is derived once, because a derivation hashes for each bump that it tries. */
export const at = new Proxy(programAddresses(PROGRAM), {
  get(addresses, name: Exclude<keyof ProgramAddresses, 'program'>) {
    return (...seeds: never[]) => {
      const key = `${name} ${seeds.join(' ')}`;
      if (!derived.has(key))
        derived.set(key, (addresses[name] as (...seeds: never[]) => Promise<Address>)(...seeds));
      return derived.get(key);
    };
  },
});

const artifacts = await readArtifacts();

/** Lamports that each prove takes, unless a test says otherwise. */
export const PASS_FEE = 5_000_000n;
/** Id of the circuit of the committed artifacts. */
export const CIRCUIT_ID = artifacts.manifest.circuit;
export const ARTIFACTS_DIGEST = Uint8Array.from(Buffer.from(artifacts.digest, 'hex'));
export const VERIFYING_KEY = artifacts.key;

/** A chain with the deployed program and funded keys, before initialize. */
export async function deployedChain(): Promise<Chain> {
  const chain = await Chain.deployed(await addressOf('upgrade authority'));
  for (const name of ['payer', 'issuer', 'holder', 'other holder', 'outsider', 'unrelated wallet']) {
    chain.fund((await keyOf(name)).address, 100n * SOL);
  }
  for (const name of ['governance', 'next governance', 'verifier', 'second verifier']) await keyOf(name);
  return chain;
}

/** `initialize` by the upgrade authority. */
export async function initialize(
  change: { upgradeAuthority?: string; programData?: Address } = {},
): Promise<Instruction> {
  return getInitializeInstruction({
    payer: await noop('payer'),
    upgradeAuthority: await noop(change.upgradeAuthority ?? 'upgrade authority'),
    authority: await noop('governance'),
    config: await at.config(),
    treasury: await at.treasury(),
    programData: change.programData ?? (await programDataAddress()),
    systemProgram: SYSTEM_PROGRAM,
    genesisHash: GENESIS_HASH,
  });
}

/** `set-governance`; keeps the authority, unpaused, with the pass fee, unless the arguments say otherwise. */
export async function setGovernance(
  change: {
    authority?: string;
    nextAuthority?: string;
    programData?: Address;
    paused?: boolean;
    passFee?: bigint | null;
  } = {},
): Promise<Instruction> {
  const authority = change.authority ?? 'governance';
  return getSetGovernanceInstruction({
    authority: await noop(authority),
    nextAuthority: await noop(change.nextAuthority ?? authority),
    config: await at.config(),
    programData: change.programData ?? (await programDataAddress()),
    paused: change.paused ?? false,
    passFee: change.passFee === undefined ? PASS_FEE : change.passFee,
  });
}

/** `set-verifier`; the first verifier, active, unless the arguments say otherwise. */
export async function setVerifier(
  change: { authority?: string; verifier?: string; active?: boolean; name?: string } = {},
): Promise<Instruction> {
  const verifierAuthority = await addressOf(change.verifier ?? 'verifier');
  return getSetVerifierInstruction({
    authority: await noop(change.authority ?? 'governance'),
    payer: await noop('payer'),
    config: await at.config(),
    verifierAuthority,
    verifier: await at.verifier(verifierAuthority),
    systemProgram: SYSTEM_PROGRAM,
    active: change.active ?? true,
    name: change.name ?? 'Example Verifier',
  });
}

/** `set-circuit`; the circuit of the committed artifacts, the first one, unless the arguments say otherwise. */
export async function setCircuit(
  change: {
    authority?: string;
    id?: string;
    previousCircuit?: Address;
    graceSeconds?: bigint;
    verifyingKey?: Uint8Array;
  } = {},
): Promise<Instruction> {
  const id = change.id ?? CIRCUIT_ID;
  return getSetCircuitInstruction({
    authority: await noop(change.authority ?? 'governance'),
    payer: await noop('payer'),
    config: await at.config(),
    circuit: await at.circuit(id),
    ...(change.previousCircuit ? { previousCircuit: change.previousCircuit } : {}),
    systemProgram: SYSTEM_PROGRAM,
    id,
    artifactsDigest: ARTIFACTS_DIGEST,
    graceSeconds: change.graceSeconds ?? 0n,
    verifyingKey: change.verifyingKey ?? VERIFYING_KEY,
  });
}

/** `retire-circuit`; the circuit of the committed artifacts, at once, as sound, unless the arguments say otherwise. */
export async function retireCircuit(
  change: { authority?: string; id?: string; graceSeconds?: bigint; unsound?: boolean } = {},
): Promise<Instruction> {
  return getRetireCircuitInstruction({
    authority: await noop(change.authority ?? 'governance'),
    config: await at.config(),
    circuit: await at.circuit(change.id ?? CIRCUIT_ID),
    graceSeconds: change.graceSeconds ?? 0n,
    unsound: change.unsound ?? false,
  });
}

/** `withdraw-fees`; one SOL to the unrelated wallet, unless the arguments say otherwise. */
export async function withdrawFees(
  change: { authority?: string; recipient?: Address; lamports?: bigint } = {},
): Promise<Instruction> {
  return getWithdrawFeesInstruction({
    authority: await noop(change.authority ?? 'governance'),
    config: await at.config(),
    treasury: await at.treasury(),
    recipient: change.recipient ?? (await addressOf('unrelated wallet')),
    lamports: change.lamports ?? SOL,
  });
}

/** A chain on which governance is initialized and nothing else. */
export async function initializedChain(): Promise<Chain> {
  const chain = await deployedChain();
  await chain.confirm(initialize());
  return chain;
}

/** A chain that is ready: pass fee, two verifiers, the circuit. */
export async function readyChain(): Promise<Chain> {
  const chain = await initializedChain();
  await chain.confirm(setGovernance());
  await chain.confirm(setVerifier());
  await chain.confirm(setVerifier({ verifier: 'second verifier', name: 'Second Verifier' }));
  await chain.confirm(setCircuit());
  return chain;
}

/** Pauses the protocol. */
export async function pause(chain: Chain): Promise<void> {
  await chain.confirm(setGovernance({ paused: true }));
}

/** Config as it is on chain. */
export async function configOf(chain: Chain) {
  return getConfigDecoder().decode(chain.data(await at.config()));
}

/** The instructions of governance, each with valid arguments unless a test changes some, and chains set up with them. */
import { readArtifacts } from '@service/circuit';
import { type ProgramAddresses, programAddresses, SYSTEM_PROGRAM } from '@service/protocol';
import {
  getAcceptAuthorityInstruction,
  getConfigDecoder,
  getEndPassesInstruction,
  getInitializeInstruction,
  getNominateAuthorityInstruction,
  getPauseInstruction,
  getRetireCircuitInstruction,
  getSetCircuitInstruction,
  getSetGuardianInstruction,
  getSetPassFeeInstruction,
  getSetVerifierInstruction,
  getTreasuryDecoder,
  getUnpauseInstruction,
  getWithdrawFeesInstruction,
} from '@service/protocol/generated';
import type { Address, TransactionSigner } from '@solana/kit';
import {
  addressOf,
  Chain,
  GENESIS_HASH,
  keyOf,
  noop,
  PROGRAM,
  PROGRAM_DATA,
  SOL,
  UNRELATED_WALLET,
} from './chain.ts';

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
export const CIRCUIT_ID = artifacts.manifest.circuit;
export const ARTIFACTS_DIGEST = Uint8Array.from(Buffer.from(artifacts.digest, 'hex'));
export const VERIFYING_KEY = artifacts.key;
/** Addresses of Config, of the Treasury and of the circuit with {@link CIRCUIT_ID}. */
export const [CONFIG, TREASURY, CIRCUIT] = [
  await at.config(),
  await at.treasury(),
  await at.circuit(CIRCUIT_ID),
];

export const verifierAt = async (name: string) => at.verifier(await addressOf(name));
export const credentialAt = async (name: string) => at.credential(await addressOf(name));

/** Returns a chain with the deployed program and funded keys, before initialize. */
export async function deployedChain(): Promise<Chain> {
  const chain = await Chain.deployed(await addressOf('upgrade authority'));
  for (const name of ['payer', 'issuer', 'holder', 'other holder', 'outsider', 'unrelated wallet']) {
    chain.fund(await addressOf(name), 100n * SOL);
  }
  for (const name of ['governance', 'next governance', 'guardian', 'verifier', 'second verifier'])
    await keyOf(name);
  return chain;
}

/** `initialize` by the upgrade authority. */
export async function initialize({
  upgradeAuthority = 'upgrade authority',
  programData = PROGRAM_DATA,
} = {}) {
  return getInitializeInstruction({
    payer: await noop('payer'),
    upgradeAuthority: await noop(upgradeAuthority),
    authority: await noop('governance'),
    config: CONFIG,
    treasury: TREASURY,
    programData,
    systemProgram: SYSTEM_PROGRAM,
    genesisHash: GENESIS_HASH,
  });
}

/** An instruction that changes one field of Config, by the governance authority unless a test names another signer. */
const byGovernance =
  <Instruction, Change>(
    make: (input: { authority: TransactionSigner; config: Address } & Change) => Instruction,
    defaults: Change,
  ) =>
  async ({ authority = 'governance', ...change }: { authority?: string } & Partial<Change> = {}) =>
    make({ authority: await noop(authority), config: CONFIG, ...defaults, ...change } as never);

export const pause = byGovernance(getPauseInstruction, {});
export const unpause = byGovernance(getUnpauseInstruction, {});
export const setPassFee = byGovernance(getSetPassFeeInstruction, { passFee: PASS_FEE as bigint | null });
export const nominateAuthority = byGovernance(getNominateAuthorityInstruction, {
  nominee: (await addressOf('next governance')) as Address | null,
});
export const setGuardian = byGovernance(getSetGuardianInstruction, {
  guardian: (await addressOf('guardian')) as Address | null,
});
export const endPasses = byGovernance(getEndPassesInstruction, {});

/** `accept-authority` by the next governance. */
export async function acceptAuthority({ nominee = 'next governance' } = {}) {
  return getAcceptAuthorityInstruction({ nominee: await noop(nominee), config: CONFIG });
}

export async function setVerifier({
  authority = 'governance',
  verifier = 'verifier',
  active = true,
  name = 'Example Verifier',
} = {}) {
  return getSetVerifierInstruction({
    authority: await noop(authority),
    payer: await noop('payer'),
    config: CONFIG,
    verifierAuthority: await addressOf(verifier),
    verifier: await verifierAt(verifier),
    systemProgram: SYSTEM_PROGRAM,
    active,
    name,
  });
}

/** `set-circuit`. Sets the first circuit unless a previous one is given. */
export async function setCircuit({
  authority = 'governance',
  id = CIRCUIT_ID,
  previousCircuit = undefined as Address | undefined,
  graceSeconds = 0n,
  verifyingKey = VERIFYING_KEY,
} = {}) {
  return getSetCircuitInstruction({
    authority: await noop(authority),
    payer: await noop('payer'),
    config: CONFIG,
    circuit: await at.circuit(id),
    ...(previousCircuit ? { previousCircuit } : {}),
    systemProgram: SYSTEM_PROGRAM,
    id,
    artifactsDigest: ARTIFACTS_DIGEST,
    graceSeconds,
    verifyingKey,
  });
}

/** Sets the circuit `next` after the first one. Returns its address. */
export async function rotateCircuit(chain: Chain, change: Parameters<typeof setCircuit>[0] = {}) {
  await chain.confirm(setCircuit({ id: 'next', previousCircuit: CIRCUIT, ...change }));
  return at.circuit('next');
}

/** `retire-circuit`, at once and as sound. */
export async function retireCircuit({
  authority = 'governance',
  id = CIRCUIT_ID,
  graceSeconds = 0n,
  unsound = false,
} = {}) {
  const circuit = await at.circuit(id);
  return getRetireCircuitInstruction({
    authority: await noop(authority),
    config: CONFIG,
    circuit,
    graceSeconds,
    unsound,
  });
}

/** `withdraw-fees` of one SOL to the unrelated wallet. */
export async function withdrawFees({
  authority = 'governance',
  recipient = UNRELATED_WALLET,
  lamports = SOL,
} = {}) {
  const from = { authority: await noop(authority), config: CONFIG, treasury: TREASURY };
  return getWithdrawFeesInstruction({ ...from, recipient, lamports });
}

export async function initializedChain(): Promise<Chain> {
  const chain = await deployedChain();
  await chain.confirm(initialize());
  return chain;
}

/** Returns a chain with a pass fee, two verifiers and the circuit. */
export async function readyChain(): Promise<Chain> {
  const chain = await initializedChain();
  await chain.confirm(setPassFee());
  await chain.confirm(setVerifier());
  await chain.confirm(setVerifier({ verifier: 'second verifier', name: 'Second Verifier' }));
  await chain.confirm(setCircuit());
  return chain;
}

export function treasuryOf(chain: Chain) {
  return getTreasuryDecoder().decode(chain.data(TREASURY));
}

export function configOf(chain: Chain) {
  return getConfigDecoder().decode(chain.data(CONFIG));
}

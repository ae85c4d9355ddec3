/** The steps after the program is deployed: initialization, circuit, verifier, pass fee. */
import {
  circuitDifference,
  findProgramDataAddress,
  genesisHashBytes,
  hexOf,
  programAddresses,
  SYSTEM_PROGRAM,
} from '@service/protocol';
import { sha256Hex } from '@service/protocol/eligibility/sha256';
import {
  getInitializeInstruction,
  getSetCircuitInstruction,
  getSetPassFeeInstruction,
  getSetVerifierInstruction,
} from '@service/protocol/generated';
import { createNoopSigner, type Instruction, type KeyPairSigner, unwrapOption } from '@solana/kit';
import type { DeployProtocolOptions } from './deploy-options.ts';
import type { DeployedState } from './deployed-state.ts';
import { DeployError } from './loader/deploy-error.ts';

/** One step. */
export interface DeploymentStep {
  /** The line to print once the step is done. */
  readonly line: string;
  /** The transaction to send. Without one, the step is done already or is left out. */
  readonly action?: { readonly instruction: Instruction; readonly signers: readonly KeyPairSigner[] };
}

/**
 * Plans the steps, in the order in which they are sent.
 *
 * @throws DeployError STATE_DIFFERS for a change that needs `update` or another key, or is impossible.
 */
export async function planSteps(
  options: DeployProtocolOptions,
  state: DeployedState,
): Promise<DeploymentStep[]> {
  const common = await commonAccounts(options);
  const steps = [
    initializationStep(options, state, common),
    await circuitStep(options, state, common),
    await verifierStep(options, state, common),
    passFeeStep(options, state, common),
  ];
  const { config } = state;
  const { address } = options.keys.governance;
  if (config && config.authority !== address && steps.some(({ action }) => action)) {
    throw new DeployError(
      'STATE_DIFFERS',
      `The governance authority is ${config.authority}, not ${address}. Use the key of ${config.authority} for these changes.`,
    );
  }
  return steps;
}

type Common = Awaited<ReturnType<typeof commonAccounts>>;

async function commonAccounts({ keys }: DeployProtocolOptions) {
  const program = keys.program.address;
  const at = programAddresses(program);
  return {
    at,
    // The real keys sign the whole transaction when it is sent.
    payer: createNoopSigner(keys.payer.address),
    authority: createNoopSigner(keys.governance.address),
    config: await at.config(),
    treasury: await at.treasury(),
    programData: await findProgramDataAddress(program),
    systemProgram: SYSTEM_PROGRAM,
    of: { programAddress: program },
  };
}

function initializationStep(
  { keys, genesisHash }: DeployProtocolOptions,
  { config }: DeployedState,
  common: Common,
): DeploymentStep {
  if (config) {
    if (hexOf(config.genesisHash) !== hexOf(genesisHashBytes(genesisHash))) {
      throw new DeployError(
        'STATE_DIFFERS',
        'The program was initialized for another cluster. Use another program key.',
      );
    }
    return { line: 'governance is already initialized' };
  }
  const upgradeAuthority = createNoopSigner(keys.upgradeAuthority.address);
  const instruction = getInitializeInstruction(
    { ...common, upgradeAuthority, genesisHash: genesisHashBytes(genesisHash) },
    common.of,
  );
  return {
    line: `governance initialized: ${keys.governance.address}`,
    action: { instruction, signers: [keys.upgradeAuthority, keys.governance] },
  };
}

async function circuitStep(
  { keys, circuit, update }: DeployProtocolOptions,
  state: DeployedState,
  common: Common,
): Promise<DeploymentStep> {
  const address = await common.at.circuit(circuit.id);
  const previous = state.config && unwrapOption(state.config.activeCircuit);
  if (state.circuit) {
    const difference = await circuitDifference(state.circuit, {
      digest: hexOf(circuit.artifactsDigest),
      keyHash: await sha256Hex(circuit.verifyingKey),
    });
    if (difference === 'key') {
      throw new DeployError(
        'STATE_DIFFERS',
        `The circuit ${circuit.id} has another verifying key on chain than the manifest. Proofs of other statements could open passes. ` +
          'Retire it as unsound with retire-circuit, and build these artifacts under a new id.',
      );
    }
    if (!difference && previous === address) return { line: `circuit ${circuit.id} is already active` };
    throw new DeployError(
      'STATE_DIFFERS',
      `The circuit ${circuit.id} has other artifacts on chain, or was replaced. A chain accepts each id once. ` +
        'Use the artifacts of the active circuit, or build these under a new id.',
    );
  }
  if (previous && !update) {
    throw new DeployError(
      'STATE_DIFFERS',
      `Another circuit than ${circuit.id} is active. Use --update to replace it after a grace period.`,
    );
  }
  const instruction = getSetCircuitInstruction(
    {
      ...common,
      ...circuit,
      circuit: address,
      ...(previous ? { previousCircuit: previous } : {}),
      graceSeconds: previous && update ? update.circuitGraceSeconds : 0n,
    },
    common.of,
  );
  return { line: `circuit ${circuit.id} set`, action: { instruction, signers: [keys.governance] } };
}

async function verifierStep(
  { keys, verifier, update }: DeployProtocolOptions,
  { verifier: found }: DeployedState,
  common: Common,
): Promise<DeploymentStep> {
  const name = `verifier "${verifier.name}" (${verifier.authority})`;
  if (found?.active && found.name === verifier.name) return { line: `${name} is already active` };
  if (found && !update) {
    const activity = found.active ? 'active' : 'inactive';
    return {
      line: `verifier "${found.name}" (${activity}) stays as it is. Use --update to change it.`,
    };
  }
  const instruction = getSetVerifierInstruction(
    {
      ...common,
      verifierAuthority: verifier.authority,
      verifier: await common.at.verifier(verifier.authority),
      active: true,
      name: verifier.name,
    },
    common.of,
  );
  return { line: `${name} set`, action: { instruction, signers: [keys.governance] } };
}

function passFeeStep(
  { keys, passFee, update }: DeployProtocolOptions,
  { config }: DeployedState,
  common: Common,
): DeploymentStep {
  // Whether it holds already or not, a raise is the newest decision of governance.
  const found = config && (unwrapOption(config.nextPassFee) ?? unwrapOption(config.passFee));
  if (found === passFee) return { line: `pass fee is already ${passFee} lamports` };
  if (config && found !== null && !update) {
    return { line: `pass fee stays at ${found} lamports. Use --update to change it.` };
  }
  const instruction = getSetPassFeeInstruction({ ...common, passFee }, common.of);
  return {
    line: `pass fee set to ${passFee} lamports. A raise takes effect after seven days.`,
    action: { instruction, signers: [keys.governance] },
  };
}

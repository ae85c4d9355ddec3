/** What governance has set and has yet to set, part by part. */
import { genesisHashBytes, hexOf, programAddresses, SYSTEM_PROGRAM } from '@service/protocol';
import {
  getInitializeInstruction,
  getSetCircuitInstruction,
  getSetGovernanceInstruction,
  getSetVerifierInstruction,
} from '@service/protocol/generated';
import { createNoopSigner, type Instruction, type KeyPairSigner, unwrapOption } from '@solana/kit';
import type { DeployProtocolOptions } from './deploy-protocol.ts';
import type { Standing } from './deployed-state.ts';
import { DeployError } from './loader/deploy-error.ts';
import { findProgramDataAddress } from './loader/instructions.ts';

/** One part: what is said once it stands, and what has to be done for that, if anything. */
export interface Part {
  readonly said: string;
  readonly action?: { readonly instruction: Instruction; readonly signers: readonly KeyPairSigner[] };
}

/**
 * The parts in the order in which they are set.
 *
 * @throws DeployError STANDS_OTHERWISE for what can only be otherwise with `update`, by another key, or not at all.
 */
export async function planParts(options: DeployProtocolOptions, standing: Standing): Promise<Part[]> {
  const common = await commonAccounts(options);
  const parts = [
    initialization(options, standing, common),
    await circuitPart(options, standing, common),
    await verifierPart(options, standing, common),
    passFeePart(options, standing, common),
  ];
  const { config } = standing;
  const { address } = options.keys.governance;
  if (config && config.authority !== address && parts.some(({ action }) => action)) {
    throw new DeployError(
      'STANDS_OTHERWISE',
      `The governance authority is ${config.authority}, not ${address}: take its key for what is to be set`,
    );
  }
  return parts;
}

type Common = Awaited<ReturnType<typeof commonAccounts>>;

async function commonAccounts({ keys }: DeployProtocolOptions) {
  const program = keys.program.address;
  const at = programAddresses(program);
  return {
    at,
    // Signatures are made over the whole transaction, when it is sent.
    payer: createNoopSigner(keys.payer.address),
    authority: createNoopSigner(keys.governance.address),
    config: await at.config(),
    treasury: await at.treasury(),
    programData: await findProgramDataAddress(program),
    systemProgram: SYSTEM_PROGRAM,
    of: { programAddress: program },
  };
}

function initialization(options: DeployProtocolOptions, { config }: Standing, common: Common): Part {
  const { keys, genesisHash } = options;
  if (config) {
    if (hexOf(config.genesisHash) !== hexOf(genesisHashBytes(genesisHash))) {
      throw new DeployError('STANDS_OTHERWISE', 'The program was initialized for another cluster');
    }
    return { said: 'governance stands' };
  }
  const upgradeAuthority = createNoopSigner(keys.upgradeAuthority.address);
  const instruction = getInitializeInstruction(
    { ...common, upgradeAuthority, genesisHash: genesisHashBytes(genesisHash) },
    common.of,
  );
  return {
    said: `governance initialized: ${keys.governance.address}`,
    action: { instruction, signers: [keys.upgradeAuthority, keys.governance] },
  };
}

async function circuitPart(
  { keys, circuit, update }: DeployProtocolOptions,
  standing: Standing,
  common: Common,
): Promise<Part> {
  const address = await common.at.circuit(circuit.id);
  const previous = standing.config && unwrapOption(standing.config.activeCircuit);
  if (standing.circuit) {
    const isSame = hexOf(standing.circuit.artifactsDigest) === hexOf(circuit.artifactsDigest);
    if (isSame && previous === address) return { said: `circuit ${circuit.id} stands` };
    throw new DeployError(
      'STANDS_OTHERWISE',
      `The circuit ${circuit.id} stands with other artifacts, or was replaced: a chain takes each id once. ` +
        'Take the artifacts of the active circuit, or build them under a new id',
    );
  }
  if (previous && !update) {
    throw new DeployError(
      'STANDS_OTHERWISE',
      `Another circuit than ${circuit.id} is active: --update replaces it after a grace`,
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
  return { said: `circuit ${circuit.id} set`, action: { instruction, signers: [keys.governance] } };
}

async function verifierPart(
  { keys, verifier, update }: DeployProtocolOptions,
  { verifier: found }: Standing,
  common: Common,
): Promise<Part> {
  const told = `verifier "${verifier.name}" of ${verifier.authority}`;
  if (found?.active && found.name === verifier.name) return { said: `${told} stands` };
  if (found && !update) {
    const state = found.active ? 'active' : 'inactive';
    return { said: `verifier "${found.name}" is left as it is, ${state}: --update changes it` };
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
  return { said: `${told} set`, action: { instruction, signers: [keys.governance] } };
}

function passFeePart(
  { keys, passFee, update }: DeployProtocolOptions,
  { config }: Standing,
  common: Common,
): Part {
  const found = config && unwrapOption(config.passFee);
  if (found === passFee) return { said: `pass fee of ${passFee} lamports stands` };
  if (config && found !== null && !update) {
    return { said: `pass fee of ${found} lamports is left as it is: --update changes it` };
  }
  const instruction = getSetGovernanceInstruction(
    { ...common, nextAuthority: common.authority, paused: config?.paused ?? false, passFee },
    common.of,
  );
  return {
    said: `pass fee set to ${passFee} lamports`,
    action: { instruction, signers: [keys.governance] },
  };
}

/**
 * Brings a cluster from nothing to a ready protocol, by transactions only: deploys the program, initializes it,
 * sets the circuit, the verifier and the pass fee. Works against any Solana RPC.
 */

import { genesisHashBytes, programAddresses, SYSTEM_PROGRAM } from '@service/protocol';
import {
  getInitializeInstruction,
  getSetCircuitInstruction,
  getSetGovernanceInstruction,
  getSetVerifierInstruction,
} from '@service/protocol/generated';
import { type Address, createNoopSigner, type Instruction, type KeyPairSigner } from '@solana/kit';
import { deployProgram } from '../deploy/deploy.ts';
import { findProgramDataAddress } from '../deploy/loader.ts';
import { type DeployRpc, sendAll } from '../deploy/send.ts';

/** What a protocol is set up with. */
export interface BootstrapOptions {
  rpc: DeployRpc;
  /** Base58 genesis hash of the cluster. */
  genesisHash: string;
  /** The SBF shared object. */
  so: Uint8Array;
  keys: {
    /** Pays rent and fees; needs about 1 SOL. */
    payer: KeyPairSigner;
    program: KeyPairSigner;
    upgradeAuthority: KeyPairSigner;
    /** The governance authority. */
    governance: KeyPairSigner;
  };
  /** The circuit: id and digest (32 bytes) of its manifest, packed verifying key (576 bytes). */
  circuit: { id: string; artifactsDigest: Uint8Array; verifyingKey: Uint8Array };
  verifier: { authority: Address; name: string };
  /** Lamports per prove. */
  passFee: bigint;
  /** Called after each step with what it did. */
  onStep?: (step: string) => void;
  signal?: AbortSignal;
}

/**
 * Deploys the program and sets governance. Resolves when everything is confirmed.
 * Throws DeployError with the step that failed.
 */
export async function bootstrapProgram(options: BootstrapOptions): Promise<void> {
  const { rpc, keys, signal, onStep = () => undefined } = options;
  const { transactions } = await deployProgram({
    rpc,
    programKeypair: keys.program,
    upgradeAuthority: keys.upgradeAuthority,
    payer: keys.payer,
    so: options.so,
    ...(signal ? { signal } : {}),
  });
  onStep(`program deployed in ${transactions} transactions`);
  for (const [what, instruction, signers] of await governanceSteps(options)) {
    const draft = {
      payer: keys.payer,
      signers: [...new Set(signers)].filter((key) => key !== keys.payer),
      instructions: [instruction],
    };
    await sendAll({ rpc, drafts: [draft], commitment: 'confirmed', what, preflight: true, signal });
    onStep(what);
  }
}

type Step = readonly [what: string, instruction: Instruction, signers: KeyPairSigner[]];

async function governanceSteps(options: BootstrapOptions): Promise<Step[]> {
  const { keys, circuit, verifier } = options;
  const program = keys.program.address;
  const at = programAddresses(program);
  const config = { programAddress: program };
  const authority = createNoopSigner(keys.governance.address);
  const payer = createNoopSigner(keys.payer.address);
  const programData = await findProgramDataAddress(program);
  const common = { config: await at.config(), systemProgram: SYSTEM_PROGRAM };
  return [
    [
      'governance initialized',
      getInitializeInstruction(
        {
          ...common,
          payer,
          authority,
          upgradeAuthority: createNoopSigner(keys.upgradeAuthority.address),
          treasury: await at.treasury(),
          programData,
          genesisHash: genesisHashBytes(options.genesisHash),
        },
        config,
      ),
      [keys.upgradeAuthority, keys.governance],
    ],
    [
      `circuit ${circuit.id} set`,
      getSetCircuitInstruction(
        { ...common, ...circuit, payer, authority, circuit: await at.circuit(circuit.id), graceSeconds: 0n },
        config,
      ),
      [keys.governance],
    ],
    [
      `verifier "${verifier.name}" set`,
      getSetVerifierInstruction(
        {
          ...common,
          payer,
          authority,
          verifierAuthority: verifier.authority,
          verifier: await at.verifier(verifier.authority),
          active: true,
          name: verifier.name,
        },
        config,
      ),
      [keys.governance],
    ],
    [
      `pass fee set to ${options.passFee} lamports`,
      getSetGovernanceInstruction(
        {
          authority,
          nextAuthority: authority,
          config: common.config,
          programData,
          paused: false,
          passFee: options.passFee,
        },
        config,
      ),
      [keys.governance],
    ],
  ];
}

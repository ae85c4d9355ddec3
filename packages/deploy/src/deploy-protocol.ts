/**
 * Brings a cluster from wherever it is to a ready protocol, by transactions only: deploys the program, initializes it,
 * sets the circuit, the verifier and the pass fee. Does what is missing and nothing else, on any Solana RPC.
 */
import { assertIsFunded } from './check-funds.ts';
import { readStanding } from './deployed-state.ts';
import { planParts } from './deployment-steps.ts';
import { deployProgram, refusing } from './loader/deploy-program.ts';
import { type DeployRpc, sendAll } from './loader/send.ts';
import type { Protocol } from './protocol.ts';

/** What a protocol is set up with, and how. */
export interface DeployProtocolOptions extends Protocol {
  rpc: DeployRpc;
  /** Changes what stands otherwise: the circuit after a grace, the verifier, the pass fee. @default only said */
  update?: { circuitGraceSeconds: bigint } | undefined;
  /** Called with each thing that stands already or was done. */
  onStep?: (step: string) => void;
  signal?: AbortSignal;
}

/**
 * Sets the protocol up. Resolves when everything is confirmed; a try after one that broke off goes on where that was.
 *
 * @throws DeployError: NOT_ENOUGH_SOL and STANDS_OTHERWISE before anything is sent, and those of {@link deployProgram}.
 */
export async function deployProtocol(options: DeployProtocolOptions): Promise<void> {
  const { rpc, keys, so, signal, onStep = () => undefined } = options;
  const standing = await readStanding(options);
  const parts = await planParts(options, standing);
  await assertIsFunded(options, standing);

  if (standing.program) {
    onStep(`program ${keys.program.address} stands`);
  } else {
    const { transactions } = await deployProgram({
      rpc,
      programKeypair: keys.program,
      upgradeAuthority: keys.upgradeAuthority,
      payer: keys.payer,
      so,
      ...(signal ? { signal } : {}),
    });
    onStep(`program ${keys.program.address} deployed in ${transactions} transactions`);
  }
  for (const { said, action } of parts) {
    if (action) {
      const signers = [...new Set(action.signers)].filter((key) => key.address !== keys.payer.address);
      const draft = { payer: keys.payer, signers, instructions: [action.instruction] };
      await refusing(() =>
        sendAll({ rpc, drafts: [draft], commitment: 'confirmed', what: said, preflight: true, signal }),
      );
    }
    onStep(said);
  }
}

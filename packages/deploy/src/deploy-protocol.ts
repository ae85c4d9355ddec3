import { assertFunds } from './check-funds.ts';
import type { DeployProtocolOptions } from './deploy-options.ts';
import { readDeployedState } from './deployed-state.ts';
import { planSteps } from './deployment-steps.ts';
import { deployProgram } from './loader/deploy-program.ts';
import { sendAll } from './loader/send.ts';

/**
 * Sets up the protocol on any cluster, by transactions only: deploys the program, initializes it, and sets the circuit,
 * the verifier and the pass fee. Sends only the transactions that are missing, so a second call continues after a failure.
 * Resolves when everything is confirmed.
 *
 * @throws DeployError: NOT_ENOUGH_SOL and STATE_DIFFERS before anything is sent, and the codes of `deployProgram`.
 */
export async function deployProtocol(options: DeployProtocolOptions): Promise<void> {
  const { rpc, keys, so, signal, onStep = () => undefined } = options;
  const state = await readDeployedState(options);
  const steps = await planSteps(options, state);
  await assertFunds(options, state);

  if (state.program) {
    onStep(`program ${keys.program.address} is already deployed`);
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
  for (const { line, action } of steps) {
    if (action) {
      const signers = [...new Set(action.signers)].filter((key) => key.address !== keys.payer.address);
      const draft = { payer: keys.payer, signers, instructions: [action.instruction] };
      await sendAll({ rpc, drafts: [draft], commitment: 'confirmed', what: line, preflight: true, signal });
    }
    onStep(line);
  }
}

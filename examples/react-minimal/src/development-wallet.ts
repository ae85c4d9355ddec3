import { registerDevelopmentWallet } from '@service/testing';
import { deployment } from './service.ts';

const wallet = await registerDevelopmentWallet({
  deployment,
  approve: async (request) => confirm(request.kind === 'message' ? request.text : 'Sign the transaction?'),
});
void requestSol(); // the page does not wait for the faucet

async function requestSol() {
  for (const { address } of wallet.accounts) await wallet.requestAirdrop(address, 1_000_000_000n);
}

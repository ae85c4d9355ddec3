import { registerDevelopmentWallet } from '@service/testing';
import { deployment } from './service.ts';

const wallet = await registerDevelopmentWallet({
  deployment,
  approve: async (request) => confirm(request.kind === 'message' ? request.text : 'Sign the transaction?'),
});
for (const { address } of wallet.accounts) await wallet.requestAirdrop(address, 1_000_000_000n);

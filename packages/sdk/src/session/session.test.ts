import { type Address, createSolanaRpc } from '@solana/kit';
import { expect, it } from 'vitest';
import { DEPLOYMENT } from '../../test/support/deployment.ts';
import { ServiceClient } from '../client/service-client.ts';
import { parseDeployment } from '../deployment.ts';

const WALLET = DEPLOYMENT.program as Address;

it('an answer from before a sign-out does not sign the wallet in again', async () => {
  const answers: ((response: Response) => void)[] = [];
  const client = new ServiceClient({
    deployment: parseDeployment(DEPLOYMENT),
    rpc: createSolanaRpc('http://127.0.0.1:1'),
    async fetch(input, init) {
      const { url } = new Request(input, init);
      if (url.endsWith('/api/auth/logout')) return Response.json({ wallet: null });
      return new Promise((resolve) => answers.push(resolve));
    },
  });
  const read = async (meanwhile: () => unknown) => {
    const reading = client.session();
    await expect.poll(() => answers.length).toBe(1);
    await meanwhile();
    answers.pop()!(Response.json({ wallet: WALLET }));
    return reading;
  };
  expect(await read(() => undefined)).toBe(WALLET);
  expect(client.getSnapshot().wallet).toBe(WALLET);
  expect(await read(() => client.logout())).toBeNull();
  expect(client.getSnapshot().wallet).toBeNull();
});

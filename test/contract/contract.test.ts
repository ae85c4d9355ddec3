import { ORIGIN, startWorld, type World } from '@service/server/test-service';
import { testWallet } from '@service/testing';
import { serviceHandlers } from '@service/testing/msw';
import { beforeAll, describe } from 'vitest';
import { describeContract, type Held } from './support/rules.ts';

describe('the real service', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
    return () => world.close();
  });

  describeContract(
    (): Held => ({
      fetch: async (input, init) => world.created.app.fetch(new Request(input, init)),
      origin: ORIGIN,
      program: world.program,
      genesisHash: world.net.genesisHash,
      wallet: async () => (await world.visitor()).signer,
      async settle() {
        await world.created.tick();
        await world.finalize();
        await world.created.tick();
      },
    }),
  );
});

describe('the handlers of @service/testing', () => {
  let service: Awaited<ReturnType<typeof serviceHandlers>>;
  let wallets = 0;
  beforeAll(async () => {
    service = await serviceHandlers();
  });

  describeContract(
    (): Held => ({
      fetch: service.fetch,
      origin: service.deployment.baseUrl!,
      program: service.deployment.program,
      genesisHash: service.deployment.genesisHash,
      wallet: () => {
        wallets += 1;
        return testWallet(`contract ${wallets}`);
      },
      settle: async () => undefined,
    }),
  );
});

/** A world for the tests of one file, with the steps that many tests repeat. */
import { readAccount } from '@service/protocol';
import {
  type Answer,
  type OperationJson,
  ruleSetBody,
  startWorld,
  type Visitor,
  type World,
} from '@service/server/test-service';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** An operation and its wallet. */
export interface Owned {
  readonly visitor: Visitor;
  readonly id: string;
  readonly rule: Visitor['address'];
}

/**
 * Starts a world before the tests of a file, and closes it afterwards. After each test the chain responds and accepts
 * transactions again.
 */
export function testWorld(options?: Parameters<typeof startWorld>[0]) {
  const world = {} as World;
  const steps = {
    /** Creates a signed-in wallet with SOL. */
    signedIn: async () => (await world.visitor()).signIn(),

    /** Prepares a new rule set. */
    draft: (visitor: Visitor) => visitor.prepare('/api/rules', ruleSetBody()),

    /** Prepares a new rule set of a wallet, by default a new one. */
    async drafted(by?: Visitor) {
      const visitor = by ?? (await steps.signedIn());
      const draft = await steps.draft(visitor);
      const { operationId: id, rule } = draft.body;
      return {
        visitor,
        draft,
        id,
        rule: rule as Visitor['address'],
        submit: () => visitor.signAndSubmit(draft),
      };
    },

    /** Signs and submits a new rule set of a wallet, by default a new one. */
    async queued(by?: Visitor): Promise<Owned> {
      const operation = await steps.drafted(by);
      const { body } = await operation.submit();
      if (body.state !== 'QUEUED') throw new Error(`The operation is not QUEUED: ${JSON.stringify(body)}`);
      return operation;
    },

    /** Signs and submits a prepared operation. Returns it in its final state. */
    async finish(visitor: Visitor, draft: Answer<OperationJson>): Promise<OperationJson> {
      if (draft.body.state !== 'DRAFT') throw new Error(`The operation is not a DRAFT: ${draft.message}`);
      await visitor.signAndSubmit(draft);
      await steps.settle();
      return (await visitor.operation(draft.body.operationId)).body;
    },

    /** Broadcasts what is queued, and finalizes and indexes it. */
    async settle(): Promise<void> {
      await world.created.tick();
      await world.finalize();
    },

    /** Returns an operation as its wallet sees it. */
    operation: async ({ visitor, id }: Pick<Owned, 'visitor' | 'id'>) => (await visitor.operation(id)).body,

    /** Returns the stored row of an operation. */
    row: (id: string) =>
      world.database.db.selectFrom('operation').selectAll().where('id', '=', id).executeTakeFirst(),

    /** Returns the stored rows of a wallet's operations. */
    rowsOf: (wallet: Visitor['address']) =>
      world.database.db.selectFrom('operation').selectAll().where('wallet', '=', wallet).execute(),

    /** Reads a finalized account. */
    account: <K extends Parameters<typeof readAccount>[1]>(kind: K, address: Visitor['address']) =>
      readAccount({ rpc: world.rpc, program: world.program, commitment: 'finalized' }, kind, address),
  };
  beforeAll(async () => {
    Object.assign(world, await startWorld(options));
  });
  afterEach(() => {
    world.net.resume();
    world.net.dropTransactions(false);
  });
  afterAll(() => world.close());
  return Object.assign(world, steps);
}

/** Nodes whose transactions must not be shown as confirmed. */
import { errorOf } from '@service/test-support';
import { getBase58Decoder, type Signature } from '@solana/kit';
import { expect, vi } from 'vitest';
import { type Edit, withValue } from '../../support/node.ts';
import { cast, pretend } from '../support/play.ts';
import { land, MAINNET, ruleSet } from '../support/story.ts';
import type { Case } from './case.ts';

/** A node that knows each signature, with this status. */
const knowing = (status: object): Edit => {
  const known = { slot: 5n, confirmations: 1n, err: null, ...status };
  return (result) => withValue(result, [known]);
};

/** A write that ends well, on a node that reports this status before. */
const neverShown = (id: string, status: object): Case => ({
  id: `confirmed-${id}`,
  async play(players) {
    const { stage } = players;
    const getSignatureStatuses = knowing(status);
    const edits = () => ({ getSignatureStatuses });
    const play = cast(players, { person: await stage.newcomer(), forwards: true, edits });
    const onConfirmed = vi.fn();
    const options = { timeoutMs: 20_000, onConfirmed };
    await pretend(stage, () => play.client.createRuleSet(play.wallet, ruleSet(9n), options), {
      mayPass: () => play.traffic.submits > 0,
      onStep: () => land(players),
    });
    expect(onConfirmed).not.toHaveBeenCalled();
  },
});

/** Another cluster, which is slow to say so. */
const onOtherCluster: Case = {
  id: 'confirmed-on-another-cluster',
  async play(players) {
    const { stage } = players;
    const edits = () => ({
      getSignatureStatuses: knowing({ confirmationStatus: 'confirmed' }),
      async getGenesisHash() {
        for (let round = 0; round < 200; round += 1) await new Promise((resolve) => setImmediate(resolve));
        return MAINNET;
      },
    });
    const play = cast(players, { person: await stage.newcomer(), edits });
    const signature = getBase58Decoder().decode(new Uint8Array(64).fill(7)) as Signature;
    const onConfirmed = vi.fn();
    const options = { wallet: play.wallet.address as never, signature, onConfirmed, timeoutMs: 20_000 };
    const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
    const error = await errorOf(pretend(stage, () => play.client.waitForOperation(id, options)));
    expect(error).toMatchObject({ code: 'GENESIS_HASH_MISMATCH' });
    expect(onConfirmed).not.toHaveBeenCalled();
  },
};

export const CONFIRMED_CASES: readonly Case[] = [
  neverShown('that-is-only-processed', { confirmationStatus: 'processed' }),
  neverShown('that-failed', { confirmationStatus: 'confirmed', err: { InstructionError: [1, 'Custom'] } }),
  onOtherCluster,
];

/** How long holders of a gated mint can still move tokens after their passes end. */
import type { Row } from '../row.ts';

/** The end of a pass at its own expiry, which the keeper sees in the confirmed chain time. */
export const freezeAfterExpiry: Row = freezeRow({
  id: 'freeze-after-expiry',
  what: 'from the expiry of a pass to the finalized frozen account',
  end: 'expiry',
  goal: 1.5,
  // One of them in a short run shows that the keeper still works.
  steady: 'value',
});

/** The end of a pass by its rule set's creator, which the keeper sees in the finalized index. */
export const freezeAfterSuspension: Row = freezeRow({
  id: 'freeze-after-suspension',
  what: 'from the suspension of a pass to the finalized frozen account',
  end: 'suspension',
  goal: 2.5,
});

function freezeRow({ end, ...row }: Pick<Row, 'id' | 'what' | 'goal' | 'steady'> & { end: string }): Row {
  return {
    ...row,
    against: 'a freeze that is sent when the pass ends',
    unit: 's',
    better: 'lower',
    // One for each second of the keeper's interval in which a pass can end.
    rounds: 5,
    async start(processes) {
      const process = processes.start('keeper.ts');
      return { ours: () => process.ask('ours', end), peer: () => process.ask('peer', end) };
    },
  };
}

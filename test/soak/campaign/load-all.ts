/** Starts the whole load of a campaign. */
import { setMaxListeners } from 'node:events';
import {
  becomeHolder,
  createRuleSets,
  type Holder,
  issueTokens,
  openMarket,
  type Scene,
  transferTokens,
  verifyPeople,
  verifyPerson,
} from '../load/actors.ts';
import { ignoreEnd } from '../load/send-request.ts';

/** How many loops of each kind run at once. */
export interface LoadSize {
  readonly holders: number;
  readonly creators: number;
  readonly verifiers: number;
}

/** Opens a market, and starts the loops. Holders join when they have their passes. `ended` resolves when the load has ended. */
export async function startLoad(scene: Scene, size: LoadSize): Promise<{ ended: Promise<void> }> {
  // Each waiting client listens for the end.
  setMaxListeners(0, scene.service.signal);
  const people = times(size.holders, () => verifyPerson(scene));
  const market = await openMarket(scene);
  const holders: Holder[] = [];
  const hold = async () => {
    const loops: Promise<void>[] = [];
    // One after the other, because the first proof starts the threads that the others share.
    for (const person of people) {
      const holder = await becomeHolder(scene, market, await person);
      holders.push(holder);
      loops.push(transferTokens(scene, market, holder, holders).catch(ignoreEnd));
    }
    await Promise.all(loops);
  };
  const loops = [
    hold(),
    issueTokens(scene, market, holders),
    ...times(size.creators, () => createRuleSets(scene)),
    ...times(size.verifiers, () => verifyPeople(scene)),
  ];
  const ended = Promise.all([...loops, ...people].map((loop) => loop.catch(ignoreEnd))).then(() => undefined);
  return { ended };
}

function times<T>(count: number, make: () => Promise<T>): Promise<T>[] {
  return Array.from({ length: count }, make);
}

/** Starts the whole load of a campaign. */
import { setMaxListeners } from 'node:events';
import {
  becomeHolder,
  createRuleSets,
  issueTokens,
  openMarket,
  type Scene,
  transferTokens,
  verifyPeople,
  verifyPerson,
} from '../load/actors.ts';
import { LoadEnded } from '../load/send-request.ts';

/** How many loops of each kind run at once. */
export interface LoadSize {
  readonly holders: number;
  readonly creators: number;
  readonly verifiers: number;
}

/** Opens a market, gives holders their passes, and starts the loops. `ended` resolves when the load has ended. */
export async function startLoad(scene: Scene, size: LoadSize): Promise<{ ended: Promise<void> }> {
  // Each waiting client listens for the end.
  setMaxListeners(0, scene.service.signal);
  const [market, people] = await Promise.all([
    openMarket(scene),
    Promise.all(times(size.holders, () => verifyPerson(scene))),
  ]);
  // The first proof starts the prover's threads, which the others share.
  const first = await becomeHolder(scene, market, people[0]!);
  const others = await Promise.all(people.slice(1).map((person) => becomeHolder(scene, market, person)));
  const holders = [first, ...others];
  const loops = [
    issueTokens(scene, market, holders),
    ...holders.map((holder) => transferTokens(scene, market, holder, holders)),
    ...times(size.creators, () => createRuleSets(scene)),
    ...times(size.verifiers, () => verifyPeople(scene)),
  ];
  const ended = Promise.all(loops.map((loop) => loop.catch(ignoreEnd))).then(() => undefined);
  return { ended };
}

function times<T>(count: number, make: () => Promise<T>): Promise<T>[] {
  return Array.from({ length: count }, make);
}

/** A request that had no response when the load ended throws. */
function ignoreEnd(error: unknown): void {
  if (!(error instanceof LoadEnded)) throw error;
}

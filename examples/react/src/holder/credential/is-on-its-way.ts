import type { Passport } from '@service/sdk';

type State = NonNullable<Passport['verification']>['state'];

/**
 * Returns whether a credential can come on chain. A person who only came back, without a verification, has an old witness or
 * none, and the state is STARTED.
 */
export function isOnItsWay(isNewWitness: boolean, state: State | undefined): boolean {
  return isNewWitness || state === 'ISSUING' || state === 'ISSUED';
}

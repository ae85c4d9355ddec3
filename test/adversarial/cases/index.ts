/** Everything that is played against the client: the modes of the sweep, and hostile wallets, nodes and callers. */
import { playMode } from '../support/play-mode.ts';
import type { SweepMode } from '../sweep/row.ts';
import { ACT_CASES } from './acts.ts';
import { CALLER_CASES } from './caller.ts';
import type { Case } from './case.ts';
import { CHAIN_CASES } from './chain.ts';
import { CONFIRMED_CASES } from './confirmed.ts';
import { CREDENTIAL_CASES } from './credential.ts';
import { PLACE_CASES } from './places.ts';
import { PROOF_CASES } from './proof.ts';
import { READY_CASES } from './ready.ts';
import { RECEIPT_CASES } from './receipts.ts';
import { SAVED_WITNESS_CASES } from './saved-witness.ts';
import { SESSION_CASES } from './session.ts';
import { TWICE_CASES } from './twice.ts';
import { WALLET_CASES } from './wallet.ts';

export type { Case };

/** Returns a case of each mode, with the first kind of operation that it works on, and the other cases. */
export function casesOf(modes: readonly SweepMode[]): readonly Case[] {
  const ofModes = modes.map(
    (mode): Case => ({
      id: mode.id,
      isFresh: mode.call === 'prove' || mode.call === 'artifacts.load',
      play: (players) => playMode(players, mode, { kinds: [mode.kinds?.[0] ?? 'TRANSFER'] }),
    }),
  );
  return [
    ...ofModes,
    ...ACT_CASES,
    ...CALLER_CASES,
    ...WALLET_CASES,
    ...TWICE_CASES,
    ...READY_CASES,
    ...SESSION_CASES,
    ...CHAIN_CASES,
    ...CREDENTIAL_CASES,
    ...CONFIRMED_CASES,
    ...PROOF_CASES,
    ...PLACE_CASES,
    ...RECEIPT_CASES,
    ...SAVED_WITNESS_CASES,
  ];
}

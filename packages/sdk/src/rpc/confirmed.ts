/** Detects that the caller's own RPC shows a transaction as confirmed, and estimates when it is final. This is progress, never a result. */
import { CLOCK_SYSVAR } from '@service/protocol';
import type { Signature } from '@solana/kit';
import { notify } from '../lib/notify.ts';
import { clockOf, readTogether, slotOf } from './accounts.ts';
import { type Chain, callRpc, checkGenesisHash } from './chain.ts';
import type { Confirmed } from './confirmed-options.ts';

/** The most seconds of a slot. If slots seem longer, somebody has set the clock of a local chain, and there is no estimate. */
const MOST_SLOT_SECONDS = 10;

/** Reports once that a transaction is confirmed. It reads in parallel with the wait for finality, and never delays or ends that wait. */
export class ConfirmedWatch {
  readonly #chain: Chain;
  readonly #report: (confirmed: Confirmed) => void;
  readonly #over = new AbortController();
  #isReading = false;

  /** Creates a watch that has not read anything yet. */
  constructor(chain: Chain, report: (confirmed: Confirmed) => void) {
    this.#chain = chain;
    this.#report = report;
  }

  /** Reads whether the transaction is confirmed, unless such a read is in progress. */
  look(signature: Signature): void {
    const { signal } = this.#over;
    if (this.#isReading || signal.aborted) return;
    this.#isReading = true;
    void readConfirmed(this.#chain, signature, signal)
      .then((confirmed) => {
        if (!confirmed || signal.aborted) return;
        this.end();
        notify(() => this.#report(confirmed));
      })
      // The wait itself reports what is wrong with the RPC.
      .catch(() => undefined)
      .finally(() => {
        this.#isReading = false;
      });
  }

  /** Ends the watch: nothing is reported any more, and no request is left. */
  end(): void {
    this.#over.abort();
  }
}

/** Returns what the RPC shows of a confirmed transaction that did not fail, or null. Throws ServiceError. */
async function readConfirmed(
  chain: Chain,
  signature: Signature,
  signal: AbortSignal,
): Promise<Confirmed | null> {
  await checkGenesisHash(chain, signal);
  const status = await callRpc(chain, 'getSignatureStatuses', signal, async (rpc, options) => {
    const { value } = await rpc.getSignatureStatuses([signature]).send(options);
    return value[0];
  });
  // A failure counts only when it is final, and the wait reads that.
  if (status?.confirmationStatus !== 'confirmed' || status.err) return null;
  const { slot } = status;
  const seenAt = chain.clock.now();
  const finalIn = await readFinalIn(chain, slot, signal).catch(() => null);
  return Object.freeze({ slot, finalIn, seenAt });
}

/** Estimates the seconds until a confirmed slot is final, from the clocks of the newest confirmed and final slots. */
async function readFinalIn(chain: Chain, slot: bigint, signal: AbortSignal): Promise<number | null> {
  const clockAt = (commitment: 'confirmed' | 'finalized') =>
    readTogether(chain, [CLOCK_SYSVAR], { what: 'Reading the clock', commitment, signal }, ([clock]) => ({
      slot: slotOf(clock!),
      time: clockOf(clock!),
    }));
  const [newest, final] = await Promise.all([clockAt('confirmed'), clockAt('finalized')]);
  const slots = Number(newest.slot - final.slot);
  const secondsPerSlot = Number(newest.time - final.time) / slots;
  if (!(slots > 0 && secondsPerSlot >= 0 && secondsPerSlot <= MOST_SLOT_SECONDS)) return null;
  return Math.max(1, Math.ceil(Number(slot - final.slot) * secondsPerSlot));
}

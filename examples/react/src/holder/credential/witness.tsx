import type { Witness } from '@service/sdk';
import { useWitness } from '@service/sdk/react';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { useWalletChoice } from '../../wallet/chosen-wallet.tsx';

interface HeldWitness {
  /** The witness of the chosen account, or null. It never leaves this device. */
  readonly witness: Witness | null;
  /** WITNESS_INVALID, if the person came back with a broken link. */
  readonly error: Error | null;
  /** Holds a witness that was saved in this browser, in memory. */
  readonly hold: (witness: Witness) => void;
  /** Call it after a proof. The witness stays in memory for further proofs, but not in sessionStorage. */
  readonly afterProof: (witness: Witness) => void;
}

const Context = createContext<HeldWitness | null>(null);

/** Takes the witness when the person returns. Put it above the router, so that no other code sees that address. */
export function WitnessProvider({ children }: { readonly children: ReactNode }) {
  const { chosen } = useWalletChoice();
  // Until the proof, the witness survives a reload in this tab. It ends with the tab.
  const { witness: taken, error, forget } = useWitness(chosen, { storage: () => sessionStorage });
  const [inMemory, hold] = useState<Witness | null>(null);
  const kept = inMemory?.wallet === chosen?.address ? inMemory : null;
  const witness = taken ?? kept;
  const held: HeldWitness = {
    witness,
    error,
    hold,
    afterProof(used) {
      hold(used);
      forget();
    },
  };
  return <Context value={held}>{children}</Context>;
}

export function useHeldWitness(): HeldWitness {
  const held = useContext(Context);
  if (!held) throw new Error('useHeldWitness needs a WitnessProvider above it.');
  return held;
}

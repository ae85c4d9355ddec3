import type { ServiceError, Witness } from '@service/sdk';
import { type Prove, type UseProveRequest, useProve } from '@service/sdk/react';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { useWalletChoice } from '../../wallet/chosen-wallet.tsx';
import { useHeldWitness } from '../credential/witness.tsx';

interface Proving extends Pick<Prove, 'progress' | 'isPending' | 'cancel'> {
  /** The rule set of the proof under way or of the last one. */
  readonly rule: UseProveRequest['rule'] | null;
  readonly isDone: boolean;
  readonly error: ServiceError | null;
  start(request: { readonly rule: UseProveRequest['rule']; readonly witness: Witness }): void;
}

const Context = createContext<Proving | null>(null);

/** Holds the one proof of the page, so that it goes on while the person looks at another page. */
export function ProvingProvider({ children }: { readonly children: ReactNode }) {
  const { chosen } = useWalletChoice();
  const { prove, cancel, progress, isPending, data, error } = useProve(chosen?.wallet);
  const { afterProof, dropIfUseless } = useHeldWitness();
  const [last, setLast] = useState<{ readonly wallet: string; readonly rule: Proving['rule'] }>();
  const proving: Proving = {
    // After a switch of the account, the page shows nothing of the other one.
    rule: last && last.wallet === chosen?.address ? last.rule : null,
    progress,
    isPending,
    cancel,
    isDone: data !== undefined,
    error,
    start(request) {
      setLast({ wallet: request.witness.wallet, rule: request.rule });
      // The hook returns the error too, and the page shows it there.
      prove(request).then(() => afterProof(request.witness), dropIfUseless);
    },
  };
  return <Context value={proving}>{children}</Context>;
}

export function useProving(): Proving {
  const proving = useContext(Context);
  if (!proving) throw new Error('useProving needs a ProvingProvider above it.');
  return proving;
}

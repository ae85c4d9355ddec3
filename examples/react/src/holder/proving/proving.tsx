import type { ServiceError } from '@service/sdk';
import { type Prove, type UseProveRequest, useProve } from '@service/sdk/react';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { useWalletChoice } from '../../wallet/chosen-wallet.tsx';
import { useHeldWitness } from '../credential/witness.tsx';

/** Where on the page the person started the proof. Its progress appears there. */
type Part = 'rule set' | 'pass';

interface Proving extends Pick<Prove, 'progress' | 'isPending' | 'cancel'> {
  /** Whether the proof under way, or the last one, is that of a rule set, and was started at that part. */
  isOf(rule: UseProveRequest['rule'], part: Part): boolean;
  /** Whether the proof waits for `sign`. */
  readonly isReady: boolean;
  readonly isDone: boolean;
  readonly error: ServiceError | null;
  /** Makes the proof, and gets its transaction ready. */
  start(request: UseProveRequest, part: Part): void;
  /** Asks the wallet to sign, in the task of the click. */
  sign(): void;
}

/** The last proof that the person started. */
interface Last {
  readonly request: UseProveRequest;
  readonly part: Part;
}

const Context = createContext<Proving | null>(null);

/** Holds the one proof of the page, so that it goes on while the person looks at another page. */
export function ProvingProvider({ children }: { readonly children: ReactNode }) {
  const { chosen } = useWalletChoice();
  const { prepare, prove, readiness, cancel, progress, isPending, data, error } = useProve(chosen?.wallet);
  const { afterProof } = useHeldWitness();
  const [last, setLast] = useState<Last>();
  const proving: Proving = {
    // After a switch of the account, the page shows nothing of the other one.
    isOf: (rule, part) =>
      last?.request.witness.wallet === chosen?.address && last?.request.rule === rule && last.part === part,
    progress,
    isPending,
    cancel,
    isReady: readiness === 'ready',
    isDone: data !== undefined,
    error,
    start(request, part) {
      setLast({ request, part });
      prepare(request);
    },
    sign() {
      if (!last) return;
      const { request } = last;
      // The hook returns the error too, and the page shows it there.
      prove(request).then(
        () => afterProof(request.witness),
        () => undefined,
      );
    },
  };
  return <Context value={proving}>{children}</Context>;
}

export function useProving(): Proving {
  const proving = useContext(Context);
  if (!proving) throw new Error('useProving needs a ProvingProvider above it.');
  return proving;
}

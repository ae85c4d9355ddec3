import { isServiceError } from '@service/sdk';
import { useOperation } from '@service/sdk/react';
import { useEffect } from 'react';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { wordsOf } from '../errors/error-words.ts';
import { useHeldWitness } from '../holder/credential/witness.tsx';
import { Countdown } from '../site/write-status.tsx';
import { useSignedIn } from '../wallet/use-signed-in.ts';
import { endOperation, type KeptOperation, useKeptOperations } from './kept-operations.ts';
import { CONFIRMED, KIND_NAMES, STATE_NAMES } from './operation-names.ts';

/** The signed operations whose end is not proven yet, also those from before a reload. */
export function UnderWay() {
  const account = useSignedIn();
  const open = useKeptOperations(account?.address ?? null).filter(({ end }) => end === null);
  return (
    <section className="under-way" aria-label="Under way" hidden={open.length === 0}>
      <ul className="plain-list">
        {open.map((operation) => (
          <li key={operation.operationId}>
            <OpenOperation operation={operation} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Follows one operation until the page's own RPC proves its end. It never signs and never repeats the write. */
function OpenOperation({ operation }: { readonly operation: KeptOperation }) {
  const { operationId, kind, wallet, signature } = operation;
  const { data, error, underWay, isFetching, refetch } = useOperation(operationId, { wallet, signature });
  const { witness, afterProof } = useHeldWitness();
  const isOver = isServiceError(error, 'OPERATION_FAILED') || isServiceError(error, 'DRAFT_EXPIRED');
  useEffect(() => {
    if (!data) return;
    endOperation(operationId, 'FINALIZED');
    // After a reload, no other code waits for the proof.
    if (kind === 'PROVE' && witness) afterProof(witness);
  }, [data, operationId, kind, witness, afterProof]);
  return (
    <div className="stack-small">
      <p role="status">
        <span className={isFetching ? 'spinner' : undefined} aria-hidden="true" />
        <strong>{KIND_NAMES[kind]}</strong>:{' '}
        {isOver
          ? 'it ended without effect'
          : underWay
            ? underWay.confirmed
              ? CONFIRMED
              : STATE_NAMES[underWay.state]
            : 'reading the outcome from the chain, which can take two minutes'}
        <Countdown confirmed={underWay?.confirmed} />
      </p>
      {error && !isOver && <ErrorNotice error={error} onRetry={() => refetch()} />}
      {error && isOver && (
        <div className="row">
          <span>{wordsOf(error)}</span>
          <button type="button" className="button-small" onClick={() => endOperation(operationId, 'FAILED')}>
            Dismiss
          </button>
        </div>
      )}
    </div>
  );
}

import { useKeptOperations } from '../../operations/kept-operations.ts';
import { KIND_NAMES } from '../../operations/operation-names.ts';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { Receipt } from './receipt.tsx';

/** What this wallet did in this browser. Anyone can check a receipt against any RPC, without an account. */
export function ReceiptsSection({ account }: { readonly account: ChosenAccount }) {
  const done = useKeptOperations(account.address).filter(({ end }) => end === 'FINALIZED');
  return (
    <section aria-labelledby="receipts" className="stack">
      <h2 id="receipts">Receipts</h2>
      {done.length === 0 && (
        <p className="empty">Your finalized operations in this browser appear here, with receipts.</p>
      )}
      <ul className="plain-list stack-small">
        {done.map((operation) => (
          <li key={operation.operationId}>
            <details className="card card-flat">
              <summary>
                {KIND_NAMES[operation.kind]}, {new Date(operation.signedAt).toLocaleString()}
              </summary>
              <Receipt operation={operation} />
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

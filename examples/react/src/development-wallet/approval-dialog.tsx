import { useServiceClient } from '@service/sdk/react';
import { useLayoutEffect, useRef } from 'react';
import { shortAddress } from '../site/address.tsx';
import { describeTransaction } from './describe-transaction.ts';
import { type PendingApproval, usePendingApproval } from './development-wallet.ts';

/** The prompt of the development wallet. The prompt of a real wallet is a window of its own. */
export function ApprovalDialog() {
  const pending = usePendingApproval();
  return pending && <Prompt pending={pending} />;
}

function Prompt({ pending: { request, answer } }: { readonly pending: PendingApproval }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // A modal dialog keeps the focus inside, and Escape rejects. Closing it before it is removed returns the focus.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const { account, kind } = request;
  const { program: service } = useServiceClient().deployment;
  return (
    <dialog
      ref={dialog}
      className="dialog stack"
      aria-labelledby="approval-title"
      onCancel={() => answer(false)}
    >
      <p className="eyebrow">Development wallet</p>
      <h2 id="approval-title">{kind === 'message' ? 'Sign this message?' : 'Sign this transaction?'}</h2>
      <p>
        <strong>{account.label}</strong> <code title={account.address}>{shortAddress(account.address)}</code>
      </p>
      {kind === 'message' ? (
        <pre>{request.text}</pre>
      ) : (
        <ol className="instructions">
          {describeTransaction(request.bytes, service).map(({ program, what }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the instructions never change their order
            <li key={index}>
              <strong>{program}</strong> {what}
            </li>
          ))}
        </ol>
      )}
      <div className="row row-end">
        <button type="button" className="button-quiet" onClick={() => answer(false)}>
          Reject
        </button>
        <button type="button" className="button" onClick={() => answer(true)}>
          Approve
        </button>
      </div>
    </dialog>
  );
}

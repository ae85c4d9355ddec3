import { type Receipt as ReceiptRecord, verifyReceipt } from '@service/sdk';
import { receiptQueryOptions } from '@service/sdk/query';
import { useServiceClient } from '@service/sdk/react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRpc } from '../../chain/rpc.ts';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import type { KeptOperation } from '../../operations/kept-operations.ts';
import { ActionButton } from '../../site/action-button.tsx';

export function Receipt({ operation }: { readonly operation: KeptOperation }) {
  const { operationId, wallet, signature } = operation;
  const client = useServiceClient();
  const receipt = useQuery({
    ...receiptQueryOptions(client, operationId, { wallet, signature }),
    // The button fetches it.
    enabled: false,
  });
  return (
    <div className="stack receipt">
      {!receipt.data && (
        <ActionButton
          className="button-secondary"
          busy={receipt.isFetching}
          busyText="Reading the chain…"
          onClick={() => receipt.refetch()}
        >
          Fetch receipt
        </ActionButton>
      )}
      {receipt.error && <ErrorNotice error={receipt.error} onRetry={() => receipt.refetch()} />}
      {receipt.data && <FetchedReceipt receipt={receipt.data} />}
    </div>
  );
}

function FetchedReceipt({ receipt }: { readonly receipt: ReceiptRecord }) {
  const { deployment } = useServiceClient();
  const rpc = useRpc();
  const [checks, setChecks] = useState<readonly string[]>([]);
  const verify = useMutation({
    mutationKey: ['verifyReceipt', receipt.operationId],
    mutationFn: () => {
      setChecks([]);
      const onCheck = (line: string) => setChecks((lines) => [...lines, line]);
      return verifyReceipt(receipt, { rpc, program: deployment.program, onCheck });
    },
  });
  return (
    <>
      <dl className="receipt-fields">
        {Object.entries(receipt).map(([field, value]) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd>
              <code>{String(value)}</code>
            </dd>
          </div>
        ))}
      </dl>
      <div className="row">
        <ActionButton
          className="button-secondary"
          busy={verify.isPending}
          busyText="Verifying…"
          onClick={() => verify.mutate()}
        >
          Verify
        </ActionButton>
        <button type="button" className="button-quiet" onClick={() => download(receipt)}>
          Download
        </button>
      </div>
      <div role="status">
        <ul className="checks">
          {checks.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        {verify.isSuccess && <p className="notice notice-good">The receipt is valid.</p>}
      </div>
      {verify.error && <ErrorNotice error={verify.error} />}
    </>
  );
}

function download(receipt: ReceiptRecord): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(receipt, null, 2)], { type: 'application/json' }));
  link.download = `receipt-${receipt.operationId}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

import { isServiceError, type TransferRequest } from '@service/sdk';
import { createTokenAccount } from '@service/sdk/chain';
import { useServiceClient, useTransfer } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { useMutation } from '@tanstack/react-query';
import { ChainRefusal } from '../../checks/chain-refusal.tsx';
import { ReasonList } from '../../checks/reason-list.tsx';
import type { ReasonWords } from '../../checks/reason-words.ts';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { InView } from '../../site/in-view.tsx';
import { WriteStatus } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';

interface SendAnywayProps {
  readonly account: ChosenAccount;
  /** A transfer for which a pass is missing. */
  readonly request: TransferRequest;
  /** The wallet that would receive the tokens. */
  readonly owner: Address;
  /** Why the page does not offer the transfer. */
  readonly reasons: readonly ReasonWords[];
}

/** Sends a transfer that the page advises against, so that the person sees the chain reject it. A real dApp offers no such thing. */
export function SendAnyway({ account, request, owner, reasons }: SendAnywayProps) {
  const { deployment } = useServiceClient();
  const transfer = useTransfer(account.wallet);
  const send = useMutation({
    mutationKey: ['sendAnyway'],
    mutationFn: async () => {
      // Without an account, the program would not even be asked. The wallet approves it first.
      await createTokenAccount(account.wallet, { deployment, mint: request.mint, owner });
      return transfer.mutateAsync(request);
    },
  });
  const { error } = send;
  const isRefused = error !== null && isServiceError(error, 'OPERATION_FAILED') && error.context.programError;
  return (
    <div className="stack-small">
      <p className="hint">
        A page can be wrong or hostile. See what the chain does. If the recipient has no account for this
        token, you pay its rent first.
      </p>
      <ActionButton
        className="button-secondary"
        busy={send.isPending}
        busyText="Sending…"
        onClick={() => send.mutate()}
      >
        Send it anyway
      </ActionButton>
      <WriteStatus isPending={send.isPending} confirmed={transfer.confirmed}>
        {send.isSuccess && 'It is final: the pass came just before.'}
      </WriteStatus>
      {isRefused && (
        <InView>
          <ChainRefusal error={error} payer="You">
            <p>The program of the service checks each transfer of this token. It found:</p>
            <ReasonList reasons={reasons} />
          </ChainRefusal>
        </InView>
      )}
      {error && !isRefused && <ErrorNotice error={error} account={account} />}
    </div>
  );
}

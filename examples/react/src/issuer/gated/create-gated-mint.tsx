import { generateKeyPairSigner } from '@solana/kit';
import { useMutation } from '@tanstack/react-query';
import { useRpc } from '../../chain/rpc.ts';
import { sendTransaction } from '../../chain/send-transaction.ts';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { createGatedMintInstructions, GATED_MINT_BYTES } from '../../gated/gated-mint.ts';
import { ActionButton } from '../../site/action-button.tsx';
import { shortAddress } from '../../site/address.tsx';
import { WriteStatus } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import type { OwnMints } from '../mint/own-mints.ts';

interface CreateGatedMintProps {
  readonly account: ChosenAccount;
  readonly own: OwnMints;
}

const DECIMALS = 2;

/** Creates a mint without a hook, as other tools for permissioned tokens do. */
export function CreateGatedMint({ account, own }: CreateGatedMintProps) {
  const rpc = useRpc();
  const create = useMutation({
    mutationKey: ['createGatedMint'],
    mutationFn: async () => {
      const mint = await generateKeyPairSigner();
      const lamports = await rpc.getMinimumBalanceForRentExemption(GATED_MINT_BYTES).send();
      const terms = { mint, issuer: account.address, decimals: DECIMALS, lamports };
      const instructions = createGatedMintInstructions(terms);
      // Keep the address first: a page load during the call must not lose it.
      own.keep(mint.address);
      await sendTransaction({ rpc, wallet: account.wallet, keys: [mint] }, instructions);
      return mint.address;
    },
    onSuccess: () => own.refetch(),
  });
  return (
    <div className="stack-small">
      <ActionButton
        className="button"
        busy={create.isPending}
        busyText="Creating…"
        onClick={() => create.mutate()}
      >
        Create a gated token
      </ActionButton>
      <WriteStatus isPending={create.isPending}>
        {create.isSuccess && `The token ${shortAddress(create.data)} is on chain.`}
      </WriteStatus>
      {create.error && <ErrorNotice error={create.error} account={account} />}
    </div>
  );
}

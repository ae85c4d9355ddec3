import { tokenAccountOf, type Wallet } from '@service/sdk';
import { useServiceClient, useTransfer, useTransferCheck } from '@service/sdk/react';
import { createSolanaRpc, isAddress } from '@solana/kit';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { REASONS } from './reasons.ts';
import type { Token } from './token.ts';

interface TransferProps {
  readonly wallet: Wallet;
  readonly mint: Token['mint'];
}

export function Transfer({ wallet, mint }: TransferProps) {
  const { deployment } = useServiceClient();
  const [to, setTo] = useState('');
  const [text, setText] = useState('');
  const source = useTokenAccount(mint, wallet.address);
  const destination = useTokenAccount(mint, to);
  const balance = useQuery({
    queryKey: ['balance', source],
    enabled: source !== undefined,
    retry: false, // there is no account before the first issue
    queryFn: async () => {
      const rpc = createSolanaRpc(deployment.rpcUrl);
      return (await rpc.getTokenAccountBalance(source!).send()).value;
    },
  });
  const amount = toBaseUnits(text, balance.data?.decimals ?? 0);
  const request = source && destination && amount ? { mint, source, destination, amount } : null;
  const check = useTransferCheck(request);
  const transfer = useTransfer(wallet);
  const error = check.error ?? transfer.error;
  if (!balance.data) return <p>Your pass is open. {wallet.address} has no tokens yet.</p>;
  return (
    <section>
      <h2>Transfer</h2>
      <p>You have {balance.data.uiAmountString}.</p>
      <label>
        To <input value={to} onChange={(event) => setTo(event.target.value.trim())} />
      </label>{' '}
      <label>
        Amount <input inputMode="decimal" value={text} onChange={(event) => setText(event.target.value)} />
      </label>{' '}
      <button
        type="button"
        disabled={!request || !check.data?.ok || transfer.isPending}
        onClick={() => request && transfer.mutate(request, { onSettled: () => balance.refetch() })}
      >
        Send
      </button>
      {check.data?.ok === false &&
        check.data.reasons.map(({ code, who }) => <p key={`${who} ${code}`}>{REASONS[code]}</p>)}
      {transfer.confirmed && <p role="status">Confirmed, and not final yet.</p>}
      {transfer.isSuccess && transfer.variables.destination === destination && <p role="status">Sent.</p>}
      {error && <p role="alert">{error.message}</p>}
    </section>
  );
}

/** Returns the usual token account of a wallet, and undefined while the text is no address. */
function useTokenAccount(mint: Token['mint'], owner: string) {
  const { data } = useQuery({
    queryKey: ['token account', mint, owner],
    enabled: isAddress(owner),
    queryFn: () => tokenAccountOf({ mint, owner: owner as Wallet['address'] }),
  });
  return data;
}

/** Returns null if the text is no positive amount. A number would lose base units past 2^53. */
function toBaseUnits(text: string, decimals: number): bigint | null {
  const [, whole, part = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || part.length > decimals) return null;
  return BigInt(whole + part.padEnd(decimals, '0')) || null;
}

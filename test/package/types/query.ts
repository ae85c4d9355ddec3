/** What TanStack Query infers of the options. Nothing here runs: `npm run types` fails if a type is another one. */
import type {
  Passport,
  RuleSet,
  ServiceClient,
  ServiceError,
  TransferCheck,
  Wallet,
  Witness,
} from '@service/sdk';
import {
  type InvalidatingClient,
  passportQueryOptions,
  passQueryOptions,
  proveMutationOptions,
  ruleSetsQueryOptions,
  sessionQueryOptions,
  transferCheckQueryOptions,
  transferMutationOptions,
  type WatchedClient,
} from '@service/sdk/query';
import { useProve, useTransfer } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { type QueryClient, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';

declare const client: ServiceClient;
declare const queryClient: QueryClient;
declare const wallet: Wallet;
declare const address: Address;
declare const witness: Witness;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>) => undefined;

export function Queries() {
  const passport = useQuery(passportQueryOptions(client, { wallet: address }));
  same<typeof passport.data, Passport | undefined>(true);
  same<typeof passport.error, ServiceError | null>(true);
  const names = useQuery({
    ...ruleSetsQueryOptions(client),
    select: (list: readonly RuleSet[]) => list.map(({ name }) => name),
  });
  same<typeof names.data, string[] | undefined>(true);
  same<typeof names.error, ServiceError | null>(true);
  const session = useSuspenseQuery(sessionQueryOptions(client));
  same<typeof session.data, Address | null>(true);
  // @ts-expect-error a missing wallet is null, not left out
  passportQueryOptions(client, {});
  // @ts-expect-error a pass is of a rule set
  passQueryOptions(client, { wallet: address });
}

export async function withoutHooks() {
  const check = await queryClient.fetchQuery(transferCheckQueryOptions(client, null));
  same<typeof check, TransferCheck>(true);
  await queryClient.prefetchQuery(ruleSetsQueryOptions(client));
  const parts: InvalidatingClient & WatchedClient = queryClient;
  return parts;
}

export function Mutations() {
  const transfer = useMutation(transferMutationOptions(client, wallet));
  same<typeof transfer.error, ServiceError | null>(true);
  const transferring = useTransfer(wallet);
  same<typeof transferring.variables, typeof transfer.variables>(true);
  // @ts-expect-error amounts are bigint
  transfer.mutate({ mint: address, source: address, destination: address, amount: 5 });
  const prove = useMutation(proveMutationOptions(client, wallet, { witness }));
  prove.mutate({ rule: address });
  // @ts-expect-error the hook takes the witness with the rule set
  useProve(wallet).prove({ rule: address });
}

import type { RuleSet, Witness } from '@service/sdk';
import { fetchPlaces } from '@service/sdk/chain';
import { serviceQueryKeys } from '@service/sdk/query';
import { useServiceClient } from '@service/sdk/react';
import { useQuery } from '@tanstack/react-query';

/**
 * Reads which wallets of the person can prove a rule set that limits them. It needs the witness, and shows which wallets
 * are of one person, so it stays on this device.
 */
export function usePlaces(ruleSet: RuleSet | undefined, witness: Witness | null) {
  const client = useServiceClient();
  const { deployment } = client;
  const wanted = ruleSet?.walletsPerPerson && witness ? { rule: ruleSet.address, witness } : null;
  return useQuery({
    // Below the key of the check, so that a proof and the end of the session drop it too.
    queryKey: [...serviceQueryKeys(client).proofCheck(witness?.wallet, wanted ?? {}), 'places'],
    queryFn: ({ signal }) => fetchPlaces({ deployment, ...wanted!, signal }),
    enabled: wanted !== null,
    meta: { personal: true },
  });
}

import { programAddresses } from '@service/protocol';
import type { Address } from '@solana/kit';
import type { useMarket } from './market.ts';

/** Lets the service leave passes for the market's rule set alone, which it would end like any other wallet. */
export async function leavePasses(
  { world, rule }: Pick<ReturnType<typeof useMarket>, 'world' | 'rule'>,
  wallets: readonly Address[],
): Promise<void> {
  const attempts = { count: 0, dueAt: Number.POSITIVE_INFINITY };
  const { pass } = programAddresses(world.program);
  for (const wallet of wallets) world.created.service.closing.set(await pass(rule, wallet), attempts);
}

import type { Localnet } from '@service/localnet';

/** Runs work while so many slots pass each 20 milliseconds. */
export async function whileSlotsPass<T>(
  net: Pick<Localnet, 'advanceSlots'>,
  slots: number,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => net.advanceSlots(slots), 20);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

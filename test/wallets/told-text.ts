/** Messages without what differs between two runs. */

const PROGRAMS: Readonly<Record<string, string>> = {
  L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95: 'L2TE…',
};

/** Returns a message with names in place of the wallet, addresses, ids and larger numbers. */
export function toldText(message: string, wallet: string): string {
  return (
    message
      .replaceAll(wallet, '(wallet)')
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '(operation)')
      .replaceAll(/\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g, (address) => PROGRAMS[address] ?? '(address)')
      .replaceAll(/\b\d{2,}\b/g, '(number)')
      .replaceAll(/instruction 1, account \d+(; instruction 1, account \d+)*/g, 'instruction 1, (accounts)')
      // The memo program of clusters needs more compute units than the one of litesvm, so it can be the one that stops.
      .replace(/refused it in instruction \d/, 'refused it in instruction (index)')
  );
}

/** A part of a text. */
interface Part {
  readonly text: string;
  readonly isAddress: boolean;
}

/** Splits a text at its addresses, so that the page can show each in a short form. */
export function splitAddresses(text: string): Part[] {
  return text
    .split(/\b([1-9A-HJ-NP-Za-km-z]{32,44})\b/)
    .map((part, index) => ({ text: part, isAddress: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

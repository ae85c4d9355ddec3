/** The page of a fake provider, on which a person chooses what the provider decides. */
import type { FakePerson } from './fake-person.ts';

/** Seconds until a decision that comes later. */
export const DELAY_SECONDS = 20;

const CHOICES = [
  ['approved', 'Approve'],
  ['declined', 'Decline'],
  ['retry', 'Ask for another try'],
  ['pending', 'Leave in review'],
  ['approved slowly', `Leave in review, and approve ${DELAY_SECONDS} seconds later`],
  ['approved, then declined', `Approve, and decline ${DELAY_SECONDS} seconds later`],
  ['wrong data', 'Approve with an expired document and no nationality'],
] as const;

const FIELDS = [
  ['birthDate', 'Birth date'],
  ['nationality', 'Nationality (two letters)'],
  ['residence', 'Residence (two letters)'],
  ['documentCountry', 'Country of the document (two letters)'],
  ['documentNumber', 'Number of the document'],
  ['documentExpires', 'Last day of the document'],
] as const;

/** Returns the HTML of the page. */
export function choicePage(person: FakePerson): string {
  const fields = FIELDS.map(
    ([name, label]) =>
      `<p><label for="${name}">${label}</label> <input id="${name}" name="${name}" value="${person[name] ?? ''}"></p>`,
  );
  const buttons = CHOICES.map(
    ([value, label]) => `<p><button type="submit" name="choice" value="${value}">${label}</button></p>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Fake identity provider</title>
<style>:root { color-scheme: light dark; font: 1rem/1.5 system-ui; } body { max-width: 40rem; margin: auto; padding: 1rem; }</style>
<main>
<h1>Fake identity provider</h1>
<p>Nobody is checked here. Choose what the provider decides about this person.</p>
<form method="post">
${[...fields, ...buttons].join('\n')}
</form>
</main>
</html>
`;
}

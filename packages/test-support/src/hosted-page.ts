/** The fields that a person fills in. */
export interface PersonalData {
  region: string;
  status: string;
  /** YYYY-MM-DD. */
  birthDate: string;
  /** The number of a document, by which the verifier recognizes the person. @default the other fields */
  document?: string;
}

/** Opens the hosted page, sends its form, and returns the URL that the page redirects to. Its fragment is the witness. */
export async function passHostedPage(hostedUrl: string, person: PersonalData): Promise<string> {
  const page = await fetch(hostedUrl, { redirect: 'error' });
  const html = await page.text();
  if (!page.ok) throw new Error(`The hosted page responded with ${page.status}.`);
  const action = /<form[^>]*\baction="([^"]*)"/.exec(html)?.[1];
  for (const field of Object.keys(person)) {
    if (!html.includes(`name="${field}"`)) throw new Error(`The hosted page has no field ${field}.`);
  }
  const response = await fetch(new URL((action ?? '').replaceAll('&amp;', '&'), hostedUrl), {
    method: 'POST',
    body: new URLSearchParams({ ...person }),
    redirect: 'manual',
  });
  const location = response.headers.get('location');
  if (response.status === 303 && location) return location;
  throw new Error(`The hosted page responded with ${response.status}: ${await response.text()}`);
}

/** A person at the verifier's hosted page, over plain HTTP: opens it, fills the form in, follows the way back. */

/** What the person enters. */
export interface Person {
  region: string;
  status: string;
  /** As in 1990-05-17. */
  birthDate: string;
}

/** Fills the hosted page in and returns the URL that it leads back to, witness in the fragment. Throws on any other answer. */
export async function passHostedFlow(hostedUrl: string, person: Person): Promise<string> {
  const page = await fetch(hostedUrl, { redirect: 'error' });
  const html = await page.text();
  if (!page.ok) throw new Error(`the hosted page answered ${page.status}`);
  const action = /<form[^>]*\baction="([^"]*)"/.exec(html)?.[1];
  for (const field of Object.keys(person)) {
    if (!html.includes(`name="${field}"`)) throw new Error(`the hosted page has no field ${field}`);
  }
  const answer = await fetch(new URL((action ?? '').replaceAll('&amp;', '&'), hostedUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...person }),
    redirect: 'manual',
  });
  const location = answer.headers.get('location');
  if (answer.status !== 303 || !location)
    throw new Error(`the hosted page answered ${answer.status}: ${await answer.text()}`);
  return location;
}

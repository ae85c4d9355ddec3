/** The fields that a person fills in. */
export interface PersonalData {
  region: string;
  status: string;
  /** YYYY-MM-DD. */
  birthDate: string;
  /** The number of a document, by which the verifier recognizes the person. @default the other fields */
  document?: string;
}

/** A person who was verified. */
export interface Verified {
  /** The URL to which the person goes back. Its fragment is the witness. */
  readonly location: string;
  /** The page of the check, where the approval can be taken back. */
  readonly checkUrl: string;
}

/** Passes the hosted page, and returns the URL to which the person goes back. */
export async function passHostedPage(hostedUrl: string, person: PersonalData): Promise<string> {
  return (await visitHostedPage(hostedUrl, person)).location;
}

/** Opens the hosted page, agrees to the wallet, and sends the form of the sandbox provider, as a browser with cookies does. */
export async function visitHostedPage(hostedUrl: string, person: PersonalData): Promise<Verified> {
  const send = browser();
  await send(hostedUrl, 200);
  const checkUrl = await send(hostedUrl, 303, {});
  const html = await (await fetch(checkUrl)).text();
  for (const field of Object.keys(person)) {
    if (!html.includes(`name="${field}"`)) throw new Error(`The page of the check has no field ${field}.`);
  }
  return { checkUrl, location: await send(await send(checkUrl, 303, { ...person }), 303) };
}

/**
 * Passes the hosted page of a verifier with the provider `manual`: the person agrees to the wallet, and an operator enters what
 * the documents say. The policy must take the region from the document, and have each status as a tag.
 *
 * @param password the password of the operator's page
 */
export async function passManualCheck(
  hostedUrl: string,
  person: PersonalData,
  password: string,
): Promise<string> {
  const send = browser();
  const checkUrl = await send(hostedUrl, 303, {});
  const goOn = /class="button first" href="([^"]+)"/.exec(await send.read(checkUrl))?.[1];
  if (!goOn) throw new Error('The page of the check has no link to go on.');
  await approveManually(checkUrl, person, password);
  return send(goOn, 303);
}

/** Approves the person of a check as the operator of the provider `manual`. */
export async function approveManually(
  checkUrl: string,
  person: PersonalData,
  password: string,
): Promise<void> {
  const authorization = `Basic ${Buffer.from(`operator:${password}`).toString('base64')}`;
  const entered = {
    what: 'approve',
    birthDate: person.birthDate,
    documentType: 'passport',
    documentCountry: person.region,
    documentNumber: person.document ?? `${person.region}${person.birthDate}`,
    documentExpires: '2099-12-31',
    tag: person.status,
  };
  await browser({ authorization })(checkUrl.replace('/checks/', '/operator/'), 303, entered);
}

/** Lets the provider decline a person. Returns the URL of the link back to the site. */
export async function failHostedPage(hostedUrl: string): Promise<string> {
  const send = browser();
  const checkUrl = await send(hostedUrl, 303, {});
  // The verifier reads the decision now, unless it has read it in the background.
  await send(await send(`${checkUrl}/decline`, 303, {}), [200, 303]);
  const html = await send.read(hostedUrl);
  const link = /class="button" href="([^"]+)"/.exec(html)?.[1];
  if (!link) throw new Error('The page has no link back to the site.');
  return link.replaceAll('&amp;', '&');
}

/** Takes the approval of a check back. The verifier then revokes the credentials of the person. */
export async function takeApprovalBack(checkUrl: string): Promise<void> {
  await browser()(`${checkUrl}/take-back`, 200, {});
}

/** Returns a function that sends requests with these headers, and with the cookies that it got. It returns the URL of the redirect. */
function browser(more: Readonly<Record<string, string>> = {}) {
  const cookies: string[] = [];
  const request = async (
    url: string,
    expected: number | readonly number[],
    form?: Record<string, string>,
  ) => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: cookies.join('; '), origin: new URL(url).origin, ...more },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    const body = await response.text();
    if (![expected].flat().includes(response.status))
      throw new Error(`${url} responded with ${response.status}: ${body}`);
    for (const line of response.headers.getSetCookie()) cookies.push(line.split(';')[0]!);
    return { body, location: new URL(response.headers.get('location') ?? url, url).href };
  };
  const send = async (...sent: Parameters<typeof request>) => (await request(...sent)).location;
  return Object.assign(send, { read: async (url: string) => (await request(url, 200)).body });
}

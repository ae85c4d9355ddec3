/** Visits the sandbox verifier for the people in the story of the demo. */

/** Where the verifier sends a person back, with the witness in the fragment. */
export interface SandboxVisit {
  readonly returnUrl: string;
}

/**
 * Agrees to the wallet at the sandbox verifier, and sends its form, as a person would. A page cannot do that: a browser shows
 * it no redirect of another origin, and no fragment.
 *
 * @param url the URL of a verification. Its origin must be that of the verifier
 * @param answers the fields of the form
 */
export async function verifyAtSandbox(url: URL, answers: URLSearchParams): Promise<SandboxVisit> {
  const { origin } = url;
  const cookies: string[] = [];
  const visit = async (to: URL, form?: URLSearchParams): Promise<URL> => {
    // Only the verifier gets its cookies.
    if (to.origin !== origin) throw new Error(`The sandbox verifier sent the visitor to ${to.origin}.`);
    const response = await fetch(to, {
      headers: { cookie: cookies.join('; '), origin },
      redirect: 'manual',
      ...(form ? { method: 'POST', body: form } : {}),
    });
    await response.body?.cancel();
    for (const line of response.headers.getSetCookie()) cookies.push(line.split(';')[0]!);
    const location = response.headers.get('location');
    if (location === null) throw new Error(`The sandbox verifier responded with ${response.status}.`);
    return new URL(location, to);
  };
  const check = await visit(url, new URLSearchParams());
  const back = await visit(check, answers);
  return { returnUrl: (await visit(back)).href };
}

/** The visit of a person to the sandbox verifier, with `fetch` alone. */

const PERSON = { region: 'CH', status: 'accredited', birthDate: '1985-02-28' };

/** Agrees to the wallet and sends the form, as a browser with a cookie does. Returns the URL that the last page redirects to. */
export async function visit(url: string): Promise<string> {
  let cookie = '';
  const send = async (target: string, form?: Record<string, string>) => {
    const { origin } = new URL(target);
    const sent = form ? { method: 'POST', body: new URLSearchParams(form) } : {};
    const answer = await fetch(target, { ...sent, headers: { cookie, origin }, redirect: 'manual' });
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return new URL(answer.headers.get('location') ?? target, target).href;
  };
  return send(await send(await send(url, {}), PERSON));
}

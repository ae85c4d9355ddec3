/** The browser of a person who visits the pages of a dApp: an address, storage, a cookie, and the way to the verifier and back. */

import { visitHostedPage } from '@service/test-support';
import { IDBFactory } from 'fake-indexeddb';
import type { Window } from 'happy-dom';
import { vi } from 'vitest';

/** What the person enters at the sandbox verifier. */
const ANSWERS = { region: 'FR', status: 'professional', birthDate: '1990-05-17' };

/** Gets verified at the sandbox verifier. */
export const verifyAt = (url: string) => visitHostedPage(url, ANSWERS);

/** A page that is open in the browser. */
export interface OpenPage {
  /** Loads the page to which the person was sent, and resolves to true. Resolves to false if the page sent them nowhere. */
  followRedirect(): Promise<boolean>;
}

/** Opens a page in a new browser, whose globals the code then has. */
export function openPage(url: string): OpenPage {
  const page = globalThis.window as unknown as Window;
  const { origin } = new URL(url);
  page.happyDOM.setURL(url);
  page.sessionStorage.clear();
  page.localStorage.clear();
  let redirect: Promise<string> | undefined;
  const assign = (target: string) => {
    redirect = verifyAt(target).then(({ location }) => location);
    // followRedirect reports the failure.
    redirect.catch(() => undefined);
  };
  Object.defineProperty(page.location, 'assign', { value: assign, configurable: true });
  const { sessionStorage, localStorage, location } = page;
  const { CustomEvent } = page;
  const globals = {
    location,
    sessionStorage,
    localStorage,
    indexedDB: new IDBFactory(),
    CustomEvent,
    confirm: () => true,
    fetch: fetchOfSite(origin),
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  return {
    async followRedirect() {
      if (!redirect) return false;
      page.happyDOM.setURL(await redirect);
      redirect = undefined;
      return true;
    },
  };
}

/** Returns a fetch with the cookies of one site, which all clients in the browser share. */
function fetchOfSite(origin: string): typeof fetch {
  const { fetch } = globalThis;
  let cookie: string | undefined;
  return async (input, init) => {
    const request = new Request(input, init);
    // Without an address, the code runs in Node.
    if (!globalThis.location || new URL(request.url).origin !== origin) return fetch(request);
    if (cookie !== undefined) request.headers.set('cookie', cookie);
    const response = await fetch(request);
    for (const line of response.headers.getSetCookie()) [cookie] = line.split(';');
    return response;
  };
}

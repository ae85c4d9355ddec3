/** A page that is rendered on a server: React asks for the server snapshot, and hydrates with the same one. */
import { createElement as element, useSyncExternalStore } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { ADDRESS, DEPLOYMENT } from '../../test/support/deployment.ts';
import { parseDeployment, ServiceClient } from '../index.ts';

const fetch = async () => Response.json({ wallet: ADDRESS });
const newClient = () => new ServiceClient({ deployment: parseDeployment(DEPLOYMENT), fetch });

function Status({ client }: { readonly client: ServiceClient }) {
  const { subscribe, getSnapshot, getServerSnapshot } = client;
  const { wallet, operations } = useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot);
  return element('p', null, `${wallet ?? 'signed out'}, ${operations.length} operations`);
}

describe('on a server', () => {
  it('a client is constructed without a page, and without a request', () => {
    expect(typeof globalThis.window).toBe('undefined');
    const requested = vi.fn(fetch);
    new ServiceClient({ deployment: parseDeployment(DEPLOYMENT), fetch: requested });
    expect(requested).not.toHaveBeenCalled();
  });

  it('React renders the snapshot of a new client', () => {
    expect(renderToString(element(Status, { client: newClient() }))).toBe('<p>signed out, 0 operations</p>');
  });

  it('React renders the same, after the client has a wallet, so that hydration finds what the server sent', async () => {
    const client = newClient();
    await client.session();
    expect(client.getSnapshot().wallet).toBe(ADDRESS);
    expect(renderToString(element(Status, { client }))).toBe('<p>signed out, 0 operations</p>');
  });

  it('the server snapshot is one frozen object', () => {
    const client = newClient();
    expect(client.getServerSnapshot()).toBe(client.getServerSnapshot());
    expect(client.getServerSnapshot()).toBe(newClient().getServerSnapshot());
    expect(client.getSnapshot()).toBe(client.getServerSnapshot());
    expect(Object.isFrozen(client.getServerSnapshot())).toBe(true);
  });
});

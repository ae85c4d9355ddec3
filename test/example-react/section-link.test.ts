/** A link to a section opens it, also if the page shows it only after it has loaded. */
import { act, createElement as element } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const { SectionLink } = await import('../../examples/react/src/site/section-link.tsx');

let root: Root;
let container: HTMLElement;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('MutationObserver', window.MutationObserver);
  // The router announces a new address by an event of the window.
  vi.stubGlobal('Event', window.Event);
  vi.stubGlobal('dispatchEvent', window.dispatchEvent.bind(window));
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
  container = document.createElement('div');
  document.body.append(container);
  root = createRoot(container);
});
afterEach(async () => {
  await act(async () => root.unmount());
  (document.activeElement as HTMLElement).blur();
  document.body.replaceChildren();
  history.replaceState(null, '', '/verified');
  vi.unstubAllGlobals();
});

/** Follows a link to the section `bind` of the issuer desk. */
async function follow(): Promise<void> {
  await act(async () => root.render(element(SectionLink, { href: '/issuer#bind', children: 'Bind' })));
  await act(async () => container.querySelector('a')!.click());
  expect(location.hash).toBe('#bind');
}

/** A step of the issuer desk, which opens at a click of its header. */
function step(isOpen: boolean): HTMLButtonElement {
  const section = document.createElement('li');
  section.id = 'bind';
  const header = document.createElement('button');
  header.className = 'step-header';
  header.setAttribute('aria-expanded', String(isOpen));
  header.addEventListener('click', () => {
    header.setAttribute('aria-expanded', String(header.getAttribute('aria-expanded') !== 'true'));
  });
  section.append(header);
  document.body.append(section);
  return header;
}

it('opens a closed step, and moves the focus there', async () => {
  const header = step(false);
  await follow();
  await vi.waitFor(() => expect(document.activeElement).toBe(header));
  expect(header.getAttribute('aria-expanded')).toBe('true');
});

it('leaves an open step open', async () => {
  const header = step(true);
  await follow();
  await vi.waitFor(() => expect(document.activeElement).toBe(header));
  expect(header.getAttribute('aria-expanded')).toBe('true');
});

it('waits for a step that the page shows later', async () => {
  await follow();
  const header = step(false);
  await vi.waitFor(() => expect(document.activeElement).toBe(header));
  expect(header.getAttribute('aria-expanded')).toBe('true');
});

it('moves to a section without steps', async () => {
  const section = document.createElement('h2');
  section.id = 'bind';
  document.body.append(section);
  await follow();
  await vi.waitFor(() => expect(document.activeElement).toBe(section));
});

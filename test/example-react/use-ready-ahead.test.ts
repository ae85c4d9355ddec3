/** When the forms of the example get a write ready. */
import type { Readiness } from '@service/sdk/react';
import { act, createElement as element, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

// Before React loads, which looks for a window.
await vi.hoisted(() => import('./support/page.ts'));

import { useReadyAhead } from '../../examples/react/src/site/use-ready-ahead.ts';

const PAUSE_MS = 400;

interface Shown {
  readonly request: { readonly amount: bigint } | null;
  readonly readiness?: Readiness;
  readonly isPending?: boolean;
}

const prepare = vi.fn();
let root: Root;
const Form = ({ request, readiness = 'none', isPending = false }: Shown) => {
  useReadyAhead({ prepare, readiness, isPending } as never, request);
  return null;
};
/** Renders a form, and returns what it prepared since the last time. */
async function shows(form: Shown): Promise<unknown[]> {
  await act(async () => root.render(element(StrictMode, null, element(Form, form))));
  return taken();
}
/** Without repetitions, because StrictMode mounts twice. */
const taken = () => [...new Set(prepare.mock.calls.splice(0).map(([request]) => request))];
async function pauses(ms = PAUSE_MS): Promise<unknown[]> {
  vi.advanceTimersByTime(ms);
  return taken();
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  root = createRoot(document.createElement('div'));
});
afterEach(async () => {
  await act(async () => root.unmount());
  taken();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('prepares what the form asks for after a pause, and once', async () => {
  await shows({ request: null });
  expect(await pauses()).toEqual([]);
  await shows({ request: { amount: 3n } });
  expect(await pauses(PAUSE_MS - 1)).toEqual([]);
  expect(await pauses(1)).toEqual([{ amount: 3n }]);
  expect(await shows({ request: { amount: 3n }, readiness: 'ready' })).toEqual([]);
  expect(await pauses()).toEqual([]);
});

it('discards it as soon as the form changes, and when the form is gone', async () => {
  await shows({ request: { amount: 3n } });
  await pauses();
  expect(await shows({ request: { amount: 30n }, readiness: 'ready' })).toEqual([null]);
  expect(await pauses()).toEqual([{ amount: 30n }]);
  expect(await shows({ request: null, readiness: 'ready' })).toEqual([null]);
  expect(await pauses()).toEqual([]);
  await shows({ request: { amount: 3n } });
  await pauses();
  await act(async () => root.render(null));
  expect(taken()).toEqual([null]);
});

it('prepares again what has expired, and after a write that is over', async () => {
  await shows({ request: { amount: 3n } });
  await pauses();
  await shows({ request: { amount: 3n }, readiness: 'expired' });
  await shows({ request: { amount: 3n }, readiness: 'none' });
  expect(await pauses()).toEqual([{ amount: 3n }]);
  await shows({ request: { amount: 3n }, isPending: true });
  expect(await pauses()).toEqual([]);
  await shows({ request: { amount: 3n } });
  expect(await pauses()).toEqual([{ amount: 3n }]);
});

/** When the forms of the example get a write ready. */
import type { Readiness } from '@service/sdk/react';
import { act, createElement as element, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

// Before React loads, which looks for a window.

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
  vi.restoreAllMocks();
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

it('prepares again what has expired, once, and discards nothing for it', async () => {
  await shows({ request: { amount: 3n } });
  await pauses();
  await shows({ request: { amount: 3n }, readiness: 'expired' });
  expect(await pauses()).toEqual([{ amount: 3n }]);
  expect(await shows({ request: { amount: 3n }, readiness: 'preparing' })).toEqual([]);
  expect(await pauses()).toEqual([]);
});

it('prepares again after a write that is over', async () => {
  await shows({ request: { amount: 3n }, isPending: true });
  expect(await pauses()).toEqual([]);
  await shows({ request: { amount: 3n } });
  expect(await pauses()).toEqual([{ amount: 3n }]);
});

/** Lets what is ready expire, and returns how often it was prepared again. */
async function renewals(most: number): Promise<number> {
  for (let count = 0; count < most; count += 1) {
    await shows({ request: { amount: 3n }, readiness: 'ready' });
    await shows({ request: { amount: 3n }, readiness: 'expired' });
    if ((await pauses()).length === 0) return count;
  }
  return most;
}

/** Hides or shows the tab. */
async function turn(visibility: 'hidden' | 'visible') {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(visibility === 'hidden');
  await act(async () => void document.dispatchEvent(new window.Event('visibilitychange') as never));
}

it('prepares nothing again in a hidden tab, discards nothing there, and prepares again when the person is back', async () => {
  await shows({ request: { amount: 3n } });
  await pauses();
  await turn('hidden');
  expect(await shows({ request: { amount: 3n }, readiness: 'expired' })).toEqual([]);
  expect(await pauses(60_000)).toEqual([]);
  await turn('visible');
  expect(await pauses()).toEqual([{ amount: 3n }]);
});

it('stops after ten times without an action, and begins again after one', async () => {
  await shows({ request: { amount: 3n } });
  await pauses();
  expect(await renewals(12)).toBe(10);
  await turn('hidden');
  await turn('visible');
  expect(await pauses()).toEqual([{ amount: 3n }]);
  expect(await renewals(12)).toBe(9);
  await shows({ request: { amount: 30n }, readiness: 'expired' });
  expect(await pauses()).toContainEqual({ amount: 30n });
});

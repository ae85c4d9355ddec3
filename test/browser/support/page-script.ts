/** Runs in the page: finds what a person looks for. The same code in each engine, so that they are compared alike. */
import { queryAllByLabelText, queryAllByRole } from '@testing-library/dom';
import type { Name, Target } from './targets.ts';

/** The part of the page's globals that this script adds. */
export interface PageScript {
  /** A number that changes with the document and with the focus, and differs between two pages. */
  version(): number;
  isShown(target: Target): boolean;
  isFocused(target: Target): boolean;
  /** Whether an element is before the focus in the page. */
  isBehind(target: Target): boolean;
  /** Whether an element is in the window, whole, and nothing covers its top or its bottom. */
  isInWindow(target: Target): boolean;
  /** Whether the focus is at an element, around it, or in it. */
  hasFocus(target: Target): boolean;
  isEnabled(target: Target): boolean;
  isChecked(target: Target): boolean;
  /** The rendered text. Throws if there is no such element. */
  textOf(target: Target): string;
  titleOf(target: Target): string;
  /** The `title` of the first element that matches a selector in the label of a control. */
  titleInLabel(target: Target, selector: string): string | undefined;
  /** Holds all requests that the page makes from now on. */
  holdRequests(): void;
  releaseRequests(): void;
  /** Whether the browser would have let the wallet open a window at its last prompt; null before the first one. */
  wasActiveAtPrompt: boolean | null;
  /** Errors, warnings and violations of the policy since the script came, for an engine whose protocol has no console. */
  readonly logged: string[];
}

const oneLine = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim();

function matches(text: string, wanted: Name, exact = false): boolean {
  if (wanted instanceof RegExp) return wanted.test(text);
  return exact ? text === wanted : text.toLowerCase().includes(wanted.toLowerCase());
}

/** Returns the smallest visible elements that have a text. */
function withText(within: HTMLElement, wanted: Name, exact: boolean | undefined): HTMLElement[] {
  const found = [within, ...within.querySelectorAll<HTMLElement>('*')].filter(
    (element) =>
      !/^(SCRIPT|STYLE)$/.test(element.tagName) && matches(oneLine(element.textContent), wanted, exact),
  );
  const smallest = found.filter(
    (element) => !found.some((other) => other !== element && element.contains(other)),
  );
  return smallest.filter((element) => element.checkVisibility({ visibilityProperty: true }));
}

function allOf(target: Target): HTMLElement[] {
  const roots = target.within ? allOf(target.within) : [document.body];
  return roots.flatMap((root) => {
    if ('role' in target) {
      const { role, name, checked } = target;
      return queryAllByRole(root, role, {
        ...(name === undefined ? {} : { name }),
        ...(checked === undefined ? {} : { checked }),
      });
    }
    if ('label' in target) return queryAllByLabelText(root, target.label, { exact: false });
    return withText(root, target.text, target.exact);
  });
}

function first(target: Target): HTMLElement {
  const [found] = allOf(target);
  if (!found) throw new Error('the page has no such element');
  return found;
}

/** What the requests of the page wait for. */
let released: Promise<void> | undefined;
let release: () => void = () => undefined;

let version = performance.timeOrigin;
const countChange = () => {
  version += 1;
};
new MutationObserver(countChange).observe(document, {
  subtree: true,
  childList: true,
  attributes: true,
  characterData: true,
});
for (const event of ['focusin', 'focusout', 'input', 'change', 'hashchange']) {
  addEventListener(event, countChange, true);
}

const script: PageScript = {
  version: () => version,
  isShown: (target) => allOf(target).length > 0,
  isFocused: (target) => allOf(target).some((element) => element === document.activeElement),
  isBehind(target) {
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body) return false;
    const position = activeElement.compareDocumentPosition(first(target));
    return (
      (position & (Node.DOCUMENT_POSITION_PRECEDING | Node.DOCUMENT_POSITION_CONTAINED_BY)) ===
      Node.DOCUMENT_POSITION_PRECEDING
    );
  },
  isInWindow(target) {
    const element = first(target);
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const middle = (left + right) / 2;
    return [top + 1, bottom - 1].every((y) => {
      const hit = document.elementFromPoint(middle, y);
      return hit !== null && (element.contains(hit) || hit.contains(element));
    });
  },
  hasFocus(target) {
    const [element, { activeElement }] = [first(target), document];
    return (
      activeElement !== document.body &&
      Boolean(activeElement && (activeElement.contains(element) || element.contains(activeElement)))
    );
  },
  isEnabled: (target) => first(target).matches(':not(:disabled)'),
  isChecked: (target) => (first(target) as HTMLInputElement).checked,
  textOf: (target) => oneLine(first(target).innerText),
  titleOf: (target) => first(target).title,
  titleInLabel: (target, selector) =>
    first(target).closest('label')?.querySelector<HTMLElement>(selector)?.title,
  holdRequests() {
    script.wasActiveAtPrompt = null;
    released = new Promise((resolve) => (release = resolve));
  },
  releaseRequests: () => release(),
  wasActiveAtPrompt: null,
  logged: [],
};

const send = globalThis.fetch;
globalThis.fetch = async (...request) => {
  await released;
  return send(...request);
};

// In the task that opens the prompt: the demo has no other dialogs.
new MutationObserver((changes) => {
  const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
  if (added.some((node) => node instanceof HTMLDialogElement))
    script.wasActiveAtPrompt = navigator.userActivation.isActive;
}).observe(document.body, { childList: true, subtree: true });

for (const method of ['error', 'warn'] as const) {
  const print = console[method];
  console[method] = (...words: unknown[]) => {
    script.logged.push(words.join(' '));
    print(...words);
  };
}
addEventListener('error', ({ message }) => void script.logged.push(message));
addEventListener('unhandledrejection', ({ reason }) => void script.logged.push(String(reason)));
addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  script.logged.push(`the policy blocked ${effectiveDirective} ${blockedURI}`);
});

Object.assign(globalThis, { person: script });

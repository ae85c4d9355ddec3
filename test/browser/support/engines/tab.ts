/** What the journey needs of a browser. Each engine implements it with its own protocol. */
import type { EXECUTABLES } from './executables.ts';

/** How a person sees the site. */
export interface Display {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/** A key with a name, or a character. */
export type Key =
  | 'Tab'
  | 'Enter'
  | 'Space'
  | 'Escape'
  | 'ArrowUp'
  | 'ArrowDown'
  | 'ArrowRight'
  | 'Shift'
  | 'Control'
  | (string & {});

/** One page in a browser of its own: its storage, its cookies and its development wallet belong to one person. */
export interface Tab {
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Runs a script in the page, which its content security policy does not restrict. */
  inject(script: string): Promise<void>;
  /**
   * Returns the value of an expression, or of its promise, which must be JSON. It never counts as an action of the person:
   * `navigator.userActivation` shows only what the keys did.
   */
  evaluate(expression: string): Promise<unknown>;
  /** Presses keys together, and releases them. The last one is the key, and those before are held. */
  press(...keys: readonly Key[]): Promise<void>;
  /** Errors and warnings of the console, with violations of the content security policy. */
  readonly logged: readonly string[];
  close(): Promise<void>;
}

/** A running browser. */
export interface Browser {
  newTab(display: Display): Promise<Tab>;
  close(): Promise<void>;
}

/** A browser engine, and how it differs from the others. */
export interface Engine {
  readonly name: keyof typeof EXECUTABLES;
  start(): Promise<Browser>;
  /** Whether a complete number moves the focus to the next field of a date. Otherwise people press ArrowRight. */
  readonly movesThroughDates: boolean;
  /** The narrowest window, in pixels. */
  readonly narrowest: number;
}

/** Wraps an expression, so that each protocol can return its value. */
export function asText(expression: string): string {
  return `Promise.resolve(${expression}).then((value) => JSON.stringify({ value }))`;
}

/** Returns the value of {@link asText}. */
export function valueIn(text: unknown): unknown {
  return (JSON.parse(String(text)) as { value?: unknown }).value;
}

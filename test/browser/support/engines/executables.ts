/** Where the browsers are. Imports no library, because each run of the tests reads it to know what it may skip. */
import { existsSync } from 'node:fs';

/** The programs of each engine, the first of which is the browser or its driver. */
export const EXECUTABLES = {
  Chromium: [process.env.CHROMIUM ?? '/usr/bin/chromium'],
  Firefox: [process.env.FIREFOX ?? '/usr/bin/firefox-esr'],
  WebKit: [
    '/usr/bin/WebKitWebDriver',
    '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
    '/usr/bin/Xvfb',
  ],
} as const;

/** Returns whether this machine has an engine. */
export function isInstalled(name: keyof typeof EXECUTABLES): boolean {
  return EXECUTABLES[name].every((program) => existsSync(program));
}

/** The characters by which WebDriver names keys (W3C WebDriver, "keyboard actions"). */
import type { Key } from './tab.ts';

const CODES: Readonly<Record<string, string>> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Escape: '\uE00C',
  Space: ' ',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
};

/** Returns the character of a key, which is the key itself unless the key has a name. */
export const codeOf = (key: Key): string => CODES[key] ?? key;

/** The engines in which the journey runs. */
import { CHROMIUM } from './chromium.ts';
import { FIREFOX } from './firefox.ts';
import type { Engine } from './tab.ts';
import { WEBKIT } from './webkit.ts';

export const ENGINES: readonly Engine[] = [CHROMIUM, FIREFOX, WEBKIT];

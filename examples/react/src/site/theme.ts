import { useState } from 'react';
import { local } from './storage.ts';

type Theme = 'light' | 'dark';

const KEY = 'theme';

/** Applies the theme that the person chose before. Without a choice, the page follows the system. */
export function applyTheme(): void {
  const chosen = local.getItem(KEY);
  if (chosen) document.documentElement.dataset.theme = chosen;
}

export function useTheme() {
  const [theme, setTheme] = useState<Theme>(() => currentTheme());
  const toggle = () => {
    const next = theme === 'dark' ? 'light' : 'dark';
    local.setItem(KEY, next);
    applyTheme();
    setTheme(next);
  };
  return { theme, toggle };
}

function currentTheme(): Theme {
  const chosen = local.getItem(KEY);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

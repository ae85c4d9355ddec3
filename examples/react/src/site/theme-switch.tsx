import { useTheme } from './theme.ts';

export function ThemeSwitch() {
  const { theme, toggle } = useTheme();
  return (
    <button type="button" className="icon-button" aria-pressed={theme === 'dark'} onClick={toggle}>
      <span className="visually-hidden">Dark theme</span>
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <circle cx="12" cy="12" r="8" fill="none" stroke="currentColor" strokeWidth="2" />
        <path d="M12 4a8 8 0 0 1 0 16Z" fill="currentColor" />
      </svg>
    </button>
  );
}

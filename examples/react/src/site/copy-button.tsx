import { useState } from 'react';

const SHOWN_MS = 1_500;

/** The state of the button: what it says, and its picture. */
const STATES = {
  idle: { text: null, picture: 'M5 5V2h9v9h-3M2 5h9v9H2z' },
  copied: { text: 'Copied', picture: 'm3 8.500 3 3 7-7' },
  failed: { text: 'The browser did not allow it', picture: 'm4 4 8 8m0-8-8 8' },
} as const;

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [state, setState] = useState<keyof typeof STATES>('idle');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      setState('failed');
    }
    setTimeout(() => setState('idle'), SHOWN_MS);
  };
  return (
    <button type="button" className="copy-button" onClick={copy}>
      <span className="visually-hidden" aria-live="polite">
        {STATES[state].text ?? label}
      </span>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={STATES[state].picture} fill="none" stroke="currentColor" strokeWidth="1.500" />
      </svg>
    </button>
  );
}

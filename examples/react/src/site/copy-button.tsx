import { useState } from 'react';

const SHOWN_MS = 1_500;

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button type="button" className="copy-button" onClick={copy}>
      <span className="visually-hidden" aria-live="polite">
        {copied ? 'Copied' : label}
      </span>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        {copied ? (
          <path d="m3 8.500 3 3 7-7" fill="none" stroke="currentColor" strokeWidth="2" />
        ) : (
          <path d="M5 5V2h9v9h-3M2 5h9v9H2z" fill="none" stroke="currentColor" strokeWidth="1.500" />
        )}
      </svg>
    </button>
  );
}

import type { ReasonWords } from './reason-words.ts';

/** Says why something would fail, and who can change that. */
export function ReasonList({ reasons }: { readonly reasons: readonly ReasonWords[] }) {
  if (reasons.length === 0) return null;
  return (
    <ul className="reasons">
      {reasons.map(({ who, text }) => (
        <li key={who + text}>
          <span className="badge">{who}</span> {text}
        </li>
      ))}
    </ul>
  );
}

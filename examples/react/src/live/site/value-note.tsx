import type * as demo from '../../site/value-note.tsx';

/** Without the demo: warns if the verifier checks nobody. */
export const ValueNote: typeof demo.ValueNote = ({ isSandbox }) => (
  <>{isSandbox && 'The sandbox verifier checks nobody. '}</>
);

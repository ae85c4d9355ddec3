import type * as demo from '../../site/value-note.tsx';

/** Warns people on an operator's page if the verifier checks nobody. */
export const ValueNote: typeof demo.ValueNote = ({ isSandbox }) => (
  <>{isSandbox && 'The sandbox verifier checks nobody. '}</>
);

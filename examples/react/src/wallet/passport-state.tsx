import { usePassport } from '@service/sdk/react';

/** Says why a section is empty while the passport is not there. The first section of a page shows the error itself. */
export function PassportState() {
  const { data, error } = usePassport();
  if (data) return null;
  return <p className="empty">{error ? 'The passport could not be loaded. Try again above.' : 'Loading…'}</p>;
}

import type * as demo from '../../lies/refusal-report.tsx';

/** An operator's page has no reports of lies. */
export const RefusalReport: typeof demo.RefusalReport = () => null as never;

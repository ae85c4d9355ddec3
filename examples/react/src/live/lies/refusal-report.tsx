import type * as demo from '../../lies/refusal-report.tsx';

/** Without the demo: there are no reports of lies. */
export const RefusalReport: typeof demo.RefusalReport = () => null as never;

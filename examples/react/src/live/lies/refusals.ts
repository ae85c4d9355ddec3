/** An operator's page shows an error of a write like any other error. */
import type * as demo from '../../lies/refusals.ts';

export const noteRefusal: typeof demo.noteRefusal = () => undefined;
export const refusalOf: typeof demo.refusalOf = () => undefined;

/** Without the demo: an error of a write is shown like any other. */
import type * as demo from '../../lies/refusals.ts';

export const noteRefusal: typeof demo.noteRefusal = () => undefined;
export const refusalOf: typeof demo.refusalOf = () => undefined;

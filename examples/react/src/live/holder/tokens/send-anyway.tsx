import type * as demo from '../../../holder/tokens/send-anyway.tsx';

/** Without the demo: the page offers nothing that the chain would reject. */
export const SendAnyway: typeof demo.SendAnyway = () => null as never;

import type * as demo from '../../../holder/tokens/send-anyway.tsx';

/** An operator's page does not offer transfers that the chain would reject. */
export const SendAnyway: typeof demo.SendAnyway = () => null as never;

import { type Address, address } from '@solana/kit';

/** An address that nobody in a test is: of the service's own wallet, say. */
export const STRANGER: Address = address('ALnBmwLeefY8VGXTJfjMnNHd4ypADFbtKxsEUgmVouEA');

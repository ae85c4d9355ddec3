import { address } from '@solana/kit';

/** The address of Token-2022, the token program of bound mints. */
export const TOKEN_2022_PROGRAM = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');

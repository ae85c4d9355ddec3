import { expect } from 'vitest';

/** Matches an error with this code. */
export const withCode = (code: string) => expect.objectContaining({ code });

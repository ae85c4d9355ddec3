/** Address at which the runtime maps the code. */
export const CODE_ADDRESS: number;

/** Writes the shared object that the Solana loader accepts. Code and constants are a multiple of 8 bytes each. */
export function writeSharedObject(program: { text: Buffer; rodata: Buffer; entry: number }): Buffer;

/** Offset, and so address, at which the first section may begin. */
export const FIRST_ADDRESS: number;

/** Returns the next multiple of the alignment, or the value itself if it is one. */
export function alignUp(value: number, alignment: number): number;

/** Writes the shared object that the Solana loader accepts. Symbols of relocations count from 1. */
export function writeSharedObject(program: {
  text: { address: number; bytes: Buffer };
  rodata: { address: number; bytes: Buffer };
  entry: number;
  syscalls: string[];
  relocations: { address: number; type: number; symbol: number }[];
}): Buffer;

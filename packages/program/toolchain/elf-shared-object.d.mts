/** Offset, and so address, at which the first section may begin. */
export const FIRST_ADDRESS: number;

export function alignUp(value: number, alignment: number): number;

/** Writes the shared object that the Solana loader takes. */
export function writeSharedObject(program: {
  text: { address: number; bytes: Buffer };
  rodata: { address: number; bytes: Buffer };
  entry: number;
  syscalls: string[];
  relocations: { address: number; type: number; symbol: number }[];
}): Buffer;

/** Types of elf-shared-object.mjs, for tests. */
export const FIRST_ADDRESS: number;
export function alignUp(value: number, alignment: number): number;
export function writeSharedObject(program: {
  text: { address: number; bytes: Buffer };
  rodata: { address: number; bytes: Buffer };
  entry: number;
  syscalls: string[];
  relocations: { address: number; type: number; symbol: number }[];
}): Buffer;

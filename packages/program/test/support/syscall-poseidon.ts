/**
 * The runtime's Poseidon, called by a program that hashes the slices in its instruction data and returns the hash. The
 * program is assembled here, so that the tests need no compiler.
 */
import { CODE_ADDRESS, writeSharedObject } from '../../toolchain/elf-shared-object.mjs';
import { murmur3 } from '../../toolchain/murmur3.mjs';
import { addressOf, Chain, SOL } from './chain.ts';

/** Without accounts, the runtime lays instruction data down here, after their count and the length of the data. */
const DATA_ADDRESS = 0x4_0000_0000n + 16n;
/** The result of a syscall that fails. */
const REJECTED = 1;

/** One instruction of BPF. */
function encode(opcode: number, target = 0, source = 0, offset = 0, immediate = 0): Buffer {
  const bytes = Buffer.from([opcode, (source << 4) | target, 0, 0, 0, 0, 0, 0]);
  bytes.writeInt16LE(offset, 2);
  bytes.writeInt32LE(immediate, 4);
  return bytes;
}
const set = (target: number, immediate: number) => encode(0xb7, target, 0, 0, immediate);
const copy = (target: number, source: number) => encode(0xbf, target, source);
const add = (target: number, immediate: number) => encode(0x07, target, 0, 0, immediate);
const load64 = (target: number, source: number, offset: number) => encode(0x79, target, source, offset);
const call = (syscall: string) => encode(0x85, 0, 0, 0, murmur3(syscall));
const skipUnlessZero = (register: number, instructions: number) => encode(0x55, register, 0, instructions);
const exit = () => encode(0x95);

/** Data: the number of slices, then address and length of each. The hash is written below the frame's top, r10. */
const CODE = [
  copy(6, 1),
  set(1, 0), // BN254, x^5
  set(2, 0), // big-endian
  copy(3, 6),
  add(3, 16 + 8),
  load64(4, 6, 16),
  copy(5, 10),
  add(5, -32),
  call('sol_poseidon'),
  skipUnlessZero(0, 5), // to exit
  copy(1, 10),
  add(1, -32),
  set(2, 32),
  call('sol_set_return_data'),
  set(0, 0),
  exit(),
];

function assemble(): Buffer {
  return writeSharedObject({ text: Buffer.concat(CODE), rodata: Buffer.alloc(0), entry: CODE_ADDRESS });
}

function instructionData(inputs: readonly Uint8Array[]): Uint8Array {
  const table = Buffer.alloc(8 + 16 * inputs.length);
  table.writeBigUInt64LE(BigInt(inputs.length));
  let at = DATA_ADDRESS + BigInt(table.length);
  inputs.forEach((input, index) => {
    table.writeBigUInt64LE(at, 8 + 16 * index);
    table.writeBigUInt64LE(BigInt(input.length), 16 + 16 * index);
    at += BigInt(input.length);
  });
  return Buffer.concat([table, ...inputs]);
}

/** Starts a runtime with that program. Returns a function that hashes big-endian numbers, or returns null if it fails. */
export async function startPoseidon() {
  const chain = new Chain();
  const programAddress = await addressOf('poseidon');
  chain.fund(chain.feePayer.address, 100n * SOL);
  chain.addProgram(programAddress, assemble());
  return async (inputs: readonly Uint8Array[]): Promise<Uint8Array | null> => {
    const { refusal, returned } = await chain.submit({ programAddress, data: instructionData(inputs) });
    if (!refusal) return returned;
    // The exit of the program with the result of the syscall, not a fault before it.
    if (refusal.code !== REJECTED) throw new Error(refusal.text);
    return null;
  };
}

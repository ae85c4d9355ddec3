/**
 * Links one relocatable BPF object of LLVM to the shared object that the Solana loader accepts (SBPF version 3).
 *
 * No stock linker can do this, because LLVM's BPF is the kernel's dialect. Constants are at address 0 and code is at
 * 0x1_0000_0000, nothing is left to relocate, and a call of a syscall contains the hash of its name.
 */
import { readObject, SECTION_FLAG, SECTION_TYPE } from './elf-object.mjs';
import { alignUp, CODE_ADDRESS, CONSTANTS_ADDRESS, writeSharedObject } from './elf-shared-object.mjs';
import { murmur3 } from './murmur3.mjs';

const INSTRUCTION_SIZE = 8;
/** Bytes in front of the constants: a reference to the address 0 would be null, which Rust takes for None. */
const NULL_GUARD = 16;
/** Relocations of LLVM's BPF back end: load of a 64-bit immediate, 64-bit data, call. */
const RELOCATION = { load64: 1, data64: 2, call: 10 };
const OPCODE = { load64: 0x18, atomic32: 0xc3, atomic64: 0xdb };
/**
 * Arithmetic of 32 bits. SBPF extends the sign of add, sub and mul, but LLVM assumes that the upper half becomes zero. The
 * two conversions of the byte order are in the same class, and are the same in both.
 */
const ARITHMETIC32_CLASS = 4;
const BYTE_ORDER = [0xd4, 0xdc];
/** Constants that hold addresses. LLVM marks them as writable, because another linker would relocate them on loading. */
const RELOCATED_CONSTANTS = ['.data.rel.ro', '.security.txt'];
/** Source register field of a call. */
const CALL = { syscall: 0x00, local: 0x10 };

/**
 * @param {Buffer} objectFile relocatable object, compiled with -mcpu=v2
 * @returns {{ file: Buffer, textSize: number, rodataSize: number, syscalls: string[] }}
 */
export function link(objectFile) {
  const object = readObject(objectFile);
  const code = object.sections.filter(isCode);
  const constants = object.sections.filter(isConstants);
  object.sections.forEach(refuseMutableStatics);

  const text = layOut(code, CODE_ADDRESS, 0);
  const rodata = layOut(constants, CONSTANTS_ADDRESS, constants.length > 0 ? NULL_GUARD : 0);
  code.forEach(refuseInstructions);
  const syscalls = relocate(object);
  const file = writeSharedObject({ text, rodata, entry: addressOf(object, entrypoint(object)) });
  return { file, textSize: text.length, rodataSize: rodata.length, syscalls };
}

const isLoaded = (section) => (section.flags & SECTION_FLAG.alloc) !== 0 && section.size > 0;
const isCode = (section) => isLoaded(section) && (section.flags & SECTION_FLAG.exec) !== 0;
const isConstants = (section) =>
  isLoaded(section) && (section.flags & SECTION_FLAG.exec) === 0 && section.name !== '.eh_frame';

/** Rejects mutable statics, because the loader maps constants read-only. */
function refuseMutableStatics(section) {
  const isConstant = RELOCATED_CONSTANTS.some((name) => section.name.startsWith(name));
  const writable = (section.flags & SECTION_FLAG.write) !== 0 && !isConstant;
  if (isLoaded(section) && (writable || section.type === SECTION_TYPE.nobits)) {
    throw new Error(
      `The section ${section.name} has a mutable static, which does not work on chain. Remove the static.`,
    );
  }
}

/** Copies sections to one segment, one after the other, and gives each its address. Its bytes are those in the segment. */
function layOut(sections, base, start) {
  let end = start;
  const offsets = sections.map(({ align, size }) => {
    const offset = alignUp(end, align);
    end = offset + size;
    return offset;
  });
  const segment = Buffer.alloc(alignUp(end, INSTRUCTION_SIZE));
  for (const [index, section] of sections.entries()) {
    const offset = offsets[index];
    section.bytes.copy(segment, offset);
    section.bytes = segment.subarray(offset, offset + section.size);
    section.address = base + offset;
  }
  return segment;
}

/** Rejects instructions that SBPF does not have, or that do something else there. */
function refuseInstructions({ bytes }) {
  for (let at = 0; at < bytes.length; at += INSTRUCTION_SIZE) {
    const opcode = bytes[at];
    if (opcode === OPCODE.load64) {
      at += INSTRUCTION_SIZE; // takes two slots
    } else if ((opcode & 7) === ARITHMETIC32_CLASS && !BYTE_ORDER.includes(opcode)) {
      throw new Error(`There is 32-bit arithmetic at ${at}. Compile with -mcpu=v2.`);
    } else if (opcode === OPCODE.atomic32 || opcode === OPCODE.atomic64) {
      throw new Error(
        `There is an atomic instruction at ${at}, which SBPF does not have. Remove the atomic from the source.`,
      );
    }
  }
}

/** Resolves addresses and calls. Returns the names of the syscalls. */
function relocate(object) {
  const syscalls = new Set();
  for (const table of object.sections) {
    if (table.type === SECTION_TYPE.rela)
      throw new Error('Relocations with addends are not supported. Use the LLVM of README.md.');
    const target = table.type === SECTION_TYPE.rel ? object.sections[table.info] : undefined;
    if (target?.address === undefined) continue;
    const { bytes } = target;
    for (const { offset: at, type, symbol } of object.relocations(table)) {
      if (type === RELOCATION.call && symbol.section === 0) {
        const name = syscallName(symbol.name);
        syscalls.add(name);
        writeCall(bytes, at, CALL.syscall, murmur3(name));
      } else if (type === RELOCATION.call) {
        const callee = addressOf(object, symbol) + (bytes.readInt32LE(at + 4) + 1) * INSTRUCTION_SIZE;
        writeCall(bytes, at, CALL.local, (callee - target.address - at) / INSTRUCTION_SIZE - 1);
      } else if (type === RELOCATION.load64) {
        const addend = bytes.readUInt32LE(at + 4) + bytes.readInt32LE(at + 12) * 2 ** 32;
        const value = BigInt(addressOf(object, symbol) + addend);
        bytes.writeUInt32LE(Number(value & 0xffff_ffffn), at + 4);
        bytes.writeUInt32LE(Number(value >> 32n), at + 12);
      } else if (type === RELOCATION.data64) {
        bytes.writeBigUInt64LE(BigInt(addressOf(object, symbol)) + bytes.readBigInt64LE(at), at);
      } else {
        throw new Error(`Relocation type ${type} is unknown in ${target.name}. Use the LLVM of README.md.`);
      }
    }
  }
  return [...syscalls];
}

function writeCall(bytes, at, source, immediate) {
  bytes[at + 1] = source;
  bytes.writeInt32LE(immediate, at + 4);
}

function syscallName(symbolName) {
  // LLVM emits this symbol for unreachable code. The runtime's name for it is abort.
  const name = symbolName === '__bpf_trap' ? 'abort' : symbolName;
  if (name !== 'abort' && !name.startsWith('sol_')) {
    throw new Error(`The symbol ${name} is undefined. It must be a function of the program or a syscall.`);
  }
  return name;
}

function addressOf(object, symbol) {
  const address = object.sections[symbol.section]?.address;
  if (address === undefined)
    throw new Error(`The symbol ${symbol.name || '(unnamed)'} is not in a linked section.`);
  return address + symbol.value;
}

function entrypoint(object) {
  const symbol = object.symbols.find(({ name, section }) => name === 'entrypoint' && section !== 0);
  if (!symbol) throw new Error('The object has no symbol entrypoint. Check src/lib.rs.');
  return symbol;
}

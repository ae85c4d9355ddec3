/**
 * Links one relocatable BPF object of LLVM to the shared object that the Solana loader accepts (SBPF version 0).
 *
 * No stock linker can do this, because LLVM's BPF is the kernel's dialect. Three things differ. Addresses of constants
 * are absolute, in a region that begins at 0x1_0000_0000. The loader finds syscalls by name through dynamic symbols. A
 * call through a register has the number of that register in the immediate field.
 */
import { readObject, SECTION_FLAG, SECTION_TYPE } from './elf-object.mjs';
import { alignUp, FIRST_ADDRESS, writeSharedObject } from './elf-shared-object.mjs';

const PROGRAM_REGION = 0x1_0000_0000n;
const INSTRUCTION_SIZE = 8;
/** Relocations of LLVM's BPF back end: load of a 64-bit immediate, 64-bit data, call. */
const RELOCATION = { load64: 1, data64: 2, call: 10 };
const OPCODE = { load64: 0x18, callRegister: 0x8d, atomic32: 0xc3, atomic64: 0xdb };
const JUMP32_CLASS = 6;
/** Source register field of a call: 1 says that the immediate is an offset within the program. */
const LOCAL_CALL = 0x10;

/**
 * @param {Buffer} objectFile relocatable object, compiled with -mcpu=v2
 * @returns {{ file: Buffer, textSize: number, rodataSize: number, syscalls: string[] }}
 */
export function link(objectFile) {
  const object = readObject(objectFile);
  const code = object.sections.filter(isCode);
  const constants = object.sections.filter(isConstants);
  object.sections.forEach(refuseMutableStatics);

  const text = place(code, alignUp(FIRST_ADDRESS, INSTRUCTION_SIZE));
  const rodata = place(constants, alignUp(text.end, 16));
  const image = Buffer.alloc(alignUp(rodata.end, 8));
  for (const section of [...code, ...constants]) section.bytes.copy(image, section.address);

  for (const section of code) adaptInstructions(image, section);
  const { syscalls, relocations } = relocate(image, object);
  const file = writeSharedObject({
    text: { address: text.start, bytes: image.subarray(text.start, text.end) },
    rodata: { address: rodata.start, bytes: image.subarray(rodata.start) },
    entry: addressOf(object, entrypoint(object)),
    syscalls,
    relocations,
  });
  return { file, textSize: text.end - text.start, rodataSize: image.length - rodata.start, syscalls };
}

const isLoaded = (section) => (section.flags & SECTION_FLAG.alloc) !== 0 && section.size > 0;
const isCode = (section) => isLoaded(section) && (section.flags & SECTION_FLAG.exec) !== 0;
const isConstants = (section) =>
  isLoaded(section) && (section.flags & SECTION_FLAG.exec) === 0 && section.name !== '.eh_frame';

/** Rejects mutable statics, because the loader maps the whole file read-only. */
function refuseMutableStatics(section) {
  const writable = (section.flags & SECTION_FLAG.write) !== 0 && !section.name.startsWith('.data.rel.ro');
  if (isLoaded(section) && (writable || section.type === SECTION_TYPE.nobits)) {
    throw new Error(
      `The section ${section.name} has a mutable static, which does not work on chain. Remove the static.`,
    );
  }
}

/** Gives each section its address, one after the other. */
function place(sections, start) {
  let end = start;
  for (const section of sections) {
    section.address = alignUp(end, section.align);
    end = section.address + section.size;
  }
  return { start, end };
}

/** Moves the register of indirect calls to its place in SBPF. Rejects instructions that SBPF version 0 does not have. */
function adaptInstructions(image, section) {
  for (let at = section.address; at < section.address + section.size; at += INSTRUCTION_SIZE) {
    const opcode = image[at];
    if (opcode === OPCODE.load64)
      at += INSTRUCTION_SIZE; // takes two slots
    else if (opcode === OPCODE.callRegister) {
      const register = image[at + 1] & 0x0f;
      image[at + 1] = 0;
      image.writeInt32LE(register, at + 4);
    } else if ((opcode & 7) === JUMP32_CLASS) {
      throw new Error(`There is a 32-bit jump at ${at}. Compile with -mcpu=v2.`);
    } else if (opcode === OPCODE.atomic32 || opcode === OPCODE.atomic64) {
      throw new Error(
        `There is an atomic instruction at ${at}, which SBPF does not have. Remove the atomic from the source.`,
      );
    }
  }
}

/** Resolves addresses and local calls. The loader resolves calls of syscalls, which become dynamic relocations. */
function relocate(image, object) {
  const syscalls = [];
  const relocations = [];
  for (const table of object.sections) {
    if (table.type === SECTION_TYPE.rela)
      throw new Error('Relocations with addends are not supported. Use the LLVM of README.md.');
    const target = table.type === SECTION_TYPE.rel ? object.sections[table.info] : undefined;
    if (target?.address === undefined) continue;
    for (const { offset, type, symbol } of object.relocations(table)) {
      const at = target.address + offset;
      if (type === RELOCATION.call && symbol.section === 0) {
        relocations.push({ address: at, type, symbol: syscallNumber(syscalls, symbol.name) });
        writeCall(image, at, -1);
      } else if (type === RELOCATION.call) {
        const callee = addressOf(object, symbol) + (image.readInt32LE(at + 4) + 1) * INSTRUCTION_SIZE;
        writeCall(image, at, (callee - at) / INSTRUCTION_SIZE - 1);
      } else if (type === RELOCATION.load64) {
        const addend = image.readUInt32LE(at + 4) + image.readInt32LE(at + 12) * 2 ** 32;
        const value = PROGRAM_REGION + BigInt(addressOf(object, symbol) + addend);
        image.writeUInt32LE(Number(value & 0xffff_ffffn), at + 4);
        image.writeUInt32LE(Number(value >> 32n), at + 12);
      } else if (type === RELOCATION.data64) {
        const value = PROGRAM_REGION + BigInt(addressOf(object, symbol)) + image.readBigInt64LE(at);
        image.writeBigUInt64LE(value, at);
      } else {
        throw new Error(`Relocation type ${type} is unknown in ${target.name}. Use the LLVM of README.md.`);
      }
    }
  }
  relocations.sort((a, b) => a.address - b.address);
  return { syscalls, relocations };
}

function writeCall(image, at, immediate) {
  image[at + 1] = LOCAL_CALL;
  image.writeInt32LE(immediate, at + 4);
}

/** Dynamic symbols count from 1. */
function syscallNumber(syscalls, symbolName) {
  // LLVM emits this symbol for unreachable code. The runtime's name for it is abort.
  const name = symbolName === '__bpf_trap' ? 'abort' : symbolName;
  if (name !== 'abort' && !name.startsWith('sol_')) {
    throw new Error(`The symbol ${name} is undefined. It must be a function of the program or a syscall.`);
  }
  if (!syscalls.includes(name)) syscalls.push(name);
  return syscalls.indexOf(name) + 1;
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

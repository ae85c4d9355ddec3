/** Writes the shared object that the Solana loader accepts (SBPF version 3): constants, then code, right after the headers. */

const EM_BPF = 247;
const ET_DYN = 3;
const SBPF_VERSION = 3;
const FILE_HEADER_SIZE = 64;
const PROGRAM_HEADER_SIZE = 56;
const SECTION_HEADER_SIZE = 64;
const PT_LOAD = 1;
const PERMISSION = { execute: 1, read: 4 };
const SHT = { progbits: 1, strtab: 3 };
const SHF = { alloc: 2, execute: 4 };

/** Addresses at which the runtime maps the two segments. */
export const CONSTANTS_ADDRESS = 0;
export const CODE_ADDRESS = 0x1_0000_0000;

export const alignUp = (value, alignment) => Math.ceil(value / alignment) * alignment;

/**
 * @param {object} program
 * @param {Buffer} program.text the code, a multiple of 8 bytes
 * @param {Buffer} program.rodata the constants, a multiple of 8 bytes, perhaps none
 * @param {number} program.entry address of the entrypoint
 * @returns {Buffer} the file
 */
export function writeSharedObject({ text, rodata, entry }) {
  const constants = {
    name: '.rodata',
    bytes: rodata,
    address: CONSTANTS_ADDRESS,
    permission: PERMISSION.read,
    flags: SHF.alloc,
  };
  const code = {
    name: '.text',
    bytes: text,
    address: CODE_ADDRESS,
    permission: PERMISSION.execute,
    flags: SHF.alloc | SHF.execute,
  };
  const segments = [constants, code].filter(({ bytes }) => bytes.length > 0);
  let end = FILE_HEADER_SIZE + PROGRAM_HEADER_SIZE * segments.length;
  for (const segment of segments) {
    segment.offset = end;
    end += segment.bytes.length;
  }
  // Disassemblers need sections, and some versions of the loader fail without their table.
  const names = Buffer.from(`${['', ...segments.map(({ name }) => name), '.shstrtab'].join('\0')}\0`);
  const nameSection = { name: '.shstrtab', bytes: names, address: 0, offset: end, flags: 0 };
  const sections = [
    ...segments.map((segment) => ({ ...segment, type: SHT.progbits, align: 8 })),
    { ...nameSection, type: SHT.strtab, align: 1 },
  ];

  const headersAt = alignUp(end + names.length, 8);
  const file = Buffer.alloc(headersAt + SECTION_HEADER_SIZE * (sections.length + 1));
  for (const { bytes, offset } of sections) bytes.copy(file, offset);
  writeFileHeader(file, { entry, headersAt, segments: segments.length, sections: sections.length + 1 });
  segments.forEach((segment, index) => {
    writeProgramHeader(file, FILE_HEADER_SIZE + PROGRAM_HEADER_SIZE * index, segment);
  });
  sections.forEach((section, index) => {
    const nameAt = names.indexOf(`\0${section.name}\0`) + 1;
    writeSectionHeader(file, headersAt + SECTION_HEADER_SIZE * (index + 1), section, nameAt);
  });
  return file;
}

function writeFileHeader(file, { entry, headersAt, segments, sections }) {
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  file.writeUInt16LE(ET_DYN, 16);
  file.writeUInt16LE(EM_BPF, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(entry), 24);
  file.writeBigUInt64LE(BigInt(FILE_HEADER_SIZE), 32);
  file.writeBigUInt64LE(BigInt(headersAt), 40);
  file.writeUInt32LE(SBPF_VERSION, 48);
  const sizes = [
    FILE_HEADER_SIZE,
    PROGRAM_HEADER_SIZE,
    segments,
    SECTION_HEADER_SIZE,
    sections,
    sections - 1,
  ];
  for (const [index, size] of sizes.entries()) file.writeUInt16LE(size, 52 + 2 * index);
}

function writeProgramHeader(file, at, { permission, offset, address, bytes }) {
  file.writeUInt32LE(PT_LOAD, at);
  file.writeUInt32LE(permission, at + 4);
  file.writeBigUInt64LE(BigInt(offset), at + 8);
  for (const field of [16, 24]) file.writeBigUInt64LE(BigInt(address), at + field);
  for (const field of [32, 40]) file.writeBigUInt64LE(BigInt(bytes.length), at + field);
  file.writeBigUInt64LE(8n, at + 48);
}

function writeSectionHeader(file, at, { type, flags, address, offset, bytes, align }, nameAt) {
  file.writeUInt32LE(nameAt, at);
  file.writeUInt32LE(type, at + 4);
  const numbers = [flags, address, offset, bytes.length];
  for (const [index, number] of numbers.entries()) file.writeBigUInt64LE(BigInt(number), at + 8 + 8 * index);
  file.writeBigUInt64LE(BigInt(align), at + 48);
}

/** Writes the shared object that the Solana loader accepts (SBPF version 0). The address of a section is its file offset. */

const EM_BPF = 247;
const ET_DYN = 3;
const FILE_HEADER_SIZE = 64;
const PROGRAM_HEADER_SIZE = 56;
const SECTION_HEADER_SIZE = 64;
const PROGRAM_HEADERS = 3;
const SHT = { progbits: 1, strtab: 3, dynamic: 6, rel: 9, dynsym: 11 };
const PT = { load: 1, dynamic: 2 };
const DT = {
  null: 0,
  strtab: 5,
  symtab: 6,
  strsz: 10,
  syment: 11,
  rel: 17,
  relsz: 18,
  relent: 19,
  flags: 30,
};
const DF_TEXTREL = 4;
const STB_GLOBAL_NOTYPE = 0x10;

/** Offset, and so address, at which the first section may begin. */
export const FIRST_ADDRESS = FILE_HEADER_SIZE + PROGRAM_HEADERS * PROGRAM_HEADER_SIZE;

export const alignUp = (value, alignment) => Math.ceil(value / alignment) * alignment;

/**
 * @param {object} program
 * @param {{ address: number, bytes: Buffer }} program.text the code
 * @param {{ address: number, bytes: Buffer }} program.rodata the constants, after the code
 * @param {number} program.entry address of the entrypoint
 * @param {string[]} program.syscalls names, in the order that relocations count them (from 1)
 * @param {{ address: number, type: number, symbol: number }[]} program.relocations calls of syscalls
 * @returns {Buffer} the file
 */
export function writeSharedObject({ text, rodata, entry, syscalls, relocations }) {
  const sections = [
    { name: '.text', type: SHT.progbits, flags: 6, align: 8, ...text },
    ...(rodata.bytes.length > 0
      ? [{ name: '.rodata', type: SHT.progbits, flags: 2, align: 16, ...rodata }]
      : []),
  ];
  const dynamic = appendDynamicSections(sections, syscalls, relocations);
  const loadedEnd = end(sections.at(-1));
  const sectionNames = stringTable([...sections.map((section) => section.name), '.shstrtab']);
  sections.push({
    name: '.shstrtab',
    type: SHT.strtab,
    flags: 0,
    align: 1,
    address: 0,
    offset: loadedEnd,
    bytes: sectionNames.bytes,
  });

  const headersAt = alignUp(loadedEnd + sectionNames.bytes.length, 8);
  const file = Buffer.alloc(headersAt + SECTION_HEADER_SIZE * (sections.length + 1));
  for (const section of sections) section.bytes.copy(file, section.offset ?? section.address);
  writeFileHeader(file, { entry, headersAt, sectionCount: sections.length + 1 });
  const constants = sections.length > 1 ? sections[1].address : end(sections[0]);
  writeProgramHeader(file, 0, {
    type: PT.load,
    flags: 5,
    address: text.address,
    size: text.bytes.length,
    align: 0x1000,
  });
  writeProgramHeader(file, 1, {
    type: PT.load,
    flags: 4,
    address: constants,
    size: loadedEnd - constants,
    align: 0x1000,
  });
  writeProgramHeader(file, 2, {
    type: PT.dynamic,
    flags: 4,
    address: dynamic.address,
    size: dynamic.bytes.length,
    align: 8,
  });
  sections.forEach((section, index) => {
    const link = section.link ? sections.findIndex((other) => other.name === section.link) + 1 : 0;
    writeSectionHeader(
      file,
      headersAt + SECTION_HEADER_SIZE * (index + 1),
      section,
      sectionNames.offsets.get(section.name),
      link,
    );
  });
  return file;
}

/** Adds what the loader needs to find syscalls by name: a dynamic symbol for each, and a relocation for each call. */
function appendDynamicSections(sections, syscalls, relocations) {
  const names = stringTable(syscalls);
  const symbols = Buffer.alloc(24 * (syscalls.length + 1));
  syscalls.forEach((name, index) => {
    symbols.writeUInt32LE(names.offsets.get(name), 24 * (index + 1));
    symbols[24 * (index + 1) + 4] = STB_GLOBAL_NOTYPE;
  });
  const calls = Buffer.alloc(16 * relocations.length);
  relocations.forEach(({ address, type, symbol }, index) => {
    calls.writeBigUInt64LE(BigInt(address), 16 * index);
    calls.writeUInt32LE(type, 16 * index + 8);
    calls.writeUInt32LE(symbol, 16 * index + 12);
  });

  const append = (section) => {
    const placed = { flags: 2, align: 8, ...section, address: alignUp(end(sections.at(-1)), 8) };
    sections.push(placed);
    return placed;
  };
  const dynamic = append({
    name: '.dynamic',
    type: SHT.dynamic,
    entrySize: 16,
    link: '.dynstr',
    bytes: Buffer.alloc(16 * 9),
  });
  const dynsym = append({
    name: '.dynsym',
    type: SHT.dynsym,
    entrySize: 24,
    link: '.dynstr',
    info: 1,
    bytes: symbols,
  });
  const dynstr = append({ name: '.dynstr', type: SHT.strtab, bytes: names.bytes });
  const rel = append({ name: '.rel.dyn', type: SHT.rel, entrySize: 16, link: '.dynsym', bytes: calls });
  const entries = [
    [DT.flags, DF_TEXTREL],
    [DT.rel, rel.address],
    [DT.relsz, calls.length],
    [DT.relent, 16],
    [DT.symtab, dynsym.address],
    [DT.syment, 24],
    [DT.strtab, dynstr.address],
    [DT.strsz, names.bytes.length],
    [DT.null, 0],
  ];
  entries.forEach(([tag, value], index) => {
    dynamic.bytes.writeBigUInt64LE(BigInt(tag), 16 * index);
    dynamic.bytes.writeBigUInt64LE(BigInt(value), 16 * index + 8);
  });
  return dynamic;
}

function stringTable(strings) {
  const offsets = new Map();
  let text = '\0';
  for (const string of strings) {
    offsets.set(string, Buffer.byteLength(text));
    text += `${string}\0`;
  }
  return { bytes: Buffer.from(text), offsets };
}

function writeFileHeader(file, { entry, headersAt, sectionCount }) {
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  file.writeUInt16LE(ET_DYN, 16);
  file.writeUInt16LE(EM_BPF, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(entry), 24);
  file.writeBigUInt64LE(BigInt(FILE_HEADER_SIZE), 32);
  file.writeBigUInt64LE(BigInt(headersAt), 40);
  // Flags of zero mean SBPF version 0.
  file.writeUInt32LE(0, 48);
  const sizes = [
    FILE_HEADER_SIZE,
    PROGRAM_HEADER_SIZE,
    PROGRAM_HEADERS,
    SECTION_HEADER_SIZE,
    sectionCount,
    sectionCount - 1,
  ];
  for (const [index, size] of sizes.entries()) file.writeUInt16LE(size, 52 + 2 * index);
}

function writeProgramHeader(file, index, { type, flags, address, size, align }) {
  const at = FILE_HEADER_SIZE + PROGRAM_HEADER_SIZE * index;
  file.writeUInt32LE(type, at);
  file.writeUInt32LE(flags, at + 4);
  for (const field of [8, 16, 24]) file.writeBigUInt64LE(BigInt(address), at + field);
  for (const field of [32, 40]) file.writeBigUInt64LE(BigInt(size), at + field);
  file.writeBigUInt64LE(BigInt(align), at + 48);
}

function writeSectionHeader(file, at, section, nameOffset, link) {
  file.writeUInt32LE(nameOffset, at);
  file.writeUInt32LE(section.type, at + 4);
  const numbers = [section.flags, section.address, section.offset ?? section.address, section.bytes.length];
  for (const [index, number] of numbers.entries()) file.writeBigUInt64LE(BigInt(number), at + 8 + 8 * index);
  file.writeUInt32LE(link, at + 40);
  file.writeUInt32LE(section.info ?? 0, at + 44);
  file.writeBigUInt64LE(BigInt(section.align), at + 48);
  file.writeBigUInt64LE(BigInt(section.entrySize ?? 0), at + 56);
}

function end(section) {
  return (section.offset ?? section.address) + section.bytes.length;
}

/** Reads a relocatable 64-bit little-endian ELF object for BPF: its sections, symbols and relocations. */

const EM_BPF = 247;
const ET_REL = 1;
const SECTION_HEADER_SIZE = 64;
const SYMBOL_SIZE = 24;
const RELOCATION_SIZE = 16;

export const SECTION_TYPE = { progbits: 1, symtab: 2, rela: 4, nobits: 8, rel: 9 };
export const SECTION_FLAG = { write: 1, alloc: 2, exec: 4 };

/**
 * @param {Buffer} object an object file of `llc -filetype=obj`
 * @returns {{ sections: Section[], symbols: ElfSymbol[], relocations: (section: Section) => Relocation[] }}
 * @typedef {{ index: number, name: string, type: number, flags: number, size: number, link: number, info: number, align: number, bytes: Buffer, address?: number }} Section
 * @typedef {{ name: string, section: number, value: number }} ElfSymbol `section` is 0 for an undefined symbol
 * @typedef {{ offset: number, type: number, symbol: ElfSymbol }} Relocation
 */
export function readObject(object) {
  refuseOtherFormats(object);
  const sections = readSections(object);
  const symbols = readSymbols(sections);
  return { sections, symbols, relocations: (section) => readRelocations(section, symbols) };
}

function refuseOtherFormats(object) {
  const is64BitLittleEndian =
    object.toString('latin1', 0, 4) === '\x7fELF' && object[4] === 2 && object[5] === 1;
  if (!is64BitLittleEndian || object.readUInt16LE(16) !== ET_REL || object.readUInt16LE(18) !== EM_BPF) {
    throw new Error(
      'The file is not a relocatable 64-bit little-endian BPF object. Compile it with llc -filetype=obj.',
    );
  }
}

function readSections(object) {
  const table = Number(object.readBigUInt64LE(40));
  const count = object.readUInt16LE(60);
  const namesIndex = object.readUInt16LE(62);
  const sections = Array.from({ length: count }, (_, index) =>
    readSection(object, index, table + index * SECTION_HEADER_SIZE),
  );
  const names = sections[namesIndex].bytes;
  for (const section of sections) section.name = stringAt(names, section.nameOffset);
  return sections;
}

function readSection(object, index, header) {
  const number = (at) => Number(object.readBigUInt64LE(header + at));
  const type = object.readUInt32LE(header + 4);
  const [offset, size] = [number(24), number(32)];
  return {
    index,
    name: '',
    nameOffset: object.readUInt32LE(header),
    type,
    flags: number(8),
    size,
    link: object.readUInt32LE(header + 40),
    info: object.readUInt32LE(header + 44),
    align: Math.max(1, number(48)),
    bytes: type === SECTION_TYPE.nobits ? Buffer.alloc(0) : object.subarray(offset, offset + size),
  };
}

function readSymbols(sections) {
  const table = sections.find((section) => section.type === SECTION_TYPE.symtab);
  if (!table) throw new Error('The object has no symbol table. Compile it without stripping symbols.');
  const names = sections[table.link].bytes;
  return Array.from({ length: table.size / SYMBOL_SIZE }, (_, index) => {
    const at = index * SYMBOL_SIZE;
    return {
      name: stringAt(names, table.bytes.readUInt32LE(at)),
      section: table.bytes.readUInt16LE(at + 6),
      value: Number(table.bytes.readBigUInt64LE(at + 8)),
    };
  });
}

function readRelocations(section, symbols) {
  return Array.from({ length: section.size / RELOCATION_SIZE }, (_, index) => {
    const at = index * RELOCATION_SIZE;
    return {
      offset: Number(section.bytes.readBigUInt64LE(at)),
      type: section.bytes.readUInt32LE(at + 8),
      symbol: symbols[section.bytes.readUInt32LE(at + 12)],
    };
  });
}

function stringAt(bytes, offset) {
  return bytes.toString('utf8', offset, bytes.indexOf(0, offset));
}

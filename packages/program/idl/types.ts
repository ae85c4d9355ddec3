/** Short names for the Codama type nodes that the IDL uses often. */
import {
  accountNode,
  argumentValueNode,
  arrayTypeNode,
  booleanTypeNode,
  booleanValueNode,
  bytesTypeNode,
  bytesValueNode,
  fieldDiscriminatorNode,
  fixedSizeTypeNode,
  type InstructionAccountNode,
  type InstructionArgumentNode,
  instructionAccountNode,
  instructionArgumentNode,
  instructionNode,
  instructionRemainingAccountsNode,
  noneValueNode,
  numberTypeNode,
  numberValueNode,
  optionTypeNode,
  pdaLinkNode,
  prefixedCountNode,
  publicKeyTypeNode,
  publicKeyValueNode,
  remainderOptionTypeNode,
  type StructFieldTypeNode,
  sizePrefixTypeNode,
  stringTypeNode,
  structFieldTypeNode,
  structTypeNode,
  type TypeNode,
  type ValueNode,
} from 'codama';

/** The address of 32 zeros, which means that none is set. */
const ZEROS_ADDRESS = '11111111111111111111111111111111';

export const u8 = numberTypeNode('u8');
export const u32 = numberTypeNode('u32');
export const u64 = numberTypeNode('u64');
export const bool = booleanTypeNode(u8);
export const address = publicKeyTypeNode();
export const bytes = (size: number) => fixedSizeTypeNode(bytesTypeNode(), size);
/** A name in an account: 32 bytes of UTF-8, padded with zeros. */
export const paddedName = fixedSizeTypeNode(stringTypeNode('utf8'), 32);
/** A name in instruction data: one byte of length, then UTF-8. The program rejects more than 32 bytes. */
export const prefixedName = sizePrefixTypeNode(stringTypeNode('utf8'), u8);
/** An option of fixed size: one byte (0 or 1), then the value or zeros. */
export const fixedOption = (item: TypeNode) => optionTypeNode(item, { fixed: true, prefix: u8 });
/** A list with one byte of count. */
export const shortList = (item: TypeNode) => arrayTypeNode(item, prefixedCountNode(u8));

export const field = (name: string, type: TypeNode, docs: string): StructFieldTypeNode =>
  structFieldTypeNode({ name, type, docs: [docs] });

/** A field of a later version of the layout. An account of an earlier one has zeros there. */
export const addedField = (name: string, type: TypeNode, docs: string): StructFieldTypeNode =>
  structFieldTypeNode({ name, type, docs: [docs], defaultValue: zerosOf(type) });

function zerosOf(type: TypeNode): ValueNode {
  if (type.kind === 'fixedSizeTypeNode') return bytesValueNode('base16', '00'.repeat(type.size));
  if (type.kind === 'booleanTypeNode') return booleanValueNode(false);
  if (type.kind === 'publicKeyTypeNode') return publicKeyValueNode(ZEROS_ADDRESS);
  return type.kind === 'optionTypeNode' ? noneValueNode() : numberValueNode(0);
}

/** Zeros for later versions of the layout. */
export const reserved = (size: number): StructFieldTypeNode =>
  structFieldTypeNode({
    name: 'reserved',
    type: bytes(size),
    defaultValue: bytesValueNode('base16', '00'.repeat(size)),
    defaultValueStrategy: 'omitted',
    docs: ['Zeros, for later versions of this layout.'],
  });

/** An account of the program: type (1 byte), version (1 byte), bump (1 byte), then its fields. */
export function programAccount(options: {
  name: string;
  type: number;
  docs: string[];
  fields: StructFieldTypeNode[];
  /** The newest version of its layout. @default 1 */
  version?: number;
}) {
  const { version = 1 } = options;
  return accountNode({
    name: options.name,
    docs: options.docs,
    pda: pdaLinkNode(options.name),
    discriminators: [fieldDiscriminatorNode('accountType')],
    data: structTypeNode([
      structFieldTypeNode({
        name: 'accountType',
        type: u8,
        defaultValue: numberValueNode(options.type),
        defaultValueStrategy: 'omitted',
        docs: [`Always ${options.type}.`],
      }),
      structFieldTypeNode({
        name: 'version',
        type: u8,
        defaultValue: numberValueNode(version),
        defaultValueStrategy: 'omitted',
        docs: [version === 1 ? 'Layout version, 1.' : `Layout version, at most ${version}.`],
      }),
      field('bump', u8, 'The canonical bump of this address.'),
      ...options.fields,
    ]),
  });
}

type Flags = 'signer' | 'writable' | 'optional';
export const account = (name: string, flags: Flags[], docs: string): InstructionAccountNode =>
  instructionAccountNode({
    name,
    isSigner: flags.includes('signer'),
    isWritable: flags.includes('writable'),
    isOptional: flags.includes('optional'),
    docs: [docs],
  });

export const config = account('config', [], 'Config.');
export const system = account('systemProgram', [], 'The system program.');
export const token2022 = account('tokenProgram', [], 'The Token-2022 program.');
export const extraAccountMetaList = account(
  'extraAccountMetaList',
  ['writable'],
  'ExtraAccountMetaList of the mint.',
);

export const argument = (name: string, type: TypeNode, docs: string): InstructionArgumentNode =>
  instructionArgumentNode({ name, type, docs: [docs] });

/** The last argument, which the data may leave out. */
export const optionalArgument = (name: string, type: TypeNode, docs: string): InstructionArgumentNode =>
  instructionArgumentNode({
    name,
    type: remainderOptionTypeNode(type),
    defaultValue: noneValueNode(),
    docs: [docs],
  });

/** The last field of the last argument, which the data may leave out. */
export const optionalField = (name: string, type: TypeNode, docs: string): StructFieldTypeNode =>
  structFieldTypeNode({
    name,
    type: remainderOptionTypeNode(type),
    defaultValue: noneValueNode(),
    docs: [docs],
  });

const passes = instructionRemainingAccountsNode(argumentValueNode('passes'), {
  isWritable: true,
  isOptional: true,
  docs: [
    'Passes of the wallet, at most 20. Each ends at once. The account of one whose proof is younger than an hour stays.',
  ],
});

/** An instruction of the program. Its data is one byte of number and then its arguments. */
export function programInstruction(options: {
  name: string;
  number: number;
  docs: string[];
  accounts: InstructionAccountNode[];
  arguments: InstructionArgumentNode[];
  /** Whether passes may follow the accounts. */
  passes?: boolean;
  /** Whether optional accounts are left out, not replaced by the program. */
  omits?: boolean;
}) {
  return instructionNode({
    name: options.name,
    docs: options.docs,
    optionalAccountStrategy: options.omits ? 'omitted' : 'programId',
    discriminators: [fieldDiscriminatorNode('instruction')],
    accounts: options.accounts,
    ...(options.passes ? { remainingAccounts: [passes] } : {}),
    arguments: [
      instructionArgumentNode({
        name: 'instruction',
        type: u8,
        defaultValue: numberValueNode(options.number),
        defaultValueStrategy: 'omitted',
        docs: [`Always ${options.number}.`],
      }),
      ...options.arguments,
    ],
  });
}

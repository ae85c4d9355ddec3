/** The IDL for Rust. Codama's renderer for Rust uses Borsh, which writes some types in other bytes. */
import {
  bottomUpTransformerVisitor,
  definedTypeLinkNode,
  definedTypeNode,
  getByteSizeVisitor,
  isNode,
  LinkableDictionary,
  type Node,
  type OptionTypeNode,
  type RootNode,
  structTypeNode,
  type TypeNode,
  variablePdaSeedNode,
  visit,
} from 'codama';
import { address, bool, bytes, field, u64 } from './types.ts';

/** An option of fixed size. Borsh leaves out the value of an option that has none. */
const MAYBE = {
  publicKeyTypeNode: { name: 'maybePubkey', value: address },
  numberTypeNode: { name: 'maybeU64', value: u64 },
} as const;

/**
 * Returns the IDL from which Codama's renderer for Rust makes a client with the right bytes. The IDL itself gives a client
 * that does not compile, or that misreads accounts.
 *
 * - A seed that is a number or a text becomes its bytes, because the renderer would write a number as decimal digits.
 * - An option of fixed size becomes a struct of a boolean and a value.
 * - An argument that the data may leave out becomes one that it has, because the renderer rejects it.
 * - A number in a clause becomes its bytes. The lists of the client measure an item as it is in memory, with padding.
 */
export function idlForRust(root: RootNode): RootNode {
  const changed = visit(
    root,
    bottomUpTransformerVisitor([
      {
        select: '[variablePdaSeedNode]',
        transform: (node) => (isNode(node, 'variablePdaSeedNode') ? asBytes(node.name, node.type) : node),
      },
      {
        select: '[optionTypeNode]',
        transform: (node) => (isNode(node, 'optionTypeNode') ? definedTypeLinkNode(maybe(node).name) : node),
      },
      {
        select: '[definedTypeNode]clause.[numberTypeNode]',
        transform: (node) =>
          isNode(node, 'numberTypeNode') && node.format !== 'u8' ? bytes(sizeOf(node)) : node,
      },
      {
        select: '[remainderOptionTypeNode]',
        transform: (node) => (isNode(node, 'remainderOptionTypeNode') ? node.item : node),
      },
      { select: '[structFieldTypeNode]', transform: withoutNone },
      { select: '[instructionArgumentNode]', transform: withoutNone },
    ]),
  ) as RootNode;
  const maybes = Object.values(MAYBE).map(({ name, value }) =>
    definedTypeNode({
      name,
      docs: ['An option of fixed size.'],
      type: structTypeNode([
        field('isSome', bool, 'Whether there is a value.'),
        field('value', value, 'Zeros without a value.'),
      ]),
    }),
  );
  const { program } = changed;
  return { ...changed, program: { ...program, definedTypes: [...program.definedTypes, ...maybes] } };
}

/** Removes a default that the new type does not have. */
function withoutNone(node: Node): Node {
  if (!isNode(node, ['structFieldTypeNode', 'instructionArgumentNode'])) return node;
  if (!node.defaultValue || !isNode(node.defaultValue, 'noneValueNode')) return node;
  const { defaultValue: _, ...required } = node;
  return required;
}

function asBytes(name: string, type: TypeNode) {
  if (isNode(type, 'publicKeyTypeNode')) return variablePdaSeedNode(name, type);
  return variablePdaSeedNode(name, bytes(sizeOf(type)));
}

function sizeOf(type: TypeNode): number {
  const size = visit(type, getByteSizeVisitor(new LinkableDictionary()));
  if (size === null)
    throw new Error(`The client for Rust needs a fixed size, which a ${type.kind} does not have.`);
  return size;
}

function maybe({ item, fixed }: OptionTypeNode): (typeof MAYBE)[keyof typeof MAYBE] {
  const known = isNode(item, ['publicKeyTypeNode', 'numberTypeNode']) ? MAYBE[item.kind] : null;
  if (!fixed || !known) throw new Error(`The client for Rust has no type for an option of ${item.kind}.`);
  return known;
}

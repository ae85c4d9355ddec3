/** The instruction of the transfer-hook interface. */
import {
  bytesTypeNode,
  bytesValueNode,
  constantDiscriminatorNode,
  constantValueNode,
  fixedSizeTypeNode,
  instructionArgumentNode,
  instructionNode,
} from 'codama';
import { account, argument, config, u64 } from './types.ts';

/** First 8 bytes of SHA-256("spl-transfer-hook-interface:execute"). */
const EXECUTE_DISCRIMINATOR = '692565c54bfb661a';

export const execute = instructionNode({
  name: 'execute',
  docs: [
    'The transfer hook. Token-2022 calls it in every transfer of a bound mint. It writes nothing.',
    'After the five accounts of the interface, the ExtraAccountMetaList lists: Config as a literal; the destination pass by the seeds "pass", 32 bytes of rule from the second TLV entry of the list account, and 32 bytes of owner at offset 32 of the destination; only if readsCredential is true, the credential of the same owner by the seeds "credential" and 32 bytes of owner; and, only if requireSource is true, pass and credential of the owner of the source in the same way.',
    'The second TLV entry of the list account has as its type the first 8 bytes of SHA-256("service:v1:binding"), then its length (u32), version (1), bump (1), requireSource (1), mint (32), rule (32), issuer (32), honoursGranted (1), readsCredential (1), and 62 reserved zeros.',
  ],
  discriminators: [
    constantDiscriminatorNode(
      constantValueNode(
        fixedSizeTypeNode(bytesTypeNode(), 8),
        bytesValueNode('base16', EXECUTE_DISCRIMINATOR),
      ),
    ),
  ],
  accounts: [
    account('source', [], 'Token account that the tokens leave.'),
    account('mint', [], 'The bound mint.'),
    account('destination', [], 'Token account that the tokens reach, with the ImmutableOwner extension.'),
    account('authority', [], 'Owner or delegate of the source.'),
    account('extraAccountMetaList', [], 'ExtraAccountMetaList of the mint.'),
    config,
    account('destinationPass', [], 'Pass of the owner of the destination.'),
    account(
      'destinationCredential',
      ['optional'],
      'Credential of the owner of the destination. Listed only if readsCredential is true. Not read if the pass was granted.',
    ),
    account(
      'sourcePass',
      ['optional'],
      'Pass of the owner of the source. Listed only if requireSource is true.',
    ),
    account(
      'sourceCredential',
      ['optional'],
      'Credential of the owner of the source. Listed only if requireSource and readsCredential are true. Not read if the pass was granted.',
    ),
  ],
  optionalAccountStrategy: 'omitted',
  arguments: [
    instructionArgumentNode({
      name: 'discriminator',
      type: fixedSizeTypeNode(bytesTypeNode(), 8),
      defaultValue: bytesValueNode('base16', EXECUTE_DISCRIMINATOR),
      defaultValueStrategy: 'omitted',
      docs: ['The discriminator of the transfer-hook interface.'],
    }),
    argument('amount', u64, 'Base units.'),
  ],
});

/** The instructions of a gate of Token ACL (sRFC 37): its two questions. */
import {
  bytesTypeNode,
  bytesValueNode,
  constantDiscriminatorNode,
  constantValueNode,
  fixedSizeTypeNode,
  instructionArgumentNode,
  instructionNode,
} from 'codama';
import { account, config } from './types.ts';

/** A question, by the first 8 bytes of the SHA-256 of its name. They are the whole data. */
const question = (name: string, discriminator: string, list: string, docs: string[]) =>
  instructionNode({
    name,
    docs: [
      ...docs,
      `After the five accounts of the interface and the list, the list names: Config as a literal; and the pass by the seeds "pass", 32 bytes of rule from the list account, and the address of the owner.`,
    ],
    discriminators: [
      constantDiscriminatorNode(
        constantValueNode(fixedSizeTypeNode(bytesTypeNode(), 8), bytesValueNode('base16', discriminator)),
      ),
    ],
    accounts: [
      account('caller', [], 'Who asked Token ACL to thaw or freeze. It can be anyone.'),
      account('tokenAccount', [], 'The token account.'),
      account('mint', [], 'The gated mint.'),
      account('tokenAccountOwner', [], 'The owner of the token account.'),
      account('flag', [], 'The account of Token ACL that exists during the question.'),
      account(list, [], 'The list of the question.'),
      config,
      account('pass', [], 'Pass of the owner.'),
    ],
    arguments: [
      instructionArgumentNode({
        name: 'discriminator',
        type: fixedSizeTypeNode(bytesTypeNode(), 8),
        defaultValue: bytesValueNode('base16', discriminator),
        defaultValueStrategy: 'omitted',
        docs: ['The discriminator of the interface.'],
      }),
    ],
  });

/** They come before other instructions, because the first byte of one is the number of createRuleSet. */
export const questions = [
  question('canThaw', '08afa981894a3df1', 'thawList', [
    'Answers whether anyone may thaw a token account: it has the ImmutableOwner extension, and its owner has a live pass. It writes nothing.',
  ]),
  question('canFreeze', 'd68d6d4bf8012d1d', 'freezeList', [
    'Answers whether anyone may freeze a token account: it does not have the ImmutableOwner extension, or its owner has no live pass. It writes nothing.',
  ]),
];

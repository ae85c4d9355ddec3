/** The instructions on mints and their tokens. */
import { definedTypeLinkNode } from 'codama';
import {
  account,
  argument,
  bool,
  config,
  optionalArgument,
  programInstruction,
  system,
  token2022,
  u64,
} from '../types.ts';

export const tokenInstructions = [
  programInstruction({
    name: 'bindMint',
    number: 10,
    docs: ['Binds a mint of the binding profile to a rule set. The MintBinding becomes the mint authority.'],
    accounts: [
      account('issuer', ['signer', 'writable'], 'Mint authority so far. Becomes the issuer and pays rent.'),
      account('mint', ['writable'], 'The Token-2022 mint.'),
      account('ruleSet', [], 'RuleSet.'),
      account('mintBinding', ['writable'], 'MintBinding, created.'),
      account('extraAccountMetaList', ['writable'], 'ExtraAccountMetaList, created.'),
      config,
      token2022,
      system,
    ],
    arguments: [
      argument('requireSource', bool, 'Whether the owner of the source needs a live pass too.'),
      optionalArgument(
        'terms',
        definedTypeLinkNode('bindingTerms'),
        'What it fixes beside requireSource. Without them, granted passes do not count, and transfers read no credential.',
      ),
    ],
  }),
  programInstruction({
    name: 'issueTokens',
    number: 13,
    docs: ['Mints tokens of a bound mint to a token account whose owner has a live pass.'],
    accounts: [
      account('issuer', ['signer'], 'The issuer of the binding.'),
      config,
      account('mintBinding', [], 'MintBinding, the mint authority.'),
      account('mint', ['writable'], 'The bound mint.'),
      account('destination', ['writable'], 'Token account with the ImmutableOwner extension.'),
      account('pass', [], 'Pass of the owner of the destination.'),
      account(
        'credential',
        [],
        'Credential of the owner of the destination. It must not be revoked, and must support the pass if readsCredential is true. The program does not read it if the pass was granted.',
      ),
      token2022,
    ],
    arguments: [argument('amount', u64, 'Base units, not zero.')],
  }),
  programInstruction({
    name: 'setGate',
    number: 32,
    docs: [
      'Makes this program the gate of a mint of Token ACL, or changes its rule set. New token accounts of the mint must be frozen.',
    ],
    accounts: [
      account('authority', ['signer', 'writable'], 'Authority of the MintConfig. Pays rent.'),
      account('mint', [], 'The Token-2022 mint, whose freeze authority is the MintConfig.'),
      account('mintConfig', [], 'MintConfig of Token ACL.'),
      account('ruleSet', [], 'RuleSet.'),
      account('thawList', ['writable'], 'List of canThaw, created if it does not exist.'),
      account('freezeList', ['writable'], 'List of canFreeze, created if it does not exist.'),
      config,
      system,
    ],
    arguments: [argument('honoursGranted', bool, 'Whether granted passes count.')],
  }),
];

/** What an issuer does with its binding and with the tokens of holders, besides issuing. */
import {
  account,
  address,
  argument,
  config,
  extraAccountMetaList,
  fixedOption,
  programInstruction,
  token2022,
  u8,
  u64,
} from '../types.ts';

const issuer = account('issuer', ['signer'], 'The issuer of the binding.');
const mintBinding = account('mintBinding', ['writable'], 'MintBinding.');
const delegate = account('mintBinding', [], 'MintBinding, the mint authority and permanent delegate.');
const mint = account('mint', ['writable'], 'The bound mint.');
const source = account(
  'source',
  ['writable'],
  'Token account that the tokens leave. Its owner does not sign.',
);
const amount = argument('amount', u64, 'Base units, not zero.');
const reason = argument(
  'reason',
  u8,
  '1 lost key, 2 court order, 3 error, 4 sanctions, 5 corporate action, 6 redemption, 7 other.',
);

export const issuerInstructions = [
  programInstruction({
    name: 'recover',
    number: 23,
    docs: [
      'Burns tokens of a token account, and mints as many to another one whose owner meets what issueTokens requires. The supply stays the same. The permanent delegate of the mint must be the MintBinding.',
    ],
    accounts: [
      issuer,
      config,
      delegate,
      mint,
      source,
      account('destination', ['writable'], 'Token account with the ImmutableOwner extension.'),
      account('pass', [], 'Pass of the owner of the destination.'),
      account('credential', [], 'Credential of the owner of the destination. It must not be revoked.'),
      token2022,
    ],
    arguments: [amount, reason],
  }),
  programInstruction({
    name: 'redeem',
    number: 24,
    docs: ['Burns tokens of a token account. The permanent delegate of the mint must be the MintBinding.'],
    accounts: [issuer, config, delegate, mint, source, token2022],
    arguments: [amount, reason],
  }),
  programInstruction({
    name: 'nominateIssuer',
    number: 25,
    docs: ['Nominates the next issuer of a bound mint. It replaces the nomination before.'],
    accounts: [issuer, mintBinding],
    arguments: [argument('nominee', fixedOption(address), 'The nominee. None withdraws the nomination.')],
  }),
  programInstruction({
    name: 'acceptIssuer',
    number: 26,
    docs: [
      'Makes the nominee the issuer of a bound mint. Clears the nomination and an announced rule set. Authorities of the mint, such as the freeze authority, stay with their holders.',
    ],
    accounts: [
      account('nominee', ['signer'], 'The nominee of the binding.'),
      mintBinding,
      extraAccountMetaList,
    ],
    arguments: [],
  }),
  programInstruction({
    name: 'announceRule',
    number: 27,
    docs: [
      'Announces another rule set for a bound mint. It replaces the announcement before. Anyone can apply it after ruleChangeDelaySeconds. The present rule set cancels the announcement.',
    ],
    accounts: [issuer, mintBinding, account('ruleSet', [], 'RuleSet.')],
    arguments: [],
  }),
  programInstruction({
    name: 'applyRule',
    number: 28,
    docs: ['Makes an announced rule set that of the bound mint, after the delay. Anyone can send it.'],
    accounts: [mintBinding, extraAccountMetaList],
    arguments: [],
  }),
];

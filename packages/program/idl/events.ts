/** The events. The program logs one byte of number and then the fields with sol_log_data. */
import {
  constantDiscriminatorNode,
  constantValueNode,
  eventNode,
  numberValueNode,
  type StructFieldTypeNode,
  structFieldTypeNode,
  structTypeNode,
} from 'codama';
import { address, bytes, field, u8, u64 } from './types.ts';

const event = (number: number, name: string, docs: string, fields: StructFieldTypeNode[]) =>
  eventNode({
    name,
    docs: [docs],
    discriminators: [constantDiscriminatorNode(constantValueNode(u8, numberValueNode(number)))],
    data: structTypeNode([
      structFieldTypeNode({
        name: 'event',
        type: u8,
        defaultValue: numberValueNode(number),
        defaultValueStrategy: 'omitted',
        docs: [`Always ${number}.`],
      }),
      ...fields,
    ]),
  });

export const events = [
  event(1, 'governanceSet', 'Config was created or changed.', [field('config', address, 'Config.')]),
  event(2, 'verifierSet', 'A verifier was created or changed.', [field('verifier', address, 'Verifier.')]),
  event(3, 'circuitSet', 'A circuit became the active one.', [field('circuit', address, 'Circuit.')]),
  event(4, 'credentialIssued', 'A credential was issued.', [
    field('credential', address, 'Credential.'),
    field('wallet', address, 'The wallet that holds it.'),
    field('verifier', address, 'Verifier.'),
    field('commitment', bytes(32), 'Field element, big-endian.'),
  ]),
  event(5, 'ruleSetCreated', 'A rule set was created.', [
    field('ruleSet', address, 'RuleSet.'),
    field('creator', address, 'Its creator.'),
  ]),
  event(6, 'mintBound', 'A mint was bound.', [
    field('mint', address, 'The mint.'),
    field('rule', address, 'RuleSet.'),
    field('issuer', address, 'The issuer.'),
  ]),
  event(7, 'passProved', 'A pass was created or renewed.', [
    field('pass', address, 'Pass.'),
    field('rule', address, 'RuleSet.'),
    field('wallet', address, 'The wallet.'),
    field('expiresAt', u64, 'Unix seconds.'),
    field('fee', u64, 'Lamports.'),
  ]),
  event(8, 'tokensIssued', 'Tokens were issued.', [
    field('mint', address, 'The mint.'),
    field('destination', address, 'Token account.'),
    field('amount', u64, 'Base units.'),
  ]),
  event(9, 'circuitRetired', 'The time of retirement of a circuit was set, or it was marked as unsound.', [
    field('circuit', address, 'Circuit.'),
  ]),
  event(10, 'credentialRevoked', 'A credential was revoked by its verifier or discarded by its wallet.', [
    field('credential', address, 'Credential.'),
    field('wallet', address, 'The wallet that holds it.'),
  ]),
  event(11, 'passClosed', 'A pass was closed, or ended before its time.', [
    field('pass', address, 'Pass.'),
    field('rule', address, 'RuleSet.'),
    field('wallet', address, 'The wallet. It received the rent of a pass that it proved.'),
  ]),
  event(
    12,
    'fundsWithdrawn',
    'Lamports were withdrawn from the treasury or from the pass funds of a rule set.',
    [
      field('from', address, 'Treasury or RuleSet.'),
      field('recipient', address, 'The account that received the lamports.'),
      field('lamports', u64, 'Lamports.'),
    ],
  ),
  event(13, 'feesCollected', 'The pass fees of a rule set were moved to the treasury.', [
    field('ruleSet', address, 'RuleSet.'),
    field('lamports', u64, 'Lamports.'),
  ]),
  event(14, 'maxPassFeeSet', 'The creator of a rule set set the highest pass fee that its pass funds pay.', [
    field('ruleSet', address, 'RuleSet.'),
    field('lamports', u64, 'Lamports per prove.'),
  ]),
  event(
    15,
    'tokensRecovered',
    'The issuer moved tokens from one token account to another without the owner.',
    [
      field('mint', address, 'The mint.'),
      field('source', address, 'Token account that lost the tokens.'),
      field('destination', address, 'Token account that received as many.'),
      field('amount', u64, 'Base units.'),
      field('reason', u8, 'The code of the reason.'),
    ],
  ),
  event(16, 'tokensRedeemed', 'The issuer burned tokens of a token account without the owner.', [
    field('mint', address, 'The mint.'),
    field('source', address, 'Token account that lost the tokens.'),
    field('amount', u64, 'Base units.'),
    field('reason', u8, 'The code of the reason.'),
  ]),
  event(17, 'issuerNominated', 'The next issuer of a mint was nominated.', [
    field('mint', address, 'The mint.'),
    field('nominee', address, 'The nominee. Zeros: the nomination was withdrawn.'),
  ]),
  event(18, 'issuerChanged', 'A mint has another issuer. An announced rule set was cancelled.', [
    field('mint', address, 'The mint.'),
    field('issuer', address, 'The issuer from now on.'),
  ]),
  event(19, 'ruleAnnounced', 'The issuer announced another rule set for a mint, or cancelled that.', [
    field('mint', address, 'The mint.'),
    field('rule', address, 'RuleSet. The present one cancels the announcement.'),
    field('from', u64, 'Unix seconds from which anyone can apply it. 0: the announcement was cancelled.'),
  ]),
  event(20, 'ruleChanged', 'A mint has another rule set.', [
    field('mint', address, 'The mint.'),
    field('rule', address, 'RuleSet.'),
  ]),
  event(21, 'passSuspended', 'The creator of a rule set suspended a pass, or lifted its suspension.', [
    field('pass', address, 'Pass.'),
    field('rule', address, 'RuleSet.'),
    field('wallet', address, 'The wallet.'),
    field('until', u64, 'Unix seconds. The largest number: until it is lifted. 0: it was lifted.'),
  ]),
  event(22, 'passGranted', 'The creator of a rule set granted a pass.', [
    field('pass', address, 'Pass.'),
    field('rule', address, 'RuleSet.'),
    field('wallet', address, 'The wallet.'),
    field('expiresAt', u64, 'Unix seconds.'),
    field('fee', u64, 'Lamports.'),
  ]),
  event(23, 'gateSet', 'The program was made the gate of a mint of Token ACL, or its rule set was changed.', [
    field('mint', address, 'The mint.'),
    field('rule', address, 'RuleSet.'),
    field('authority', address, 'The authority of the MintConfig.'),
  ]),
  event(24, 'placeTaken', 'A wallet took a place of a person from another one, whose pass ended.', [
    field('rule', address, 'RuleSet.'),
    field('tag', bytes(32), 'The tag of the person for the rule set and the place.'),
    field('oldWallet', address, 'The wallet that held it.'),
    field('newWallet', address, 'The wallet that holds it now.'),
  ]),
];

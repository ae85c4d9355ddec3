/** The accounts that the program owns, byte for byte, and the seeds of their addresses. */
import {
  arrayTypeNode,
  constantPdaSeedNodeFromString,
  definedTypeLinkNode,
  definedTypeNode,
  fixedCountNode,
  pdaNode,
  prefixedCountNode,
  structTypeNode,
  variablePdaSeedNode,
} from 'codama';
import {
  addedField,
  address,
  bool,
  bytes,
  field,
  fixedOption,
  optionalField,
  paddedName,
  programAccount,
  reserved,
  shortList,
  u8,
  u32,
  u64,
} from './types.ts';

const literal = (text: string) => constantPdaSeedNodeFromString('utf8', text);

export const pdas = [
  pdaNode({
    name: 'config',
    docs: ['Governance configuration, one per program.'],
    seeds: [literal('config')],
  }),
  pdaNode({
    name: 'treasury',
    docs: ['Holds the pass fees, one per program.'],
    seeds: [literal('treasury')],
  }),
  pdaNode({
    name: 'verifier',
    docs: ['A verifier. The seed is the key that signs its credentials.'],
    seeds: [literal('verifier'), variablePdaSeedNode('authority', address)],
  }),
  pdaNode({
    name: 'circuit',
    docs: ['A circuit. The seed is its id: 32 bytes of UTF-8, padded with zeros.'],
    seeds: [literal('circuit'), variablePdaSeedNode('id', paddedName)],
  }),
  pdaNode({
    name: 'credential',
    docs: ['The credential of a wallet.'],
    seeds: [literal('credential'), variablePdaSeedNode('wallet', address)],
  }),
  pdaNode({
    name: 'ruleSet',
    docs: [
      'A rule set. The seeds are its creator and a nonce that the creator chooses (u64, little-endian).',
    ],
    seeds: [literal('rule'), variablePdaSeedNode('creator', address), variablePdaSeedNode('nonce', u64)],
  }),
  pdaNode({
    name: 'mintBinding',
    docs: ['The binding of a mint to a rule set. It is also the mint authority of the bound mint.'],
    seeds: [literal('binding'), variablePdaSeedNode('mint', address)],
  }),
  pdaNode({
    name: 'pass',
    docs: ['The pass of a wallet for a rule set.'],
    seeds: [literal('pass'), variablePdaSeedNode('rule', address), variablePdaSeedNode('wallet', address)],
  }),
  pdaNode({
    name: 'place',
    docs: [
      'One of the places of a person in a rule set. The seeds are the rule set and the tag of the person.',
    ],
    seeds: [literal('place'), variablePdaSeedNode('rule', address), variablePdaSeedNode('tag', bytes(32))],
  }),
  pdaNode({
    name: 'extraAccountMetaList',
    docs: ['The validation account of the transfer-hook interface for a bound mint.'],
    seeds: [literal('extra-account-metas'), variablePdaSeedNode('mint', address)],
  }),
  pdaNode({
    name: 'thawList',
    docs: ['The list of accounts of canThaw for a gated mint.'],
    seeds: [literal('thaw_extra_account_metas'), variablePdaSeedNode('mint', address)],
  }),
  pdaNode({
    name: 'freezeList',
    docs: ['The list of accounts of canFreeze for a gated mint.'],
    seeds: [literal('freeze_extra_account_metas'), variablePdaSeedNode('mint', address)],
  }),
];

export const definedTypes = [
  definedTypeNode({
    name: 'clause',
    docs: [
      'One clause of a rule set, 37 bytes. A person meets it with a region in regionMask, a status in statusMask and an age of at least minAge.',
    ],
    type: structTypeNode([
      field(
        'regionMask',
        bytes(32),
        'Bit i of the 256-bit big-endian number allows region i. Not zero, below 2^253.',
      ),
      field('statusMask', u32, 'Bit i allows status i. Not zero.'),
      field('minAge', u8, 'Minimum age in whole years.'),
    ]),
  }),
  definedTypeNode({
    name: 'ruleSetTerms',
    docs: ['What a rule set fixes at its creation beside its clauses.'],
    type: structTypeNode([
      field(
        'powers',
        u8,
        'What the creator may do with passes. Bit 0: suspend them. Bit 1: grant them. Others are not valid.',
      ),
      field(
        'verifier',
        fixedOption(address),
        'The only verifier whose credentials prove the rule set. None: any verifier.',
      ),
      optionalField(
        'walletsPerPerson',
        u8,
        'How many wallets of one person can prove the rule set, as its verifier knows persons. More than 0 needs a verifier and at most six clauses. 0 or without it: any number.',
      ),
    ]),
  }),
  definedTypeNode({
    name: 'placeClaim',
    docs: ['A place of a person in a rule set, and the tag that shows whose it is.'],
    type: structTypeNode([
      field('number', u8, 'Number of the place, from 0, below walletsPerPerson of the rule set.'),
      field(
        'tag',
        bytes(32),
        'Poseidon of the person and of the scope of the place, big-endian. The scope is SHA-256 of "service:v1:person", rule set and number, without its three highest bits.',
      ),
    ]),
  }),
  definedTypeNode({
    name: 'bindingTerms',
    docs: ['What a binding fixes for good beside requireSource.'],
    type: structTypeNode([
      field('honoursGranted', bool, 'Whether granted passes count for the mint.'),
      optionalField(
        'readsCredential',
        bool,
        'Whether a proved pass counts only while the credential of its wallet supports it. Without it, no.',
      ),
    ]),
  }),
  definedTypeNode({
    name: 'extraAccountMeta',
    docs: ['One account that a transfer of a bound mint needs, by the transfer-hook interface.'],
    type: structTypeNode([
      field('discriminator', u8, '0 for a literal address, 1 for an address derived by the hook program.'),
      field('addressConfig', bytes(32), 'The address, or the seeds of its derivation.'),
      field('isSigner', bool, 'Always false.'),
      field('isWritable', bool, 'Always false.'),
    ]),
  }),
  definedTypeNode({
    name: 'extraAccountMetaList',
    docs: ['The validation account of a bound mint, with two entries of type, length and value.'],
    type: structTypeNode([
      field('listType', bytes(8), 'Discriminator of the instruction execute.'),
      field('listLength', u32, 'Bytes of metas, with their count.'),
      field(
        'metas',
        arrayTypeNode(definedTypeLinkNode('extraAccountMeta'), prefixedCountNode(u32)),
        'The accounts of execute after those of the interface: Config, and one or two for each side that needs a pass.',
      ),
      field('bindingType', bytes(8), 'First 8 bytes of SHA-256("service:v1:binding").'),
      field('bindingLength', u32, 'Bytes of the fields that follow.'),
      field('version', u8, 'Layout version, at most 2.'),
      field('bump', u8, 'The canonical bump of this address.'),
      field('requireSource', bool, 'Whether the owner of the source needs a pass too.'),
      field('mint', address, 'The bound mint.'),
      field('rule', address, 'The rule set.'),
      field('issuer', address, 'The wallet that may issue tokens.'),
      addedField('honoursGranted', bool, 'Whether granted passes count for this mint.'),
      addedField(
        'readsCredential',
        bool,
        'Whether a proved pass counts only while the credential of its wallet supports it.',
      ),
      reserved(62),
    ]),
  }),
  definedTypeNode({
    name: 'gateList',
    docs: ['The list of accounts of canThaw or canFreeze, with two entries of type, length and value.'],
    type: structTypeNode([
      field('listType', bytes(8), 'Discriminator of the question.'),
      field('listLength', u32, 'Bytes of metas, with their count.'),
      field(
        'metas',
        arrayTypeNode(definedTypeLinkNode('extraAccountMeta'), prefixedCountNode(u32)),
        'The accounts of the question after the list: two.',
      ),
      field('gateType', bytes(8), 'First 8 bytes of SHA-256("service:v1:gate").'),
      field('gateLength', u32, 'Bytes of the fields that follow.'),
      field('version', u8, 'Layout version, 1.'),
      field('bump', u8, 'The canonical bump of this address.'),
      field('honoursGranted', bool, 'Whether granted passes count.'),
      field('mint', address, 'The gated mint.'),
      field('rule', address, 'The rule set.'),
      reserved(64),
    ]),
  }),
];

export const accounts = [
  programAccount({
    name: 'config',
    type: 1,
    docs: ['Governance configuration, fixed size.'],
    fields: [
      field('genesisHash', bytes(32), 'Genesis hash of the cluster. Signatures of credentials contain it.'),
      field('authority', address, 'The governance authority.'),
      field(
        'paused',
        bool,
        'While this is true, the program rejects createRuleSet, bindMint, setGate, prove, grantPass, issueTokens, canThaw, recover, redeem and every transfer.',
      ),
      field(
        'passFee',
        fixedOption(u64),
        'Lamports that each prove takes from the pass funds, until nextPassFee holds. None until governance sets it.',
      ),
      field('nextPassFee', fixedOption(u64), 'A raise of the pass fee.'),
      field('nextPassFeeFrom', u64, 'Unix seconds from which nextPassFee holds. 0 without one.'),
      field(
        'unsetPassFee',
        fixedOption(u64),
        'The pass fee that governance unset. A higher one waits like a raise. None while one is set.',
      ),
      field('activeCircuit', fixedOption(address), 'The newest circuit.'),
      field('nominee', fixedOption(address), 'Becomes the governance authority when it accepts.'),
      field('guardian', fixedOption(address), 'May pause the protocol.'),
      field('passesValidFrom', u64, 'Unix seconds. Passes that were issued before are not valid.'),
      reserved(128),
    ],
  }),
  programAccount({
    name: 'treasury',
    type: 2,
    docs: ['The treasury. Its lamports above rent are the pass fees that were collected and not withdrawn.'],
    fields: [
      field('feesCollected', u64, 'Lamports of all pass fees that were collected from rule sets.'),
      reserved(32),
    ],
  }),
  programAccount({
    name: 'verifier',
    type: 3,
    docs: ['A verifier whose authority signs credentials.'],
    fields: [
      field('authority', address, 'The ed25519 key that signs credentials.'),
      field('active', bool, 'Whether its credentials can be issued and can prove.'),
      field('name', paddedName, 'Display name.'),
      reserved(32),
    ],
  }),
  programAccount({
    name: 'circuit',
    type: 4,
    docs: ['A circuit. The program accepts its proofs until it is retired. The account is never closed.'],
    fields: [
      field('id', paddedName, 'The circuit id of the artifact manifest.'),
      field('artifactsDigest', bytes(32), 'SHA-256 of the canonical artifact manifest.'),
      field(
        'retiredAt',
        fixedOption(u64),
        'Unix seconds from which the program rejects its proofs. None until it is retired.',
      ),
      field('unsound', bool, 'Whether it was retired as unsound. Then anyone may close its passes.'),
      field(
        'verifyingKey',
        bytes(576),
        'alpha | beta | gamma | delta | IC0 | IC1, big-endian points as the alt_bn128 syscalls take them.',
      ),
      reserved(32),
    ],
  }),
  programAccount({
    name: 'credential',
    type: 5,
    version: 2,
    docs: ['The credential of a wallet: a commitment to its attributes, signed by a verifier.'],
    fields: [
      field('wallet', address, 'The wallet that holds it.'),
      field('verifier', address, 'Address of the Verifier account that issued it.'),
      field(
        'commitment',
        bytes(32),
        'Field element, big-endian. Zeros: a revocation came before the credential, or the wallet discarded it.',
      ),
      field(
        'issuedAt',
        u64,
        'Unix seconds of the issue, of the revocation by its verifier, or of the discard. Nothing that its verifier signed up to then can land.',
      ),
      field('expiresAt', u64, 'Unix seconds.'),
      field('revoked', bool, 'Whether its verifier revoked it or its wallet discarded it.'),
      addedField(
        'voidUntil',
        u32,
        'Unix seconds. Nothing that any verifier signed up to then can land. 0 in version 1, where it is issuedAt.',
      ),
      addedField(
        'otherVerifier',
        bytes(8),
        'The first bytes of the address of another Verifier account. Zeros: none.',
      ),
      addedField(
        'otherVoidUntil',
        u32,
        'Unix seconds. Nothing that the other verifier signed up to then can land.',
      ),
    ],
  }),
  programAccount({
    name: 'ruleSet',
    type: 6,
    version: 2,
    docs: [
      'A rule set. Its lamports above rent and fees are its pass funds. Its size follows from its number of clauses. It is never closed.',
    ],
    fields: [
      field('creator', address, 'The wallet that created it.'),
      field('nonce', u64, 'Nonce of the creator.'),
      field('name', paddedName, 'Display name.'),
      field('ruleHash', bytes(32), 'SHA-256 of the eight clause hashes.'),
      field(
        'clauseHashes',
        arrayTypeNode(bytes(32), fixedCountNode(8)),
        'The hash of the clause in each slot, big-endian. An unused slot has the hash of the empty clause.',
      ),
      field('maxPassAgeSeconds', u64, 'Longest life of a pass in seconds.'),
      field('fees', u64, 'Lamports of pass fees that were taken from its pass funds and not collected yet.'),
      field('maxPassFee', u64, 'Highest pass fee in lamports that its pass funds pay.'),
      addedField(
        'powers',
        u8,
        'What its creator may do with passes. Bit 0: suspend them. Bit 1: grant them. It never changes.',
      ),
      addedField(
        'verifier',
        fixedOption(address),
        'The only verifier whose credentials prove it. None: any verifier. It never changes.',
      ),
      addedField(
        'walletsPerPerson',
        u8,
        'How many wallets of one person can prove it, as its verifier knows persons. 0: any number. It never changes.',
      ),
      reserved(21),
      field(
        'clauses',
        shortList(definedTypeLinkNode('clause')),
        'One to eight clauses. A person meets the rule set by meeting one of them.',
      ),
    ],
  }),
  programAccount({
    name: 'mintBinding',
    type: 7,
    version: 2,
    docs: ['Binds a mint to a rule set. It is never closed.'],
    fields: [
      field('mint', address, 'The bound Token-2022 mint.'),
      field('rule', address, 'Address of the rule set.'),
      field('issuer', address, 'The wallet that may issue tokens.'),
      field('requireSource', bool, 'Whether the owner of the source needs a live pass too.'),
      addedField('honoursGranted', bool, 'Whether granted passes count for this mint.'),
      addedField('nominee', address, 'Becomes the issuer when it accepts. Zeros: none.'),
      addedField('nextRule', address, 'The rule set that the issuer announced. Zeros: none.'),
      addedField('nextRuleFrom', u64, 'Unix seconds from which anyone can apply nextRule. 0 without one.'),
      addedField(
        'readsCredential',
        bool,
        'Whether a proved pass counts only while the credential of its wallet supports it.',
      ),
      reserved(22),
    ],
  }),
  programAccount({
    name: 'pass',
    type: 8,
    version: 2,
    docs: [
      'A pass. It is live while expiresAt is later than the chain time, suspendedUntil is not, and issuedAt is not before passesValidFrom of Config.',
    ],
    fields: [
      field('rule', address, 'Address of the rule set.'),
      field('wallet', address, 'The wallet that holds it.'),
      field('expiresAt', u64, 'Unix seconds.'),
      field('issuedAt', u64, 'Unix seconds of the last proof or grant. 0: there was none.'),
      field(
        'circuit',
        address,
        'The circuit of the last proof. Zeros: the creator of the rule set opened it, and its rent is the creator’s.',
      ),
      field('verifier', address, 'The verifier of the credential that was proved.'),
      field(
        'commitment',
        bytes(32),
        'The commitment that was proved. Zeros: the pass was ended, granted, or never proved.',
      ),
      addedField(
        'suspendedUntil',
        u64,
        'Unix seconds until which the creator of the rule set suspended it. 0: not suspended.',
      ),
      addedField('granted', bool, 'Whether the creator of the rule set granted it without a proof.'),
      addedField(
        'paidAt',
        u32,
        'Unix seconds of the last proof that took a fee. 0 in version 1, where it is issuedAt.',
      ),
      reserved(11),
    ],
  }),
  programAccount({
    name: 'place',
    type: 9,
    docs: [
      'One of the places of a person in a rule set that limits the wallets of each person. One wallet holds it. It is never closed.',
    ],
    fields: [
      field('rule', address, 'Address of the rule set.'),
      field('tag', bytes(32), 'The tag of the person for this rule set and place, big-endian.'),
      field('wallet', address, 'The wallet that holds it.'),
      field('pass', address, 'The pass of this wallet.'),
      field('since', u64, 'Unix seconds since when the wallet holds it.'),
      reserved(24),
    ],
  }),
];

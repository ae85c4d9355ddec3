/** Says in plain English what a mint's powers mean for a person who holds its tokens. */
import type { Address } from '@solana/kit';
import { readable } from '../../lib/quoted.ts';
import type {
  BindingPowers,
  GatePowers,
  MintPowers,
  MintRole,
  PowerSentence,
  RuleSetPowers,
  TransferFee,
} from './mint-powers.ts';

/** What the chain shows of a mint. */
export type PowersRecord = Omit<MintPowers, 'sentences'>;

/** Addresses that sentences compare with. */
export interface Places {
  /** The deployed program. */
  readonly program: Address;
  /** The address that the binding of the mint has or would have. */
  readonly binding: Address;
  /** The address that the configuration of the mint at Token ACL has or would have. */
  readonly mintConfig: Address;
}

/** Returns a sentence for each power, the most important first. */
export function sentencesOf(record: PowersRecord, places: Places): PowerSentence[] {
  const who = nameIn(record);
  const concerns =
    record.binding ||
    record.gate?.gate === places.program ||
    record.transferHook === places.program ||
    // The program signs for this address, also without a binding.
    Object.values(record.roles).includes(places.binding);
  const topics: [PowerSentence['topic'], readonly (string | false | null | undefined)[]][] = [
    [
      'tokens',
      [
        ...record.unknownExtensions.map(unknownExtension),
        ...takeSentences(record, places, who),
        ...feeSentences(record),
        ...checkSentences(record, places),
        ...freezeSentences(record, places, who),
        ...issueSentences(record, places, who),
        ...Object.entries(OF_ROLE).map(([role, text]) => {
          const holder = record.roles[role as MintRole];
          if (holder === null) return OF_NOBODY[role as MintRole];
          return holder && `${who(holder)} ${text}`;
        }),
        record.auditor &&
          `Whoever has the key of the auditor (${record.auditor}) can decrypt the amounts of all encrypted transfers.`,
        record.isSupplyEncrypted &&
          'The supply is encrypted. Only whoever has its key can read how many tokens exist.',
        record.isPaused &&
          (record.roles.pause ? 'The mint is paused now.' : 'The mint is paused, and nobody can resume it.'),
        !record.isTransferable && 'Tokens cannot be transferred, only burned.',
      ],
    ],
    ['rules', [...bindingSentences(record.binding, who), ...gateRules(record.gate)]],
    ['protocol', [...(concerns ? protocolSentences(record, places) : []), tokenAclSentence(record)]],
  ];
  return topics.flatMap(([topic, texts]) => texts.flatMap((text) => (text ? [{ topic, text }] : [])));
}

/** Returns the name of an address in a sentence: its role, if the mint gives it one, and the address. */
type Who = (address: Address) => string;

function nameIn({ binding, gate, protocol }: PowersRecord): Who {
  const roles = new Map<Address, string>([
    ...(protocol ? ([[protocol.governance, 'Governance']] as const) : []),
    ...[gate?.ruleSet, binding?.ruleSet].flatMap((set) =>
      set ? ([[set.creator, 'The creator of the rule set']] as const) : [],
    ),
    ...(gate ? ([[gate.authority, 'The authority of the gate']] as const) : []),
    ...(binding ? ([[binding.issuer, 'The issuer']] as const) : []),
  ]);
  return (address) => {
    const role = roles.get(address);
    return role ? `${role} (${address})` : address;
  };
}

const unknownExtension = (type: number) =>
  `The mint has an extension of type ${type}, which this SDK cannot read. It can give somebody powers that are not listed here. Do not accept the token before you know what it does.`;

/** What the holder of a role can do, after its name. The roles that are not here have sentences of their own. */
const OF_ROLE: Partial<Record<MintRole, string>> = {
  pause: 'can pause the mint. Then nobody can issue, transfer, burn, recover or redeem tokens.',
  hook: 'can set or replace the program that checks each transfer.',
  transferFee: 'can change the fee of transfers, up to the whole amount, one to two epochs ahead.',
  withheldFees: 'can collect the fees that were taken from transfers.',
  close:
    'can close the mint while no tokens exist. Then only whoever controls its address can create another mint there, which can give other powers.',
  confidentialTransfers: 'can decide whose amounts are encrypted, and who can decrypt them.',
  confidentialFees:
    'has the authority over the key that encrypts fees of encrypted transfers, and can stop or allow that anyone gathers them in the mint.',
  permissionedBurn: 'must sign whenever tokens are burned. Holders cannot burn their tokens alone.',
  scaledAmount: 'can scale the amounts that wallets show. The amounts on chain stay the same.',
  interestRate:
    'can set the interest that wallets add to the amounts that they show. The amounts on chain stay the same.',
  metadata: 'can change the name, the symbol and the other metadata of the token.',
  metadataPointer: 'can choose the account that has the name and the symbol of the token.',
  group: 'can change the group that the mint represents.',
  groupPointer: 'can choose the account of the group that the mint represents.',
  memberPointer: 'can choose the group that the mint belongs to.',
};

/** What it means for a holder that nobody has a role. */
const OF_NOBODY: Partial<Record<MintRole, string>> = {
  transferFee: 'Nobody can change the fee of transfers.',
  metadata: 'Nobody can change the name, the symbol and the other metadata in the mint itself.',
  withheldFees: 'Nobody can collect the fees that are taken from transfers.',
  scaledAmount:
    'Wallets scale the amounts that they show, and nobody can change how. The amounts on chain stay the same.',
  interestRate:
    'Wallets add interest to the amounts that they show, and nobody can change its rate. The amounts on chain stay the same.',
};

function feeSentences({ transferFee }: PowersRecord) {
  if (!transferFee) return [];
  const { current, next } = transferFee;
  return [
    `${feeText(current)} is taken from each transfer now.`,
    next && `${feeText(next)} is taken from each transfer from epoch ${next.fromEpoch} on.`,
  ];
}

const feeText = ({ basisPoints, maximum }: TransferFee) =>
  basisPoints === 0 || maximum === 0n
    ? 'No fee'
    : `A fee of ${basisPoints / 100}%, at most ${maximum} base units,`;

function takeSentences({ roles, binding, isTransferable }: PowersRecord, places: Places, who: Who) {
  const delegate = roles.permanentDelegate;
  if (!delegate)
    return ['Nobody can take tokens out of the account of a holder: the mint has no permanent delegate.'];
  if (delegate !== places.binding)
    return [
      `${who(delegate)} can ${isTransferable ? 'move and burn' : 'burn'} the tokens of every holder, as the permanent delegate.`,
    ];
  return [
    binding
      ? `${who(binding.issuer)} can move the tokens of any holder to another holder of a live pass, or burn them, with a public reason.`
      : 'If the mint is bound, its issuer can move or burn the tokens of any holder.',
  ];
}

function checkSentences({ binding, gate, transferHook, isTransferable }: PowersRecord, { program }: Places) {
  if (transferHook && transferHook !== program)
    return [`The program ${transferHook} decides about each transfer. This SDK does not know its rules.`];
  if (transferHook && binding) {
    return [
      `The program checks each transfer: the recipient needs a live pass${binding.requireSource ? ', and so does the sender' : ''}.${binding.readsCredential ? ' A verifier can stop a holder at once by revoking or replacing the credential, unless the pass was granted.' : ''}`,
    ];
  }
  if (transferHook)
    return ['The transfer hook is the program, but the mint is not bound: no rule set says who can hold it.'];
  return [
    gate
      ? 'The gate is weaker than a transfer hook: no program checks a transfer. A holder whose pass expired can move tokens until somebody freezes the account.'
      : isTransferable &&
        'No program checks transfers: everybody can receive tokens, unless the account is frozen.',
  ];
}

function freezeSentences({ roles, gate, startsFrozen }: PowersRecord, places: Places, who: Who) {
  const { freeze } = roles;
  const starts = startsFrozen && 'New token accounts are frozen.';
  if (!freeze) {
    return startsFrozen
      ? [
          'New token accounts are frozen, and nobody can thaw them.',
          'Nobody can freeze other token accounts.',
        ]
      : ['Nobody can freeze token accounts.'];
  }
  if (gate) return [...gateSentences(gate, places, who), starts];
  if (freeze === places.mintConfig) {
    return [
      'Token ACL has the freeze authority, but no configuration. Nobody can freeze or thaw now.',
      starts,
    ];
  }
  const effect = 'A frozen account can neither send, receive nor burn tokens.';
  const isNew = startsFrozen ? ' New token accounts are frozen until they are thawed.' : '';
  return [`${who(freeze)} can freeze and thaw any token account. ${effect}${isNew}`];
}

function gateSentences(
  { gate, ruleSet, canThaw, canFreeze, authority }: GatePowers,
  { program }: Places,
  who: Who,
) {
  const powers =
    'can thaw and freeze any token account without asking for a pass, change the rule set at once, name another gate, or end the gate.';
  const asked =
    gate !== program
      ? `Token ACL asks the program ${gate} before others thaw or freeze a token account. This SDK does not know its rules.`
      : !ruleSet
        ? 'The program is the gate, but no rule set was set. It lets nobody thaw or freeze a token account.'
        : `${canThaw ? 'Anyone' : 'Nobody else'} can thaw the account of a holder of a live pass. ${canFreeze ? 'Anyone' : 'Nobody else'} can freeze the account of a wallet without one.`;
  return [`${who(authority)} ${powers}`, asked];
}

function issueSentences({ roles, binding }: PowersRecord, places: Places, who: Who) {
  const authority = roles.mint;
  if (!authority) return ['Nobody can issue more tokens.'];
  return [
    binding && authority === places.binding
      ? `${who(binding.issuer)} can issue tokens without a limit, only to holders of a live pass.`
      : `${who(authority)} can issue tokens without a limit, to any account that is not frozen.`,
  ];
}

function bindingSentences(binding: BindingPowers | null, who: Who) {
  if (!binding) return [];
  const { issuer, ruleSet, issuerIsCreator, next, nominee, honoursGranted } = binding;
  return [
    `The mint is bound to ${described(ruleSet)}.`,
    `${who(issuer)} can announce another rule set, which can replace this one seven days later.`,
    !issuerIsCreator &&
      `The issuer is not the creator of the rule set. Anybody can bind a mint to any rule set, and an issuer can hand over the role. Ask the creator (${ruleSet.creator}) whether this mint is genuine.`,
    next &&
      `The issuer announced ${described(next.ruleSet)}. From ${dateOf(next.from)} on, anyone can apply it.`,
    nominee && `The issuer nominated ${nominee}, who can accept the role at any time.`,
    ...ruleSetSentences(ruleSet, honoursGranted),
    ...(next
      ? ruleSetSentences(next.ruleSet, honoursGranted).map((text) => `With the next rule set: ${text}`)
      : []),
  ];
}

function gateRules(gate: GatePowers | null) {
  if (!gate?.ruleSet) return [];
  const { ruleSet, honoursGranted } = gate;
  return [`The gate asks for passes of ${described(ruleSet)}.`, ...ruleSetSentences(ruleSet, honoursGranted)];
}

function ruleSetSentences(
  { creator, powers, verifier, walletsPerPerson }: RuleSetPowers,
  honoursGranted: boolean,
): string[] {
  const suspend = powers.includes('suspend')
    ? `The creator of the rule set (${creator}) can suspend the pass of any wallet, which then counts as if it had none.`
    : `The creator of the rule set (${creator}) cannot suspend passes.`;
  const grant = powers.includes('grant')
    ? `The creator can grant passes without a proof. They ${honoursGranted ? '' : 'do not '}count for this mint.`
    : 'The creator cannot grant passes without a proof.';
  const vouches = verifier
    ? `Only the verifier ${verifier} can attest what a proof needs. It can revoke that, which ends passes.`
    : 'Every active verifier can attest what a proof needs. Governance registers verifiers. A verifier can revoke what it attested, which ends passes.';
  const limit = `At most ${walletsPerPerson} wallets of one person can have proved passes. The verifier decides who is one person. Another wallet of that person can end a pass.`;
  return [suspend, grant, vouches, ...(walletsPerPerson ? [limit] : [])];
}

function protocolSentences({ protocol, roles, gate, transferHook }: PowersRecord, places: Places) {
  if (!protocol) return ['The program is not set up on this cluster.'];
  const { governance, nominee, guardian, isPaused, upgradeAuthority } = protocol;
  const others = Object.entries(roles).filter(
    ([role, holder]) => holder === places.binding && role !== 'mint' && role !== 'permanentDelegate',
  );
  const effects = [
    roles.mint === places.binding && 'issue tokens without a limit',
    transferHook === places.program && 'allow or block every transfer',
    gate?.gate === places.program && 'allow or block every thaw and freeze that Token ACL asks about',
    roles.permanentDelegate === places.binding && 'take tokens from every holder',
    others.length > 0 && `do what ${places.binding} can`,
  ].filter((effect) => effect !== false);
  return [
    `Governance (${governance}) can register and deactivate verifiers, replace the circuit, end all passes and pause the protocol.${guardian ? ` The guardian ${guardian} can pause it too.` : ''}${isPaused ? ' It is paused now.' : ''}`,
    nominee && `Governance nominated ${nominee}, who can become governance at any time.`,
    upgradeSentence(
      'the program',
      upgradeAuthority,
      [effects.slice(0, -1).join(', '), effects.at(-1)].filter(Boolean).join(' and '),
    ),
  ];
}

const tokenAclSentence = ({ tokenAcl }: PowersRecord) =>
  tokenAcl && upgradeSentence('Token ACL', tokenAcl.upgradeAuthority, 'freeze and thaw any token account');

const upgradeSentence = (what: string, by: Address | null | undefined, effects: string) =>
  by === null
    ? `Nobody can replace ${what}.`
    : `${by ?? 'Somebody, whom this SDK cannot name,'} can replace ${what}, and so ${effects}.`;

const described = ({ name, address, creator }: RuleSetPowers) =>
  `the rule set “${readable(name)}” (${address}) of ${creator}`;

/** Writes Unix seconds as a date. A time that is too late for a Date becomes the latest date. */
const dateOf = (seconds: bigint) => new Date(Math.min(Number(seconds) * 1_000, 8.64e15)).toISOString();

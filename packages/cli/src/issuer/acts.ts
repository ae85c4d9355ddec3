/** The acts of issuers, and of creators of rule sets. */
import { readFile } from 'node:fs/promises';
import { createRuleSetRequest } from '@service/contract';
import { clauseMasks } from '@service/contract/clause-masks';
import { describeIssue } from '@service/contract/issues';
import { type Intent, type MintTemplate, planInstruction } from '@service/protocol';
import { getEndGrantInstruction, getSetMaxPassFeeInstruction } from '@service/protocol/generated';
import type { Wallet } from '@service/sdk';
import * as chain from '@service/sdk/chain';
import { type Address, generateKeyPairSigner, type Instruction, type TransactionSigner } from '@solana/kit';
import type { Change, Request } from '../change/plan.ts';
import { type Options, UsageError } from '../options.ts';
import { recorded } from './recorded.ts';

const RULE = { rule: 'the address of the rule set' };
const HOLDER = { holder: 'the address of the wallet that holds the pass' };
const MINT = { mint: 'the address of the mint' };
const TOKEN_ACCOUNT = { 'token-account': 'the address of a token account of the mint' };
const AMOUNT = { amount: 'how many base units' };
const TAKEN = {
  source: 'the token account that the tokens are taken from',
  ...AMOUNT,
  reason: 'why, such as lost-key or redemption',
};
const SECONDS = 'Unix seconds';
const LIMIT = 'wallets-per-person';

/** Returns an act of the creator of a rule set. */
function byCreator(
  summary: string,
  options: Change['options'],
  instruct: (
    given: Request & { creator: TransactionSigner; ruleSet: Address },
    of: { programAddress: Address },
  ) => Instruction | Promise<Instruction>,
): Change {
  return {
    summary,
    options: { ...RULE, ...options },
    async plan(request) {
      const ruleSet = request.options.address('rule');
      const { creator } = await request.read('ruleSet', ruleSet);
      const given = { ...request, creator: request.signer, ruleSet };
      const instruction = await instruct(given, { programAddress: request.at.program });
      return { instructions: [instruction], signers: [creator] };
    },
  };
}

/** Suspends the pass of a wallet until a time; 0 lifts the suspension. */
const suspending = (summary: string, options: Change['options'], until: (options: Options) => bigint) =>
  byCreator(summary, { ...HOLDER, ...options }, (request) => {
    const pass = { rule: request.ruleSet, holder: request.options.address('holder') };
    const wallet = request.creator.address;
    return instructionOf(request, { kind: 'SUSPEND', wallet, ...pass, until: until(request.options) });
  });

/** What every function of `@service/sdk/chain` takes. */
type OnChain = Pick<Request, 'deployment' | 'rpc'>;

/** Returns an act that a function of `@service/sdk/chain` plans. It checks who must sign. */
function planned(
  summary: string,
  options: Change['options'],
  call: (wallet: Wallet, on: OnChain & { mint: Address }, options: Options) => Promise<unknown>,
): Change {
  return {
    summary,
    options: { ...MINT, ...options },
    movesTokens: true,
    async plan({ signer, deployment, rpc, options }) {
      const on = { deployment, rpc, mint: options.address('mint') };
      return { instructions: await recorded(signer.address, (wallet) => call(wallet, on, options)) };
    },
  };
}

const taken = (options: Options) => ({
  source: options.address('source'),
  amount: options.number('amount'),
  reason: options.text('reason') as chain.RemovalReason,
});

/** Returns the instruction of an operation, whose wallet signs. */
const instructionOf = ({ rpc, at }: Request, intent: Intent) =>
  planInstruction({ rpc, program: at.program, commitment: 'finalized' }, intent);

/** Returns whether an option says yes, or undefined if it is missing. */
const yesIfGiven = (options: Options, name: string) => (options.has(name) ? options.yes(name) : undefined);

/** Reads the request for a rule set. Throws UsageError unless a service would accept it. */
async function ruleSetOf(options: Options) {
  const file = options.text('clauses');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The file ${file} cannot be read. Pass a JSON file of clauses with --clauses.`);
  });
  let clauses: unknown;
  try {
    clauses = JSON.parse(text);
  } catch {
    throw new UsageError(`The file ${file} is not JSON. Pass an array of clauses.`);
  }
  const read = createRuleSetRequest.safeParse({
    name: options.text('name'),
    nonce: String(options.number('nonce')),
    clauses,
    maxPassAgeSeconds: String(options.number('max-pass-age')),
    ...(options.has('powers') ? { powers: options.text('powers').split(',') } : {}),
    ...(options.has('verifier') ? { verifier: options.address('verifier') } : {}),
    ...(options.has(LIMIT) ? { walletsPerPerson: Number(options.number(LIMIT)) } : {}),
  });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UsageError(`${issue!.path.join('.')} ${describeIssue(issue!)}.`);
}

function templateOf(text: string): MintTemplate {
  if (text === 'plain' || text === 'security' || text === 'fund') return text;
  throw new UsageError('--template must be plain, security or fund.');
}

/** The acts, by their commands. */
export const ACTS: Readonly<Record<string, Change>> = {
  'create-rule-set': {
    summary: 'creates a rule set, whose creator signs',
    options: {
      name: '1 to 32 bytes',
      nonce: 'a number that no other rule set of the creator has',
      clauses: 'a JSON file: [{ "regions": ["FR"], "statuses": ["retail"], "minAge": 18 }]',
      'max-pass-age': 'seconds, 3600 to 31622400',
      powers: 'suspend, grant, or both with a comma; the default is none',
      verifier: 'the only Verifier account that counts; the default is any',
      [LIMIT]:
        'how many wallets of each person can prove it, 1 to 255; it needs --verifier; the default is any number',
    },
    async plan(request) {
      const wallet = request.signer.address;
      const { clauses, ...body } = await ruleSetOf(request.options);
      const rule = await request.at.ruleSet(wallet, body.nonce);
      const intent = { kind: 'CREATE_RULE_SET', wallet, ...body, clauses: clauses.map(clauseMasks) } as const;
      return { instructions: [await instructionOf(request, intent)], creates: `rule set ${rule}` };
    },
  },
  'create-mint': {
    summary: 'creates a mint that its issuer, who need not sign, can bind',
    options: {
      issuer: 'the address that gets the authorities, such as a vault',
      template: 'plain, security or fund',
      decimals: 'decimal places of an amount, 0 to 255',
      name: 'what wallets show, 1 to 32 bytes; the default is none',
      symbol: 'what wallets show after amounts, 1 to 10 bytes; the default is none',
      uri: 'an https URL of a JSON file with more about the token; the default is none',
      'metadata-authority': 'who can change name, symbol and URI; the default is nobody',
    },
    async plan({ signer, options, deployment, rpc }) {
      const mint = await generateKeyPairSigner();
      const template = templateOf(options.text('template'));
      const decimals = Number(options.number('decimals'));
      if (decimals > 255) throw new UsageError('--decimals must be at most 255.');
      const textIfGiven = (name: string) => (options.has(name) ? options.text(name) : undefined);
      const created = {
        ...{ deployment, rpc, mint, template, decimals },
        issuer: options.address('issuer'),
        name: textIfGiven('name'),
        symbol: textIfGiven('symbol'),
        uri: textIfGiven('uri'),
        metadataAuthority: options.has('metadata-authority') ? options.address('metadata-authority') : null,
      };
      const instructions = await recorded(signer.address, (wallet) =>
        chain.createBindableMint(wallet, created),
      );
      return { instructions, keys: [mint], creates: `mint ${mint.address}` };
    },
  },
  'bind-mint': {
    summary:
      'binds a mint to a rule set, which cannot be undone; the mint authority signs, and becomes the issuer',
    options: {
      ...MINT,
      ...RULE,
      'require-source': 'yes if senders need a pass too, or no',
      'honours-granted': 'yes if granted passes count; the default is no',
      'reads-credential': 'yes if a revocation stops transfers at once; the default is no',
    },
    async plan(request) {
      const { options, signer, read } = request;
      const [mint, rule] = [options.address('mint'), options.address('rule')];
      await read('ruleSet', rule);
      const requireSource = options.yes('require-source');
      const honoursGranted = yesIfGiven(options, 'honours-granted');
      const readsCredential = yesIfGiven(options, 'reads-credential');
      const asked = { mint, rule, requireSource, honoursGranted, readsCredential };
      const intent = { kind: 'BIND_MINT', wallet: signer.address, ...asked } as const;
      return { instructions: [await instructionOf(request, intent)] };
    },
  },
  issue: {
    movesTokens: true,
    summary: 'issues tokens to a holder of a pass; the issuer signs',
    options: { ...MINT, destination: 'the token account that gets the tokens', ...AMOUNT },
    async plan(request) {
      const { options, at, read } = request;
      const mint = options.address('mint');
      const { issuer } = await read('mintBinding', await at.mintBinding(mint));
      const to = { destination: options.address('destination'), amount: options.number('amount') };
      const intent = { kind: 'ISSUE', wallet: issuer, mint, ...to } as const;
      return { instructions: [await instructionOf(request, intent)], signers: [issuer] };
    },
  },
  recover: planned(
    'moves tokens without their owner; the issuer signs',
    { ...TAKEN, destination: 'the token account that gets them' },
    (wallet, on, options) =>
      chain.recover(wallet, { ...on, ...taken(options), destination: options.address('destination') }),
  ),
  redeem: planned('burns tokens without their owner; the issuer signs', TAKEN, (wallet, on, options) =>
    chain.redeem(wallet, { ...on, ...taken(options) }),
  ),
  suspend: suspending(
    'suspends the pass of a wallet; the creator signs',
    { until: `${SECONDS}; 18446744073709551615 until it is lifted` },
    (options) => {
      const until = options.number('until');
      // 0 lifts the suspension, and has a command of its own.
      if (until === 0n) throw new UsageError('--until must not be 0. Send lift to end a suspension.');
      return until;
    },
  ),
  lift: suspending('ends the suspension of a pass; the creator signs', {}, () => 0n),
  grant: byCreator(
    'grants a pass without a proof; the creator signs',
    { ...HOLDER, 'expires-at': SECONDS },
    (request) => {
      const pass = { rule: request.ruleSet, holder: request.options.address('holder') };
      const expiresAt = request.options.number('expires-at');
      // 0 ends a grant, and has a command of its own.
      if (expiresAt === 0n)
        throw new UsageError('--expires-at must not be 0. Send end-grant to end a grant.');
      return instructionOf(request, { kind: 'GRANT', wallet: request.creator.address, ...pass, expiresAt });
    },
  ),
  'end-grant': {
    summary: 'closes a granted pass; its creator signs, or anyone once it is over',
    options: { ...RULE, ...HOLDER },
    async plan({ at, options, read, signer }) {
      const ruleSet = options.address('rule');
      const { creator } = await read('ruleSet', ruleSet);
      const [config, pass] = [await at.config(), await at.pass(ruleSet, options.address('holder'))];
      const of = { programAddress: at.program };
      const accounts = { sender: signer, pass, ruleSet, creator, config };
      return { instructions: [getEndGrantInstruction(accounts, of)] };
    },
  },
  'nominate-issuer': planned(
    'nominates the next issuer, which must accept; the issuer signs',
    { nominee: 'an address, or none' },
    (wallet, on, options) =>
      chain.nominateIssuer(wallet, { ...on, nominee: options.optional('nominee', 'address') }),
  ),
  'accept-issuer': planned('makes the nominee the issuer; the nominee signs', {}, chain.acceptIssuer),
  'announce-rule': planned(
    'announces another rule set, which can be applied after seven days; the issuer signs',
    RULE,
    (wallet, on, options) => chain.announceRule(wallet, { ...on, rule: options.address('rule') }),
  ),
  'apply-rule': planned('applies the announced rule set; anyone may sign', {}, chain.applyRule),
  freeze: planned(
    'freezes a token account; the freeze authority signs',
    TOKEN_ACCOUNT,
    (wallet, on, options) =>
      chain.freezeAccount(wallet, { ...on, tokenAccount: options.address('token-account') }),
  ),
  thaw: planned('thaws a token account; the freeze authority signs', TOKEN_ACCOUNT, (wallet, on, options) =>
    chain.thawAccount(wallet, { ...on, tokenAccount: options.address('token-account') }),
  ),
  'pause-mint': planned(
    'stops every issue, transfer and burn of a mint; its pause authority signs',
    {},
    chain.pauseMint,
  ),
  'resume-mint': planned('ends the pause of a mint; its pause authority signs', {}, chain.resumeMint),
  'set-gate': planned(
    'makes the program the gate of a mint of Token ACL; the freeze authority signs',
    {
      ...RULE,
      'honours-granted':
        'yes or no: whether granted passes count; the default is the present choice, or no for a new gate',
      'anyone-freezes':
        'yes or no: whether anyone may freeze accounts whose owner has no live pass; the default is the present choice; required for a new gate or rule set of a mint with tokens',
    },
    (wallet, on, options) =>
      chain.setGate(wallet, {
        ...on,
        rule: options.address('rule'),
        honoursGranted: yesIfGiven(options, 'honours-granted'),
        anyoneFreezes: yesIfGiven(options, 'anyone-freezes'),
      }),
  ),
  'fund-rule-set': {
    summary: 'adds to the pass funds of a rule set; anyone may sign',
    options: { ...RULE, lamports: 'how many lamports' },
    async plan({ signer, deployment, rpc, options }) {
      const asked = { deployment, rpc, rule: options.address('rule'), lamports: options.number('lamports') };
      return { instructions: await recorded(signer.address, (wallet) => chain.fundRuleSet(wallet, asked)) };
    },
  },
  'withdraw-pass-funds': {
    summary: 'moves pass funds out of a rule set; its creator signs',
    options: { ...RULE, lamports: 'how many lamports', recipient: 'the address that gets them' },
    async plan({ signer, deployment, rpc, options }) {
      const rule = options.address('rule');
      const moved = { lamports: options.number('lamports'), recipient: options.address('recipient') };
      const asked = { deployment, rpc, rule, ...moved };
      return {
        instructions: await recorded(signer.address, (wallet) => chain.withdrawPassFunds(wallet, asked)),
      };
    },
  },
  'set-max-pass-fee': byCreator(
    'sets the highest pass fee that a rule set pays; its creator signs',
    { lamports: 'lamports for each proof, renewal or grant' },
    ({ creator, ruleSet, options }, of) =>
      getSetMaxPassFeeInstruction({ creator, ruleSet, lamports: options.number('lamports') }, of),
  ),
};

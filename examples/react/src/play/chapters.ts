import {
  type Credential,
  type MintBinding,
  REGION_GROUPS,
  type TransferRequest,
  tokenAccountOf,
  type Witness,
} from '@service/sdk';
import { createBindableMint, createTokenAccount, fetchPass, fundRuleSet } from '@service/sdk/chain';
import {
  bindMintMutationOptions,
  createRuleSetMutationOptions,
  issueMutationOptions,
  type ProveProgress,
  proveMutationOptions,
  transferMutationOptions,
} from '@service/sdk/query';
import type { Address } from '@solana/kit';
import { formatAmount } from '../chain/amounts.ts';
import { wordsOfTransferReason } from '../checks/transfer-reasons.ts';
import { developmentWallet } from '../development-wallet/development-wallet.ts';
import { LIES } from '../lies/lies.ts';
import { startLying, stopLying } from '../lies/lying-service.ts';
import { refusalOf } from '../lies/refusals.ts';
import { NAMES, refusalFrom, type Stage } from './stage.ts';
import type { Role, Scene } from './story.ts';

const DECIMALS = 2;
const NAME = 'Example Bond 2030';
const SYMBOL = 'EXB';
const RULE_SET = 'EU professionals';
const ONE_SOL = 1_000_000_000n;
const PASS_FUNDS = 10_000_000n;
const ISSUED = 100_00n;
const SENT = 30_00n;
export const exb = (units: bigint) => `${formatAmount(units, DECIMALS)} ${SYMBOL}`;
/** The order of the offered lies: ten times the amount comes first. */
const [OTHER_AMOUNT] = LIES;

/** What later chapters need of earlier ones. */
export interface Props {
  rule?: MintBinding['rule'];
  mint?: Address;
  verified?: Partial<Record<Role, { readonly witness: Witness; readonly credential: Credential }>>;
}

/** A part of the story. */
export interface Chapter {
  readonly who: Role;
  /** What happens, while it happens. */
  readonly says: string;
  /** The button that ends the wait after it; without one, the story goes on by itself. */
  readonly next?: string;
  readonly run: (stage: Stage, props: Props) => Promise<Scene | undefined>;
}

export const CHAPTERS: readonly Chapter[] = [
  {
    who: 'issuer',
    says: 'An issuer and two investors get wallets, and SOL from the faucet.',
    async run({ wallets }) {
      const { requestAirdrop } = developmentWallet();
      await Promise.all(Object.values(wallets).map(({ address }) => requestAirdrop(address, ONE_SOL)));
      return undefined;
    },
  },
  {
    who: 'issuer',
    says: 'The issuer writes on chain who may hold the bond.',
    async run(stage, props) {
      const { client, signal } = stage;
      const wallet = await stage.as('issuer');
      const clauses = [
        {
          regions: [...REGION_GROUPS.EU],
          statuses: ['professional' as const, 'institutional' as const],
          minAge: 18,
        },
      ];
      stage.shows({ kind: 'rules', clauses });
      const request = { name: RULE_SET, clauses, maxPassAgeSeconds: 30n * 86_400n };
      const options = createRuleSetMutationOptions(client, wallet, { signal });
      const { rule } = await stage.run('CREATE_RULE_SET', wallet, options, request);
      props.rule = rule;
      stage.gives('issuer', { has: `Rule set ${RULE_SET}` });
      return undefined;
    },
  },
  {
    who: 'issuer',
    says: 'The issuer creates the token, and binds it to the rule set. Only holders of a pass can receive it now.',
    async run(stage, props) {
      const { client, signal } = stage;
      const { deployment } = client;
      const wallet = await stage.as('issuer');
      const rule = props.rule!;
      const [{ mint }] = await Promise.all([
        createBindableMint(wallet, {
          deployment,
          name: NAME,
          symbol: SYMBOL,
          decimals: DECIMALS,
          template: 'plain',
          signal,
        }),
        fundRuleSet(wallet, { deployment, rule, lamports: PASS_FUNDS, signal }),
      ]);
      props.mint = mint;
      const options = bindMintMutationOptions(client, wallet, { signal });
      await stage.run('BIND_MINT', wallet, options, { mint, rule, requireSource: false });
      stage.gives('issuer', { has: `${NAME} (${SYMBOL})` });
      return undefined;
    },
  },
  {
    who: 'alice',
    says: 'Alice gets verified once. Only the verifier and her browser know her country and her birth date.',
    run: (stage, props) => getsVerified(stage, props, 'alice'),
  },
  {
    who: 'alice',
    says: 'Alice proves in this browser that she meets the rules. The proof opens a pass, and says nothing else.',
    next: 'Continue',
    run: (stage, props) => getsPass(stage, props, 'alice'),
  },
  {
    who: 'issuer',
    says: `The issuer issues ${exb(ISSUED)} to Alice.`,
    async run(stage, props) {
      const { client, signal } = stage;
      const wallet = await stage.as('issuer');
      const mint = props.mint!;
      const destination = await opensAccount(stage, props, 'issuer', 'alice');
      const options = issueMutationOptions(client, wallet, { signal });
      await stage.run('ISSUE', wallet, options, { mint, destination, amount: ISSUED });
      stage.gives('issuer', { has: `${exb(ISSUED)} issued` });
      stage.gives('alice', { tokens: ISSUED });
      return { kind: 'transfer', text: `Alice holds ${exb(ISSUED)}. The chain checked her pass.` };
    },
  },
  {
    who: 'alice',
    says: `Alice wants to send ${exb(SENT)} to Bob. Bob has no pass.`,
    next: 'Send it anyway',
    async run(stage, props) {
      await stage.as('alice');
      await opensAccount(stage, props, 'alice', 'bob');
      stage.gives('bob', { tokens: 0n });
      const check = await stage.client.checkTransfer(await toBob(stage, props), { signal: stage.signal });
      if (check.ok) throw new Error('Bob has a pass already.');
      const words = { format: exb, recipient: NAMES.bob };
      return { kind: 'check', reasons: check.reasons.map((reason) => wordsOfTransferReason(reason, words)) };
    },
  },
  {
    who: 'alice',
    says: 'Alice ignores the warning and signs. The transaction is on its way to the chain.',
    next: 'Continue',
    async run(stage, props) {
      return { kind: 'chain', error: await refusalFrom(sendsToBob(stage, props), 'OPERATION_FAILED') };
    },
  },
  {
    who: 'bob',
    says: 'Bob gets verified, too.',
    run: (stage, props) => getsVerified(stage, props, 'bob'),
  },
  {
    who: 'bob',
    says: 'Bob proves the same rules, and gets a pass.',
    run: (stage, props) => getsPass(stage, props, 'bob'),
  },
  {
    who: 'alice',
    says: 'Alice sends the same transfer again. Now the chain lets it through.',
    async run(stage, props) {
      await sendsToBob(stage, props);
      stage.gives('alice', { tokens: ISSUED - SENT });
      stage.gives('bob', { tokens: SENT });
      return {
        kind: 'transfer',
        text: `Bob holds ${exb(SENT)}. Nobody learned Bob’s country or birth date.`,
      };
    },
  },
  {
    who: 'alice',
    says: 'A criminal takes over the service. Alice sends Bob tokens, and the service prepares ten times the amount.',
    next: 'Finish',
    async run(stage, props) {
      await stage.as('alice');
      startLying(OTHER_AMOUNT!);
      try {
        const error = await refusalFrom(sendsToBob(stage, props), 'PREPARED_MISMATCH');
        const refusal = refusalOf(error);
        if (!refusal) throw error;
        return { kind: 'refusal', refusal };
      } finally {
        stopLying();
      }
    },
  },
];

/** Has a person verified, and keeps the witness for the proof. */
async function getsVerified(stage: Stage, props: Props, role: Role): Promise<undefined> {
  await stage.as(role);
  const { witness, credential } = await stage.verify(`Passport of ${NAMES[role]}`);
  props.verified = { ...props.verified, [role]: { witness, credential } };
  stage.gives(role, { has: 'Verified' });
  return undefined;
}

/** Has a person prove the rule set. Shows what the person knows, and what the world sees. */
async function getsPass(stage: Stage, props: Props, role: Role): Promise<Scene> {
  const { client, signal } = stage;
  const wallet = await stage.as(role);
  const rule = props.rule!;
  const { witness, credential } = props.verified![role]!;
  const scene = { kind: 'knowledge', name: NAMES[role], witness, credential } as const;
  stage.shows({ ...scene, pass: null });
  const onProgress = ({ fraction }: ProveProgress) => stage.proves(fraction);
  const options = proveMutationOptions(client, wallet, { signal, witness, onProgress });
  await stage.run('PROVE', wallet, options, { rule });
  stage.proves(null);
  stage.gives(role, { has: 'Pass' });
  const pass = await fetchPass({ deployment: client.deployment, rule, wallet: wallet.address, signal });
  return { ...scene, pass };
}

/** Has a person open the token account of another one, and pay its rent. */
async function opensAccount(stage: Stage, { mint }: Props, payer: Role, owner: Role): Promise<Address> {
  const { client, signal, wallets } = stage;
  const account = { mint: mint!, owner: wallets[owner].address };
  await createTokenAccount(wallets[payer], { deployment: client.deployment, ...account, signal });
  return tokenAccountOf(account);
}

async function toBob({ wallets }: Stage, props: Props): Promise<TransferRequest> {
  const mint = props.mint!;
  const [source, destination] = await Promise.all([
    tokenAccountOf({ mint, owner: wallets.alice.address }),
    tokenAccountOf({ mint, owner: wallets.bob.address }),
  ]);
  return { mint, source, destination, amount: SENT };
}

async function sendsToBob(stage: Stage, props: Props): Promise<void> {
  const wallet = await stage.as('alice');
  const options = transferMutationOptions(stage.client, wallet, { signal: stage.signal });
  await stage.run('TRANSFER', wallet, options, await toBob(stage, props));
}

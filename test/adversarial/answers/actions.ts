/** What a client does with its own RPC. Each action ends with a result or a ServiceError, whatever the RPC answers. */
import { clauseMasks } from '@service/contract';
import { formatChallenge, programAddresses } from '@service/protocol';
import { type OperationKind, verifyReceipt } from '@service/sdk';
import * as onChain from '@service/sdk/chain';
import { quickClock } from '@service/testing';
import { getBase64Decoder, type Signature } from '@solana/kit';
import { memoryLedger } from '../../sdk/support/memory-ledger.ts';
import { countingWallet } from '../../support/counting-wallet.ts';
import { type HostileService, hostileService, ORIGIN, refusal } from '../../support/hostile-service.ts';
import { type Edits, nodeWith } from '../../support/node.ts';
import { honestWire, type Kind, type StillChain } from '../../support/still-chain.ts';

/** What is known about the chain while an action runs. */
type Truth = 'FINALIZED' | 'FAILED' | 'MAY_LAND' | 'NEVER_LANDED' | undefined;

/** An action that is ready to run. */
export interface Scene {
  readonly truth?: Truth;
  /** Runs it. The results of the RPC may be spoilt from here on. */
  run(): Promise<unknown>;
  /** The messages that a wallet may sign for it, and those that were submitted. */
  readonly honest?: Uint8Array;
  readonly submitted?: readonly Uint8Array[];
}

/** Sets the scene of an action on an honest RPC. `edits` may change afterwards. */
export type Action = (chain: StillChain, edits: Edits) => Promise<Scene>;

let nextId = 1;

/** Starts a service for one operation, and a client of it whose pauses take no time. */
export function start(chain: StillChain, edits: Edits, operationId?: string) {
  const id = operationId ?? `6f9619ff-8b86-4d01-b42d-${String(nextId++).padStart(12, '0')}`;
  const clock = quickClock(async () => {
    chain.net.advanceSlots(1);
    await new Promise((resolve) => setImmediate(resolve));
  });
  const rpc = nodeWith(chain.net, edits);
  const service = hostileService({ ...chain, net: { rpc } as typeof chain.net }, { operationId: id, clock });
  return { service, clock, rpc };
}

type Stage = ReturnType<typeof start>;

/** Has the service prepare an operation honestly. */
export async function prepare(chain: StillChain, { service }: Stage, { intent, prepare }: Kind) {
  const { blockhash } = (await chain.net.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()).value;
  const { operationId } = service;
  service.transaction = await honestWire(chain, { intent, prepare }, { operationId, blockhash });
  if (intent.kind === 'CREATE_RULE_SET') {
    const rule = await programAddresses(chain.deployment.program).ruleSet(intent.wallet, intent.nonce);
    service.more = { rule };
  }
  return prepare(service.client);
}

let nonce = 1_000n;

/** Returns an operation that succeeds on chain each time. */
export function creating({ wallet }: StillChain): Kind {
  nonce += 1n;
  const clauses = [{ regions: ['DE'], statuses: ['professional'], minAge: 18 }] as const;
  const request = { name: 'Acme EU', nonce, maxPassAgeSeconds: 86_400n };
  return {
    intent: {
      kind: 'CREATE_RULE_SET',
      wallet: wallet.address,
      ...request,
      clauses: clauses.map(clauseMasks),
    },
    prepare: (client) => client.prepare.createRuleSet({ ...request, clauses }),
  };
}

const sign =
  (kind: OperationKind): Action =>
  async (chain, edits) => {
    const stage = start(chain, edits);
    const { service } = stage;
    const prepared = await prepare(chain, stage, chain.kinds[kind]);
    return {
      run: () => service.client.signAndSubmit(countingWallet(chain.wallet), prepared),
      honest: service.transaction.slice(65),
      submitted: service.submitted,
    };
  };

/** Lands a transaction without the service. */
export async function land(chain: StillChain, wire: Uint8Array): Promise<void> {
  const encoded = getBase64Decoder().decode(wire) as never;
  await chain.net.rpc.sendTransaction(encoded, { encoding: 'base64', skipPreflight: true }).send();
  chain.net.finalize();
}

/** Waits for an operation, in the page that signed it or in another one. */
const waiting =
  (truth: Truth, isReloaded: boolean): Action =>
  async (chain, edits) => {
    const first = start(chain, edits);
    // Without passes, the chain rejects a transfer.
    const prepared = await prepare(chain, first, truth === 'FAILED' ? chain.kinds.TRANSFER : creating(chain));
    await first.service.client.signAndSubmit(countingWallet(chain.wallet), prepared);
    const wire = first.service.submitted.at(-1)!;
    if (truth === 'FINALIZED' || truth === 'FAILED') await land(chain, wire);
    if (truth === 'NEVER_LANDED') chain.net.advanceSlots(200);
    const { operationId, signature } = first.service;
    const { service } = isReloaded ? start(chain, edits, operationId) : first;
    // The service claims an end that only the chain can show, and after a reload it knows nothing.
    service.instead.set(`/api/operations/${operationId}`, () => {
      if (isReloaded) return refusal('NOT_FOUND', 404);
      return service.operation('FINALIZED', { signature: signature as Signature, slot: 1n, indexed: true });
    });
    const options = isReloaded ? { wallet: chain.wallet.address } : {};
    return {
      truth,
      run: () => service.client.waitForOperation(operationId, { ...options, timeoutMs: 8_000 }),
    };
  };

const receiving =
  (isVerified: boolean): Action =>
  async (chain, edits) => {
    const stage = start(chain, edits);
    const { service, rpc } = stage;
    const prepared = await prepare(chain, stage, creating(chain));
    await service.client.signAndSubmit(countingWallet(chain.wallet), prepared);
    await land(chain, service.submitted.at(-1)!);
    const { operationId } = service;
    service.instead.set(`/api/operations/${operationId}`, () => service.operation('SUBMITTED'));
    const receipt = await service.client.fetchReceipt(operationId);
    return {
      run: () => (isVerified ? verifyReceipt(receipt, { rpc }) : service.client.fetchReceipt(operationId)),
    };
  };

const signIn: Action = async (chain, edits) => {
  const { service } = start(chain, edits);
  const { program, genesisHash } = chain.deployment;
  const [now, nonce, challengeId] = [
    BigInt(Math.floor(Date.now() / 1000)),
    'n'.repeat(22),
    service.operationId,
  ];
  const expiresAt = now + 300n;
  const wallet = chain.wallet.address;
  const site = { origin: ORIGIN, wallet, program, genesisHash };
  const message = formatChallenge({ ...site, nonce, challengeId, issuedAt: now, expiresAt });
  service.instead.set('/api/auth/challenge', () =>
    Response.json({ challengeId, message, expiresAt: `${expiresAt}` }),
  );
  service.instead.set('/api/auth/verify', () => Response.json({ wallet, expiresAt: `${now + 43_200n}` }));
  return { run: () => service.client.authenticate(chain.wallet, genesisHash) };
};

const withClient =
  (run: (client: HostileService['client'], chain: StillChain) => Promise<unknown>): Action =>
  async (chain, edits) => {
    const { service } = start(chain, edits);
    return { run: () => run(service.client, chain) };
  };

const withRpc =
  (run: (options: onChain.ChainOptions, chain: StillChain) => Promise<unknown>): Action =>
  async (chain, edits) => {
    const { rpc, clock } = start(chain, edits);
    return { run: () => run({ deployment: chain.deployment, rpc, clock }, chain) };
  };

export const ACTIONS: Readonly<Record<string, Action>> = {
  'sign in': signIn,
  'create a rule set': sign('CREATE_RULE_SET'),
  'bind a mint': sign('BIND_MINT'),
  'prove a rule set': sign('PROVE'),
  'issue tokens': sign('ISSUE'),
  'transfer tokens': sign('TRANSFER'),
  'recover tokens': sign('RECOVER'),
  'redeem tokens': sign('REDEEM'),
  'suspend a holder': sign('SUSPEND'),
  'grant a pass': sign('GRANT'),
  'wait for what landed': waiting('FINALIZED', false),
  'wait for what failed': waiting('FAILED', false),
  'wait for what may land': waiting('MAY_LAND', false),
  'wait for what never landed': waiting('NEVER_LANDED', false),
  'find what landed': waiting('FINALIZED', true),
  'find what may land': waiting('MAY_LAND', true),
  'fetch a receipt': receiving(false),
  'verify a receipt': receiving(true),
  'check a transfer': withClient((client, { transfer, wallet }) =>
    client.checkTransfer(transfer, { wallet: wallet.address }),
  ),
  'check a proof': withClient((client, { rule, witness, wallet }) =>
    client.checkProof({ rule, witness }, { wallet: wallet.address }),
  ),
  'choose a priority fee': withClient((client, { transfer }) =>
    client.prepare.transfer(transfer, { priorityFee: 'auto', maxPriorityFeeLamports: 10_000n }),
  ),
  'fetch a pass': withRpc((options, { rule, wallet }) =>
    onChain.fetchPass({ ...options, rule, wallet: wallet.address }),
  ),
  'fetch the holders of a rule set': withRpc((options, { rule }) =>
    onChain.fetchHolders({ ...options, rule }),
  ),
  'fetch the accounts of a gated mint': withRpc((options, { transfer }) =>
    onChain.fetchGatedAccounts({ ...options, mint: transfer.mint }),
  ),
  'fetch a rule set': withRpc((options, { rule }) => onChain.fetchRuleSet({ ...options, rule })),
  'fetch a credential': withRpc((options, { wallet }) =>
    onChain.fetchCredential({ ...options, wallet: wallet.address }),
  ),
  'fetch a binding': withRpc((options, { transfer }) =>
    onChain.fetchBinding({ ...options, mint: transfer.mint }),
  ),
  'fetch a mint': withRpc((options, { transfer }) => onChain.fetchMint({ ...options, mint: transfer.mint })),
  'create a mint': withRpc((options, { wallet }) => onChain.createBindableMint(wallet, options)),
  'create a token account': withRpc((options, { wallet, transfer }) =>
    onChain.createTokenAccount(wallet, { ...options, mint: transfer.mint }),
  ),
  'fund a rule set': withRpc((options, { wallet, rule }) =>
    onChain.fundRuleSet(wallet, { ...options, rule, lamports: 1_000_000n }),
  ),
  'withdraw pass funds': withRpc((options, { wallet, rule }) =>
    onChain.withdrawPassFunds(wallet, { ...options, rule, lamports: 1n }),
  ),
  'set the highest pass fee': withRpc((options, { wallet, rule }) =>
    onChain.setMaxPassFee(wallet, { ...options, rule, lamports: 1_000n }),
  ),
  'issue to many': withRpc((options, { wallet, transfer: { mint, source, destination } }) =>
    onChain.issueMany(wallet, {
      ...options,
      mint,
      rows: [source, destination].map((each) => ({ destination: each, amount: 1n })),
      ledger: memoryLedger(),
    }),
  ),
  'close a pass': withRpc((options, { wallet, rule }) =>
    onChain.closePass(wallet, { ...options, rule, holder: wallet.address }),
  ),
  'freeze a token account': withRpc((options, { wallet, transfer }) =>
    onChain.freezeAccount(wallet, { ...options, mint: transfer.mint, tokenAccount: transfer.source }),
  ),
  'nominate an issuer': withRpc((options, { wallet, transfer }) =>
    onChain.nominateIssuer(wallet, { ...options, mint: transfer.mint, nominee: null }),
  ),
  'discard a credential': withRpc((options, { other }) => onChain.discardCredential(other, options)),
};

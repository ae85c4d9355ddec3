/** Runs one write with one simulated wallet, as a dApp does, and observes the client, the wallet and the chain. */
import { readOperationInstructions, splitWireTransaction } from '@service/protocol';
import {
  isServiceError,
  type PreparedOperation,
  type ServiceClient,
  standardWallet,
  verifyReceipt,
  type Wallet,
  type WriteOptions,
} from '@service/sdk';
import { type SimulatedWallet, type SimulatedWalletOptions, simulatedWallet } from '@service/testing';
import { getBase58Decoder, type Signature } from '@solana/kit';
import { until, walkCluster } from '../walk/cluster.ts';
import type { Person, Stage } from './stage.ts';
import { toldText } from './told-text.ts';

/** What the caller allows. */
export type Mode = 'defaults' | 'allowed';

/** The kinds of writes. A wallet treats the acts of an issuer like an issue: test/sdk/simulated-wallets.test.ts has them all. */
export const KINDS = ['CREATE_RULE_SET', 'BIND_MINT', 'PROVE', 'ISSUE', 'TRANSFER'] as const;
/** A kind of write. */
export type WriteKind = (typeof KINDS)[number];

/** The most lamports for priority, if the caller allows additions. */
export const MOST_PRIORITY_LAMPORTS = 10_000n;

/** Milliseconds of one look for an operation, and how often a look is repeated. */
const LOOK_MS = 1_500;
const MOST_LOOKS = 60;

/** The options of the client. The caller sets them once. */
const OPTIONS = {
  defaults: {},
  allowed: { guards: true, maxPriorityFeeLamports: MOST_PRIORITY_LAMPORTS },
} as const;

/** What happened. */
export interface Observed {
  /** FINALIZED, or the code of the error. */
  readonly outcome: string;
  /** The message of the error, without addresses and numbers; null if there is none. */
  readonly told: string | null;
  /** The kinds of changes that the error names. */
  readonly changes: readonly string[];
  /** The result of the next operation on the same page: READY, or the code of the error. Null if the write was finalized. */
  readonly next: string | null;
  /** How many transactions the wallet signed. */
  readonly signed: number;
  /** How many of them are on the chain: those that succeeded, and those that failed. */
  readonly landed: number;
  readonly failed: number;
  /** Lamports that the wallet lost. */
  readonly lost: bigint;
  /** How many of these lamports were for priority. */
  readonly priority: bigint;
  /** How many of these lamports were for signatures. */
  readonly fees: bigint;
  /** How many guards the transactions on the chain have. */
  readonly guards: number;
  /** How another page finds the operation, whose receipt then holds; null if nothing has landed. */
  readonly known: 'INDEXED' | 'ON_CHAIN' | 'FAILED' | null;
  /** Signatures of transactions that never landed. */
  readonly absent: readonly Signature[];
}

/** A person's wallet of one kind, signed in on the site. */
export interface Visit {
  readonly person: Person;
  readonly mode: Mode;
  /** Creates the wallet anew, for one write. */
  readonly connect: () => SimulatedWallet;
  /** The error of the connection or the sign-in, if the wallet cannot be used at all. */
  readonly refusal: unknown;
}

type Write = (
  client: ServiceClient,
  person: Person,
  wallet: Wallet,
  options: WriteOptions,
) => Promise<unknown>;

const AMOUNT = 10n;
const requests = {
  ISSUE: ({ mint, source }: Person) => ({ mint, destination: source, amount: AMOUNT }),
  TRANSFER: ({ mint, source, destination }: Person) => ({ mint, source, destination, amount: AMOUNT }),
  BIND_MINT: ({ spareMints, rule }: Person) => ({ mint: spareMints[0]!, rule, requireSource: true }),
};

const writes: Record<WriteKind, Write> = {
  CREATE_RULE_SET: (client, { ruleSet }, wallet, options) => client.createRuleSet(wallet, ruleSet, options),
  BIND_MINT: (client, person, wallet, options) =>
    client.bindMint(wallet, requests.BIND_MINT(person), options),
  PROVE: async (client, person, wallet, options) => client.prove(wallet, await person.nextProof(), options),
  ISSUE: (client, person, wallet, options) => client.issue(wallet, requests.ISSUE(person), options),
  TRANSFER: (client, person, wallet, options) => client.transfer(wallet, requests.TRANSFER(person), options),
};

/** Connects a wallet of the Wallet Standard and signs in, as a dApp does. */
export async function visit(
  { deployment, rpc }: Stage,
  person: Person,
  {
    wallet: id,
    mode,
    ...options
  }: { wallet: SimulatedWallet['kind']['id']; mode: Mode } & SimulatedWalletOptions,
): Promise<Visit> {
  const wallets = rpcOfWallets(deployment.rpcUrl, rpc);
  const connect = () => simulatedWallet(id, person.signer, { rpc: wallets, ...options });
  try {
    const { standard, account } = connect();
    const wallet = standardWallet(standard, account);
    await person.openPage().authenticate(wallet, deployment.genesisHash);
    return { person, mode, connect, refusal: null };
  } catch (refusal) {
    return { person, mode, connect, refusal };
  }
}

/**
 * Returns an RPC for wallets that answers as after a person has read the prompt: a blockhash is newer than every one before,
 * and what wallets send has landed. Then the outcome is the same on every cluster.
 */
function rpcOfWallets(rpcUrl: string, rpc: Stage['rpc']): Stage['rpc'] {
  const { landed } = walkCluster(rpcUrl);
  const sendTransaction = (...call: Parameters<Stage['rpc']['sendTransaction']>) => ({
    async send() {
      const signature = await rpc.sendTransaction(...call).send();
      await landed(signature);
      return signature;
    },
  });
  const getLatestBlockhash = (...call: Parameters<Stage['rpc']['getLatestBlockhash']>) => ({
    async send() {
      const before = await rpc.getLatestBlockhash(...call).send();
      let latest = before;
      await until('a newer blockhash', async () => {
        latest = await rpc.getLatestBlockhash(...call).send();
        return latest.value.blockhash !== before.value.blockhash;
      });
      return latest;
    },
  });
  const own: Readonly<Record<string | symbol, unknown>> = { sendTransaction, getLatestBlockhash };
  return new Proxy(rpc, {
    get: (target, name, receiver) => own[name] ?? Reflect.get(target, name, receiver),
  });
}

/** Runs one write on a new page, and waits until none of its transactions can still land. */
export async function play(
  stage: Stage,
  { person, mode, connect, refusal }: Visit,
  kind: WriteKind,
): Promise<Observed> {
  const { address } = person.signer;
  const { rpc } = stage;
  const simulated = connect();
  const before = (await rpc.getBalance(address, { commitment: 'finalized' }).send()).value;
  const page = person.openPage(OPTIONS[mode]);
  let prepared: PreparedOperation | undefined;
  let error: unknown = refusal;
  let next: string | null = null;
  if (!refusal) {
    await page.session();
    const wallet = standardWallet(simulated.standard, simulated.account);
    error = await writeWith(simulated, (signal) =>
      writes[kind](page, person, wallet, { signal, onPrepared: (each) => (prepared = each) }),
    );
  }
  const chain = await onChain(stage, simulated);
  if (error && !refusal) next = await nextOf(page, person);
  const after = (await rpc.getBalance(address, { commitment: 'finalized' }).send()).value;
  const succeeded = chain.landed > chain.failed;
  const known = chain.landed > 0 ? await knownElsewhere(stage, person, prepared!.operationId) : null;
  if (succeeded && kind === 'PROVE') person.passOpened();
  if (succeeded && kind === 'BIND_MINT') person.spareMints.shift();
  return {
    outcome: error ? codeOf(error) : 'FINALIZED',
    told: error ? toldText((error as Error).message, address) : null,
    changes: isServiceError(error, 'WALLET_CHANGED_TRANSACTION')
      ? error.context.changes.map((change) => change.kind)
      : [],
    next,
    signed: simulated.signed.length,
    ...chain,
    lost: before - after,
    known,
  };
}

/** Runs a write. A wallet that answers late does so after the site has aborted. Returns the error, or null. */
async function writeWith(
  simulated: SimulatedWallet,
  act: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  const controller = new AbortController();
  if (simulated.kind.id === 'answers-late') void simulated.opened.then(() => controller.abort());
  const error = await act(controller.signal).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  simulated.answer();
  // The client sees the late answer in a later turn.
  while (controller.signal.aborted && simulated.signed.length === 0) await turn();
  await turn();
  return error;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Returns the result of the next operation on a page: READY, or the code of the error. */
async function nextOf(page: ServiceClient, person: Person): Promise<string> {
  try {
    await page.prepare.issue(requests.ISSUE(person));
    return 'READY';
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  if (!isServiceError(error)) throw error;
  return error.code;
}

/** Waits until the transactions that landed are final, and reads them. */
async function onChain({ deployment, rpc }: Stage, { signed }: SimulatedWallet) {
  const signatures = [...new Set(signed.map(signatureOf))];
  const cluster = walkCluster(deployment.rpcUrl);
  const found = signatures.length > 0 ? (await rpc.getSignatureStatuses(signatures).send()).value : [];
  const landed = signatures.filter((_, index) => found[index]);
  const absent = signatures.filter((_, index) => !found[index]);
  let [failed, fees, priority, guards] = [0, 0n, 0n, 0];
  for (const signature of landed) {
    await cluster.finalized(signature);
    const config = {
      commitment: 'finalized',
      encoding: 'base64',
      maxSupportedTransactionVersion: 0,
    } as const;
    const transaction = await rpc.getTransaction(signature, config).send();
    const { err, fee } = transaction!.meta!;
    if (err) failed += 1;
    fees += 5_000n;
    priority += fee - 5_000n;
    const wire = new Uint8Array(Buffer.from(transaction!.transaction[0], 'base64'));
    guards += readOperationInstructions(splitWireTransaction(wire)!.message)?.guards.length ?? 0;
  }
  return { landed: landed.length, failed, fees, priority, guards, absent };
}

function signatureOf(wire: Uint8Array): Signature {
  return getBase58Decoder().decode(wire.slice(1, 65)) as Signature;
}

/**
 * Returns how another page finds an operation that knows only its id and its wallet. Its receipt must hold for others. The
 * service does not index what it has not sent, and the client then waits for its whole time.
 */
async function knownElsewhere(stage: Stage, person: Person, operationId: string): Promise<Observed['known']> {
  const { rpc, deployment } = stage;
  const wallet = person.signer.address;
  const page = person.openPage();
  for (let tries = 0; ; tries += 1) {
    try {
      const found = await page.waitForOperation(operationId, { wallet, timeoutMs: LOOK_MS });
      const { signature } = found;
      const receipt = await page.fetchReceipt(operationId, { wallet, signature });
      await verifyReceipt(JSON.stringify(receipt), { rpc, program: deployment.program });
      return found.indexed ? 'INDEXED' : 'ON_CHAIN';
    } catch (error) {
      if (isServiceError(error, 'OPERATION_FAILED')) return 'FAILED';
      if (!isServiceError(error, 'OUTCOME_UNKNOWN') || tries === MOST_LOOKS) throw error;
    }
  }
}

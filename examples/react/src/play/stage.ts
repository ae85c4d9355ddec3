/** The real service, wallets and chain, as the chapters of the story use them. */
import {
  isServiceError,
  parseWitnessFragment,
  type ServiceClient,
  standardWallet,
  type Wallet,
} from '@service/sdk';
import {
  authenticateMutationOptions,
  invalidateAfter,
  type ServiceMutationOptions,
  type ServiceWrite,
} from '@service/sdk/query';
import type { MutationOptions, QueryClient } from '@tanstack/react-query';
import { approveByItself, developmentWallet } from '../development-wallet/development-wallet.ts';
import type { WalletChoice } from '../wallet/chosen-wallet.tsx';
import type { ConnectableWallet } from '../wallet/standard-wallets.ts';
import { BEGINNING, type Role, type Scene, type Story, withMore } from './story.ts';

/** The names of the accounts of the development wallet. */
export const NAMES: Readonly<Record<Role, string>> = { issuer: 'Issuer', alice: 'Alice', bob: 'Bob' };

export interface StageOptions {
  readonly client: ServiceClient;
  readonly queryClient: QueryClient;
  /** Chooses the account of the page, so that its header shows who acts. */
  readonly choice: Pick<WalletChoice, 'connect'>;
  readonly signal: AbortSignal;
  readonly change: (change: (story: Story) => Story) => void;
}

/** Acts for three people, one at a time: a browser has one session with the service. */
export class Stage {
  readonly client: ServiceClient;
  readonly signal: AbortSignal;
  readonly wallets: Readonly<Record<Role, Wallet>>;
  readonly #options: StageOptions;

  private constructor(options: StageOptions, wallets: Readonly<Record<Role, Wallet>>) {
    this.client = options.client;
    this.signal = options.signal;
    this.wallets = wallets;
    this.#options = options;
  }

  /** Connects the development wallet, which approves by itself until the signal ends it. */
  static async open(options: StageOptions): Promise<Stage> {
    const { change, signal } = options;
    change(() => ({ ...BEGINNING, mode: 'playing' }));
    approveByItself(signal, () => change((story) => ({ ...story, approvals: story.approvals + 1 })));
    const development = developmentWallet();
    await options.choice.connect(development.wallet as unknown as ConnectableWallet);
    const walletOf = (role: Role) => {
      const account = development.accounts.find(({ label }) => label === NAMES[role]);
      if (!account) throw new Error(`The development wallet has no account ${NAMES[role]}.`);
      return standardWallet(development.wallet, account);
    };
    return new Stage(options, {
      issuer: walletOf('issuer'),
      alice: walletOf('alice'),
      bob: walletOf('bob'),
    });
  }

  /** Signs a person in, and returns the wallet. */
  async as(role: Role): Promise<Wallet> {
    const { client, choice } = this.#options;
    const wallet = this.wallets[role];
    await choice.connect(developmentWallet().wallet as unknown as ConnectableWallet, wallet.address);
    if ((await client.session()) !== wallet.address) {
      await this.run('authenticate', wallet, authenticateMutationOptions(client, wallet), undefined);
    }
    return wallet;
  }

  /** Runs a write as the forms do: with its mutation, so that the page notes what the client refuses. */
  async run<D, V>(
    write: ServiceWrite,
    wallet: Wallet,
    options: ServiceMutationOptions<D, V>,
    request: V,
  ): Promise<D> {
    const { client, queryClient } = this.#options;
    const mutation = queryClient
      .getMutationCache()
      .build(queryClient, options as unknown as MutationOptions<D, Error, V>);
    try {
      return await mutation.execute(request);
    } finally {
      await invalidateAfter(queryClient, client, write, wallet.address);
    }
  }

  /** Has a person verified at the sandbox verifier, as a professional in France. Returns the witness and the credential. */
  async verify(document: string) {
    const { client, signal } = this;
    const { url } = await client.startVerification({ returnUrl: `${location.origin}/holder` }, { signal });
    const answers = { region: 'FR', status: 'professional', birthDate: '1990-05-17', document };
    const response = await fetch(`/sandbox-visit?${new URLSearchParams({ url, ...answers })}`, { signal });
    if (!response.ok) throw new Error('The sandbox verifier rejected the visit. Play again.');
    const { returnUrl } = (await response.json()) as { returnUrl: string };
    const witness = parseWitnessFragment(new URL(returnUrl).hash);
    if (!witness) throw new Error('The sandbox verifier returned no witness. Play again.');
    return { witness, credential: await client.waitForCredential({ signal }) };
  }

  /** Shows a scene while the chapter goes on. */
  shows(scene: Scene): void {
    this.#options.change((story) => ({ ...story, scene }));
  }

  /** Notes what a person has now. */
  gives(role: Role, more: { has?: string; tokens?: bigint }): void {
    this.#options.change((story) => withMore(story, role, more));
  }

  proves(fraction: number | null): void {
    this.#options.change((story) => ({ ...story, proof: fraction }));
  }
}

/** Returns the error of a write that must fail with a code. Throws if the write succeeds, or fails otherwise. */
export async function refusalFrom(write: Promise<unknown>, code: 'OPERATION_FAILED' | 'PREPARED_MISMATCH') {
  try {
    await write;
  } catch (error) {
    if (isServiceError(error, code)) return error;
    throw error;
  }
  throw new Error('A request succeeded that should have been refused. Play again.');
}

/** A change of the chain, as a command describes it. */
import type { AccountKind, AccountOf, ProgramAddresses } from '@service/protocol';
import type { Config } from '@service/protocol/generated';
import type { Deployment } from '@service/sdk';
import type { Address, Instruction, KeyPairSigner, Rpc, SolanaRpcApi, TransactionSigner } from '@solana/kit';
import type { Options } from '../options.ts';

/** What a change is built from. */
export interface Request {
  /** Who signs. */
  readonly signer: TransactionSigner;
  readonly at: ProgramAddresses;
  readonly deployment: Deployment;
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly config: Config;
  /** The options of the command line. */
  readonly options: Options;
  /** Returns an account of the program. Throws UsageError if there is none at the address. */
  read<K extends AccountKind>(kind: K, address: Address): Promise<AccountOf<K>>;
}

/** The instructions of a change, and who may sign them. */
export interface Planned {
  readonly instructions: readonly Instruction[];
  /** Absent if anyone may, or if the plan has checked the signer already. */
  readonly signers?: readonly Address[];
  /** New keys that sign too. */
  readonly keys?: readonly KeyPairSigner[];
  /** What the change creates, as a line for the person. */
  readonly creates?: string;
}

/** A change, by its command. */
export interface Change {
  readonly summary: string;
  /** What each option is, by its name without dashes. A flag has the empty text. */
  readonly options: Readonly<Record<string, string>>;
  /** Whether the program calls Token-2022, whose errors have the numbers of other programs. */
  readonly movesTokens?: boolean | undefined;
  plan(request: Request): Promise<Planned>;
}

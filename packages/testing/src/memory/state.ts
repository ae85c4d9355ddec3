/** The state that the parts of the service in memory share: clock, chain, program, and ids that are the same in every run. */
import type { ChainReader } from '@service/protocol';
import type { Deployment } from '@service/sdk';
import { createSolanaRpcFromTransport, getBase16Decoder, type RpcTransport } from '@solana/kit';
import { MemoryChain } from './chain.ts';
import { digestOf } from './fixtures.ts';
import { MemoryProgram } from './program.ts';

/** Options of a service in memory. */
export interface MemoryOptions {
  readonly deployment: Deployment;
  /** Origin of the site. */
  readonly origin: string;
  /** Returns the present time in Unix seconds. */
  readonly now: () => bigint;
  /** The manifest of the artifacts that the deployment pins. */
  readonly manifest: { readonly circuit: string };
}

/** The state that the handlers read and change. */
export class MemoryState {
  readonly deployment: Deployment;
  readonly origin: string;
  readonly now: () => bigint;
  readonly manifest: MemoryOptions['manifest'];
  readonly chain: MemoryChain;
  readonly program: MemoryProgram;
  /** Reads the chain as the service's index does. */
  readonly reader: ChainReader;
  #count = 0;

  constructor({ deployment, origin, now, manifest }: MemoryOptions) {
    this.deployment = deployment;
    this.origin = origin;
    this.now = now;
    this.manifest = manifest;
    this.chain = new MemoryChain(deployment.genesisHash, now);
    this.program = new MemoryProgram(this.chain, deployment.program, manifest.circuit);
    const transport = (async ({ payload }: Parameters<RpcTransport>[0]) =>
      this.chain.respond(payload as never)) as RpcTransport;
    const rpc = createSolanaRpcFromTransport(transport) as never;
    this.reader = { rpc, program: deployment.program, commitment: 'finalized' };
  }

  /** Returns the next token of a kind, 64 lowercase hex digits. It is the same in every run. */
  async token(kind: string): Promise<string> {
    this.#count += 1;
    return getBase16Decoder().decode(await digestOf(`${kind} ${this.#count}`));
  }

  /** Returns the next UUID. It is the same in every run. */
  async uuid(): Promise<string> {
    const hex = await this.token('id');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }
}

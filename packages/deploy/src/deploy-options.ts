import type { Address, KeyPairSigner } from '@solana/kit';
import type { DeployRpc } from './loader/send.ts';

/** The parts of a protocol on chain. */
export interface Protocol {
  /** Base58 genesis hash of the cluster. */
  genesisHash: string;
  /** The SBF shared object. */
  so: Uint8Array;
  keys: {
    /** Pays rent and fees; needs about 1.05 SOL. */
    payer: KeyPairSigner;
    program: KeyPairSigner;
    upgradeAuthority: KeyPairSigner;
    /** The governance authority. */
    governance: KeyPairSigner;
  };
  /** The circuit: id and digest (32 bytes) of its manifest, packed verifying key (576 bytes). */
  circuit: { id: string; artifactsDigest: Uint8Array; verifyingKey: Uint8Array };
  verifier: { authority: Address; name: string };
  /** Lamports per prove. */
  passFee: bigint;
}

/** Options of `deployProtocol`. */
export interface DeployProtocolOptions extends Protocol {
  rpc: DeployRpc;
  /** Also replaces the circuit (after a grace period), the verifier and the pass fee. @default false: they do not change */
  update?: { circuitGraceSeconds: bigint } | undefined;
  /** Called with a line for each step that is done or was not needed. */
  onStep?: (line: string) => void;
  signal?: AbortSignal;
}

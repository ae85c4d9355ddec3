import type { Address, KeyPairSigner } from '@solana/kit';

/** What a protocol consists of on chain. */
export interface Protocol {
  /** Base58 genesis hash of the cluster. */
  genesisHash: string;
  /** The SBF shared object. */
  so: Uint8Array;
  keys: {
    /** Pays rent and fees; needs about 0.6 SOL. */
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

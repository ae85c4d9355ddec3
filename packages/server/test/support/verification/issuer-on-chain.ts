/** Set-up of tests of the issuer: a service on its own chain, a wallet, and the rows and accounts of its credential. */
import { credentialMessage, readAccount } from '@service/protocol';
import { type Address, type Commitment, generateKeyPairSigner, signBytes } from '@solana/kit';
import { startCredentialIssuer } from '../../../src/verification/issuing/issuer.ts';
import type { Times } from '../chain.ts';
import { serviceOnChain } from '../service-on-chain.ts';
import { addIssuingSession } from './sessions.ts';

/** Registers the hooks of `serviceOnChain` and returns its parts, with helpers for the current wallet. */
export function issuerOnChain() {
  const on = Object.assign(serviceOnChain(), {
    wallet: '' as Address,

    /** Continues with a new wallet. */
    async reset(): Promise<void> {
      on.recover();
      on.wallet = (await generateKeyPairSigner()).address;
    },

    /** Breaks the connection before or after each call of `sendTransaction`. */
    breakSends(when: 'before' | 'after'): void {
      on.rpc[when] = (method: string, response?: unknown) => {
        if (method === 'sendTransaction') throw new TypeError('fetch failed');
        return response;
      };
    },

    /** The times of a credential that was issued some seconds ago and has some seconds left. */
    times: (ago = 0n, left = 10_000n): Times => ({
      issuedAt: on.clock.seconds - ago,
      expiresAt: on.clock.seconds + left,
    }),

    /** Adds a session in ISSUING, with a credential for the wallet. Returns the session's id. */
    async queued(times = on.times(), { address, keyPair } = on.chain.keys.verifier): Promise<string> {
      const statement = on.chain.statement(on.wallet, times);
      return addIssuingSession(on.database.db, {
        wallet: on.wallet,
        now: on.clock.now(),
        verifier_authority: address,
        commitment: statement.commitment,
        issued_at: times.issuedAt,
        credential_expires_at: times.expiresAt,
        signature: await signBytes(keyPair.privateKey, credentialMessage(statement)),
      });
    },

    /** Runs a step of the issuer. */
    tick: () => startCredentialIssuer(on.service.service).tick(),

    /** Runs a step after some seconds. */
    tickAfter(seconds: number): Promise<void> {
      on.clock.pass(seconds);
      return on.tick();
    },

    /** Finalizes what landed and runs a step. */
    finalizeAndTick(): Promise<void> {
      on.chain.net.finalize();
      return on.tick();
    },

    /** Reads the wallet's credential from the chain. */
    async credential(commitment: Commitment = 'finalized') {
      const { rpc, program, addresses } = on.chain;
      const address = await addresses.credential(on.wallet);
      return (await readAccount({ rpc, program, commitment }, 'credential', address))?.data ?? null;
    },

    /** Returns the transactions that landed for the wallet's credential, the newest first. */
    async landed() {
      const address = await on.chain.addresses.credential(on.wallet);
      return on.chain.net.rpc.getSignaturesForAddress(address, { commitment: 'confirmed' }).send();
    },

    /** Counts the calls of `sendTransaction`. */
    sends: () => on.rpc.calls.filter((method) => method === 'sendTransaction').length,
  });
  return on;
}

/** Set-up of tests of the issuer: a service on its own chain, a wallet, and the rows and accounts of its credential. */
import { randomUUID } from 'node:crypto';
import { credentialMessage, readAccount } from '@service/protocol';
import { type Address, type Commitment, generateKeyPairSigner, signBytes } from '@solana/kit';
import { startCredentialIssuer } from '../../../src/verification/index.ts';
import { serviceOnChain } from '../service-on-chain.ts';
import { addIssuingSession } from './sessions.ts';

/** Registers the hooks of `serviceOnChain` and returns its parts, with helpers for the current wallet. */
export function issuerOnChain() {
  const on = Object.assign(serviceOnChain(), {
    wallet: '' as Address,

    /** Continues with a new wallet, and with RPC calls that work. */
    async reset(): Promise<void> {
      on.recover();
      on.wallet = (await generateKeyPairSigner()).address;
    },

    /** Lets RPC calls work again. */
    recover(): void {
      on.rpc.before = on.rpc.after = () => undefined;
    },

    /** Breaks the connection before or after each call of `sendTransaction`. */
    breakSends(when: 'before' | 'after'): void {
      on.rpc[when] = (method) => {
        if (method === 'sendTransaction') throw new TypeError('fetch failed');
      };
    },

    /** Adds a session in ISSUING, with a credential for the wallet. Times are Unix seconds. Returns the session's id. */
    async queued(
      times = { issuedAt: on.clock.seconds, expiresAt: on.clock.seconds + 10_000n },
      verifier = on.chain.keys.verifier,
    ): Promise<string> {
      const id = randomUUID();
      const statement = on.chain.statement(on.wallet, times);
      await addIssuingSession(on.database.db, {
        id,
        wallet: on.wallet,
        created_at: BigInt(on.clock.now()),
        expires_at: BigInt(on.clock.now()) + 3_600_000n,
        verifier_authority: verifier.address,
        commitment: statement.commitment,
        issued_at: times.issuedAt,
        credential_expires_at: times.expiresAt,
        signature: await signBytes(verifier.keyPair.privateKey, credentialMessage(statement)),
      });
      return id;
    },

    tick: () => startCredentialIssuer(on.service.service).tick(),

    session: (id: string) =>
      on.database.db
        .selectFrom('verification_session')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),

    /** Reads the wallet's credential from the chain. */
    async credential(commitment: Commitment = 'finalized') {
      const { net, program, addresses } = on.chain;
      const reader = { rpc: net.rpc as never, program, commitment };
      return (await readAccount(reader, 'credential', await addresses.credential(on.wallet)))?.data ?? null;
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

/** The effect of the operations on the program's accounts. */
import { powerBits } from '@service/contract/creator-powers';
import {
  type Intent,
  isProved,
  isSuspended,
  type ProveIntent,
  programAddresses,
  SYSTEM_PROGRAM,
} from '@service/protocol';
import { clauseHashes, fieldToBytes, ruleHash } from '@service/protocol/eligibility';
import { integerToBytes } from '@service/protocol/eligibility/field';
import {
  getCircuitEncoder,
  getConfigEncoder,
  getCredentialDecoder,
  getCredentialEncoder,
  getMintBindingEncoder,
  getPassDecoder,
  getPassEncoder,
  getPlaceEncoder,
  getRuleSetEncoder,
  getVerifierEncoder,
  type PassArgs,
  RULE_SET_PASS_ERROR__PASS_SUSPENDED,
} from '@service/protocol/generated';
import type { Deployment } from '@service/sdk';
import { type Address, getBase16Encoder, getBase58Encoder, type ReadonlyUint8Array } from '@solana/kit';
import type { MemoryChain } from './chain.ts';
import { testCredential, testWallet } from './fixtures.ts';
import { MemoryTokens } from './tokens.ts';

/** Lamports per pass. */
export const TEST_PASS_FEE = 50_000n;

/** The program's accounts on a chain in memory. */
export class MemoryProgram {
  /** The mints and token accounts. */
  readonly tokens: MemoryTokens;
  readonly #chain: MemoryChain;
  readonly #program: Address;
  readonly #circuit: string;
  readonly #at: ReturnType<typeof programAddresses>;

  /** @param circuit id of the active circuit */
  constructor(chain: MemoryChain, program: Address, circuit: string) {
    this.#chain = chain;
    this.#program = program;
    this.#circuit = circuit;
    this.#at = programAddresses(program);
    this.tokens = new MemoryTokens(chain, program);
  }

  /** Creates governance, the verifier, and the circuit with its verifying key of 576 bytes. */
  async setUp({ artifactsDigest, genesisHash }: Deployment, verifyingKey: Uint8Array): Promise<void> {
    const [governance, verifier] = [await testWallet('governance'), await testWallet('verifier')];
    const circuit = await this.#at.circuit(this.#circuit);
    this.#put(
      await this.#at.config(),
      getConfigEncoder().encode({
        bump: 255,
        genesisHash: getBase58Encoder().encode(genesisHash),
        authority: governance.address,
        paused: false,
        passFee: TEST_PASS_FEE,
        nextPassFee: null,
        nextPassFeeFrom: 0n,
        unsetPassFee: null,
        activeCircuit: circuit,
        nominee: null,
        guardian: null,
        passesValidFrom: 0n,
      }),
    );
    this.#put(
      circuit,
      getCircuitEncoder().encode({
        bump: 255,
        id: this.#circuit,
        artifactsDigest: getBase16Encoder().encode(artifactsDigest),
        retiredAt: null,
        unsound: false,
        verifyingKey,
      }),
    );
    this.#put(
      await this.#at.verifier(verifier.address),
      getVerifierEncoder().encode({
        bump: 255,
        authority: verifier.address,
        active: true,
        name: 'Test verifier',
      }),
    );
  }

  /** Issues a wallet its test credential, of its own person or of that of another wallet. */
  async accredit(wallet: Address, personOf?: Address): Promise<void> {
    const { credential } = await testCredential(wallet, { personOf });
    const { address, commitment, ...rest } = credential;
    this.#put(
      address,
      getCredentialEncoder().encode({
        ...rest,
        bump: 255,
        commitment: getBase16Encoder().encode(commitment),
      }),
    );
  }

  /** Executes an operation. Returns the error of its transaction, or null. */
  async apply(intent: Intent): Promise<unknown> {
    const { time } = this.#chain;
    switch (intent.kind) {
      case 'CREATE_RULE_SET': {
        const address = await this.#at.ruleSet(intent.wallet, intent.nonce);
        if (this.#chain.accounts.has(address)) return customError(0);
        const { kind: _, wallet, ...rest } = intent;
        const data = getRuleSetEncoder().encode({
          ...rest,
          powers: powerBits(intent.powers),
          verifier: intent.verifier ?? null,
          walletsPerPerson: intent.walletsPerPerson ?? 0,
          bump: 255,
          creator: wallet,
          fees: 0n,
          maxPassFee: TEST_PASS_FEE,
          ruleHash: getBase16Encoder().encode(await ruleHash(intent.clauses)),
          clauseHashes: clauseHashes(intent.clauses).map(fieldToBytes),
          clauses: intent.clauses.map((clause) => ({
            ...clause,
            regionMask: integerToBytes(clause.regionMask),
          })),
        });
        this.#put(address, data);
        return null;
      }
      case 'BIND_MINT': {
        const { kind: _, wallet, honoursGranted = false, readsCredential = false, ...rest } = intent;
        const terms = { honoursGranted, readsCredential };
        const data = getMintBindingEncoder().encode({ ...rest, ...terms, bump: 255, issuer: wallet });
        this.#put(await this.#at.mintBinding(intent.mint), data);
        return null;
      }
      case 'PROVE': {
        const account = this.#chain.accounts.get(await this.#at.credential(intent.wallet));
        if (!account) return customError(0);
        const { verifier, commitment } = getCredentialDecoder().decode(account.data);
        if (isSuspended(await this.#passOf(intent.rule, intent.wallet), time))
          return customError(RULE_SET_PASS_ERROR__PASS_SUSPENDED);
        await this.#takePlace(intent);
        await this.#putPass({
          ...noPass(intent.rule, intent.wallet),
          expiresAt: intent.expiresAt,
          issuedAt: time,
          circuit: await this.#at.circuit(this.#circuit),
          verifier,
          commitment,
        });
        return null;
      }
      case 'SUSPEND': {
        const { rule, holder, until } = intent;
        const pass = { ...(await this.#passOf(rule, holder)), suspendedUntil: until };
        // Lifting the suspension of a wallet without a pass closes the account that keeps it.
        if (until || pass.granted || isProved(pass)) await this.#putPass(pass);
        else this.#chain.accounts.delete(await this.#at.pass(rule, holder));
        return null;
      }
      case 'GRANT': {
        const { rule, holder, expiresAt } = intent;
        const grant = { ...noPass(rule, holder), expiresAt, issuedAt: time, granted: true };
        if (expiresAt) await this.#putPass(grant);
        else this.#chain.accounts.delete(await this.#at.pass(rule, holder));
        return null;
      }
      case 'RECOVER':
      case 'REDEEM':
      case 'ISSUE':
      case 'TRANSFER': {
        const code = await this.tokens.move(intent);
        return code === null ? null : customError(code);
      }
    }
  }

  /** Gives a place to the wallet of a proof, and ends the pass of the wallet that it replaces. */
  async #takePlace({ rule, wallet, place, replaces }: ProveIntent): Promise<void> {
    if (!place) return;
    if (replaces) this.#chain.accounts.delete(await this.#at.pass(rule, replaces));
    const address = await this.#at.place(rule, place.tag);
    const before = this.#chain.accounts.get(address);
    if (before && !replaces) return;
    const pass = await this.#at.pass(rule, wallet);
    const data = { bump: 255, rule, tag: place.tag, wallet, pass, since: this.#chain.time };
    this.#put(address, getPlaceEncoder().encode(data));
  }

  /** Returns the pass of a wallet, or one that never began. */
  async #passOf(rule: Address, wallet: Address): Promise<ReturnType<typeof noPass>> {
    const account = this.#chain.accounts.get(await this.#at.pass(rule, wallet));
    return account ? getPassDecoder().decode(account.data) : noPass(rule, wallet);
  }

  async #putPass(pass: PassArgs): Promise<void> {
    this.#put(await this.#at.pass(pass.rule, pass.wallet), getPassEncoder().encode(pass));
  }

  #put(address: Address, data: Parameters<MemoryChain['put']>[2]): void {
    this.#chain.put(address, this.#program, data, FUNDED);
  }
}

/** Lamports of every account of the program, pass funds of rule sets included. */
const FUNDED = 1_000_000_000n;

/** Returns a pass that never began: without a proof, a grant or a suspension. */
const noPass = (rule: Address, wallet: Address) => ({
  bump: 255,
  rule,
  wallet,
  expiresAt: 0n,
  issuedAt: 0n,
  circuit: SYSTEM_PROGRAM as Address,
  verifier: SYSTEM_PROGRAM as Address,
  commitment: new Uint8Array(32) as ReadonlyUint8Array,
  suspendedUntil: 0n,
  granted: false,
});

const customError = (code: number) => ({ InstructionError: [1, { Custom: code }] });

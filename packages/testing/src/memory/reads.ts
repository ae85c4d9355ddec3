/** The reads of the service in memory: configuration, network, rule sets and records of wallets (SPEC.md section 4). */
import { clauseFromMasks, REGIONS, RULES_PAGE, STATUSES, type Verification } from '@service/contract';
import {
  type AccountOf,
  bindingRecordOf,
  circuitRecordOf,
  credentialRecordOf,
  type Found,
  governanceOf,
  passFundsOf,
  passRecordOf,
  programAccountKind,
  programAddresses,
  readAccount,
  ruleSetRecordOf,
  verifierRecordOf,
} from '@service/protocol';
import type { Address } from '@solana/kit';
import { rentOf } from './chain.ts';
import { MAX_PRIORITY_FEE_LAMPORTS, testWallet } from './fixtures.ts';
import { type Handlers, Refusal } from './handlers.ts';
import { TEST_PASS_FEE } from './program.ts';
import type { MemoryState } from './state.ts';

/** The name of the one verifier. */
const VERIFIER = 'Test verifier';

/** The handlers of the reads and of verification sessions. */
export class MemoryReads {
  readonly #state: MemoryState;
  readonly #verifications = new Map<Address, Verification>();

  constructor(state: MemoryState) {
    this.#state = state;
  }

  readonly handlers: Handlers = {
    live: () => ({ status: 'ok' }),
    ready: () => ({ status: 'ok', attention: [] }),
    config: () => ({
      program: this.#state.deployment.program,
      rpcUrl: this.#state.deployment.rpcUrl,
      genesisHash: this.#state.deployment.genesisHash,
      artifacts: {
        digest: this.#state.deployment.artifactsDigest,
        baseUrl: `${this.#state.origin}/artifacts`,
        manifest: this.#state.manifest,
      },
      regions: [...REGIONS],
      statuses: [...STATUSES],
      maxPriorityFeeLamports: MAX_PRIORITY_FEE_LAMPORTS,
      verifiers: [VERIFIER],
    }),
    network: () => this.#network(),
    rules: async ({ query }) => {
      const limit = Math.min(Number(query.limit ?? RULES_PAGE.default), RULES_PAGE.max);
      const from = Number(query.cursor ?? 0);
      const all = await this.#ruleSets();
      const next = from + limit;
      return {
        ruleSets: all.slice(from, next),
        index: this.#index(),
        nextCursor: next < all.length ? String(next) : null,
      };
    },
    passport: async ({ wallet }) => this.#passport(wallet!),
    verificationSessions: async ({ wallet, body }) => {
      const { returnUrl, verifier = VERIFIER } = body as { returnUrl: string; verifier?: string };
      if (new URL(returnUrl).origin !== this.#state.origin) throw new Refusal('INVALID_REQUEST');
      if (verifier !== VERIFIER) throw new Refusal('INVALID_REQUEST');
      const sessionId = await this.#state.uuid();
      // The person is verified at once, without going to the verifier.
      await this.#state.program.accredit(wallet!);
      const url = `${this.#state.deployment.verifierOrigins[0]}/verify/${sessionId}`;
      const expiresAt = this.#state.now() + 3_600n;
      this.#verifications.set(wallet!, { sessionId, state: 'ISSUED', expiresAt });
      return { sessionId, url, expiresAt };
    },
    proofContext: async ({ wallet, body }) => this.#proofContext(wallet!, (body as { rule: Address }).rule),
  };

  async #ruleSets() {
    const found = await this.#all('ruleSet');
    return found.map(recordOfRuleSet);
  }

  async #all<K extends 'ruleSet' | 'pass' | 'mintBinding'>(kind: K) {
    const addresses = [...this.#state.chain.accounts].flatMap(([address, { data, owner }]) =>
      programAccountKind(this.#state.deployment.program, owner, data) === kind ? [address as Address] : [],
    );
    const found = await Promise.all(
      addresses.sort().map((address) => readAccount(this.#state.reader, kind, address)),
    );
    return found.flatMap((each) => (each ? [each] : []));
  }

  async #passport(wallet: Address) {
    const at = programAddresses(this.#state.deployment.program);
    const [credential, ruleSets, allPasses, allBindings] = await Promise.all([
      readAccount(this.#state.reader, 'credential', await at.credential(wallet)),
      this.#ruleSets(),
      this.#all('pass'),
      this.#all('mintBinding'),
    ]);
    const passes = allPasses.map((pass) => passRecordOf(pass, null));
    const bindings = allBindings.map(bindingRecordOf);
    const own = new Set([
      ...ruleSets.flatMap(({ address, creator }) => (creator === wallet ? [address] : [])),
      ...passes.flatMap(({ wallet: holder, rule }) => (holder === wallet ? [rule] : [])),
      ...bindings.flatMap(({ issuer, rule }) => (issuer === wallet ? [rule] : [])),
    ]);
    const isLive = (rule: Address) => (pass: (typeof passes)[number]) =>
      pass.rule === rule &&
      pass.expiresAt > this.#state.chain.time &&
      pass.suspendedUntil <= this.#state.chain.time;
    return {
      wallet,
      credential: credential && credentialRecordOf(credential),
      verification: this.#verifications.get(wallet),
      passes: passes.filter((pass) => pass.wallet === wallet),
      ruleSets: ruleSets
        .filter(({ address }) => own.has(address))
        .map((record) => ({ ...record, livePasses: BigInt(passes.filter(isLive(record.address)).length) })),
      bindings: bindings
        .filter(({ rule }) => own.has(rule))
        .map((binding) => ({
          ...binding,
          issuerIsCreator: ruleSets.some(
            ({ address, creator }) => address === binding.rule && creator === binding.issuer,
          ),
        })),
      index: this.#index(),
    };
  }

  async #governance() {
    const at = programAddresses(this.#state.deployment.program);
    const verifier = await at.verifier((await testWallet('verifier')).address);
    const [config, verifierAccount, circuit] = await Promise.all([
      readAccount(this.#state.reader, 'config', await at.config()),
      readAccount(this.#state.reader, 'verifier', verifier),
      readAccount(this.#state.reader, 'circuit', await at.circuit(this.#state.manifest.circuit)),
    ]);
    return {
      config: config!,
      verifier: verifierRecordOf(verifierAccount!),
      circuit: circuitRecordOf(circuit!),
    };
  }

  async #network() {
    const { config, verifier, circuit } = await this.#governance();
    return {
      ...governanceOf(config, this.#state.chain.time),
      verifiers: [verifier],
      circuit,
      circuits: [circuit],
      upgradeAuthority: null,
      passFeesHeld: 0n,
      chainTime: this.#state.chain.time,
    };
  }

  async #proofContext(wallet: Address, rule: Address) {
    const at = programAddresses(this.#state.deployment.program);
    const ruleSet = await readAccount(this.#state.reader, 'ruleSet', rule);
    if (!ruleSet) throw new Refusal('NOT_FOUND', 'There is no such rule set. Check the address.');
    const credential = await readAccount(this.#state.reader, 'credential', await at.credential(wallet));
    if (!credential) throw new Refusal('CREDENTIAL_REQUIRED');
    const { verifier, circuit } = await this.#governance();
    return {
      credential: credentialRecordOf(credential),
      ruleSet: recordOfRuleSet(ruleSet),
      verifier,
      circuit,
      passFee: TEST_PASS_FEE,
      chainTime: this.#state.chain.time,
    };
  }

  #index() {
    return { slot: this.#state.chain.slot, time: this.#state.chain.time };
  }
}

function recordOfRuleSet(found: Found<AccountOf<'ruleSet'>>) {
  const passFunds = passFundsOf(found, rentOf(found.space));
  return ruleSetRecordOf(found, { passFunds, clauseOf: clauseFromMasks });
}

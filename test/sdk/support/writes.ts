/** A write of each kind, for the client and for plain HTTP. */
import { clauseMasks, regionIndexOf, statusIndexOf } from '@service/contract';
import type { Intent } from '@service/protocol';
import { dateCodeAt, parseBirthDate } from '@service/protocol/eligibility';
import type { PreparedOperation, PrepareOptions } from '@service/sdk';
import { createMint, proveRuleSet, ruleSetBody } from '@service/server/test-service';
import type { Market } from './market.ts';

/** A wallet that is signed in and has a credential. */
export type Party = Market['issuer'];

/** A write of one kind. */
export interface Write {
  readonly by: Party;
  readonly intent: Intent;
  /** Bytes of each account that it creates. */
  readonly creates: readonly number[];
  readonly path: string;
  readonly body: Record<string, unknown>;
  prepare(options: PrepareOptions | undefined): Promise<PreparedOperation>;
}

const CLAUSE = { regions: ['FR'], statuses: ['retail'], minAge: 18 } as const;

/** Returns functions that make a write of each kind. `isOther` makes a second form of it: a larger one, or of another wallet. */
export function writesOf(market: Market, people: () => readonly [Party, Party]) {
  let nonce = 1_000n;
  const writes: Record<string, (isOther: boolean) => Promise<Write>> = {
    async 'a rule set'(isOther) {
      nonce += 1n;
      const [by] = people();
      const clauses = Array.from({ length: isOther ? 8 : 1 }, () => CLAUSE);
      const request = { name: 'Adults', nonce, clauses, maxPassAgeSeconds: 86_400n };
      const masks = { ...request, clauses: clauses.map(clauseMasks) };
      return {
        by,
        intent: { kind: 'CREATE_RULE_SET', wallet: by.signer.address, ...masks },
        creates: [444 + 37 * clauses.length],
        path: '/api/rules',
        body: { ...request, nonce: `${nonce}`, maxPassAgeSeconds: '86400' },
        prepare: (options) => by.client.prepare.createRuleSet(request, options),
      };
    },
    async 'a binding'(requireSource) {
      const [by] = people();
      const { payer } = market.world.keys;
      const mint = await createMint(market.world, payer, { issuer: by.signer.address });
      await market.world.finalize();
      const request = { mint, rule: market.rule, requireSource };
      return {
        by,
        intent: { kind: 'BIND_MINT', wallet: by.signer.address, ...request },
        creates: [196, requireSource ? 296 : 261],
        path: '/api/mint-bindings',
        body: request,
        prepare: (options) => by.client.prepare.bindMint(request, options),
      };
    },
    async 'an issue'() {
      const by = market.issuer;
      const request = { mint: market.mint, destination: market.source, amount: 5n };
      return {
        by,
        intent: { kind: 'ISSUE', wallet: by.signer.address, ...request },
        creates: [],
        path: '/api/mints/issue',
        body: { ...request, amount: '5' },
        prepare: (options) => by.client.prepare.issue(request, options),
      };
    },
    async 'a transfer'() {
      const by = market.issuer;
      const { mint, source, destination } = market;
      const request = { mint, source, destination, amount: 5n };
      return {
        by,
        intent: { kind: 'TRANSFER', wallet: by.signer.address, ...request },
        creates: [],
        path: '/api/transfers',
        body: { ...request, amount: '5' },
        prepare: (options) => by.client.prepare.transfer(request, options),
      };
    },
    'a new pass': (isOther) => proving(people()[isOther ? 1 : 0]!, [203]),
    'a renewed pass': (isOther) => proving(people()[isOther ? 1 : 0]!, []),
  };

  async function proving(by: Party, creates: readonly number[]): Promise<Write> {
    const { rule, adults } = market;
    const { birthDate, salt, person } = by.witness;
    const wallet = by.signer.address;
    const now = BigInt(market.world.net.time);
    const [expiresAt, asOf] = [now + 80_000n, dateCodeAt(now)];
    const witness = {
      region: regionIndexOf('FR')!,
      status: statusIndexOf('retail')!,
      birthDate: parseBirthDate(birthDate),
      salt: BigInt(salt),
      person: BigInt(person),
    };
    const ofRule = { ...ruleSetBody(), maxPassAgeSeconds: `${adults.maxPassAgeSeconds}` };
    const base64 = await proveRuleSet({ rule, wallet, witness, body: ofRule, expiresAt, asOf });
    const request = { rule, expiresAt, asOf, proof: new Uint8Array(Buffer.from(base64, 'base64')) };
    return {
      by,
      intent: { kind: 'PROVE', wallet, ...request },
      creates,
      path: '/api/proofs',
      body: { rule, expiresAt: `${expiresAt}`, proof: base64 },
      prepare: (options) => by.client.prepare.prove(request, options),
    };
  }

  return writes;
}

/** A real cluster for hostile services: the program, and the accounts of all operation kinds. */

import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { clauseFromMasks, clauseMasks } from '@service/contract';
import { developmentKeys, Localnet } from '@service/localnet';
import {
  bindMintInstruction,
  createRuleSetInstruction,
  type Intent,
  operationMessage,
  planInstruction,
  programAddresses,
  readAccount,
  ruleSetRecordOf,
  wireTransaction,
} from '@service/protocol';
import {
  type ClauseMasks,
  dateCodeAt,
  joinProof,
  parseBirthDate,
  splitProof,
} from '@service/protocol/eligibility';
import type { OperationKind, PreparedOperation, PrepareOptions, ServiceClient } from '@service/sdk';
import {
  createMint,
  createTokenAccount,
  deployTo,
  issueCredential,
  send,
} from '@service/server/test-service';
import { generateKeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll } from 'vitest';
import { giveTokens } from './give-tokens.ts';
import { addPowers } from './issuer-powers.ts';

/** A cluster whose slots advance only while it is set up, and when a test advances them. */
export type StillChain = Awaited<ReturnType<typeof stillChain>>;

/** An operation kind: the intent of the caller's request, and a function that prepares it. */
export interface Kind {
  readonly intent: Intent;
  prepare(client: ServiceClient, options?: PrepareOptions): Promise<PreparedOperation>;
}

export const OPERATION_ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

/** Starts a cluster before the tests of a file and stops it after them. Its properties exist when the tests run. */
export function useStillChain(options: StillChainOptions = {}): StillChain {
  const chain = {} as StillChain;
  beforeAll(async () => void Object.assign(chain, await stillChain(options)));
  afterAll(() => chain.net?.stop());
  return chain;
}

interface StillChainOptions {
  /** @default 2 */
  readonly finalitySlots?: number;
  /** The chain's clock, in Unix milliseconds. @default that of this machine */
  readonly now?: () => number;
}

async function stillChain({ finalitySlots = 2, ...options }: StillChainOptions) {
  const net = Localnet.start({ ...options, slotMs: 'manual', confirmSlots: 1, finalitySlots });
  const [keys, artifacts] = await Promise.all([developmentKeys(), readArtifacts(artifactsDirectory)]);
  await deployTo(net, keys, artifacts);
  const { rpc } = net;
  const program = keys.program.address;
  const cluster = { net, rpc: rpc as never, program, keys, finalize: async () => net.finalize() };
  const reader = { rpc, program, commitment: 'finalized' } as const;
  const [wallet, other] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  for (const { address } of [wallet, other]) net.airdrop(address, 100_000_000_000n);

  let nonce = 0n;
  /** Creates another rule set on chain. */
  const createRule = async (clauses: readonly ClauseMasks[]) => {
    nonce += 1n;
    const intent = { kind: 'CREATE_RULE_SET', wallet: wallet.address, name: 'A rule set', nonce } as const;
    const request = { ...intent, clauses, maxPassAgeSeconds: 86_400n };
    await send(cluster, wallet, [await createRuleSetInstruction(program, request)]);
    net.finalize();
    const address = await programAddresses(program).ruleSet(wallet.address, nonce);
    const found = (await readAccount(reader, 'ruleSet', address))!;
    return {
      address,
      record: ruleSetRecordOf(found, { passFunds: found.lamports, clauseOf: clauseFromMasks }),
    };
  };
  const { address: rule } = await createRule([{ regionMask: 1n, statusMask: 1, minAge: 0 }]);
  const [boundMint, freeMint] = [await createMint(cluster, wallet), await createMint(cluster, wallet)];
  const binding = { wallet: wallet.address, mint: boundMint, rule, requireSource: true };
  await send(cluster, wallet, [await bindMintInstruction(program, { kind: 'BIND_MINT', ...binding })]);
  const source = await createTokenAccount(cluster, wallet, { mint: boundMint, owner: wallet.address });
  const destination = await createTokenAccount(cluster, wallet, { mint: boundMint, owner: other.address });
  giveTokens(net, source, 1_000_000n);
  // The attributes of the witness below. Region AD has index 0 and retail is status 0, as the clause asks.
  const attributes = {
    region: 0,
    status: 0,
    birthDate: parseBirthDate('1990-05-17'),
    salt: 2n ** 200n,
    person: 2n ** 201n,
  };
  await issueCredential(cluster, { wallet: wallet.address, witness: attributes, lifetimeSeconds: 86_400n });
  net.finalize();
  const transfer = { mint: boundMint, source, destination, amount: 500n };
  const clauses = [{ regions: ['DE', 'FR'], statuses: ['professional'], minAge: 18 }] as const;
  const ruleSet = { name: 'Acme EU', nonce: 7n, maxPassAgeSeconds: 86_400n };
  const free = { mint: freeMint, rule, requireSource: false };
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const now = BigInt(net.time);
  const proof = { rule, expiresAt: now + 3_600n, asOf: dateCodeAt(now), proof: bytes };
  const place = { number: 1, tag: bytes.slice(0, 32) };
  const takeover = { ...proof, proof: joinProof({ proof: bytes, place }), replaces: other.address };
  const issue = { mint: boundMint, destination, amount: 1_000_000n };
  const by = { wallet: wallet.address };
  const powers = await addPowers(cluster, wallet, { holder: other.address });
  const { mint, source: from, destination: to } = powers;
  const recovery = { mint, source: from, destination: to, amount: 300n, reason: 'lost-key' } as const;
  const redemption = { mint, source: from, amount: 300n, reason: 'court-order' } as const;
  const stranger = (await generateKeyPairSigner()).address;
  const suspension = { rule: powers.rule, holder: stranger, until: now + 3_600n };
  const grant = { rule: powers.rule, holder: stranger, expiresAt: now + 3_600n };
  const { value: latest } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  const kinds: Record<OperationKind, Kind> = {
    CREATE_RULE_SET: {
      intent: { kind: 'CREATE_RULE_SET', ...by, ...ruleSet, clauses: clauses.map(clauseMasks) },
      prepare: ({ prepare }, options) => prepare.createRuleSet({ ...ruleSet, clauses }, options),
    },
    BIND_MINT: {
      intent: { kind: 'BIND_MINT', ...by, ...free },
      prepare: ({ prepare }, options) => prepare.bindMint(free, options),
    },
    PROVE: {
      intent: { kind: 'PROVE', ...by, ...proof },
      prepare: ({ prepare }, options) => prepare.prove(proof, options),
    },
    ISSUE: {
      intent: { kind: 'ISSUE', ...by, ...issue },
      prepare: ({ prepare }, options) => prepare.issue(issue, options),
    },
    TRANSFER: {
      intent: { kind: 'TRANSFER', ...by, ...transfer },
      prepare: ({ prepare }, options) => prepare.transfer(transfer, options),
    },
    RECOVER: {
      intent: { kind: 'RECOVER', ...by, ...recovery },
      prepare: ({ prepare }, options) => prepare.recover(recovery, options),
    },
    REDEEM: {
      intent: { kind: 'REDEEM', ...by, ...redemption },
      prepare: ({ prepare }, options) => prepare.redeem(redemption, options),
    },
    SUSPEND: {
      intent: { kind: 'SUSPEND', ...by, ...suspension },
      prepare: ({ prepare }, options) => prepare.suspend(suspension, options),
    },
    GRANT: {
      intent: { kind: 'GRANT', ...by, ...grant },
      prepare: ({ prepare }, options) => prepare.grant(grant, options),
    },
  };

  return {
    net,
    reader,
    deployment: {
      program,
      genesisHash: net.genesisHash,
      artifactsDigest: artifacts.digest,
      acceptedSetups: [artifacts.manifest.setup.kind],
      rpcUrl: 'http://127.0.0.1:1',
      verifierOrigins: [] as string[],
    },
    manifest: artifacts.manifest,
    /** The issuer of the bound mint. It has a credential. */
    wallet,
    other,
    /** A rule set whose only clause the wallet meets. */
    rule,
    /** The witness of the wallet's credential. */
    witness: {
      wallet: wallet.address,
      region: 'AD',
      status: 'retail',
      birthDate: '1990-05-17',
      salt: String(2n ** 200n),
      person: String(2n ** 201n),
    } as const,
    freeMint,
    /** A transfer of the bound mint, from the wallet to the other wallet. */
    transfer,
    /** An operation of each kind. */
    kinds,
    /** A proof that takes a place of the person from another wallet. */
    takeover: {
      intent: { kind: 'PROVE', ...by, ...takeover, ...splitProof(takeover.proof) },
      prepare: ({ prepare }, options) => prepare.prove(takeover, options),
    } satisfies Kind,
    /** A blockhash that stays valid while no slots pass. */
    blockhash: latest.blockhash,
    createRule,
  };
}

/** Returns the unsigned transaction that an honest service prepares. */
export async function honestWire(
  { reader, manifest, ...chain }: StillChain,
  { intent }: Kind,
  { operationId = OPERATION_ID, blockhash = chain.blockhash as string } = {},
): Promise<Uint8Array> {
  const instruction = await planInstruction(reader, intent, { circuitId: manifest.circuit });
  return wireTransaction(operationMessage({ wallet: intent.wallet, operationId, blockhash, instruction }));
}

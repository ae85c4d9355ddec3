/** Records the document's examples: requests to a site and their responses. */
import { readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { proveRuleSet } from '@service/server/test-service';
import { completedData } from '../verification/deliveries.ts';
import type { Driver, Endpoint } from './driver.ts';
import { SITE_RULE_SET, SITE_START, type Site } from './site.ts';

const EXAMPLES = new URL('../../../src/openapi/examples.json', import.meta.url);
const HOUR = 3_600;

/** Returns the bodies of all requests, without the ids and signatures that links and the signer add. */
async function requestBodies({ world, holder, witness, ...site }: Site): Promise<Record<string, unknown>> {
  const { rule, mint, freeMint, source, destination, recipient } = site;
  const wallet = holder.address;
  const expiresAt = BigInt(SITE_START + 12 * HOUR);
  const issuedAt = BigInt(SITE_START + 60);
  const { commitment } = (await holder.get<{ credential: { commitment: string } }>('/api/passport')).body
    .credential;
  const statement = {
    program: world.program,
    genesisHash: world.net.genesisHash,
    wallet,
    commitment: new Uint8Array(Buffer.from(commitment, 'hex')),
    issuedAt,
    expiresAt: issuedAt + BigInt(30 * 24 * HOUR),
  };
  const { sessionId: _, ...data } = await completedData('', statement, world.keys.verifier);
  const times = { issuedAt: String(data.issuedAt), expiresAt: String(data.expiresAt) };
  const proof = await proveRuleSet({ rule, wallet, witness, body: SITE_RULE_SET, expiresAt });
  return {
    challenge: { wallet },
    verify: { wallet },
    logout: {},
    verificationSessions: { returnUrl: `${holder.origin}/verified` },
    proofContext: { rule },
    createRuleSet: { ...SITE_RULE_SET, nonce: '2' },
    bindMint: { mint: freeMint, rule, requireSource: true },
    prove: { rule, expiresAt: String(expiresAt), proof },
    issue: { mint, destination: source, amount: '1000' },
    transfer: { mint, source, destination, amount: '250' },
    recover: { mint, source, destination, amount: '250', reason: 'lost-key' },
    redeem: { mint, source, amount: '250', reason: 'redemption' },
    suspend: { rule, holder: recipient, until: String(expiresAt) },
    grant: { rule, holder: recipient, expiresAt: String(expiresAt) },
    adopt: {},
    submit: {},
    webhook: {
      type: 'verification.completed',
      timestamp: new Date(SITE_START * 1_000).toISOString(),
      data: { ...data, ...times },
    },
  };
}

/** Calls every endpoint of a site and writes `examples.json`, unless it already has examples of the same shape. */
export async function recordExamples(driver: Driver, endpoints: readonly Endpoint[]): Promise<void> {
  const bodies = await requestBodies(driver.site);
  const examples: Record<string, { request?: unknown; response: unknown }> = {};
  for (const endpoint of endpoints) {
    const { operationId } = endpoint.operation;
    const draft = await driver.draft(endpoint, bodies[operationId]);
    const answer = await driver.send(endpoint, draft);
    if (answer.status !== 200) throw new Error(`${operationId}: ${JSON.stringify(answer.body)}`);
    driver.follow(endpoint, answer);
    if (endpoint.operation.tags[0] === 'Files') continue;
    const response = operationId === 'config' ? shortened(answer.body) : answer.body;
    examples[operationId] = endpoint.method === 'post' ? { request: draft.body, response } : { response };
  }
  // The port of the verifier changes from run to run.
  const { url } = driver.site.world.created.service.settings.verifier;
  const text = JSON.stringify(examples, null, 2).replaceAll(url, 'https://verifier.example');
  // Ids and nonces are random, so each recording differs. Another one shows readers nothing new. But a proof is valid only
  // for the keys that it was made with.
  const [recorded, committed] = [JSON.parse(text), JSON.parse(await readFile(EXAMPLES, 'utf8'))];
  const isSame = isDeepStrictEqual(shapeOf(recorded), shapeOf(committed));
  if (!isSame || digestOf(recorded) !== digestOf(committed)) await writeFile(EXAMPLES, `${text}\n`);
}

/** Returns the digest of the proof artifacts of recorded examples. */
function digestOf(examples: { config: { response: { artifacts: { digest: string } } } }): string {
  return examples.config.response.artifacts.digest;
}

/** Replaces each text, number and boolean by its type. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}

/** Keeps two rows of each name table, because the tables are long. */
function shortened(config: unknown): unknown {
  const { regions, statuses, ...rest } = config as { regions: unknown[]; statuses: unknown[] };
  return { ...rest, regions: regions.slice(0, 2), statuses: statuses.slice(0, 2) };
}

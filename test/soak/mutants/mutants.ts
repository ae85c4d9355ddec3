// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are parts of sources
/** Breaks of the server, each with the campaign or the tests that must fail. */
import type { Fault } from '../check/finding.ts';

/** A change of a source. */
interface Edit {
  readonly file: string;
  /** A text that the file has exactly once. */
  readonly from: string;
  readonly to: string;
}

/** A server that breaks a promise. */
export interface Mutant {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** The options of the soak and the count that it must raise, or the files of the tests of which one must fail. */
  readonly red: { readonly soak: readonly string[]; readonly count: Fault } | { readonly tests: string };
}

const SERVER = 'packages/server/src';
const inServer = (file: string, from: string, to: string): Edit => ({ file: `${SERVER}/${file}`, from, to });
const mutant = (name: string, red: Mutant['red'], ...edits: Edit[]): Mutant => ({ name, red, edits });
const tests = (file: string) => ({ tests: `${SERVER}/${file}` });
/** The soak of one server with some faults. */
const soak = (count: Fault, seconds: number, faults: string) => ({
  count,
  soak: ['--servers', '1', '--seconds', `${seconds}`, '--faults', faults],
});
/** No fault has this name, so only the one before the rounds happens. */
const NONE = 'none';

/** The mutants that the soak must find. */
const FOUND_BY_SOAK: readonly Mutant[] = [
  mutant(
    'acknowledged-before-commit',
    { count: 'lost', soak: ['--data-dir', '--seconds', '25'] },
    inServer(
      'operations/submit.ts',
      'const isQueued = await transition(service.db, {',
      `const isQueued = true;
    ((step: Parameters<typeof transition>[1]) =>
      void setTimeout(() => void transition(service.db, step).catch(() => undefined), 500))({`,
    ),
  ),
  mutant(
    'lost-broadcast-not-repeated',
    soak('worse', 8, NONE),
    inServer(
      'operations/worker/settle.ts',
      "if (absence.verdict === 'possible' && each.index === 0) return void (await broadcast(look, row));",
      "if (absence.verdict === 'possible' && each.index === 0) return;",
    ),
  ),
  mutant(
    'outages-answered-internal',
    soak('unexpected answers', 16, 'connections cut'),
    inServer('http/failures/error-handler.ts', 'if (isUnavailable(error)) {', 'if (!error) {'),
  ),
  mutant(
    'event-delivered-before-sent',
    soak('events lost', 16, 'receiver: status,receiver: reset'),
    inServer(
      'events/delivery/deliver.ts',
      'const result = await sendWebhook(',
      'await recordDelivered(db, event, clock.now());\n  const result = await sendWebhook(',
    ),
  ),
  mutant(
    'events-out-of-order',
    soak('events out of order', 20, 'receiver: status,receiver: reset'),
    inServer(
      'events/delivery/queue.ts',
      'where earlier.wallet = event.wallet and earlier.delivered_at is null and earlier.position < event.position',
      'where false',
    ),
    inServer(
      'database/migrations/0008-first-event-of-wallet.ts',
      'due_at = case when earlier is null then 0 else 9223372036854775807 end',
      'due_at = 0',
    ),
  ),
  mutant(
    'drafts-not-stored',
    soak('unexpected answers', 8, NONE),
    inServer(
      'operations/prepare/prepare.ts',
      'if (row) return operationRecordOf(service, row);',
      `if (row && Math.random() < 0.3) {
    await service.db.updateTable('operation').set({ state: 'EXPIRED' } as never).where('id', '=', id).execute();
    await service.db.deleteFrom('operation').where('id', '=', id).execute();
  }
  if (row) return operationRecordOf(service, row);`,
    ),
  ),
  mutant('silent-connections-not-noticed', soak('slow returns', 14, 'silent, then lost'), {
    file: 'packages/database/src/postgres/pool.ts',
    from: 'stream: () => socketThatEndsAfter(limits.silence),',
    to: '',
  }),
  mutant(
    'final-before-finality',
    soak('wrong', 16, 'fork'),
    inServer('operations/worker/follow.ts', "status?.confirmationStatus === 'finalized'", 'status'),
  ),
  mutant(
    'events-sent-by-all-senders',
    soak('events doubled', 8, NONE),
    inServer(
      'events/delivery/queue.ts',
      'and due_at <= ${now} and (lease_until is null or lease_until <= ${now})',
      'and due_at <= ${now}',
    ),
  ),
];

/** The mutants that tests must find. */
const FOUND_BY_TESTS: readonly Mutant[] = [
  mutant(
    'webhook-not-signed',
    tests('events/delivery/delivery.test.ts'),
    inServer('events/delivery/send.ts', "{ 'Content-Type': 'application/json', ...headers }", '{}'),
  ),
  mutant(
    'body-awaited',
    tests('events/delivery/outage.test.ts'),
    inServer(
      'events/delivery/send.ts',
      'void response.body?.cancel().catch(() => undefined);',
      'await response.text();',
    ),
  ),
  mutant(
    'receiver-never-down',
    tests('events/delivery/outage.test.ts'),
    inServer('events/delivery/outage.ts', 'const DOWN_AFTER = 3;', 'const DOWN_AFTER = Infinity;'),
  ),
  mutant(
    'late-failure-recorded',
    tests('events/delivery/delivery.test.ts'),
    inServer(
      'events/delivery/queue.ts',
      'where id = ${event.id} and lease_owner = ${event.owner}',
      'where id = ${event.id}',
    ),
  ),
  mutant(
    'redelivery-ignores-time',
    tests('events/delivery/redeliver.test.ts'),
    inServer('events/delivery/redeliver.ts', 'created_at >= ${since * 1_000n} and', ''),
  ),
  mutant(
    'events-of-new-accounts-dropped',
    tests('events/index-events.test.ts'),
    inServer('events/index-events.ts', '...credentialEvents(facts, undefined, after),', ''),
  ),
  mutant(
    'events-swept-at-once',
    tests('events/sweep.test.ts'),
    inServer('sweeper.ts', 'keepMs: EVENT_LIFETIME_SECONDS * 1_000,', 'keepMs: 0,'),
  ),
  mutant(
    'draft-accepted-after-its-life',
    tests('operations/submit.test.ts'),
    inServer(
      'operations/submit.ts',
      'if (lifetimeHasPassed(service, row)) await refuseExpired(service, row);',
      '',
    ),
  ),
  mutant(
    'key-of-another-request-accepted',
    tests('operations/prepare/prepare.test.ts'),
    inServer(
      'operations/prepare/prepare.ts',
      "if (row.request_hash !== requestHash) throw new ServiceFault('IDEMPOTENCY_CONFLICT');",
      '',
    ),
  ),
  mutant(
    'absent-after-one-look',
    tests('operations/worker/never-landed.test.ts'),
    inServer(
      'operations/worker/settle.ts',
      'if (now - row.absent_since >= BigInt(ABSENCE_GAP_MS))',
      'if (now >= row.absent_since)',
    ),
  ),
  mutant(
    'leases-ignored',
    tests('operations/worker/worker.test.ts'),
    inServer('database/lease.ts', '(lease_until is null or lease_until <= ${time}) and', ''),
  ),
  mutant(
    'index-skips-a-slot',
    tests('chain-index/indexer.test.ts'),
    inServer(
      'chain-index/changes.ts',
      'slot > since.settled_slot && !recent',
      'slot > since.settled_slot + 1n && !recent',
    ),
  ),
  mutant(
    'pass-closed-twice',
    tests('pass-closer/pass-closer.test.ts'),
    inServer('pass-closer/index.ts', '(closing.get(address)?.dueAt ?? 0) <= clock.now()', 'address !== null'),
  ),
  mutant(
    'limit-never-resets',
    tests('http/rate-limits.test.ts'),
    inServer('http/rate-limits.ts', 'points, duration: seconds', 'points, duration: 0'),
  ),
  mutant(
    'wider-networks-unlimited',
    tests('http/rate-limits.test.ts'),
    inServer('http/rate-limits.ts', 'return network ?', 'return network === address ?'),
  ),
  mutant('slow-connections-unbounded', tests('http/listen.test.ts'), {
    file: 'packages/process/src/listen.ts',
    from: 'if (waiting.size <= MOST_WAITING) return;',
    to: 'if (waiting.size > 0) return;',
  }),
  mutant(
    'session-never-expires',
    tests('auth/auth.test.ts'),
    inServer(
      'auth/session.ts',
      'session.expires_at <= BigInt(service.clock.now())',
      'session.expires_at < 0n',
    ),
  ),
  mutant(
    'any-message-of-a-verifier-accepted',
    tests('verification/webhook/webhook-refusals.test.ts'),
    inServer('auth/webhook-signature.ts', 'if (verdict.authentic) return', 'if (verdict) return'),
  ),
  mutant(
    'database-outage-hidden',
    tests('health/health.test.ts'),
    inServer('health/readiness.ts', 'database: database.ok,', 'database: true,'),
  ),
  mutant(
    'wrong-gauge-of-events',
    tests('metrics/metrics.test.ts'),
    inServer(
      'metrics/gauges.ts',
      'sql`event where delivered_at is null`',
      'sql`event where delivered_at is not null`',
    ),
  ),
];

/** All mutants. */
export const MUTANTS: readonly Mutant[] = [...FOUND_BY_SOAK, ...FOUND_BY_TESTS];

/** Returns a mutant. @throws Error if there is none with the name */
export function mutantNamed(name: string): Mutant {
  const found = MUTANTS.find((each) => each.name === name);
  if (found) return found;
  throw new Error(`There is no mutant ${name}. Names: ${MUTANTS.map((each) => each.name).join(', ')}.`);
}

/** Returns the text of a file with the edits of a mutant. @throws Error if the text of an edit is not there exactly once */
export function mutate({ name, edits }: Mutant, file: string, text: string): string {
  return edits
    .filter((edit) => edit.file === file)
    .reduce((changed, { from, to }) => {
      const [before, after, ...others] = changed.split(from);
      if (after === undefined || others.length > 0)
        throw new Error(`${file} must have this text once, which the mutant ${name} changes: ${from}`);
      return before + to + after;
    }, text);
}

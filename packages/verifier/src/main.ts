#!/usr/bin/env node
/**
 * `npx @service/verifier`: runs a verifier until SIGTERM or SIGINT. Environment variables configure it; `--help` lists them.
 * `npx @service/verifier audit` prints the audit trail, and checks its hashes.
 * Exits with 0 after a shutdown in time, 2 for a wrong configuration, and 1 for everything else.
 */
import { ConfigurationError } from '@service/configuration';
import { PgliteMissingError } from '@service/database';
import { closeOnSignal, createClientAddress, listen, portTaken } from '@service/process';
import { Hono } from 'hono';
import pino from 'pino';
import { collectDefaultMetrics } from 'prom-client';
import { AuditError, verifyAudit } from './audit/audit.ts';
import { type Configuration, readConfiguration } from './configuration/read-configuration.ts';
import { usage } from './configuration/usage.ts';
import { createVerifier } from './create-verifier.ts';
import { DatabaseMismatchError, openDatabase } from './database/database.ts';

/** Milliseconds that requests, the work in progress and the database have to end. */
const CLOSE_MS = 15_000;

async function run(configuration: Configuration): Promise<void> {
  const log = pino({ level: configuration.logLevel });
  const starting = start(configuration, log);
  closeOnSignal({ starting, delayMs: CLOSE_MS, log });
  const { url } = await starting;
  const { settings, attestationKey, provider } = configuration;
  // Log this line at every LOG_LEVEL, because supervisors and scripts wait for it.
  const facts = { url, origin: settings.origin, authority: attestationKey.address, provider: provider.name };
  log.child({}, { level: 'info' }).info(facts, 'listening');
}

async function start(configuration: Configuration, log: pino.Logger) {
  const database = await openDatabase(configuration.database);
  try {
    const { settings, provider, attestationKey, personKey } = configuration;
    const addressOf = createClientAddress(configuration.trustedProxies);
    const created = await createVerifier({
      settings,
      database,
      provider,
      attestationKey,
      personKey,
      log,
      addressOf,
    });
    const { url } = await created.listen(configuration.listen).catch(namePort('PORT'));
    const metrics = new Hono();
    const { registry } = created.verifier.metrics;
    collectDefaultMetrics({ register: registry });
    metrics.get('/metrics', async (c) =>
      c.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType }),
    );
    const port = configuration.metricsPort;
    const listener =
      port === undefined ? null : await listen(metrics, { port }).catch(namePort('METRICS_PORT'));
    const close = async () => {
      await created.close();
      await listener?.close(AbortSignal.timeout(1_000));
      await database.close();
    };
    return { url, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Names the variable to change when a port is taken. */
function namePort(variable: string) {
  return (error: unknown): never => {
    const line = portTaken(error, () => `set ${variable} to another port`);
    throw line === null ? error : new Error(`${variable}: ${line}.`, { cause: error });
  };
}

async function printAudit({ database: options }: Configuration): Promise<void> {
  const database = await openDatabase(options);
  try {
    const { entries, hash } = await verifyAudit(database.db, (entry) => console.log(entry));
    console.error(`${entries} entries, each with the right hash. The last hash is ${hash}.`);
  } finally {
    await database.close();
  }
}

const [command, ...others] = process.argv.slice(2);
try {
  if (command === '--help') console.log(usage());
  else if (command === 'audit' && others.length === 0) await printAudit(await readConfiguration(process.env));
  else if (command === undefined) await run(await readConfiguration(process.env));
  else throw new ConfigurationError([{ variable: '', line: `Unknown argument ${command}. Use --help.` }]);
} catch (error) {
  const isMisconfigured = [ConfigurationError, DatabaseMismatchError, PgliteMissingError].some(
    (kind) => error instanceof kind,
  );
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof AuditError) console.error('Compare it with a backup.');
  process.exit(isMisconfigured ? 2 : 1);
}

#!/usr/bin/env node
/**
 * `npx @service/server`: runs the server until SIGTERM or SIGINT. Environment variables configure it (docs/guides/operator.md).
 * `--help` lists them.
 * Exits with 0 after a shutdown in time, 2 for a wrong configuration, and 1 for everything else.
 */

import { ConfigurationError } from '@service/configuration';
import { PgliteMissingError } from '@service/database';
import { closeOnSignal } from '@service/process';
import pino from 'pino';
import { readConfiguration } from './configuration/read-configuration.ts';
import { usage } from './configuration/usage.ts';
import { ClusterMismatchError } from './create-service.ts';
import { DatabaseMismatchError } from './database/database.ts';
import { serve } from './serve.ts';

if (process.argv.includes('--help')) {
  console.log(usage());
  process.exit();
}

/** Milliseconds that the database and the log have to close, after requests and steps have ended. */
const CLOSE_MS = 5_000;

try {
  const configuration = await readConfiguration(process.env);
  const log = pino({ level: configuration.logLevel });
  const starting = serve(configuration, log);
  const { drainMs, graceMs } = configuration;
  closeOnSignal({ starting, delayMs: drainMs + graceMs + CLOSE_MS, log });
  const { url, metricsUrl } = await starting;
  const {
    settings: { origin, program },
    feePayer,
  } = configuration;
  // Log this line at every LOG_LEVEL, because supervisors and scripts wait for it.
  const always = log.child({}, { level: 'info' });
  always.info({ url, metricsUrl, origin, program, feePayer: feePayer.address }, 'listening');
} catch (error) {
  const isMisconfigured = [
    ConfigurationError,
    ClusterMismatchError,
    DatabaseMismatchError,
    PgliteMissingError,
  ].some((kind) => error instanceof kind);
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(isMisconfigured ? 2 : 1);
}

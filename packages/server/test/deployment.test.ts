/** The files and the alerts of docs/guides/production.md match the configuration, the metrics and each other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { serverVariables } from '../src/configuration/variables.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '../deployment', name), 'utf8');

interface ComposeService {
  readonly environment: Record<string, string>;
  readonly secrets: readonly string[];
  readonly stop_grace_period: string;
  readonly healthcheck?: { readonly test: readonly unknown[] };
}
interface Compose {
  readonly services: Record<string, ComposeService>;
  readonly volumes: object;
  readonly secrets: Record<string, { readonly file: string }>;
}
const compose: Compose = parse(read('compose.yaml'), { merge: true });
const servers = ['server-1', 'server-2'].map((name) => compose.services[name]!);
const unit = read('service@.service');
/** The variables of the unit. */
const unitVariables = Object.fromEntries(
  [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) =>
    line!.split(' ').map((pair) => pair.split('=') as [string, string]),
  ),
);

/** Seconds that a server with these variables needs at most, as docs/guides/production.md says. */
const shutdownSeconds = (variables: Record<string, string>) =>
  Number(variables.DRAIN_SECONDS) + Number(variables.SHUTDOWN_SECONDS) + 5;

test('both files set only variables that the server has', () => {
  const known = Object.keys(serverVariables.shape);
  for (const variables of [unitVariables, ...servers.map(({ environment }) => environment)]) {
    for (const name of Object.keys(variables)) {
      expect(known.includes(name) || known.includes(name.replace(/_FILE$/, '')), name).toBe(true);
    }
    // DEPLOYMENT_FILE is in the unit's file of variables.
    for (const name of ['DATABASE_URL', 'RPC_URL', 'FEE_PAYER', 'WEBHOOK_SECRET']) {
      expect(variables).toHaveProperty(`${name}_FILE`);
    }
  }
});

test('both give the server more time than it needs at most', () => {
  const timeOut = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
  expect(timeOut).toBeGreaterThan(shutdownSeconds(unitVariables));
  for (const { environment, stop_grace_period: grace } of servers) {
    expect(Number(grace.replace(/s$/, ''))).toBeGreaterThan(shutdownSeconds(environment));
  }
});

test('the drain is longer than Caddy needs to notice', () => {
  const [interval, timeOut] = ['health_interval', 'health_timeout'].map((name) =>
    Number(new RegExp(`${name} (\\d+)s`).exec(read('Caddyfile'))?.[1]),
  );
  for (const { DRAIN_SECONDS } of [unitVariables, ...servers.map(({ environment }) => environment)]) {
    expect(Number(DRAIN_SECONDS)).toBeGreaterThan(interval! + timeOut!);
  }
});

test('the compose file declares each secret that a service uses, and its health checks are commands', () => {
  for (const { secrets = [] } of Object.values(compose.services)) {
    for (const name of secrets) expect(compose.secrets).toHaveProperty(name);
  }
  for (const { healthcheck } of Object.values(compose.services)) {
    for (const word of healthcheck?.test ?? []) expect(word).toEqual(expect.any(String));
  }
  const replicas = compose.services.proxy!.environment.REPLICAS!.split(' ');
  expect(replicas).toEqual(['server-1:3000', 'server-2:3000']);
});

test('the alerts use only metrics that the server has', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/guides/production.md'), 'utf8');
  const [before, alerts] = page.split('## Alerts');
  const namesIn = (text = '') =>
    [...text.matchAll(/\bservice_[a-z_]+/g)].map(([name]) => name.replace(/_bucket$/, ''));
  const known = namesIn(before!.split('## Metrics\n')[1]);
  const used = namesIn(alerts);
  expect(used.filter((name) => !known.includes(name))).toEqual([]);
  expect(new Set(used).size).toBeGreaterThan(10);
});

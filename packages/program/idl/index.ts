/**
 * Writes idl.json, the Codama root node from which the clients are generated, and the error table of the README.
 * `npm run generate` runs it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { constantNode, numberValueNode, programNode, rootNode } from 'codama';
import { accounts, definedTypes, pdas } from './accounts.ts';
import { errors, withErrorTable } from './errors.ts';
import { events } from './events.ts';
import { instructions } from './instructions/index.ts';
import { u64 } from './types.ts';

const HOUR = 3_600;
const DAY = 86_400;

const limit = (name: string, value: number, docs: string) =>
  constantNode(name, u64, numberValueNode(value), [docs]);

const root = rootNode(
  programNode({
    name: 'ruleSetPass',
    publicKey: '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi',
    version: '0.1.0',
    docs: ['Rule sets, eligibility proofs, passes and bound mints.'],
    pdas,
    accounts,
    definedTypes,
    instructions,
    errors,
    events,
    constants: [
      limit('maxPassFee', 100_000_000, 'Maximum pass fee in lamports.'),
      limit('passFeeRaiseDelaySeconds', 7 * DAY, 'Seconds after which a raise of the pass fee takes effect.'),
      limit('ruleChangeDelaySeconds', 7 * DAY, 'Seconds after which an announced rule set can be applied.'),
      limit('minPassAgeSeconds', HOUR, 'Minimum of maxPassAgeSeconds of a rule set.'),
      limit('maxPassAgeLimitSeconds', 366 * DAY, 'Maximum of maxPassAgeSeconds of a rule set.'),
      limit(
        'minProofIntervalSeconds',
        HOUR,
        'Least time between two proofs of a wallet for a rule set, unless half of maxPassAgeSeconds is less.',
      ),
      limit('maxCircuitGraceSeconds', 30 * DAY, 'Maximum grace period of a circuit in seconds.'),
      limit(
        'credentialClockSkewSeconds',
        300,
        'Maximum seconds by which the time of issue of a credential may be ahead of the chain time.',
      ),
      limit(
        'maxCredentialDelaySeconds',
        4 * DAY,
        'Maximum seconds from the time of issue of a credential until it is on chain.',
      ),
      limit('maxCredentialAgeSeconds', 3 * 366 * DAY, 'Maximum life of a credential in seconds.'),
    ],
  }),
);

writeFileSync(new URL('../idl.json', import.meta.url), `${JSON.stringify(root, null, 2)}\n`);

const readme = new URL('../README.md', import.meta.url);
writeFileSync(readme, withErrorTable(readFileSync(readme, 'utf8')));

/**
 * `npm run campaign -- platform [TEXT]`: removes each newer global and member alone, and says without which the journey
 * fails. With a text, only those whose names contain it.
 */

import { startQuickStack } from '../support/quick-stack.ts';
import { newerThanFloor } from './floor.ts';
import { journeyWithout } from './journey-without.ts';
import { isNeededByNode } from './needed-by-node.ts';

/** Returns whether this version of Node has what a name names. Reads no getter of a prototype, which needs an object. */
function exists(name: string): boolean {
  const path = name.split('.');
  const last = path.pop() as string;
  let owner: unknown = globalThis;
  for (const part of path) owner = (owner as Record<string, unknown> | null | undefined)?.[part];
  return owner !== null && owner !== undefined && Reflect.has(Object(owner), last);
}

const wanted = process.argv[2] ?? '';
const names = newerThanFloor().filter((name) => name.includes(wanted) && exists(name));
const stack = await startQuickStack();
let needed = 0;
try {
  for (const name of names) {
    const failure = await journeyWithout([name], stack.deployment).then(
      ({ proofs }) => (proofs === 1 ? null : 'the worker made no proof'),
      (error: Error) => error.message.split('\n')[0],
    );
    const who = isNeededByNode(name) ? 'needed by Node' : 'NEEDED';
    console.log(`${name}: ${failure ? `${who}: ${failure}` : 'not needed'}`);
    if (failure && !isNeededByNode(name)) needed++;
  }
} finally {
  await stack.close();
}
console.log(`${names.length} removed, ${needed} needed by the SDK`);
process.exitCode = needed > 0 ? 1 : 0;

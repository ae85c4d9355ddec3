#!/usr/bin/env node
/**
 * Rebuilds the program in a temporary folder and compares it with the committed artifact. `npm run program:verify`
 * If they differ, it exits with 1 and prints both digests and both toolchains.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ARTIFACT, buildProgram, DIGEST_FILE, sha256, TOOLCHAIN_FILE, toolchainVersions } from './build.mjs';

/** @returns {string[]} the differences; empty if there are none */
function disagreements(built) {
  const committed = sha256(readFileSync(ARTIFACT));
  const written = readFileSync(DIGEST_FILE, 'utf8').split(' ')[0];
  const found = [];
  if (committed !== written) {
    found.push(`artifact/program.so has digest ${committed}, but program.so.sha256 says ${written}`);
  }
  if (built !== committed) {
    found.push(`the source builds to ${built}, but artifact/program.so is ${committed}`);
    found.push('Run `npm run program:build` and commit the result, or restore the source.');
  }
  return found;
}

function main() {
  const targetFolder = mkdtempSync(join(tmpdir(), 'program-verify-'));
  try {
    const { digest } = buildProgram({ targetFolder });
    const found = disagreements(digest);
    if (found.length === 0) {
      console.log(`The source builds to the committed artifact/program.so: sha256 ${digest}`);
      return;
    }
    for (const line of found) console.error(line);
    console.error(`The artifact was built with ${readFileSync(TOOLCHAIN_FILE, 'utf8').trim()}.`);
    console.error(`This machine built with     ${toolchainVersions()}.`);
    process.exitCode = 1;
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  } finally {
    rmSync(targetFolder, { recursive: true });
  }
}

main();

#!/usr/bin/env node
/**
 * Rebuilds the programs in a temporary folder and compares them with the committed artifacts. `npm run verify -w @service/program`
 * If one differs, it exits with 1 and prints both digests and both toolchains.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildProgram, PROGRAMS, sha256, toolchainVersions } from './build.mjs';

/** @returns {string[]} the differences; empty if there are none */
function disagreements({ name, artifact, digestFile }, built) {
  const committed = sha256(readFileSync(artifact));
  const written = readFileSync(digestFile, 'utf8').split(' ')[0];
  const found = [];
  if (committed !== written) {
    found.push(`${name} has digest ${committed}, but ${basename(digestFile)} says ${written}`);
  }
  if (built !== committed) {
    found.push(`the source builds to ${built}, but ${name} is ${committed}`);
    found.push('Run `npm run build -w @service/program` and commit the result, or restore the source.');
  }
  return found;
}

function verify(program) {
  const targetFolder = mkdtempSync(join(tmpdir(), 'program-verify-'));
  try {
    const { digest } = buildProgram(program, { targetFolder });
    const found = disagreements(program, digest);
    if (found.length === 0) {
      console.log(`The source builds to the committed ${program.name}: sha256 ${digest}`);
      return;
    }
    for (const line of found) console.error(line);
    console.error(`The artifact was built with ${readFileSync(program.toolchainFile, 'utf8').trim()}.`);
    console.error(`This machine built with     ${toolchainVersions()}.`);
    process.exitCode = 1;
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  } finally {
    rmSync(targetFolder, { recursive: true });
  }
}

for (const program of PROGRAMS) verify(program);

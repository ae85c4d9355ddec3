/** A process that runs issueMany with a ledger in a file, for a test that kills it. */
import { readFileSync } from 'node:fs';
import { issueMany } from '@service/sdk/chain';
import { fileLedger } from '@service/sdk/node';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';

const { key, path, ...options } = JSON.parse(readFileSync(process.argv[2]!, 'utf8'));
const issuer = await createKeyPairSignerFromPrivateKeyBytes(Uint8Array.from(key));
const report = await issueMany(issuer, { ...options, ledger: fileLedger(path) });
console.log(`issued ${report.issued}`);

/** `npx @service/cli <change>`: signs and sends a change with a key file, or prints its transaction without signatures. */
import { readFile } from 'node:fs/promises';
import { compileDraft, sendAll } from '@service/deploy';
import { decodeTransactionError, programErrorMessage } from '@service/protocol';
import {
  type Base64EncodedWireTransaction,
  createKeyPairSignerFromBytes,
  createNoopSigner,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
} from '@solana/kit';
import { guarded } from '../guarded.ts';
import { readOptions, UsageError } from '../options.ts';
import { ended, plain, plainLines } from '../output.ts';
import { callRpc } from './call-rpc.ts';
import type { Change } from './changes.ts';
import { CHAIN_OPTIONS, type OpenChain, openChain } from './open-chain.ts';
import { describeGovernance } from './show.ts';

const SIGNER_OPTIONS = {
  key: 'the key file of the signer, as solana-keygen writes it: signs, pays and sends',
  unsigned: 'the address of the signer, such as the vault of a multisig: prints the transaction in base64',
};

/** Milliseconds without an answer of the RPC after which a command stops waiting for the change that it has sent. */
const MOST_SILENCE_MS = 60_000;

/** Makes a change. Returns the exit code: 0, 1 if the chain refuses it, 2 if it could not be tried or finished. */
export function change(
  name: string,
  { options: own, plan, summary }: Change,
  argv: readonly string[],
): Promise<number> {
  const known = { ...own, ...SIGNER_OPTIONS, ...CHAIN_OPTIONS };
  return guarded(argv, { usage: `${name}: ${summary}`, options: known }, async () => {
    const options = readOptions(argv, known);
    if (options.has('key') === options.has('unsigned'))
      throw new UsageError('Pass either --key or --unsigned.');
    const key = options.has('key') ? await readKey(options.text('key')) : null;
    const address = key?.address ?? options.address('unsigned');
    const chain = await openChain(options);
    const { instruction, signers } = await plan({ ...chain, options, signer: createNoopSigner(address) });
    if (signers && !signers.includes(address)) {
      // Only the nominee can be missing.
      if (signers.length === 0) throw new UsageError('There is no nominee. Send nominate-authority first.');
      throw new UsageError(`${name} must be signed by ${signers.join(' or ')}, not by ${address}.`);
    }
    const { program, genesisHash } = chain.deployment;
    const given = Object.keys(own).flatMap((each) =>
      options.has(each) ? [`--${each} ${options.shown(each)}`] : [],
    );
    console.error(
      plain(`${[name, ...given].join(' ')}: program ${program}, cluster ${genesisHash}, signer ${address}`),
    );
    const { value: lifetime } = await callRpc('getLatestBlockhash', (call) =>
      chain.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send(call),
    );
    const wire = getBase64EncodedWireTransaction(compileDraft(address, [instruction], lifetime));
    const refusal = await simulate(chain, wire);
    if (refusal) return ended(1, plain(`The chain would refuse it: ${refusal}. Nothing was signed.`));
    if (!key) {
      console.error(
        `${address} must sign this transaction, and pays for it. Its blockhash is valid for about a minute.`,
      );
      return ended(0, wire);
    }
    const [signature] = await sendAll({
      rpc: chain.rpc,
      drafts: [{ payer: key, signers: [], instructions: [instruction] }],
      commitment: 'finalized',
      what: name,
      preflight: true,
      mostSilenceMs: MOST_SILENCE_MS,
    });
    // The change is final, so a failure to show the new settings must not look like a failed change.
    console.log(`finalized: ${signature}`);
    const config = chain.read('config', await chain.at.config());
    const shown = config.then((read) => describeGovernance({ ...chain, config: read }));
    const failed = (error: unknown) => `It could not be shown: ${(error as Error).message} Run governance.`;
    return ended(0, plainLines(await shown.catch(failed)));
  });
}

/** Returns why the chain would refuse a transaction, or null. */
async function simulate({ rpc, deployment: { program } }: OpenChain, wire: Base64EncodedWireTransaction) {
  const { value } = await callRpc('simulateTransaction', (options) =>
    rpc
      .simulateTransaction(wire, { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true })
      .send(options),
  );
  if (value.err === null) return null;
  const action = 'CREDENTIAL';
  const failure = decodeTransactionError({ action, program, programs: [program] }, value.err);
  if (!failure.programError) return failure.cause;
  return `${failure.programError.name}: ${programErrorMessage(action, failure.programError)}`;
}

async function readKey(file: string): Promise<KeyPairSigner> {
  try {
    return await createKeyPairSignerFromBytes(new Uint8Array(JSON.parse(await readFile(file, 'utf8'))));
  } catch {
    throw new UsageError(
      `${file} is not a key file. Pass one that solana-keygen wrote: 64 numbers in a JSON array.`,
    );
  }
}

/** `npx @service/cli <change>`: signs and sends a change with a key file, or prints its transaction without signatures. */
import { readFile } from 'node:fs/promises';
import { compileDraft, sendAll } from '@service/deploy';
import { decodeTransactionError, programErrorMessage, SYSTEM_PROGRAM } from '@service/protocol';
import {
  type Base64EncodedWireTransaction,
  createKeyPairSignerFromBytes,
  createNoopSigner,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  type Signature,
} from '@solana/kit';
import { guarded } from '../guarded.ts';
import { readOptions, UsageError } from '../options.ts';
import { ended, plain, plainLines } from '../output.ts';
import { callRpc } from './call-rpc.ts';
import { type DurableNonce, NONCE_OPTIONS, readNonce, readNonceOptions, usedNonce } from './durable-nonce.ts';
import { CHAIN_OPTIONS, type OpenChain, openChain } from './open-chain.ts';
import type { Change, Planned } from './plan.ts';

const SIGNER_OPTIONS = {
  key: 'the key file of the signer, as solana-keygen writes it: signs, pays and sends',
  unsigned: 'the address of the signer, such as the vault of a multisig: prints the transaction in base64',
};

/** A command stops waiting for its change after the RPC has not answered for this many milliseconds. */
const MOST_SILENCE_MS = 60_000;

/**
 * Makes a change, and then shows what `describe` returns. Returns the exit code: 0, 1 if the chain refuses it, 2 if it could
 * not be tried or finished.
 */
export function change(
  name: string,
  { options: own, plan, summary, movesTokens }: Change,
  argv: readonly string[],
  describe?: (chain: OpenChain) => Promise<string>,
): Promise<number> {
  const known = { ...own, ...SIGNER_OPTIONS, ...NONCE_OPTIONS, ...CHAIN_OPTIONS };
  const usage = `${name} --deployment <file> (--key <file> | --unsigned ADDRESS) [options]\n\n${sentence(summary)}`;
  return guarded(argv, { usage, options: known }, async () => {
    const options = readOptions(argv, known);
    if (options.has('key') === options.has('unsigned'))
      throw new UsageError('Pass either --key or --unsigned.');
    const key = options.has('key') ? await readKey(options.text('key')) : null;
    const address = key?.address ?? options.address('unsigned');
    const named = readNonceOptions(options, address);
    const chain = await openChain(options);
    const planned = await plan({ ...chain, options, signer: createNoopSigner(address) });
    checkSigner(name, planned, address);
    const { instructions, keys = [], creates } = planned;
    if (!key && keys.length > 0)
      throw new UsageError(`Pass --key, because a new key signs ${name} too. Any key can pay.`);
    const { program, genesisHash } = chain.deployment;
    const given = Object.keys(own).flatMap((each) =>
      options.has(each) ? [`--${each} ${options.shown(each)}`] : [],
    );
    console.error(
      plain(`${[name, ...given].join(' ')}: program ${program}, cluster ${genesisHash}, signer ${address}`),
    );
    if (creates) console.error(plain(`creates ${creates}`));
    const nonce = named && (await readNonce(chain, named));
    const lifetime = nonce ?? (await readBlockhash(chain));
    const wire = getBase64EncodedWireTransaction(compileDraft(address, instructions, lifetime));
    const refusal = await simulate(chain, wire, { instructions, nonce, movesTokens });
    if (refusal)
      return ended(1, plain(`The chain would reject this transaction: ${refusal}. Nothing was signed.`));
    if (!key) {
      console.error(whatToDo(address, nonce));
      return ended(0, wire);
    }
    const [signature] = await sendAll({
      rpc: chain.rpc,
      drafts: [{ payer: key, signers: keys, instructions }],
      commitment: 'finalized',
      what: name,
      preflight: true,
      mostSilenceMs: MOST_SILENCE_MS,
      lifetime: nonce ?? undefined,
      // A command that is stopped must leave a trace of a transaction that can still land.
      onSigned: nonce ? (signed) => console.error(outlives(signed, nonce)) : undefined,
    });
    // The change is final, so a failure to show the new settings must not look like a failed change.
    console.log(`finalized: ${signature}`);
    if (!describe) return 0;
    const config = chain.read('config', await chain.at.config());
    const shown = config.then((read) => describe({ ...chain, config: read }));
    const failed = (error: unknown) =>
      `The new settings could not be shown: ${(error as Error).message} Run governance.`;
    return ended(0, plainLines(await shown.catch(failed)));
  });
}

function checkSigner(name: string, { signers }: Planned, address: string): void {
  if (!signers || signers.some((each) => each === address)) return;
  // Only the nominee can be missing.
  if (signers.length === 0) throw new UsageError('There is no nominee. Send nominate-authority first.');
  throw new UsageError(`${name} must be signed by ${signers.join(' or ')}, not by ${address}.`);
}

/** Returns what the person must know of a transaction before it is sent. */
function outlives(signature: Signature, { nonceAccountAddress: account }: DurableNonce): string {
  return `sends ${signature}, which is valid until the nonce of ${account} is advanced`;
}

/** Returns what the person does with a printed transaction. */
function whatToDo(signer: string, nonce: DurableNonce | null): string {
  if (!nonce)
    return `${signer} must sign this transaction, and pays for it. Its blockhash is valid for about a minute.`;
  const { nonceAccountAddress: account, nonceAuthorityAddress: authority } = nonce;
  const isOwn = authority === signer;
  const who = isOwn ? `${signer} must` : `${signer} and ${authority} must both`;
  const cancels = isOwn
    ? ''
    : ` Only ${authority} can cancel it, and can also hold it back and send it later.`;
  return `${who} sign this transaction. ${signer} pays for it. It is valid until the nonce of ${account} is advanced.${cancels} The transaction advances the nonce too, so use another nonce account for each further transaction.`;
}

/** Returns a summary as a sentence. */
function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

async function readBlockhash({ rpc }: OpenChain) {
  const { value } = await callRpc('getLatestBlockhash', (call) =>
    rpc.getLatestBlockhash({ commitment: 'confirmed' }).send(call),
  );
  return value;
}

/** What a simulated transaction consists of. */
interface Simulated extends Pick<Planned, 'instructions'>, Pick<Change, 'movesTokens'> {
  readonly nonce: DurableNonce | null;
}

/**
 * Returns why the chain would reject a transaction, or null.
 *
 * @throws ServiceError BLOCKHASH_INVALID if its nonce was advanced
 */
async function simulate(
  { rpc, deployment: { program } }: OpenChain,
  wire: Base64EncodedWireTransaction,
  { instructions, nonce, movesTokens }: Simulated,
) {
  const { value } = await callRpc('simulateTransaction', (options) =>
    rpc
      .simulateTransaction(wire, {
        encoding: 'base64',
        sigVerify: false,
        // The chain must accept the nonce itself.
        ...(nonce ? { replaceRecentBlockhash: false } : { replaceRecentBlockhash: true }),
      })
      .send(options),
  );
  if (value.err === null) return null;
  if (nonce && value.err === 'BlockhashNotFound') throw usedNonce(nonce);
  const programs = instructions.map(({ programAddress }) => programAddress);
  if (nonce) programs.unshift(SYSTEM_PROGRAM);
  const action = movesTokens ? 'ISSUE' : 'CREDENTIAL';
  const failure = decodeTransactionError({ action, program, programs }, value.err);
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

/** `npx @service/cli governance`. */
import { CLOCK_SYSVAR, hexOf, nextPassFeeAt, passFeeAt } from '@service/protocol';
import { sha256Hex } from '@service/protocol/eligibility/sha256';
import { fetchEncodedAccount, getI64Decoder, type Option, unwrapOption } from '@solana/kit';
import { callRpc } from '../change/call-rpc.ts';
import { CHAIN_OPTIONS, type OpenChain, openChain } from '../change/open-chain.ts';
import { guarded } from '../guarded.ts';
import { readOptions } from '../options.ts';
import { ended, plain } from '../output.ts';

/** Shows Config and the treasury. Returns the exit code: 0, or 2 if they could not be read. */
export function show(argv: readonly string[]): Promise<number> {
  return guarded(
    argv,
    { usage: 'governance --deployment <file> [--rpc URL]', options: CHAIN_OPTIONS },
    async () => {
      const chain = await openChain(readOptions(argv, CHAIN_OPTIONS));
      return ended(0, await describeGovernance(chain));
    },
  );
}

/** Returns what governance has set, a line for each field. */
export async function describeGovernance({ rpc, at, config, deployment, read }: OpenChain): Promise<string> {
  const treasury = await at.treasury();
  const fees = await callRpc('Reading the treasury', async (options) => {
    const config = { encoding: 'base64', commitment: 'finalized' } as const;
    const { value: account } = await rpc.getAccountInfo(treasury, config).send(options);
    if (!account) return 0n;
    return account.lamports - (await rpc.getMinimumBalanceForRentExemption(account.space).send(options));
  });
  const now = await readChainTime(rpc);
  const [fee, next] = [passFeeAt(config, now), nextPassFeeAt(config, now)];
  const active = unwrapOption(config.activeCircuit);
  const circuit = active && (await read('circuit', active));
  const fields = {
    program: deployment.program,
    cluster: deployment.genesisHash,
    authority: config.authority,
    nominee: textOf(config.nominee),
    guardian: textOf(config.guardian),
    paused: config.paused,
    'pass fee': fee === null ? 'not set' : `${fee} lamports`,
    'next pass fee': next === null ? 'none' : `${next.lamports} lamports from ${time(next.from)}`,
    'passes valid since': config.passesValidFrom === 0n ? 'always' : time(config.passesValidFrom),
    'active circuit': circuit?.id ?? 'none',
    ...(circuit && {
      'artifacts digest': hexOf(circuit.artifactsDigest),
      'SHA-256 of its key': await sha256Hex(new Uint8Array(circuit.verifyingKey)),
    }),
    treasury,
    'fees in the treasury': `${fees} lamports`,
  };
  return Object.entries(fields)
    .map(([field, value]) => plain(`${field}: ${value}`))
    .join('\n');
}

/** Offset of the Unix time in the Clock sysvar. */
const UNIX_TIMESTAMP_OFFSET = 32;

/** Returns the chain's time in Unix seconds at the newest confirmed slot. */
function readChainTime(rpc: OpenChain['rpc']): Promise<bigint> {
  return callRpc('Reading the clock', async (options) => {
    const clock = await fetchEncodedAccount(rpc, CLOCK_SYSVAR, { commitment: 'confirmed', ...options });
    if (!clock.exists) throw new Error('The RPC has no clock.');
    return getI64Decoder().decode(clock.data, UNIX_TIMESTAMP_OFFSET);
  });
}

const textOf = (option: Option<unknown>) => unwrapOption(option) ?? 'none';
const time = (seconds: bigint) => `${seconds} (${new Date(Number(seconds) * 1000).toISOString()})`;

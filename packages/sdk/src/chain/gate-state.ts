/** Reads a gated mint through the caller's own RPC, and says why Token ACL cannot ask the program about it. */
import {
  type AccountOf,
  decodeAccount,
  decodeGate,
  decodeGateableMint,
  decodeMintConfig,
  type Gate,
  type GateableMint,
  gateListAddresses,
  type MintConfig,
  mintConfigAddress,
  programAddresses,
  secondsLeftOf,
  TOKEN_ACL_PROGRAM,
} from '@service/protocol';
import type { Address, MaybeEncodedAccount } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { accountNotFound, readFinalAccount, readTogether } from '../rpc/accounts.ts';
import { type Chain, checkGenesisHash } from '../rpc/chain.ts';
import { readPassFacts } from './reads.ts';

/** What the chain shows of a mint at finalized commitment. */
export interface GateState {
  readonly mint: GateableMint;
  /** The configuration of Token ACL; null if there is none. */
  readonly mintConfig: MintConfig | null;
  /** The rule set of the gate; null if the program is not the gate of the mint. */
  readonly gate: Gate | null;
  /** Another account that was asked for. */
  readonly other: MaybeEncodedAccount;
}

/**
 * Reads a mint, what its gate consists of, and another account. Throws while the protocol is paused, unless the call only
 * restricts.
 *
 * @throws ServiceError GENESIS_HASH_MISMATCH, ACCOUNT_NOT_FOUND, GATE_UNUSABLE if the cluster has no Token ACL,
 *   PROTOCOL_PAUSED, RPC_ERROR, ABORTED
 */
export async function readGateState(
  chain: Chain,
  mint: Address,
  other: Address,
  { signal, restricts = false }: { signal: AbortSignal | undefined; restricts?: boolean },
): Promise<GateState> {
  await checkGenesisHash(chain, signal);
  const { program } = chain.deployment;
  const { thawList, freezeList } = await gateListAddresses(program, mint);
  const config = await programAddresses(program).config();
  const mintConfig = await mintConfigAddress(mint);
  const addresses = [mint, mintConfig, thawList, freezeList, config, TOKEN_ACL_PROGRAM, other];
  const reading = { what: 'Reading the gate of the mint', commitment: 'finalized', signal } as const;
  return readTogether(
    chain,
    addresses,
    reading,
    ([mintAccount, mintConfig, thaw, freeze, governance, tokenAcl, last]) => {
      const found = decodeGateableMint(mintAccount!);
      if (!found) throw accountNotFound('Token-2022 mint', mint);
      if (!tokenAcl!.exists || !tokenAcl!.executable) {
        throw gateUnusable(
          `This cluster has no Token ACL (the program ${TOKEN_ACL_PROGRAM}), which a gate needs. Use a cluster that has it.`,
        );
      }
      if (!restricts && decodeAccount(program, 'config', governance!)?.data.paused) {
        throw new ServiceError('PROTOCOL_PAUSED', {
          message:
            'Governance paused the protocol. Try again when it has ended the pause. Nothing was signed.',
        });
      }
      const tokenAclConfig = decodeMintConfig(mintConfig!);
      return {
        mint: found,
        mintConfig: tokenAclConfig,
        // The lists stay when the gate is removed. What they say must not return with the next gate.
        gate: tokenAclConfig?.gate === program ? decodeGate(program, thaw!, freeze!) : null,
        other: last!,
      };
    },
  );
}

/** Returns the error for a mint whose token accounts Token ACL cannot thaw or freeze by this program. */
export function gateUnusable(why: string): ServiceError {
  return new ServiceError('GATE_UNUSABLE', { message: `${why} Nothing was signed.` });
}

/**
 * Returns the gate of a mint.
 *
 * @throws ServiceError GATE_UNUSABLE
 */
export function requireGate({ gate }: GateState): Gate {
  if (gate) return gate;
  throw gateUnusable(
    'The program is not the gate of this mint. Its issuer can make it the gate with setGate.',
  );
}

/**
 * Returns the gate of a mint, if Token ACL asks it.
 *
 * @throws ServiceError GATE_UNUSABLE
 */
export function usableGate(state: GateState, may: 'canThaw' | 'canFreeze'): Gate {
  const gate = requireGate(state);
  if (!state.mintConfig![may]) {
    const what = may === 'canThaw' ? 'thaw' : 'freeze';
    throw gateUnusable(
      `The issuer does not let everybody ${what} token accounts of this mint. Ask the issuer to allow it with setGate.`,
    );
  }
  return gate;
}

/** Returns the error for a wallet without a pass that counts for a gate. */
export function passRequired({ rule }: Gate, wallet: Address): ServiceError {
  return new ServiceError('PASS_REQUIRED', {
    message: `${wallet} has no live pass for the rule set ${rule} of this mint. Prove the rule set, or ask its creator if the pass is suspended. Nothing was signed.`,
    context: { rule, wallet },
  });
}

/**
 * Returns the pass of a wallet with which a gate thaws its token account, or null if it has none.
 *
 * @throws ServiceError RPC_ERROR, ABORTED, ACCOUNT_NOT_FOUND if the RPC has no clock
 */
export async function readLivePass(
  chain: Chain,
  { rule, honoursGranted }: Gate,
  wallet: Address,
  signal: AbortSignal | undefined,
): Promise<AccountOf<'pass'> | null> {
  const at = programAddresses(chain.deployment.program);
  const pass = await readFinalAccount(chain, 'pass', await at.pass(rule, wallet), signal);
  if (!pass || (pass.data.granted && !honoursGranted)) return null;
  return secondsLeftOf(pass.data, await readPassFacts(chain, signal)) > 0n ? pass.data : null;
}

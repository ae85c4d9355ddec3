import {
  bindingRecordOf,
  CLOCK_SYSVAR,
  decodeAccount,
  decodeGate,
  decodeMintConfig,
  findProgramDataAddress,
  type Gate,
  gateListAddresses,
  type MintConfig,
  mintConfigAddress,
  PROGRAM_DATA_HEADER_BYTES,
  programAddresses,
  ruleSetRecordOf,
  SYSTEM_PROGRAM,
  TOKEN_ACL_PROGRAM,
  upgradeAuthorityOf,
} from '@service/protocol';
import { type Address, getBase64Encoder, type MaybeEncodedAccount, unwrapOption } from '@solana/kit';
import { ServiceError } from '../../errors.ts';
import { accountNotFound, epochOf, readTogether } from '../../rpc/accounts.ts';
import { type Chain, callRpc, checkGenesisHash } from '../../rpc/chain.ts';
import { type ChainOptions, chainWith } from '../options.ts';
import type { BindingPowers, GatePowers, MintPowers, RuleSetPowers } from './mint-powers.ts';
import { mintRolesOf } from './mint-roles.ts';
import { sentencesOf } from './sentences.ts';

/**
 * Returns who has which power over a mint, as a record and as sentences for the person who is about to accept its tokens:
 * who can issue, take, freeze and pause, who decides about passes, and who can change that (SPEC.md section 2). It reads
 * your own RPC at finalized commitment. It works for any Token-2022 mint.
 *
 * It never leaves out what it cannot read: an extension that the SDK does not know has a sentence, and an account of
 * another layout is an error.
 *
 * @param options.mint base58 address of the mint
 * @throws ServiceError INVALID_ARGUMENT, GENESIS_HASH_MISMATCH, ACCOUNT_NOT_FOUND if there is no Token-2022 mint,
 *   or a mint has a fee and your RPC has no clock, ACCOUNT_UNREADABLE, RPC_ERROR, ABORTED
 * @example
 * const { sentences } = await fetchPowers({ deployment, mint });
 * for (const { text } of sentences) console.log(text);
 */
export async function fetchPowers(options: ChainOptions & { readonly mint: Address }): Promise<MintPowers> {
  const chain = chainWith(options, ['mint']);
  const { mint, signal } = options;
  await checkGenesisHash(chain, signal);
  const reading = { what: 'Reading the powers over the mint', commitment: 'finalized', signal } as const;
  const { program } = chain.deployment;
  const at = programAddresses(program);
  const { thawList, freezeList } = await gateListAddresses(program, mint);
  const places = { program, binding: await at.mintBinding(mint), mintConfig: await mintConfigAddress(mint) };
  const addresses = [
    mint,
    places.binding,
    places.mintConfig,
    thawList,
    freezeList,
    await at.config(),
    CLOCK_SYSVAR,
  ];
  const found = await readTogether(chain, addresses, reading, (accounts) => {
    const [mintAccount, binding, mintConfig, thaw, freeze, config, clock] =
      accounts as Seven<MaybeEncodedAccount>;
    const found = decodeAccount(program, 'mint', mintAccount)?.data;
    if (!found) throw accountNotFound('Token-2022 mint', mint);
    // Without the freeze authority, a configuration of Token ACL decides nothing.
    const isGated = found.freezeAuthority === places.mintConfig;
    return {
      roles: mintRolesOf(found, () => epochOf(clock)),
      isGated,
      binding: known(binding, (account) => decodeBinding(program, account)),
      config: known(config, (account) => decodeAccount(program, 'config', account))?.data ?? null,
      mintConfig: isGated ? known(mintConfig, decodeMintConfig) : null,
      gate: isGated ? gateOf(program, thaw, freeze) : null,
    };
  });
  const { binding, config, mintConfig, gate } = found;
  const rules = [binding?.rule, binding?.nextRule, gate?.rule].flatMap((rule) => rule ?? []);
  const ruleSetAt = await readRuleSets(chain, rules, reading);
  const record = {
    mint,
    ...found.roles,
    binding: binding && bindingPowers(binding, ruleSetAt),
    gate: mintConfig ? gatePowers(mintConfig, gate, { program, ruleSetAt }) : null,
    tokenAcl: found.isGated
      ? { upgradeAuthority: await readUpgradeAuthority(chain, TOKEN_ACL_PROGRAM, signal) }
      : null,
    protocol: config && {
      governance: config.authority,
      nominee: unwrapOption(config.nominee),
      guardian: unwrapOption(config.guardian),
      isPaused: config.paused,
      upgradeAuthority: await readUpgradeAuthority(chain, program, signal),
    },
  };
  return { ...record, sentences: sentencesOf(record, places) };
}

type Seven<T> = readonly [T, T, T, T, T, T, T];
type RuleSetAt = ReadonlyMap<Address, RuleSetPowers>;
type Reading = Parameters<typeof readTogether>[2];

/**
 * Returns what `read` makes of an account, or null if there is none. Anyone can send lamports to an address that a program
 * derives, which makes an account without data there.
 *
 * @throws ServiceError ACCOUNT_UNREADABLE
 */
function known<T>(account: MaybeEncodedAccount, read: (account: MaybeEncodedAccount) => T | null): T | null {
  if (!account.exists || (account.programAddress === SYSTEM_PROGRAM && account.data.length === 0))
    return null;
  const found = read(account);
  if (!found) throw unreadable(account.address);
  return found;
}

function unreadable(address: Address): ServiceError {
  return new ServiceError('ACCOUNT_UNREADABLE', {
    message: `This SDK cannot read the account ${address}, so it cannot say who has which power. Update the SDK, and check the program of the deployment.`,
    context: { address },
  });
}

/** Returns the gate, or null without one. One list alone, or two that differ, cannot be read. */
function gateOf(program: Address, thaw: MaybeEncodedAccount, freeze: MaybeEncodedAccount): Gate | null {
  const gate = () => decodeGate(program, thaw, freeze);
  return known(thaw, gate) ?? known(freeze, gate);
}

function decodeBinding(program: Address, account: MaybeEncodedAccount) {
  const found = decodeAccount(program, 'mintBinding', account);
  return found && bindingRecordOf(found);
}

/** Reads rule sets. The program never closes one, so a missing one cannot be read either. */
async function readRuleSets(chain: Chain, rules: readonly Address[], reading: Reading): Promise<RuleSetAt> {
  if (rules.length === 0) return new Map();
  const { program } = chain.deployment;
  return readTogether(chain, rules, reading, (accounts) => {
    const found = accounts.map((account) => {
      const ruleSet = decodeAccount(program, 'ruleSet', account);
      if (!ruleSet) throw unreadable(account.address);
      const { address, name, creator, powers, verifier, walletsPerPerson } = ruleSetRecordOf(ruleSet, {
        passFunds: 0n,
        clauseOf: String,
      });
      return [address, { address, name, creator, powers, verifier, walletsPerPerson }] as const;
    });
    return new Map(found);
  });
}

function bindingPowers(
  { mint: _, rule, nextRule, nextRuleFrom, ...binding }: ReturnType<typeof bindingRecordOf>,
  ruleSetAt: RuleSetAt,
): BindingPowers {
  const ruleSet = ruleSetAt.get(rule)!;
  return {
    ...binding,
    issuerIsCreator: binding.issuer === ruleSet.creator,
    ruleSet,
    next: nextRule && { ruleSet: ruleSetAt.get(nextRule)!, from: nextRuleFrom },
  };
}

function gatePowers(
  { authority, gate: asked, canThaw, canFreeze }: MintConfig,
  gate: Gate | null,
  { program, ruleSetAt }: { program: Address; ruleSetAt: RuleSetAt },
): GatePowers {
  const own = asked === program ? gate : null;
  const ruleSet = own ? ruleSetAt.get(own.rule)! : null;
  return {
    authority,
    gate: asked,
    canThaw,
    canFreeze,
    honoursGranted: own?.honoursGranted ?? false,
    ruleSet,
  };
}

/** Returns who can replace a program: null if nobody can, undefined if the account cannot be read. */
async function readUpgradeAuthority(
  chain: Chain,
  program: Address,
  signal: AbortSignal | undefined,
): Promise<Address | null | undefined> {
  const address = await findProgramDataAddress(program);
  // The code follows, which is large.
  const dataSlice = { offset: 0, length: PROGRAM_DATA_HEADER_BYTES };
  const asked = { commitment: 'finalized', encoding: 'base64', dataSlice } as const;
  return callRpc(chain, 'Reading the upgrade authority', signal, async (rpc, options) => {
    const { value } = await rpc.getMultipleAccounts([address], asked).send(options);
    const [account] = value;
    return account
      ? upgradeAuthorityOf(account.owner, getBase64Encoder().encode(account.data[0]))
      : undefined;
  });
}

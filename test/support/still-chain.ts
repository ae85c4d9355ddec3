/** A real cluster in front of which hostile services tamper: the program, and the accounts of all five operation kinds. */

import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { clauseFromMasks } from '@service/contract';
import { developmentKeys, Localnet } from '@service/localnet';
import {
  bindMintInstruction,
  createRuleSetInstruction,
  programAddresses,
  readAccount,
  ruleSetRecordOf,
} from '@service/protocol';
import { type ClauseMasks, parseBirthDate } from '@service/protocol/eligibility';
import type { Deployment, RuleSet, Witness } from '@service/sdk';
import {
  createMint,
  createTokenAccount,
  deployTo,
  issueCredential,
  send,
} from '@service/test-support/service';
import { type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';

/** A cluster whose slots pass only while it is set up, and when a test advances them. */
export interface StillChain {
  readonly net: Localnet;
  readonly deployment: Deployment;
  readonly manifest: Awaited<ReturnType<typeof readArtifacts>>['manifest'];
  /** The issuer of the bound mint. It has a credential. */
  readonly wallet: KeyPairSigner;
  readonly other: KeyPairSigner;
  /** A rule set whose only clause the wallet meets. */
  readonly rule: Address;
  /** The witness of the wallet's credential. */
  readonly witness: Witness;
  readonly boundMint: Address;
  readonly freeMint: Address;
  /** The wallet's token account of the bound mint. */
  readonly source: Address;
  /** The other wallet's token account of the bound mint. */
  readonly destination: Address;
  /** A blockhash that stays valid while no slots pass. */
  readonly blockhash: string;
  /** Creates another rule set on chain. */
  createRule(clauses: readonly ClauseMasks[]): Promise<{ address: Address; record: RuleSet }>;
  stop(): Promise<void>;
}

const LAMPORTS = 100_000_000_000n;

/** Starts the cluster and sends the transactions that set it up. */
export async function stillChain(): Promise<StillChain> {
  const net = Localnet.start({ slotMs: 'manual', confirmSlots: 1, finalitySlots: 2 });
  const [keys, artifacts] = await Promise.all([developmentKeys(), readArtifacts(artifactsDirectory)]);
  await deployTo(net, keys, artifacts);
  const { rpc } = net;
  const program = keys.program.address;
  const cluster = { net, rpc: rpc as never, program, keys, finalize: async () => net.finalize() };
  const [wallet, other] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  for (const { address } of [wallet, other]) net.airdrop(address, LAMPORTS);

  let nonce = 0n;
  const createRule: StillChain['createRule'] = async (clauses) => {
    nonce += 1n;
    const intent = { kind: 'CREATE_RULE_SET', wallet: wallet.address, name: 'A rule set', nonce } as const;
    const request = { ...intent, clauses, maxPassAgeSeconds: 86_400n };
    await send(cluster, wallet, [await createRuleSetInstruction(program, request)]);
    net.finalize();
    const address = await programAddresses(program).ruleSet(wallet.address, nonce);
    const found = await readAccount({ rpc, program, commitment: 'finalized' }, 'ruleSet', address);
    return {
      address,
      record: ruleSetRecordOf(found!, { passFunds: found!.lamports, clauseOf: clauseFromMasks }),
    };
  };
  const { address: rule } = await createRule([{ regionMask: 1n, statusMask: 1, minAge: 0 }]);
  const [boundMint, freeMint] = [await createMint(cluster, wallet), await createMint(cluster, wallet)];
  const binding = { wallet: wallet.address, mint: boundMint, rule, requireSource: true };
  await send(cluster, wallet, [await bindMintInstruction(program, { kind: 'BIND_MINT', ...binding })]);
  const source = await createTokenAccount(cluster, wallet, { mint: boundMint, owner: wallet.address });
  const destination = await createTokenAccount(cluster, wallet, { mint: boundMint, owner: other.address });
  // The attributes of the witness below. Region AD has index 0 and retail is status 0, as the clause asks.
  const attributes = { region: 0, status: 0, birthDate: parseBirthDate('1990-05-17'), salt: 1_234_567n };
  await issueCredential(cluster, { wallet: wallet.address, witness: attributes, lifetimeSeconds: 86_400n });
  net.finalize();

  return {
    net,
    deployment: {
      program,
      genesisHash: net.genesisHash,
      artifactsDigest: artifacts.digest,
      rpcUrl: 'http://127.0.0.1:1',
      verifierOrigins: [],
    },
    manifest: artifacts.manifest,
    wallet,
    other,
    rule,
    boundMint,
    freeMint,
    witness: {
      wallet: wallet.address,
      region: 'AD',
      status: 'retail',
      birthDate: '1990-05-17',
      salt: '1234567',
    },
    source,
    destination,
    blockhash: (await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()).value.blockhash,
    createRule,
    stop: () => net.stop(),
  };
}

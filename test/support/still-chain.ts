/** A real cluster for hostile services to lie about: the program deployed, and the accounts of all five operation kinds. */

import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { clauseFromMasks } from '@service/contract';
import { circuitOf, deployProtocol, readProgram } from '@service/deploy';
import { developmentKeys, Localnet } from '@service/localnet';
import {
  bindMintInstruction,
  createBindableMintInstructions,
  createRuleSetInstruction,
  createTokenAccountInstruction,
  credentialMessage,
  issueCredentialInstructions,
  programAddresses,
  readAccount,
  ruleSetRecordOf,
  tokenAccountAddress,
} from '@service/protocol';
import { type ClauseMasks, commitmentOf, fieldToBytes, parseBirthDate } from '@service/protocol/eligibility';
import type { Deployment, RuleSet, Witness } from '@service/sdk';
import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signBytes,
  signTransaction,
} from '@solana/kit';

/** A cluster that stands still: slots pass only while it is being set up. */
export interface StillChain {
  readonly net: Localnet;
  readonly deployment: Deployment;
  readonly manifest: Awaited<ReturnType<typeof readArtifacts>>['manifest'];
  /** Issues the bound mint and holds a credential. */
  readonly wallet: KeyPairSigner;
  readonly other: KeyPairSigner;
  /** Met by the wallet. */
  readonly rule: Address;
  /** The witness behind the wallet's credential. */
  readonly witness: Witness;
  readonly boundMint: Address;
  readonly freeMint: Address;
  /** Token account of the bound mint, of the wallet. */
  readonly source: Address;
  /** Token account of the bound mint, of the other. */
  readonly destination: Address;
  /** A blockhash that is valid, and stays so. */
  readonly blockhash: string;
  /** Puts another rule set on chain. */
  createRule(clauses: readonly ClauseMasks[]): Promise<{ address: Address; record: RuleSet }>;
  stop(): Promise<void>;
}

const SOL = 1_000_000_000n;

/** Sets the cluster up by transactions. */
export async function stillChain(): Promise<StillChain> {
  const net = Localnet.start({ slotMs: 'manual', confirmSlots: 1, finalitySlots: 2 });
  // Whoever waits for finality in the setup gets it; afterwards time stands still.
  const clock = setInterval(() => net.advanceSlots(), 2);
  try {
    const [so, artifacts] = await Promise.all([readProgram(), readArtifacts(artifactsDirectory)]);
    const { payer, program, upgradeAuthority, governance, verifier } = await developmentKeys();
    const [wallet, other] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
    for (const { address } of [payer, governance, wallet, other]) net.airdrop(address, 100n * SOL);
    await deployProtocol({
      rpc: net.rpc,
      genesisHash: net.genesisHash,
      so,
      keys: { payer, program, upgradeAuthority, governance },
      circuit: circuitOf(artifacts),
      verifier: { authority: verifier.address, name: 'Verifier' },
      passFee: 50_000n,
    });
    const at = programAddresses(program.address);

    let nonce = 0n;
    const createRule: StillChain['createRule'] = async (clauses) => {
      nonce += 1n;
      const intent = {
        kind: 'CREATE_RULE_SET',
        wallet: wallet.address,
        name: 'A rule set',
        nonce,
        clauses,
      } as const;
      const request = { ...intent, maxPassAgeSeconds: 86_400n };
      await land(net, wallet, [await createRuleSetInstruction(program.address, request)]);
      const address = await at.ruleSet(wallet.address, nonce);
      const reader = { rpc: net.rpc, program: program.address, commitment: 'finalized' } as const;
      const found = await readAccount(reader, 'ruleSet', address);
      return {
        address,
        record: ruleSetRecordOf(found!, { passFunds: found!.lamports, clauseOf: clauseFromMasks }),
      };
    };
    const { address: rule } = await createRule([{ regionMask: 1n, statusMask: 1, minAge: 0 }]);
    const [boundMint, freeMint] = [await createMint(), await createMint()];
    await land(net, wallet, [
      await bindMintInstruction(program.address, {
        kind: 'BIND_MINT',
        wallet: wallet.address,
        mint: boundMint,
        rule,
        requireSource: true,
      }),
      ...(await Promise.all(
        [wallet, other].map(({ address }) =>
          createTokenAccountInstruction({ payer: wallet.address, mint: boundMint, owner: address }),
        ),
      )),
    ]);
    const now = BigInt(net.time);
    // Whom the witness below describes; region AD has index 0 and retail is status 0, as the rule set's clause asks.
    const attributes = { region: 0, status: 0, birthDate: parseBirthDate('1990-05-17'), salt: 1_234_567n };
    const statement = {
      program: program.address,
      genesisHash: net.genesisHash,
      wallet: wallet.address,
      commitment: fieldToBytes(commitmentOf(attributes)),
      issuedAt: now,
      expiresAt: now + 86_400n,
    };
    await land(
      net,
      wallet,
      await issueCredentialInstructions({
        payer: wallet.address,
        statement,
        verifierAuthority: verifier.address,
        signature: await signBytes(verifier.keyPair.privateKey, credentialMessage(statement)),
      }),
    );
    net.finalize();

    async function createMint(): Promise<Address> {
      const mint = await generateKeyPairSigner();
      const instructions = createBindableMintInstructions({
        payer: wallet.address,
        issuer: wallet.address,
        mint: mint.address,
        program: program.address,
        decimals: 6,
        rentLamports: await net.rpc.getMinimumBalanceForRentExemption(234n).send(),
      });
      await land(net, wallet, instructions, [mint]);
      return mint.address;
    }

    return {
      net,
      deployment: {
        program: program.address,
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
      source: await tokenAccountAddress({ mint: boundMint, owner: wallet.address }),
      destination: await tokenAccountAddress({ mint: boundMint, owner: other.address }),
      blockhash: (await net.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()).value.blockhash,
      createRule,
      stop: () => net.stop(),
    };
  } finally {
    clearInterval(clock);
  }
}

/** Lands a transaction and waits until it is finalized. Throws when it fails. */
async function land(
  net: Localnet,
  payer: KeyPairSigner,
  instructions: readonly Instruction[],
  signers: readonly KeyPairSigner[] = [],
): Promise<void> {
  const { value } = await net.rpc.getLatestBlockhash().send();
  const transaction = await signTransaction(
    [payer, ...signers].map(({ keyPair }) => keyPair),
    compileTransaction(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayer(payer.address, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(value, message),
        (message) => appendTransactionMessageInstructions(instructions, message),
      ),
    ),
  );
  await net.rpc.sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding: 'base64' }).send();
  net.finalize();
  const signature = getSignatureFromTransaction(transaction);
  const { value: statuses } = await net.rpc.getSignatureStatuses([signature]).send();
  if (!statuses[0] || statuses[0].err)
    throw new Error(`setup transaction failed: ${JSON.stringify(statuses[0]?.err)}`);
}

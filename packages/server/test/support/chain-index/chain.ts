/** A real chain: a cluster with manual slots, the deployed program and governance. */
import { readArtifacts } from '@service/circuit';
import { circuitOf, deployProtocol, readProgram } from '@service/deploy';
import { developmentKeys, Localnet } from '@service/localnet';
import {
  type CredentialStatement,
  createRuleSetInstruction,
  credentialMessage,
  issueCredentialInstructions,
  programAddresses,
  SYSTEM_PROGRAM,
} from '@service/protocol';
import { getSetGovernanceInstruction, getSetVerifierInstruction } from '@service/protocol/generated';
import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressDecoder,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signBytes,
} from '@solana/kit';

const SOL = 1_000_000_000n;
export const PASS_FEE = 50_000n;

/** A clock in Unix milliseconds that only tests advance. */
export class StillClock {
  milliseconds: number;

  constructor(milliseconds = 1_760_000_000_000) {
    this.milliseconds = milliseconds;
  }

  now(): number {
    return this.milliseconds;
  }

  /** Unix seconds. */
  get seconds(): bigint {
    return BigInt(Math.floor(this.milliseconds / 1000));
  }

  pass(seconds: number): void {
    this.milliseconds += seconds * 1000;
  }
}

/** A chain with the program set up. */
export type TestChain = Awaited<ReturnType<typeof startChain>>;

/** Starts a cluster with two slots to finality; `bare` leaves out the program. */
export async function startChain({ clock, bare = false }: { clock: StillClock; bare?: boolean }) {
  const net = Localnet.start({ slotMs: 'manual', finalitySlots: 2, now: () => clock.milliseconds });
  const keys = await developmentKeys();
  net.airdrop(keys.payer.address, 1_000n * SOL);
  const artifacts = await readArtifacts();
  const chain = {
    net,
    keys,
    artifacts,
    program: keys.program.address,
    addresses: programAddresses(keys.program.address),

    /** Creates a wallet with 10 SOL. */
    async wallet(): Promise<KeyPairSigner> {
      const signer = await generateKeyPairSigner();
      net.airdrop(signer.address, 10n * SOL);
      return signer;
    },

    /** Lands instructions in the open slot. The first signer pays. Throws if they fail. */
    async land(signers: readonly [KeyPairSigner, ...KeyPairSigner[]], instructions: readonly Instruction[]) {
      const { value: lifetime } = await net.rpc.getLatestBlockhash({ commitment: 'processed' }).send();
      const transaction = await partiallySignTransaction(
        signers.map(({ keyPair }) => keyPair),
        pipe(
          createTransactionMessage({ version: 0 }),
          (message) => setTransactionMessageFeePayer(signers[0].address, message),
          (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
          (message) => appendTransactionMessageInstructions(instructions, message),
          compileTransaction,
        ),
      );
      await net.rpc
        .sendTransaction(getBase64EncodedWireTransaction(transaction), {
          encoding: 'base64',
          preflightCommitment: 'processed',
        })
        .send();
      // The next transaction may have the same instructions, so it needs another blockhash.
      net.advanceSlots();
    },

    /** Creates a rule set and returns its address. */
    async ruleSet(creator: KeyPairSigner, nonce: bigint, name = `Rules ${nonce}`): Promise<Address> {
      const instruction = await createRuleSetInstruction(chain.program, {
        kind: 'CREATE_RULE_SET',
        wallet: creator.address,
        nonce,
        name,
        clauses: [{ regionMask: 0b11n, statusMask: 0b10, minAge: 18 }],
        maxPassAgeSeconds: 86_400n,
      });
      await chain.land([creator], [instruction]);
      return chain.addresses.ruleSet(creator.address, nonce);
    },

    /** Puts a credential on chain. The verifier signs, and the payer pays. */
    async credential(wallet: Address, times: { issuedAt: bigint; expiresAt: bigint }): Promise<void> {
      const statement = chain.statement(wallet, times);
      await chain.land(
        [keys.payer],
        await issueCredentialInstructions({
          payer: keys.payer.address,
          statement,
          verifierAuthority: keys.verifier.address,
          signature: await signBytes(keys.verifier.keyPair.privateKey, credentialMessage(statement)),
        }),
      );
    },

    /** Sets or (null) removes the pass fee. */
    async setPassFee(passFee: bigint | null): Promise<void> {
      const { value } = await net.rpc
        .getAccountInfo(chain.program, { encoding: 'base64', commitment: 'processed' })
        .send();
      const programData = getAddressDecoder().decode(Buffer.from(value!.data[0], 'base64').subarray(4));
      const instruction = getSetGovernanceInstruction(
        {
          authority: keys.governance,
          nextAuthority: keys.governance,
          config: await chain.addresses.config(),
          programData,
          paused: false,
          passFee,
        },
        { programAddress: chain.program },
      );
      await chain.land([keys.payer, keys.governance], [instruction]);
    },

    /** Activates or deactivates a verifier; by default the chain's own. */
    async setVerifier(active: boolean, authority: Address = keys.verifier.address): Promise<void> {
      const { governance, payer } = keys;
      const instruction = getSetVerifierInstruction(
        {
          payer,
          authority: governance,
          config: await chain.addresses.config(),
          verifierAuthority: authority,
          verifier: await chain.addresses.verifier(authority),
          systemProgram: SYSTEM_PROGRAM,
          active,
          name: 'Test verifier',
        },
        { programAddress: chain.program },
      );
      await chain.land([payer, governance], [instruction]);
    },

    /** Returns a credential statement. Its commitment depends on the time of issue. */
    statement(wallet: Address, times: { issuedAt: bigint; expiresAt: bigint }): CredentialStatement {
      const commitment = new Uint8Array(32);
      new DataView(commitment.buffer).setBigUint64(24, times.issuedAt);
      return { program: chain.program, genesisHash: net.genesisHash, wallet, commitment, ...times };
    },
  };
  if (!bare) await setUp(chain);
  return chain;
}

/** Sets up the protocol on a bare chain while slots advance. */
export async function setUp(
  chain: TestChain,
  { passFee = PASS_FEE }: { passFee?: bigint | null } = {},
): Promise<void> {
  const { net, keys, artifacts } = chain;
  const slots = setInterval(() => net.advanceSlots(), 1);
  try {
    await deployProtocol({
      rpc: net.rpc,
      genesisHash: net.genesisHash,
      so: await readProgram(),
      keys,
      circuit: circuitOf(artifacts),
      verifier: { authority: keys.verifier.address, name: 'Test verifier' },
      passFee: passFee ?? 0n,
    });
  } finally {
    clearInterval(slots);
  }
  if (passFee === null) await chain.setPassFee(null);
  net.finalize();
}

/** A real chain: a cluster with manual slots, the deployed program and governance. */
import { readArtifacts } from '@service/circuit';
import { developmentKeys, Localnet } from '@service/localnet';
import {
  type CredentialStatement,
  createRuleSetInstruction,
  credentialMessage,
  issueCredentialInstructions,
  programAddresses,
  SYSTEM_PROGRAM,
} from '@service/protocol';
import {
  getNominateAuthorityInstruction,
  getSetGuardianInstruction,
  getSetVerifierInstruction,
} from '@service/protocol/generated';
import { deployTo, endPasses, send, setPassFee } from '@service/server/test-service';
import { fundedWallet } from '@service/test-support';
import {
  type Address,
  type Instruction,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
  signBytes,
} from '@solana/kit';

/** A clock in Unix milliseconds that only tests advance. */
export class StillClock {
  milliseconds = 1_760_000_000_000;

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

/** When a credential is issued and expires, in Unix seconds. */
export type Times = Pick<CredentialStatement, 'issuedAt' | 'expiresAt'>;

/** A chain with the program set up. */
export type TestChain = Awaited<ReturnType<typeof startChain>>;

/** Starts a cluster with two slots to finality; `bare` leaves out the program. */
export async function startChain({ clock, bare = false }: { clock: StillClock; bare?: boolean }) {
  const net = Localnet.start({ slotMs: 'manual', finalitySlots: 2, now: () => clock.milliseconds });
  const [keys, artifacts] = await Promise.all([developmentKeys(), readArtifacts()]);
  const program = keys.program.address;
  const chain = {
    net,
    rpc: net.rpc as unknown as Rpc<SolanaRpcApi>,
    keys,
    artifacts,
    program,
    addresses: programAddresses(program),
    finalize: async () => net.finalize(),

    /** Creates a wallet with 10 SOL. */
    wallet: () => fundedWallet(net),

    /** Lands instructions in the open slot. The first signer pays. Throws if they fail. */
    land: ([payer, ...others]: [KeyPairSigner, ...KeyPairSigner[]], instructions: readonly Instruction[]) =>
      send(chain, payer, instructions, others),

    /** Creates a rule set and returns its address. */
    async ruleSet(creator: KeyPairSigner, nonce: bigint, name = `Rules ${nonce}`): Promise<Address> {
      const instruction = await createRuleSetInstruction(program, {
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
    async credential(
      wallet: Address,
      times: Times,
      { by = keys.verifier, previousVerifier }: { by?: KeyPairSigner; previousVerifier?: Address } = {},
    ): Promise<void> {
      const statement = chain.statement(wallet, times);
      const instructions = await issueCredentialInstructions({
        payer: keys.payer.address,
        statement,
        verifierAuthority: by.address,
        previousVerifier,
        signature: await signBytes(by.keyPair.privateKey, credentialMessage(statement)),
      });
      await chain.land([keys.payer], instructions);
    },

    /** Sets or (null) removes the pass fee. */
    setPassFee: (passFee: bigint | null): Promise<void> => setPassFee(chain, passFee),

    /** Ends every pass that was issued until now. */
    endPasses: (): Promise<void> => endPasses(chain),

    /** Sets a guardian and nominates an authority. Returns both. */
    async nameGuardianAndNominee(): Promise<{ guardian: Address; nominee: Address }> {
      const common = { authority: keys.governance, config: await chain.addresses.config() };
      const at = { programAddress: chain.program };
      const [guardian, nominee] = [keys.payer.address, keys.verifier.address];
      await chain.land(
        [keys.governance],
        [
          getSetGuardianInstruction({ ...common, guardian }, at),
          getNominateAuthorityInstruction({ ...common, nominee }, at),
        ],
      );
      return { guardian, nominee };
    },

    /** Activates or deactivates a verifier; by default the chain's own. */
    async setVerifier(active: boolean, verifierAuthority: Address = keys.verifier.address): Promise<void> {
      const { governance: authority, payer } = keys;
      const instruction = getSetVerifierInstruction(
        {
          payer,
          authority,
          config: await chain.addresses.config(),
          verifierAuthority,
          verifier: await chain.addresses.verifier(verifierAuthority),
          systemProgram: SYSTEM_PROGRAM,
          active,
          name: 'Verifier',
        },
        { programAddress: program },
      );
      await chain.land([payer, authority], [instruction]);
    },

    /** Returns a credential statement. Its commitment depends on the time of issue. */
    statement(wallet: Address, times: Times): CredentialStatement {
      const commitment = new Uint8Array(32);
      new DataView(commitment.buffer).setBigUint64(24, times.issuedAt);
      return { program, genesisHash: net.genesisHash, wallet, commitment, ...times };
    },
  };
  if (!bare) {
    await deployTo(net, keys, artifacts);
    net.finalize();
  }
  return chain;
}

/** The journey in React Native: from a new key to a pass, with a native prover. The host sets these three globals. */
import {
  buildEligibilityContext,
  generateEligibilityProof,
  isServiceError,
  latestPassExpiry,
  type NativeProver,
  parseDeployment,
  parseWitnessFragment,
  ServiceClient,
  type ServiceErrorCode,
  type Witness,
  walletFromKeyPair,
} from '@service/sdk';
import { createSolanaRpc, devnet, generateKeyPair, lamports } from '@solana/kit';
import { getPass } from '../consumer/get-pass.js';

declare global {
  var deployment: unknown;
  /** Opens the verifier's page, and returns the URL that it redirects to. */
  var visit: (url: string) => Promise<string>;
  /** The native module: it takes base64, and returns JSON. */
  var groth16Prove: (zkey: string, wtns: string) => Promise<{ proof: string; pub_signals: string }>;
  var app: Promise<string>;
}

const base64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

const prover: NativeProver = {
  async prove({ zkey, calculateWitness }) {
    const { proof, pub_signals } = await globalThis.groth16Prove(base64(zkey), base64(calculateWitness()));
    return { proof: JSON.parse(proof), publicSignals: JSON.parse(pub_signals) };
  },
};

/** Swaps two points of the proof. */
const wrong: NativeProver = {
  async prove(request) {
    const { proof, publicSignals } = await prover.prove(request);
    return { proof: { ...proof, pi_a: proof.pi_c, pi_c: proof.pi_a }, publicSignals };
  },
};

async function journey(): Promise<string> {
  const deployment = parseDeployment(globalThis.deployment);
  const wallet = await walletFromKeyPair(await generateKeyPair());
  const faucet = createSolanaRpc(devnet(deployment.rpcUrl));
  await faucet.requestAirdrop(wallet.address, lamports(1_000_000_000n)).send();
  const client = new ServiceClient({ deployment, prover });
  await client.authenticate(wallet, deployment.genesisHash);
  let returned = '';
  const visit = async (url: string) => {
    returned = await globalThis.visit(url);
    return returned;
  };
  const pass = await getPass({ client, wallet, visit });
  const { rule } = (await client.passport()).passes[0]!;
  const witness = parseWitnessFragment(returned) as Witness;
  const facts = await client.proofContext({ rule });
  const context = buildEligibilityContext(facts.credential, facts.ruleSet, latestPassExpiry(facts));
  // The SDK verifies each proof, and can make none itself here.
  const proveWith = (options: { prover?: NativeProver }) =>
    generateEligibilityProof(context, witness, client.artifacts, options);
  await isRefused(proveWith({ prover: wrong }), 'PROVER_FAILED');
  await isRefused(proveWith({}), 'UNSUPPORTED_PLATFORM');
  return pass;
}

async function isRefused(proving: Promise<unknown>, code: ServiceErrorCode): Promise<void> {
  const error = await proving.then(
    () => new Error(`accepted without ${code}`),
    (thrown: unknown) => thrown,
  );
  if (!isServiceError(error, code)) throw error;
}

globalThis.app = journey();

/** A rule set and a mint with every power, and granted passes for the issuer and a holder: nobody proves. */
import {
  bindMintInstruction,
  createRuleSetInstruction,
  grantInstruction,
  issueInstruction,
  programAddresses,
} from '@service/protocol';
import { createMint, createTokenAccount, send, transferSol } from '@service/server/test-service';
import type { Address, KeyPairSigner } from '@solana/kit';

type Cluster = Parameters<typeof createMint>[0];

/** What {@link addPowers} creates. */
export interface Powers {
  /** A rule set whose creator suspends and grants. */
  readonly rule: Address;
  /** A mint that honours granted passes, and whose issuer takes tokens. */
  readonly mint: Address;
  /** Token account of the issuer, which has a granted pass too. It has a million base units. */
  readonly source: Address;
  /** Token account of the holder, which has a granted pass for a day. */
  readonly destination: Address;
}

/** Creates a rule set and a mint with every power, by one wallet. */
export async function addPowers(
  world: Cluster & { readonly net: { readonly time: number } },
  by: KeyPairSigner,
  { holder, nonce = 77_777n }: { readonly holder: Address; readonly nonce?: bigint },
): Promise<Powers> {
  const { program, net } = world;
  const wallet = by.address;
  const terms = {
    name: 'With powers',
    nonce,
    clauses: [{ regionMask: 1n, statusMask: 1, minAge: 0 }],
    maxPassAgeSeconds: 30n * 86_400n,
    powers: ['suspend', 'grant'] as ('suspend' | 'grant')[],
  };
  await send(world, by, [
    await createRuleSetInstruction(program, { kind: 'CREATE_RULE_SET', wallet, ...terms }),
  ]);
  const rule = await programAddresses(program).ruleSet(wallet, nonce);
  await transferSol(world, by, { destination: rule, lamports: 100_000_000n });
  const mint = await createMint(world, by, { template: 'security' });
  const binding = {
    kind: 'BIND_MINT',
    wallet,
    mint,
    rule,
    requireSource: false,
    honoursGranted: true,
  } as const;
  const expiresAt = BigInt(net.time) + 86_400n;
  const grants = [wallet, holder].map((each) =>
    grantInstruction(program, { kind: 'GRANT', wallet, rule, holder: each, expiresAt }),
  );
  await send(world, by, [await bindMintInstruction(program, binding), ...(await Promise.all(grants))]);
  const source = await createTokenAccount(world, by, { mint, owner: wallet });
  const destination = await createTokenAccount(world, by, { mint, owner: holder });
  const issue = { kind: 'ISSUE', wallet, mint, destination: source, amount: 1_000_000n } as const;
  await send(world, by, [await issueInstruction(program, issue, { rule, destinationOwner: wallet })]);
  await world.finalize();
  return { rule, mint, source, destination };
}

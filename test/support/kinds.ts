/** One operation of each kind: the caller's request, the intent behind it, and how to prepare it. */
import { clauseMasks } from '@service/contract';
import { type Intent, operationMessage, planInstruction, wireTransaction } from '@service/protocol';
import type { PreparedOperation, ServiceClient } from '@service/sdk';
import type { Instruction } from '@solana/kit';
import type { StillChain } from './still-chain.ts';

export const OPERATION_ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

/** A case of the harness. */
export interface Kind {
  readonly intent: Intent;
  prepare(client: ServiceClient): Promise<PreparedOperation>;
}

/** The five kinds, on the accounts of the chain. */
export function kindsOn(chain: StillChain): Kind[] {
  const wallet = chain.wallet.address;
  const clauses = [{ regions: ['DE', 'FR'], statuses: ['professional'], minAge: 18 }] as const;
  const ruleSet = { name: 'Acme EU', nonce: 7n, maxPassAgeSeconds: 86_400n };
  const binding = { mint: chain.freeMint, rule: chain.rule, requireSource: false };
  const proof = {
    rule: chain.rule,
    expiresAt: BigInt(chain.net.time) + 3_600n,
    proof: Uint8Array.from({ length: 256 }, (_, index) => index),
  };
  const issue = { mint: chain.boundMint, destination: chain.destination, amount: 1_000_000n };
  const transfer = {
    mint: chain.boundMint,
    source: chain.source,
    destination: chain.destination,
    amount: 500n,
  };
  return [
    {
      intent: { kind: 'CREATE_RULE_SET', wallet, ...ruleSet, clauses: clauses.map(clauseMasks) },
      prepare: (client) => client.prepare.createRuleSet({ ...ruleSet, clauses }),
    },
    {
      intent: { kind: 'BIND_MINT', wallet, ...binding },
      prepare: (client) => client.prepare.bindMint(binding),
    },
    { intent: { kind: 'PROVE', wallet, ...proof }, prepare: (client) => client.prepare.prove(proof) },
    { intent: { kind: 'ISSUE', wallet, ...issue }, prepare: (client) => client.prepare.issue(issue) },
    {
      intent: { kind: 'TRANSFER', wallet, ...transfer },
      prepare: (client) => client.prepare.transfer(transfer),
    },
  ];
}

/** The instruction of an intent, as an honest service plans it. */
export function planOf(chain: StillChain, intent: Intent): Promise<Instruction> {
  const reader = { rpc: chain.net.rpc, program: chain.deployment.program, commitment: 'finalized' } as const;
  return planInstruction(reader, intent, { circuitId: chain.manifest.circuit });
}

/** The message that an honest service prepares. */
export async function honestMessage(
  chain: StillChain,
  intent: Intent,
  operationId = OPERATION_ID,
): Promise<Uint8Array> {
  return operationMessage({
    wallet: intent.wallet,
    operationId,
    blockhash: chain.blockhash,
    instruction: await planOf(chain, intent),
  });
}

/** The unsigned transaction of a message. */
export function unsigned(message: Uint8Array): Uint8Array {
  return wireTransaction(message);
}

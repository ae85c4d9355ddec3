/** What ends a pass or takes lamports out again, with good arguments: the instructions of owners and of verifiers' second thoughts. */
import { revocationMessage, revokeCredentialInstructions } from '@service/protocol';
import {
  getClosePassInstruction,
  getPassDecoder,
  getRetireCircuitInstruction,
  getWithdrawFeesInstruction,
  getWithdrawPassFundsInstruction,
} from '@service/protocol/generated';
import { type Address, createNoopSigner, getBase58Decoder, type Instruction } from '@solana/kit';
import { signatureOf } from './_credentials.ts';
import { at, CIRCUIT_ID } from './_governance.ts';
import { ruleAddress } from './_rule-sets.ts';
import { addressOf, type Chain, GENESIS_HASH, NOW, PROGRAM } from './_setup.ts';

/** `retire-circuit` at once, as sound, unless told otherwise. */
export async function retireCircuit(
  change: { authority?: string; id?: string; graceSeconds?: bigint; unsound?: boolean } = {},
): Promise<Instruction> {
  return getRetireCircuitInstruction({
    authority: createNoopSigner(await addressOf(change.authority ?? 'governance')),
    config: await at.config(),
    circuit: await at.circuit(change.id ?? CIRCUIT_ID),
    graceSeconds: change.graceSeconds ?? 0n,
    unsound: change.unsound ?? false,
  });
}

/** `withdraw-fees` of one lamport to the stranger, unless told otherwise. */
export async function withdrawFees(
  change: { authority?: string; recipient?: Address; lamports?: bigint } = {},
): Promise<Instruction> {
  return getWithdrawFeesInstruction({
    authority: createNoopSigner(await addressOf(change.authority ?? 'governance')),
    config: await at.config(),
    treasury: await at.treasury(),
    recipient: change.recipient ?? (await addressOf('stranger')),
    lamports: change.lamports ?? 1n,
  });
}

/** `withdraw-pass-funds` of one lamport to the stranger, unless told otherwise. */
export async function withdrawPassFunds(
  change: { creator?: string; rule?: Address; recipient?: Address; lamports?: bigint } = {},
): Promise<Instruction> {
  return getWithdrawPassFundsInstruction({
    creator: createNoopSigner(await addressOf(change.creator ?? 'issuer')),
    ruleSet: change.rule ?? (await ruleAddress()),
    recipient: change.recipient ?? (await addressOf('stranger')),
    lamports: change.lamports ?? 1n,
  });
}

/** The verifier's signature and then `revoke-credential`. */
export async function revokeCredential(
  change: { wallet?: string; verifier?: string; revokedAt?: bigint } = {},
): Promise<Instruction[]> {
  const statement = {
    program: PROGRAM,
    genesisHash: getBase58Decoder().decode(GENESIS_HASH),
    wallet: await addressOf(change.wallet ?? 'holder'),
    revokedAt: change.revokedAt ?? NOW,
  };
  const verifier = change.verifier ?? 'verifier';
  return revokeCredentialInstructions({
    statement,
    verifierAuthority: await addressOf(verifier),
    signature: await signatureOf(verifier, revocationMessage(statement)),
  });
}

/** `close-pass` of a wallet's pass as it is on chain. */
export async function closePass(chain: Chain, name = 'holder', rule?: Address): Promise<Instruction> {
  const [ruleSet, wallet] = [rule ?? (await ruleAddress()), await addressOf(name)];
  const pass = await at.pass(ruleSet, wallet);
  const { verifier, circuit } = getPassDecoder().decode(chain.data(pass));
  return getClosePassInstruction({
    pass,
    wallet,
    ruleSet,
    credential: await at.credential(wallet),
    verifier,
    circuit,
  });
}

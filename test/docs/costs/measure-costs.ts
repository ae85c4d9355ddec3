/** Runs each write on the real local stack, and reads from the chain what each one cost. */
import { type Stack, startStack } from '@service/development';
import { MIN_PROOF_INTERVAL_SECONDS, programAddresses, UPGRADEABLE_LOADER } from '@service/protocol';
import { disposeProver, parseDeployment } from '@service/sdk';
import {
  closePass,
  createBindableMint,
  createTokenAccount,
  discardCredential,
  fundRuleSet,
} from '@service/sdk/chain';
import { verifiedPerson } from '@service/testing';
import { createSolanaRpc, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import pino from 'pino';
import { type Cost, costRecorder, type Rent } from './cost-recorder.ts';
import { revokeWith, verifyAgain } from './people.ts';

/** The costs of all writes, and the rent of the accounts of a deployment, in lamports. */
export interface Costs {
  readonly writes: readonly Cost[];
  readonly deployment: readonly Rent[];
  /** The pass fee of the stack, which a governance can set to another amount. */
  readonly passFee: bigint;
}

const PERSON = { region: 'DE', status: 'professional', birthDate: '1990-05-17' } as const;
/** Lamports that the issuer adds to a rule set: enough for its passes. */
const FUNDS = 1_000_000n;

/** Starts a stack, runs every write once, and returns what each cost. Takes about twenty seconds. */
export async function measureCosts(): Promise<Costs> {
  const stack = await startStack({
    ports: { site: 0, rpc: 0, verifier: 0 },
    slotMs: 50,
    finalitySlots: 2,
    pollIntervalMs: 25,
    log: pino({ level: 'silent' }),
  });
  try {
    return await runEveryWrite(stack);
  } finally {
    await disposeProver();
    await stack.close();
  }
}

async function runEveryWrite(stack: Stack): Promise<Costs> {
  const deployment = parseDeployment(stack.deployment);
  const rpc = createSolanaRpc(deployment.rpcUrl);
  const at = programAddresses(deployment.program);
  const { writes, call, record, recordNewest, rentsOf } = costRecorder(rpc);

  const issuer = await verifiedPerson(deployment, PERSON);
  const holder = await verifiedPerson(deployment, PERSON);
  const { circuit, passFee, verifiers } = await issuer.client.network();
  const seeds = [getAddressEncoder().encode(deployment.program)];
  const [code] = await getProgramDerivedAddress({ programAddress: UPGRADEABLE_LOADER, seeds });
  const accounts = {
    program: deployment.program,
    'code of the program': code,
    configuration: await at.config(),
    treasury: await at.treasury(),
    circuit: circuit!.address,
    verifier: verifiers[0]!.address,
  };
  const rents = await rentsOf(accounts);

  const wallet = holder.wallet.address;
  const credential = await at.credential(wallet);
  call('credential', credential);
  await recordNewest('service', 'Put the first credential of a wallet on chain', credential);

  const ruleSetOf = async (clauses: number) => {
    const { rule, signature } = await issuer.client.createRuleSet(issuer.wallet, {
      name: 'Professionals',
      clauses: Array.from({ length: clauses }, (_, more) => ({
        regions: ['DE'],
        statuses: ['professional'],
        minAge: 18 + more,
      })),
      maxPassAgeSeconds: 86_400n,
    });
    call('rule set', rule);
    await record('issuer', `Create a rule set of ${clauses} clause${clauses > 1 ? 's' : ''}`, signature);
    return rule;
  };
  const rule = await ruleSetOf(1);
  await ruleSetOf(8);
  const funded = await fundRuleSet(issuer.wallet, { deployment, rule, lamports: FUNDS });
  // The amount is the issuer's choice, so the table names the fee only.
  await record('issuer', 'Add pass funds to a rule set', funded.signature, { moved: [rule] });

  for (const person of [issuer, holder]) call('pass', await at.pass(rule, person.wallet.address));
  const { witness } = holder;
  const opened = await holder.client.prove(holder.wallet, { rule, witness });
  await issuer.client.prove(issuer.wallet, { rule, witness: issuer.witness });

  const boundMint = async (requireSource: boolean) => {
    const template = requireSource ? 'security' : 'plain';
    const named = requireSource ? { name: 'Example Bond 2030', symbol: 'EXB' } : {};
    const options = { deployment, decimals: 2, template, ...named } as const;
    const { mint, signature } = await createBindableMint(issuer.wallet, options);
    call('mint', mint);
    call('binding', await at.mintBinding(mint));
    call('account list of the hook', await at.extraAccountMetaList(mint));
    await record(
      'issuer',
      `Create a mint: \`${template}\`${requireSource ? ', with a name' : ''}`,
      signature,
    );
    const bound = await issuer.client.bindMint(issuer.wallet, { mint, rule, requireSource });
    const who = requireSource ? 'sender and recipient need' : 'only the recipient needs';
    await record('issuer', `Bind a mint: ${who} a pass`, bound.signature);
    return mint;
  };
  await boundMint(false);
  const mint = await boundMint(true);

  const { tokenAccount: source } = await createTokenAccount(issuer.wallet, { deployment, mint });
  const created = await createTokenAccount(holder.wallet, { deployment, mint });
  const destination = created.tokenAccount;
  call('token account', destination);
  await record('holder', 'Create a token account', created.signature);
  await record('holder', 'Prove, and open a pass', opened.signature);
  const issued = await issuer.client.issue(issuer.wallet, { mint, destination: source, amount: 100n });
  await record('issuer', 'Issue tokens', issued.signature);
  const sent = await issuer.client.transfer(issuer.wallet, { mint, source, destination, amount: 10n });
  await record('holder', 'Transfer tokens', sent.signature);

  // Before the verification, which takes a while: the service must have seen the new time when the holder proves.
  stack.skipTime(MIN_PROOF_INTERVAL_SECONDS);
  const again = await verifyAgain(holder, PERSON);
  await recordNewest('service', 'Replace a credential', credential);
  const renewed = await holder.client.prove(holder.wallet, { rule, witness: again.witness });
  await record('holder', 'Prove, and renew a pass', renewed.signature);

  await revokeWith(again.checkUrl, deployment.rpcUrl, credential);
  await recordNewest('service', 'Revoke a credential, and end a pass', credential);
  const discarded = await discardCredential(issuer.wallet, { deployment });
  await record('holder', 'Discard a credential', discarded.signature);
  // Before that, the account of the pass that ended stays.
  stack.skipTime(MIN_PROOF_INTERVAL_SECONDS);
  const closed = await closePass(issuer.wallet, { deployment, rule, holder: wallet });
  call('the holder', wallet);
  await record('anyone', 'Close a pass', closed.signature);

  return { writes, deployment: rents, passFee: passFee! };
}

/** The changes that governance sends, one instruction each. */
import { SYSTEM_PROGRAM } from '@service/protocol';
import {
  getAcceptAuthorityInstruction,
  getCollectFeesInstruction,
  getEndPassesInstruction,
  getNominateAuthorityInstruction,
  getPauseInstruction,
  getRetireCircuitInstruction,
  getSetCircuitInstruction,
  getSetGuardianInstruction,
  getSetPassFeeInstruction,
  getSetVerifierInstruction,
  getUnpauseInstruction,
  getWithdrawFeesInstruction,
} from '@service/protocol/generated';
import {
  type Address,
  type Instruction,
  type Option,
  type TransactionSigner,
  unwrapOption,
} from '@solana/kit';
import type { Change, Request } from '../change/plan.ts';
import { UsageError } from '../options.ts';
import { readCircuit } from './circuit-files.ts';

/** What an instruction needs that opens an account. */
const RENT = { systemProgram: SYSTEM_PROGRAM };
const ADDRESS_OR_NONE = 'an address, or none';
const RECIPIENT = { lamports: 'how many', recipient: 'the address that gets them' };

/** Returns a change of governance, which the authority signs. */
function byAuthority(
  summary: string,
  options: Change['options'],
  instruct: (
    given: Request & { common: { authority: TransactionSigner; config: Address } },
    of: { programAddress: Address },
  ) => Instruction | Promise<Instruction>,
): Change {
  return {
    summary,
    options,
    async plan(request) {
      const common = { authority: request.signer, config: await request.at.config() };
      const instruction = await instruct({ ...request, common }, { programAddress: request.at.program });
      return { instructions: [instruction], signers: [request.config.authority] };
    },
  };
}

/** Returns the address in an option of an account, as a list. */
const listed = (option: Option<Address>) => [unwrapOption(option)].filter((each) => each !== null);

/** The changes, by their commands. A command has the name of its instruction. */
export const CHANGES: Readonly<Record<string, Change>> = {
  pause: {
    summary: 'stops new rule sets, bindings, proofs, issues and every transfer; the guardian may sign too',
    options: {},
    async plan({ signer, at, config }) {
      const accounts = { authority: signer, config: await at.config() };
      const instruction = getPauseInstruction(accounts, { programAddress: at.program });
      return { instructions: [instruction], signers: [config.authority, ...listed(config.guardian)] };
    },
  },
  unpause: byAuthority('ends the pause', {}, ({ common }, of) => getUnpauseInstruction(common, of)),
  'set-pass-fee': byAuthority(
    'sets the pass fee; a raise takes effect after seven days',
    { lamports: 'lamports for each proof, or none' },
    ({ common, options }, of) =>
      getSetPassFeeInstruction({ ...common, passFee: options.optional('lamports', 'number') }, of),
  ),
  'nominate-authority': byAuthority(
    'nominates the next authority, which must accept',
    { nominee: ADDRESS_OR_NONE },
    ({ common, options }, of) =>
      getNominateAuthorityInstruction({ ...common, nominee: options.optional('nominee', 'address') }, of),
  ),
  'accept-authority': {
    summary: 'makes the nominee the authority; the nominee signs',
    options: {},
    async plan({ signer, at, config }) {
      const accounts = { nominee: signer, config: await at.config() };
      const instruction = getAcceptAuthorityInstruction(accounts, { programAddress: at.program });
      return { instructions: [instruction], signers: listed(config.nominee) };
    },
  },
  'set-guardian': byAuthority(
    'sets the key that may only pause',
    { guardian: ADDRESS_OR_NONE },
    ({ common, options }, of) =>
      getSetGuardianInstruction({ ...common, guardian: options.optional('guardian', 'address') }, of),
  ),
  'end-passes': byAuthority(
    'ends every pass that was issued until now; holders can prove again',
    {},
    ({ common }, of) => getEndPassesInstruction(common, of),
  ),
  'withdraw-fees': byAuthority(
    'moves pass fees out of the treasury',
    RECIPIENT,
    async ({ common, options, at }, of) => {
      const recipient = options.address('recipient');
      const treasury = await at.treasury();
      return getWithdrawFeesInstruction(
        { ...common, treasury, recipient, lamports: options.number('lamports') },
        of,
      );
    },
  ),
  'set-verifier': byAuthority(
    'adds a verifier, or changes its name and whether it is active',
    { verifier: 'the key that signs its credentials', name: '1 to 32 bytes', active: '', inactive: '' },
    async ({ common, options, at, signer }, of) => {
      const active = options.flag('active');
      // A verifier whose key leaked must not become active because somebody corrects its name.
      if (active === options.flag('inactive')) throw new UsageError('Pass either --active or --inactive.');
      const verifierAuthority = options.address('verifier');
      const verifier = await at.verifier(verifierAuthority);
      const accounts = { ...common, ...RENT, payer: signer, verifierAuthority, verifier };
      return getSetVerifierInstruction({ ...accounts, active, name: options.text('name') }, of);
    },
  ),
  'set-circuit': byAuthority(
    'makes a circuit the active one; the one before it retires after a grace period',
    {
      'artifacts-directory': 'the folder of manifest.json',
      grace: 'seconds for which proofs of the old circuit stay valid',
    },
    async ({ common, options, at, signer, config, deployment }, of) => {
      const circuit = await readCircuit(options.text('artifacts-directory'), deployment.genesisHash);
      const previous = unwrapOption(config.activeCircuit);
      return getSetCircuitInstruction(
        {
          ...common,
          ...circuit,
          ...RENT,
          payer: signer,
          circuit: await at.circuit(circuit.id),
          ...(previous ? { previousCircuit: previous } : {}),
          graceSeconds: options.number('grace'),
        },
        of,
      );
    },
  ),
  'retire-circuit': byAuthority(
    'retires a circuit after a grace period, or at once as unsound',
    { circuit: 'its id', grace: 'seconds for which its proofs stay valid; 0 with --unsound', unsound: '' },
    async ({ common, options, at }, of) => {
      const circuit = await at.circuit(options.text('circuit'));
      const [graceSeconds, unsound] = [options.number('grace'), options.flag('unsound')];
      return getRetireCircuitInstruction({ ...common, circuit, graceSeconds, unsound }, of);
    },
  ),
  'collect-fees': {
    summary: 'moves the pass fees of a rule set to the treasury; anyone may sign',
    options: { rule: 'the address of the rule set' },
    async plan({ at, options, read }) {
      const ruleSet = options.address('rule');
      await read('ruleSet', ruleSet);
      const accounts = { ruleSet, treasury: await at.treasury() };
      return { instructions: [getCollectFeesInstruction(accounts, { programAddress: at.program })] };
    },
  },
};

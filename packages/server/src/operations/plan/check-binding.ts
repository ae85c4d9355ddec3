import {
  type BindMintIntent,
  bindingObstacles,
  type ChainReader,
  programAddresses,
  readAccounts,
} from '@service/protocol';
import { ServiceFault } from '../../http/failures/fault.ts';
import { ruleNotFound } from './check-pass-terms.ts';

/**
 * Checks that the rule set exists and that the mint meets the binding profile.
 *
 * @throws ServiceFault NOT_FOUND, UNSUPPORTED_MINT_EXTENSIONS or MINT_NOT_BINDABLE
 */
export async function checkBinding(reader: ChainReader, intent: BindMintIntent): Promise<void> {
  const address = await programAddresses(reader.program).mintBinding(intent.mint);
  const [rule, mint, binding] = await readAccounts(reader, [
    ['ruleSet', intent.rule],
    ['mint', intent.mint],
    ['mintBinding', address],
  ]);
  if (!rule) throw ruleNotFound(intent.rule);
  if (binding) {
    throw new ServiceFault(
      'MINT_NOT_BINDABLE',
      `The mint is already bound to ${binding.data.rule}. Bind another mint.`,
    );
  }
  if (!mint) {
    throw new ServiceFault(
      'MINT_NOT_BINDABLE',
      'The mint is not a finalized Token-2022 mint yet. Create it, or wait until it is final.',
    );
  }
  const { program } = reader;
  const obstacles = bindingObstacles(mint.data, { issuer: intent.wallet, program, binding: address });
  const extension = obstacles.find(({ kind }) => kind === 'extension');
  if (extension) throw new ServiceFault('UNSUPPORTED_MINT_EXTENSIONS', extension.message);
  if (obstacles.length > 0) {
    throw new ServiceFault('MINT_NOT_BINDABLE', obstacles.map(({ message }) => message).join(' '));
  }
}

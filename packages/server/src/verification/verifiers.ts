/** The verifiers that people can go to, by their names. */
import { webhookSecrets } from '@service/contract/verifier';
import { invalidRequest } from '../http/failures/fault.ts';
import type { Settings, VerifierSettings } from '../settings.ts';

/** The settings that name verifiers. */
export type SeveralVerifiers = Pick<Settings, 'verifier' | 'otherVerifiers'>;

/** Returns the verifiers, the main one first. */
export function verifiersOf({
  verifier,
  otherVerifiers = [],
}: SeveralVerifiers): readonly VerifierSettings[] {
  return [verifier, ...otherVerifiers];
}

/** Returns the verifier of a name, by default the main one. @throws ServiceFault INVALID_REQUEST, with the names */
export function verifierNamed(settings: SeveralVerifiers, name: string | undefined): VerifierSettings {
  if (name === undefined) return settings.verifier;
  const verifiers = verifiersOf(settings);
  const found = verifiers.find((each) => each.name === name);
  if (found) return found;
  const names = verifiers.map((each) => each.name).join(', ');
  throw invalidRequest(`body.verifier must be one of: ${names}.`);
}

/**
 * Checks that each verifier has its own name and its own secrets: its secret is what names the sender of a message.
 *
 * @throws RangeError
 */
export function checkVerifiers(settings: SeveralVerifiers): void {
  const verifiers = verifiersOf(settings);
  const names = verifiers.map(({ name }) => name);
  if (new Set(names).size < names.length)
    throw new RangeError(`Two verifiers have the same name: ${names.join(', ')}. Give each its own.`);
  const owners = new Map<string, string>();
  for (const verifier of verifiers) {
    const { name } = verifier;
    for (const secret of webhookSecrets(verifier)) {
      const owner = owners.get(secret) ?? name;
      if (owner !== name)
        throw new RangeError(`The verifiers ${owner} and ${name} have the same secret. Give each its own.`);
      owners.set(secret, name);
    }
  }
}

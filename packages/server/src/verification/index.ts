import { type Background, startBackground } from '../background.ts';
import type { HttpApp } from '../http/variables.ts';
import type { Service } from '../service.ts';

export function registerVerification(_app: HttpApp, _service: Service): void {}
export function startCredentialIssuer(service: Service): Background {
  return startBackground(service, { name: 'credential issuer', step: async () => undefined });
}

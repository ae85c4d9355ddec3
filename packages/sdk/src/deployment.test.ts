import { describe, expect, it } from 'vitest';
import { DEPLOYMENT } from '../test/support/deployment.ts';
import { serviceError } from '../test/support/service-error.ts';
import { ServiceClient } from './client/service-client.ts';
import { parseDeployment } from './deployment.ts';

const { baseUrl, ...PINS } = DEPLOYMENT;

describe('parseDeployment', () => {
  it('drops unknown fields and freezes the result', () => {
    const deployment = parseDeployment({ ...PINS, note: 'ours' });
    expect(deployment).toEqual(PINS);
    expect(() => Object.assign(deployment, { program: 'x' })).toThrow(TypeError);
    expect(() => (deployment.verifierOrigins as string[]).push('https://evil.example')).toThrow(TypeError);
  });

  it.each<[string, unknown]>([
    ['program', 'nobody'],
    ['genesisHash', 'l0O'],
    ['artifactsDigest', 'A'.repeat(64)],
    ['rpcUrl', 'ftp://x.example'],
    ['rpcUrl', undefined],
    ['verifierOrigins.0', ['https://verifier.example/path']],
    ['verifierOrigins', 'https://verifier.example'],
  ])('rejects %s as %j and names it', (field, value) => {
    const changed = { ...PINS, [field.split('.')[0]!]: value };
    const refused = serviceError('INVALID_ARGUMENT', { context: { field: `deployment.${field}` } });
    expect(() => parseDeployment(changed)).toThrow(refused);
  });

  it('rejects undefined', () => {
    expect(() => parseDeployment(undefined)).toThrow(serviceError('INVALID_ARGUMENT'));
  });
});

describe('ServiceClient', () => {
  it('needs a baseUrl outside a page, and takes only http and https', () => {
    const deployment = parseDeployment(PINS);
    const refused = serviceError('INVALID_ARGUMENT', { context: { field: 'baseUrl' } });
    expect(() => new ServiceClient({ deployment })).toThrow(refused);
    for (const invalid of [
      'file:///x',
      '',
      'https://app.example/api',
      'https://app.example/?x=1',
      'https://user@app.example',
    ]) {
      expect(() => new ServiceClient({ deployment, baseUrl: invalid })).toThrow(refused);
    }
    const withSite = parseDeployment({ ...PINS, baseUrl });
    expect(new ServiceClient({ deployment: withSite }).deployment).toEqual(withSite);
    expect(new ServiceClient({ deployment, baseUrl: `${baseUrl}/` }).deployment).toEqual(deployment);
  });
});

import { describe, expect, it } from 'vitest';
import { ServiceClient } from './client/service-client.ts';
import { parseDeployment } from './deployment.ts';

const DEPLOYMENT = {
  program: '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi',
  genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  artifactsDigest: 'a'.repeat(64),
  rpcUrl: 'http://127.0.0.1:8899',
  verifierOrigins: ['http://localhost:3001'],
};

describe('parseDeployment', () => {
  it('drops what is not pinned, and freezes', () => {
    const deployment = parseDeployment({ ...DEPLOYMENT, note: 'ours' });
    expect(deployment).toEqual(DEPLOYMENT);
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
  ])('refuses %s as %j, by name', (field, value) => {
    const [name] = field.split('.') as [string];
    expect(() => parseDeployment({ ...DEPLOYMENT, [name]: value })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', context: { field: `deployment.${field}` } }),
    );
  });

  it('refuses nothing at all', () => {
    expect(() => parseDeployment(undefined)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});

describe('ServiceClient', () => {
  it('needs a baseUrl outside a page, and takes only http and https', () => {
    const deployment = parseDeployment(DEPLOYMENT);
    for (const options of [
      { deployment },
      { deployment, baseUrl: 'file:///x' },
      { deployment, baseUrl: '' },
      { deployment, baseUrl: 'https://app.example/api' },
      { deployment, baseUrl: 'https://app.example/?x=1' },
      { deployment, baseUrl: 'https://user@app.example' },
    ]) {
      expect(() => new ServiceClient(options)).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', context: { field: 'baseUrl' } }),
      );
    }
    const withSite = parseDeployment({ ...DEPLOYMENT, baseUrl: 'https://app.example' });
    expect(new ServiceClient({ deployment: withSite }).deployment).toEqual(withSite);
    expect(new ServiceClient({ deployment, baseUrl: 'https://app.example/' }).deployment).toEqual(deployment);
  });
});

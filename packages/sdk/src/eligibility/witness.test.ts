import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ADDRESS } from '../../test/support/deployment.ts';
import { serviceError } from '../../test/support/service-error.ts';
import { attributesOf, parseWitness, parseWitnessFragment, takeWitnessFromLocation } from './witness.ts';

const WITNESS = {
  wallet: ADDRESS,
  region: 'FR',
  status: 'professional',
  birthDate: '1990-05-17',
  salt: '271828182845904523536028747135266249775724709369995957496696762',
  person: '314159265358979323846264338327950288419716939937510582097494459',
};
const invalid = serviceError('WITNESS_INVALID');
const fragment = (value: unknown) => `#witness=${Buffer.from(JSON.stringify(value)).toString('base64url')}`;

afterEach(() => vi.unstubAllGlobals());

describe('parseWitness', () => {
  it('parses JSON text and an object', () => {
    expect(parseWitness(JSON.stringify(WITNESS))).toEqual(WITNESS);
    expect(parseWitness(WITNESS)).toEqual(WITNESS);
  });

  it.each<[string, unknown]>([
    ['invalid JSON', '{secret-text'],
    ['null', 'null'],
    ['another salt', { ...WITNESS, salt: 's3cret' }],
    ['a short salt', { ...WITNESS, salt: '1990' }],
    ['the salt 2^128 - 1', { ...WITNESS, salt: String(2n ** 128n - 1n) }],
    ['the salt 0', { ...WITNESS, salt: '0' }],
    ['another person', { ...WITNESS, person: 's3cret' }],
    ['no person', { ...WITNESS, person: undefined }],
    ['the person 2^128 - 1', { ...WITNESS, person: String(2n ** 128n - 1n) }],
    ['a date with a time', { ...WITNESS, birthDate: '1990-05-17T00:00' }],
    ['no wallet', { ...WITNESS, wallet: undefined }],
    ['an invalid wallet address', { ...WITNESS, wallet: 'me' }],
  ])('rejects %s without quoting it', (_name, value) => {
    try {
      parseWitness(value);
      expect.unreachable();
    } catch (error) {
      expect(error).toEqual(invalid);
      expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/s3cret|secret-text|1990/);
    }
  });
});

it('accepts a salt and a person from 2^128', () => {
  const secrets = { salt: String(2n ** 128n), person: String(2n ** 128n) };
  expect(parseWitness({ ...WITNESS, ...secrets })).toMatchObject(secrets);
});

describe('attributesOf', () => {
  it('rejects a short salt or person with a reason', () => {
    expect(() => attributesOf({ ...WITNESS, salt: '1' } as never)).toThrow(/salt is below 2\^128/);
    expect(() => attributesOf({ ...WITNESS, person: '1' } as never)).toThrow(/person is below 2\^128/);
  });

  it('returns the numbers of the circuit', () => {
    expect(attributesOf(parseWitness(WITNESS))).toMatchObject({
      birthDate: (1990 - 1900) * 512 + 5 * 32 + 17,
      salt: 271828182845904523536028747135266249775724709369995957496696762n,
      person: 314159265358979323846264338327950288419716939937510582097494459n,
      status: 2,
    });
  });
});

describe('the fragment', () => {
  it('is parsed with or without other parameters', () => {
    expect(parseWitnessFragment(fragment(WITNESS))).toEqual(WITNESS);
    expect(parseWitnessFragment(`${fragment(WITNESS)}&state=1`)).toEqual(WITNESS);
    expect(parseWitnessFragment('#state=1')).toBeNull();
    expect(parseWitnessFragment('')).toBeNull();
  });

  it('is rejected if it is malformed', () => {
    for (const malformed of ['#witness=***', '#witness=']) {
      expect(() => parseWitnessFragment(malformed)).toThrow(invalid);
    }
  });

  const page = (hash: string) => {
    const replaceState = vi.fn();
    vi.stubGlobal('location', { hash, pathname: '/verified', search: '?x=1' });
    vi.stubGlobal('history', { state: { kept: true }, replaceState });
    return replaceState;
  };

  it('is taken from the page and cleared from the history entry', () => {
    const replaceState = page(fragment(WITNESS));
    expect(takeWitnessFromLocation()).toEqual(WITNESS);
    expect(replaceState).toHaveBeenCalledExactlyOnceWith({ kept: true }, '', '/verified?x=1');
  });

  it('is cleared if it is invalid, and kept if it contains no witness', () => {
    const replaceState = page('#witness=***');
    expect(() => takeWitnessFromLocation()).toThrow(invalid);
    expect(replaceState).toHaveBeenCalledOnce();
    const untouched = page('#section-2');
    expect(takeWitnessFromLocation()).toBeNull();
    expect(untouched).not.toHaveBeenCalled();
  });

  it('is not blamed for a platform that cannot read it', () => {
    const parse = () => parseWitnessFragment(fragment(WITNESS));
    vi.stubGlobal('atob', () => {
      throw new ReferenceError('atob is not defined');
    });
    expect(parse).toThrow(serviceError('UNEXPECTED_ERROR'));
  });

  it('needs a page', () => {
    expect(() => takeWitnessFromLocation()).toThrow(serviceError('INVALID_ARGUMENT'));
  });
});

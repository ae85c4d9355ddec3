import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { attributesOf, parseWitness, parseWitnessFragment, takeWitnessFromLocation } from './witness.ts';

const WITNESS = {
  wallet: '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi',
  region: 'FR',
  status: 'professional',
  birthDate: '1990-05-17',
  salt: '123456789',
};
const fragment = (value: unknown) => `#witness=${Buffer.from(JSON.stringify(value)).toString('base64url')}`;

afterEach(() => vi.unstubAllGlobals());

describe('parseWitness', () => {
  it('reads JSON text and what was parsed of it', () => {
    expect(parseWitness(JSON.stringify(WITNESS))).toEqual(WITNESS);
    expect(parseWitness(WITNESS)).toEqual(WITNESS);
  });

  it.each<[string, unknown]>([
    ['no JSON', '{secret-text'],
    ['null', 'null'],
    ['another salt', { ...WITNESS, salt: 's3cret' }],
    ['a date with a time', { ...WITNESS, birthDate: '1990-05-17T00:00' }],
    ['no wallet', { ...WITNESS, wallet: undefined }],
    ['a wallet that is no address', { ...WITNESS, wallet: 'me' }],
  ])('refuses %s without repeating it', (_name, value) => {
    const refuse = () => parseWitness(value);
    expect(refuse).toThrow(expect.objectContaining({ code: 'WITNESS_INVALID' }));
    try {
      refuse();
    } catch (error) {
      expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/s3cret|secret-text|1990/);
    }
  });
});

describe('attributesOf', () => {
  it('gives the circuit’s numbers', () => {
    expect(attributesOf(parseWitness(WITNESS))).toMatchObject({
      birthDate: (1990 - 1900) * 512 + 5 * 32 + 17,
      salt: 123_456_789n,
      status: 2,
    });
  });
});

describe('the fragment', () => {
  it('is read as the verifier writes it, with or without other parameters', () => {
    expect(parseWitnessFragment(fragment(WITNESS))).toEqual(WITNESS);
    expect(parseWitnessFragment(`${fragment(WITNESS)}&state=1`)).toEqual(WITNESS);
    expect(parseWitnessFragment('#state=1')).toBeNull();
    expect(parseWitnessFragment('')).toBeNull();
  });

  it('that is malformed is refused', () => {
    expect(() => parseWitnessFragment('#witness=***')).toThrow(
      expect.objectContaining({ code: 'WITNESS_INVALID' }),
    );
    expect(() => parseWitnessFragment('#witness=')).toThrow(
      expect.objectContaining({ code: 'WITNESS_INVALID' }),
    );
  });

  const page = (hash: string) => {
    const replaceState = vi.fn();
    vi.stubGlobal('location', { hash, pathname: '/verified', search: '?x=1' });
    vi.stubGlobal('history', { state: { kept: true }, replaceState });
    return replaceState;
  };

  it('is taken from the page once, and cleared from the history entry', () => {
    const replaceState = page(fragment(WITNESS));
    expect(takeWitnessFromLocation()).toEqual(WITNESS);
    expect(replaceState).toHaveBeenCalledExactlyOnceWith({ kept: true }, '', '/verified?x=1');
  });

  it('is cleared also when it cannot be read, and left alone when it is something else', () => {
    const replaceState = page('#witness=***');
    expect(() => takeWitnessFromLocation()).toThrow(expect.objectContaining({ code: 'WITNESS_INVALID' }));
    expect(replaceState).toHaveBeenCalledOnce();
    const untouched = page('#section-2');
    expect(takeWitnessFromLocation()).toBeNull();
    expect(untouched).not.toHaveBeenCalled();
  });

  it('needs a page', () => {
    expect(() => takeWitnessFromLocation()).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});

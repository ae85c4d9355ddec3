import { webcrypto } from 'node:crypto';
import type { Witness } from '@service/contract';
import { type Address, generateKeyPairSigner, type KeyPairSigner, signBytes } from '@solana/kit';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEPLOYMENT as JSON_OF_IT } from '../../test/support/deployment.ts';
import { parseDeployment } from '../deployment.ts';
import type { PlainWallet } from '../wallet/wallet.ts';
import { openWitness, saveWitness } from './saved-witness.ts';

const DEPLOYMENT = parseDeployment(JSON_OF_IT);
const passphrase = 'correct horse battery';
const origin = 'https://app.example';
let key: KeyPairSigner;
let wallet: Address;
let witness: Witness;
/** Saved with the passphrase, and with the wallet. */
let [byPassphrase, bySigner]: string[] = [];
const messages: string[] = [];
let signer: PlainWallet;

beforeAll(async () => {
  key = await generateKeyPairSigner();
  wallet = key.address;
  witness = {
    wallet,
    region: 'FR',
    status: 'retail',
    birthDate: '1990-05-17',
    salt: `${2n ** 250n}`,
    person: `${2n ** 251n}`,
  };
  signer = {
    address: wallet,
    async signMessage(message) {
      messages.push(new TextDecoder().decode(message));
      return signBytes(key.keyPair.privateKey, message);
    },
    signTransaction: () => Promise.reject(new Error('asked')),
  };
  byPassphrase = await saveWitness({ witness, deployment: DEPLOYMENT, passphrase });
  bySigner = await saveWitness({ witness, deployment: DEPLOYMENT, signer, origin });
});
beforeEach(() => void messages.splice(0));

const open = (saved: unknown, given: object = {}) =>
  openWitness({ saved: saved as string, deployment: DEPLOYMENT, wallet, passphrase, ...given } as never);
const openSigned = (saved: unknown, given: object = {}) =>
  openWitness({ saved: saved as string, deployment: DEPLOYMENT, wallet, signer, origin, ...given } as never);
const lockedBy = (reason: string) => ({ code: 'WITNESS_LOCKED', context: { reason } });

describe('a saved witness', () => {
  it('opens with the same passphrase, and with the same wallet', async () => {
    expect(await open(byPassphrase)).toEqual(witness);
    expect(await openSigned(bySigner)).toEqual(witness);
    expect(messages).toHaveLength(1);
  });

  it('opens with the same passphrase in another normal form', async () => {
    const saved = await saveWitness({ witness, deployment: DEPLOYMENT, passphrase: 'pässwörter 12' });
    expect(await open(saved, { passphrase: 'pa\u0308sswo\u0308rter 12' })).toEqual(witness);
  });

  it('shows nothing of the person, has one length, and is another one each time', async () => {
    const other = { ...witness, region: 'DE', status: 'professional', salt: `${2n ** 129n}` };
    const second = await saveWitness({ witness: other, deployment: DEPLOYMENT, passphrase });
    const again = await saveWitness({ witness, deployment: DEPLOYMENT, passphrase });
    expect(new Set([byPassphrase!.length, bySigner!.length, second.length]).size).toBe(1);
    expect(again.slice(200)).not.toBe(byPassphrase!.slice(200));
    for (const saved of [byPassphrase!, bySigner!]) {
      const bytes = Buffer.from(saved.slice('witness1.'.length), 'base64url');
      for (const secret of [
        witness.salt,
        witness.person,
        witness.birthDate,
        witness.status,
        '"FR"',
        passphrase,
      ]) {
        expect(bytes.includes(secret) || saved.includes(secret)).toBe(false);
      }
    }
  });

  it('asks the wallet twice before it saves, with a message for this site only', async () => {
    await saveWitness({ witness, deployment: DEPLOYMENT, signer, origin });
    expect(messages).toHaveLength(2);
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).toContain(`Sign only if you are on ${origin}.`);
    expect(messages[0]).not.toContain('wants you to sign in');
    for (const part of [wallet, DEPLOYMENT.program, DEPLOYMENT.genesisHash])
      expect(messages[0]).toContain(part);
  });
});

describe('a saved witness is refused', () => {
  it.each<[string, (saved: string) => unknown]>([
    ['is empty', () => ''],
    ['is no text', () => 5],
    ['is cut', (saved) => saved.slice(0, -1)],
    ['is cut by four characters', (saved) => saved.slice(0, -4)],
    ['is longer', (saved) => `${saved}AAAA`],
    ['has another version', (saved) => saved.replace('witness1.', 'witness2.')],
    ['has another kind of lock', (saved) => saved.replace('witness1.A', 'witness1.z')],
  ])('if it %s', async (_name, change) => {
    await expect(open(change(byPassphrase!))).rejects.toMatchObject(lockedBy('malformed'));
  });

  it('with another passphrase, wallet or origin, and the error says nothing of it', async () => {
    const error = await open(byPassphrase, { passphrase: 'hunter two hunter' }).catch((thrown) => thrown);
    expect(error).toMatchObject(lockedBy('key'));
    expect(error.cause).toBeUndefined();
    expect(JSON.stringify([error.message, error.context])).not.toContain('hunter');
    await expect(openSigned(bySigner, { origin: 'https://evil.example' })).rejects.toMatchObject(
      lockedBy('key'),
    );
  });

  it('for another wallet or deployment, before the wallet is asked', async () => {
    const other = await generateKeyPairSigner();
    const mismatch = { code: 'WALLET_MISMATCH' };
    await expect(open(byPassphrase, { wallet: other.address })).rejects.toMatchObject(mismatch);
    await expect(
      openSigned(bySigner, { signer: { ...signer, address: other.address } }),
    ).rejects.toMatchObject(mismatch);
    await expect(
      saveWitness({ witness, deployment: DEPLOYMENT, signer: other, origin }),
    ).rejects.toMatchObject(mismatch);
    for (const field of ['program', 'genesisHash']) {
      const deployment = { ...DEPLOYMENT, [field]: other.address };
      await expect(openSigned(bySigner, { deployment })).rejects.toMatchObject(lockedBy('deployment'));
    }
    expect(messages).toEqual([]);
  });

  it('if it is longer than any witness, before the wallet is asked', async () => {
    const long = { ...witness, region: 'F'.repeat(400) };
    const error = await saveWitness({ witness: long, deployment: DEPLOYMENT, signer, origin }).catch(
      (thrown) => thrown,
    );
    expect(error).toMatchObject({ code: 'WITNESS_INVALID' });
    expect(error.message).not.toContain('FFF');
    expect(messages).toEqual([]);
    // The longest region that still fits.
    const filled = { ...witness, region: '' };
    const left = 510 - JSON.stringify(filled).length;
    const longest = { ...witness, region: 'F'.repeat(left) };
    const saved = await saveWitness({ witness: longest, deployment: DEPLOYMENT, passphrase });
    expect(await open(saved)).toEqual(longest);
  });

  it.each(['no JSON', '{"wallet":1}', '\ufffd'])('if %j was saved in its form', async (content) => {
    const encrypt = webcrypto.subtle.encrypt.bind(webcrypto.subtle);
    const bytes = content === '\ufffd' ? Buffer.alloc(510, 255) : Buffer.from(content.padEnd(510));
    const changed = vi
      .spyOn(webcrypto.subtle, 'encrypt')
      .mockImplementation((parameters, secret) => encrypt(parameters, secret, bytes));
    const saved = await saveWitness({ witness, deployment: DEPLOYMENT, passphrase });
    changed.mockRestore();
    await expect(open(saved)).rejects.toMatchObject({ code: 'WITNESS_INVALID' });
  });

  it('with the other kind of lock, and with both', async () => {
    const invalid = (field: string) => ({ code: 'INVALID_ARGUMENT', context: { field } });
    await expect(open(bySigner)).rejects.toMatchObject(invalid('signer'));
    await expect(openSigned(byPassphrase)).rejects.toMatchObject(invalid('passphrase'));
    await expect(openSigned(bySigner, { passphrase })).rejects.toMatchObject(invalid('signer'));
    await expect(openSigned(bySigner, { origin: 'app.example' })).rejects.toMatchObject(invalid('origin'));
    await expect(saveWitness({ witness, deployment: DEPLOYMENT, passphrase: 'short' })).rejects.toMatchObject(
      invalid('passphrase'),
    );
  });

  it('by a wallet that signs differently each time', async () => {
    let count = 0;
    // A wallet of several parties can make several valid signatures of one message.
    const verify = vi.spyOn(webcrypto.subtle, 'verify').mockResolvedValue(true);
    const random: PlainWallet = {
      ...signer,
      signMessage: async (message) => {
        const signature = new Uint8Array(await signBytes(key.keyPair.privateKey, message));
        signature[0]! ^= ++count;
        return signature;
      },
    };
    const refused = saveWitness({ witness, deployment: DEPLOYMENT, signer: random, origin });
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', context: { field: 'signer' } });
    expect(count).toBe(2);
    verify.mockRestore();
  });

  it('after a change of any byte', async () => {
    // The key derivation has its own tests above, and would take minutes here.
    const bytes = Buffer.from(bySigner!.slice('witness1.'.length), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1 << (at % 8);
      const result = openSigned(`witness1.${changed.toString('base64url')}`);
      const error = await result.then(
        () => ({ code: `byte ${at} was accepted` }),
        (thrown) => thrown,
      );
      expect(error.code).toMatch(/^(WITNESS_LOCKED|WALLET_MISMATCH|INVALID_ARGUMENT)$/);
    }
  });
});

/** The name of a token: how an issuer gives it, and what pages read of names that anyone wrote. */
import { MAX_TRANSACTION_BYTES, TOKEN_2022_PROGRAM } from '@service/protocol';
import { createBindableMint, fetchMint, fetchPowers, type MintTemplate } from '@service/sdk/chain';
import { errorOf } from '@service/test-support';
import {
  type Address,
  createSolanaRpcFromTransport,
  type GetTransactionApi,
  generateKeyPairSigner,
  getBase64Encoder,
  type RpcTransport,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { useMarket } from './support/market.ts';

const market = useMarket();
const chain = () => ({ deployment: market.deployment, rpc: market.world.net.rpc, clock: market.clock() });
const issuer = () => market.issuer.signer;
type Named = Partial<Parameters<typeof createBindableMint>[1]>;
const create = (named: Named) =>
  market.live(() => createBindableMint(issuer(), { ...chain(), decimals: 2, ...named }));
const named = { name: 'Example Bond 2030', symbol: 'EXB', uri: 'https://example.com/exb.json' };
/** A guard of a wallet and a priority fee take about this much. */
const ADDITIONS = 120;

describe('a named mint', () => {
  test.each<MintTemplate>(['plain', 'security', 'fund'])(
    'of the template %s is bound and issued, and nobody can rename it',
    async (template) => {
      const { mint, signature } = await create({ ...named, template });
      expect(await fetchMint({ ...chain(), mint })).toEqual({
        ...named,
        address: mint,
        decimals: 2,
        supply: 0n,
        metadataAuthority: null,
      });
      const { sentences, roles } = await fetchPowers({ ...chain(), mint });
      expect(roles).toMatchObject({ metadata: null, metadataPointer: null });
      expect(sentences.map(({ text }) => text)).toContain(
        'Nobody can change the name, the symbol and the other metadata in the mint itself.',
      );
      const { rule } = market;
      await market.live(() => market.issuer.client.bindMint(issuer(), { mint, rule, requireSource: true }));
      expect((await fetchPowers({ ...chain(), mint })).binding?.issuer).toBe(issuer().address);
      expect(await bytesOf(signature)).toBeGreaterThan(400);
    },
  );

  test('can be renamed only by the wallet that the issuer names', async () => {
    const metadataAuthority = market.holder.signer.address;
    const { mint } = await create({ ...named, uri: undefined, metadataAuthority });
    expect(await fetchMint({ ...chain(), mint })).toMatchObject({
      name: named.name,
      uri: null,
      metadataAuthority,
    });
    const { sentences } = await fetchPowers({ ...chain(), mint });
    expect(sentences.map(({ text }) => text)).toContain(
      `${metadataAuthority} can change the name, the symbol and the other metadata of the token.`,
    );
    const own = await create({ ...named, metadataAuthority: issuer().address });
    expect(await fetchMint({ ...chain(), mint: own.mint })).toMatchObject({
      metadataAuthority: issuer().address,
    });
  });

  test('fits into a transaction with the longest name, and with what a wallet adds', async () => {
    const longest = {
      name: 'ä'.repeat(16),
      symbol: 'ABCDEFGHIJ',
      uri: `https://example.com/${'a'.repeat(180)}`,
    };
    const { mint, signature } = await create({
      ...longest,
      template: 'fund',
      metadataAuthority: market.holder.signer.address,
    });
    expect(await fetchMint({ ...chain(), mint })).toMatchObject(longest);
    expect(await bytesOf(signature)).toBeLessThan(MAX_TRANSACTION_BYTES - ADDITIONS);
  });

  test.each<[string, Named, string]>([
    ['a name without a symbol', { name: 'Bond' }, 'symbol'],
    ['a symbol without a name', { symbol: 'EXB' }, 'name'],
    ['a URI without a name', { uri: named.uri }, 'name'],
    ['an authority without a name', { metadataAuthority: 'x' as Address }, 'name'],
    ['an empty name', { ...named, name: '' }, 'name'],
    ['a name of 33 bytes', { ...named, name: `ä${'a'.repeat(31)}` }, 'name'],
    ['a symbol of 11 bytes', { ...named, symbol: 'ABCDEFGHIJK' }, 'symbol'],
    ['a symbol that multiplies the amount before it', { ...named, symbol: '000EUR' }, 'symbol'],
    ['a symbol that continues the amount before it', { ...named, symbol: ',000' }, 'symbol'],
    ['a symbol of other digits', { ...named, symbol: '٠٠٠' }, 'symbol'],
    ['a symbol with a space', { ...named, symbol: 'E UR' }, 'symbol'],
    ['a name with a reversed part', { ...named, name: 'Bond\u202e0302' }, 'name'],
    ['a name with an invisible character', { ...named, name: 'Bo\u200bnd' }, 'name'],
    ['a name with a filler', { ...named, name: 'Bond\u3164' }, 'name'],
    ['a name of two lines', { ...named, name: 'Bond\n2030' }, 'name'],
    ['a name with a space at its end', { ...named, name: 'Bond ' }, 'name'],
    ['a name that is not normalized', { ...named, name: 'a\u0308' }, 'name'],
    ['a name that is no text', { ...named, name: 5 as never }, 'name'],
    ['a URI over http', { ...named, uri: 'http://example.com/' }, 'uri'],
    ['a script as URI', { ...named, uri: 'javascript:alert(1)' }, 'uri'],
    ['a URI with a password', { ...named, uri: 'https://a:b@example.com/' }, 'uri'],
    ['a URI that is none', { ...named, uri: 'https://[' }, 'uri'],
    ['a URI of the device itself', { ...named, uri: 'https://localhost/exb.json' }, 'uri'],
    ['a URI of an address', { ...named, uri: 'https://192.0.2.1/exb.json' }, 'uri'],
    ['a URI of 201 characters', { ...named, uri: `https://example.com/${'a'.repeat(181)}` }, 'uri'],
    ['an issuer that is no address', { issuer: 'x' as Address }, 'issuer'],
    ['an authority that is no address', { ...named, metadataAuthority: 'x' as Address }, 'metadataAuthority'],
  ])('is not created with %s', async (_name, options, field) => {
    const mute = { ...issuer(), signTransactions: () => Promise.reject(new Error('asked')) } as never;
    const error = await errorOf(createBindableMint(mute, { ...chain(), ...options }));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', context: { field } });
  });
});

describe('fetchMint', () => {
  const shown = async (change: (data: Buffer) => Buffer) => {
    const { mint } = await create(named);
    return fetchMint({ ...chain(), rpc: changed(mint, change), mint });
  };
  const unnamed = { name: null, symbol: null, uri: null, metadataAuthority: null };

  test('reads a mint without a name, and no account that is not a mint', async () => {
    expect(await fetchMint({ ...chain(), mint: market.mint })).toMatchObject({ ...unnamed, decimals: 2 });
    const mint = (await generateKeyPairSigner()).address;
    expect(await errorOf(fetchMint({ ...chain(), mint }))).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  });

  test.each<[string, string, string]>([
    ['reversed text', 'Example \u202eB\u2066ond', 'Example Bond'],
    ['invisible characters', 'E\u200bxa\u2060mple\ufeff\u00ad', 'Example'],
    ['fillers only', '\u3164\u115f\u2800', ''],
    ['marks that pile up', `E${'\u0301'.repeat(8)}x`, '\u00c9\u0301\u0301x'],
    ['lines', 'Example\r\n\u2028Bond', 'Example Bond'],
  ])('removes %s from a name', async (_name, text, expected) => {
    const result = await shown((data) => replaceText(data, named.name, text));
    expect(result.name).toBe(expected || null);
    expect(result.symbol).toBe(named.symbol);
  });

  test.each(['000 EUR', '.000', '٠٠٠', '1K'])(
    'shows no symbol %s, which would change the amount before it',
    async (symbol) => {
      const result = await shown((data) => replaceText(data, named.symbol, symbol));
      expect(result).toMatchObject({ name: named.name, symbol: null });
    },
  );

  test('cuts a long name, and shows no URI that is not https', async () => {
    const long = await shown((data) => replaceText(data, named.name, 'x'.repeat(5_000)));
    expect(long.name).toBe(`${'x'.repeat(31)}…`);
    const script = await shown((data) => replaceText(data, named.uri, 'javascript:alert(1)'));
    expect(script).toMatchObject({ name: named.name, uri: null });
  });

  test.each([
    'https://localhost/a.json',
    'https://LOCALHOST./a.json',
    'https://app.localhost/a.json',
    'https://intranet/a.json',
    'https://router.local/a.json',
    'https://metadata.google.internal/a.json',
    'https://nas.home.arpa/a.json',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'https://127.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[fd00::1]/',
    'https://[::ffff:192.168.1.1]/',
    'https://example.com:99999/',
    'https://user@example.com/',
    'https://a b.example.com/',
    `https://example.com/${'"'.repeat(100)}`,
  ])('shows no URI %s', async (uri) => {
    expect(await shown((data) => replaceText(data, named.uri, uri))).toMatchObject({ uri: null });
  });

  test.each([
    ['https://Example.COM', 'https://example.com/'],
    ['https://example.com/a/../b.json', 'https://example.com/b.json'],
    ['https://example.com\\@10.0.0.1/a', 'https://example.com/@10.0.0.1/a'],
    ['https://xn--bcher-kva.example/a.json', 'https://xn--bcher-kva.example/a.json'],
  ])('shows %s as the parser reads it', async (uri, expected) => {
    expect(await shown((data) => replaceText(data, named.uri, uri))).toMatchObject({ uri: expected });
  });

  test.each<[string, (data: Buffer) => Buffer]>([
    ['points to another account', (data) => edited(data, 18, (value) => value.fill(7, 32, 64))],
    ['points nowhere', (data) => edited(data, 18, (value) => value.fill(0, 32, 64))],
    ['has the metadata of another mint', (data) => edited(data, 19, (value) => value.fill(7, 32, 64))],
    ['has a length beyond its end', (data) => edited(data, 19, (value) => value.fill(255, 64, 68))],
    ['has a name that is not UTF-8', (data) => edited(data, 19, (value) => value.fill(255, 68, 69))],
  ])('reads no name of a mint that %s', async (_name, change) => {
    expect(await shown(change)).toMatchObject(unnamed);
  });
});

async function bytesOf(signature: Parameters<GetTransactionApi['getTransaction']>[0]): Promise<number> {
  const found = await market.world.rpc
    .getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 })
    .send();
  return getBase64Encoder().encode(found!.transaction[0]).length;
}

/** Where the value of an extension begins in a mint, and where it ends. */
function placeOf(data: Buffer, type: number): [number, number] {
  for (let at = 166; at + 4 <= data.length; at += 4 + data.readUInt16LE(at + 2)) {
    if (data.readUInt16LE(at) === type) return [at + 4, at + 4 + data.readUInt16LE(at + 2)];
  }
  throw new Error(`The mint has no extension ${type}.`);
}

function edited(data: Buffer, type: number, edit: (value: Buffer) => unknown): Buffer {
  edit(data.subarray(...placeOf(data, type)));
  return data;
}

/** Replaces a text of the metadata, and the lengths around it. */
function replaceText(data: Buffer, before: string, after: string): Buffer {
  const [start, end] = placeOf(data, 19);
  const at = data.indexOf(before, start);
  const [old, text] = [Buffer.byteLength(before), Buffer.from(after)];
  const result = Buffer.concat([data.subarray(0, at), text, data.subarray(at + old)]);
  result.writeUInt32LE(text.length, at - 4);
  result.writeUInt16LE(end - start + text.length - old, start - 2);
  return result;
}

/** Returns the cluster's RPC, with other data of the mint. */
function changed(mint: Address, change: (data: Buffer) => Buffer) {
  return createSolanaRpcFromTransport((async (request) => {
    const answer = (await market.world.net.transport(request)) as {
      result: { value: { data: [string, string] }[] };
    };
    const { method, params } = request.payload as { method: string; params: [string[]] };
    if (method !== 'getMultipleAccounts' || params[0][0] !== mint) return answer;
    const value = answer.result.value.map((account) => ({
      ...account,
      owner: TOKEN_2022_PROGRAM,
      data: [change(Buffer.from(account.data[0], 'base64')).toString('base64'), 'base64'],
    }));
    return { ...answer, result: { ...answer.result, value } };
  }) as RpcTransport) as typeof market.world.net.rpc;
}

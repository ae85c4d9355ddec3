/** Tests how much of the service's own error texts a caller sees. */
import { inspect } from 'node:util';
import { ERROR_CODES } from '@service/contract';
import { expect, it } from 'vitest';
import { ServiceError } from '../errors.ts';
import { createApi } from './transport.ts';

/** Returns the error of a call that the service rejects with this message. */
async function refusedWith(message: string, requestId = 'request-1'): Promise<ServiceError> {
  const fetch = async () =>
    Response.json({ error: { code: 'PROTOCOL_PAUSED', message, requestId } }, { status: 503 });
  const api = createApi({ baseUrl: 'http://service.test', origin: 'http://service.test', fetch });
  const error = await api.call('network', {}).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ServiceError);
  return error as ServiceError;
}

const { meaning } = ERROR_CODES.PROTOCOL_PAUSED;

it('quotes the service’s message after the meaning of the code', async () => {
  const { message } = await refusedWith('back at noon');
  expect(message).toBe(`${meaning} The service says: "back at noon" (GET /api/network)`);
  expect((await refusedWith('')).message).toBe(`${meaning} (GET /api/network)`);
  expect((await refusedWith(meaning)).message).toBe(`${meaning} (GET /api/network)`);
});

it('shortens the message to one line without control characters', async () => {
  const message = `a\u202eb\u0007c\n[ERROR] paid${' again'.repeat(2_000)}`;
  const error = await refusedWith(message, `r\n${'y'.repeat(5_000)}`);
  expect(error.message).toContain('"ab c [ERROR] paid again');
  for (const sign of ['\n', '\u202e', '\u0007']) expect(error.message).not.toContain(sign);
  expect(error.message.length).toBeLessThan(700);
  expect(error.requestId!.length).toBeLessThan(300);
  expect(error.requestId).not.toContain('\n');
});

it('has all reasons why a mint cannot be bound', async () => {
  const message = `${'The mint lacks this. '.repeat(20)}Create another mint.`;
  expect((await refusedWith(message)).message).toContain(`"${message}"`);
});

it('removes cookies and signatures', async () => {
  const cookie = 'Xh0lq-_3Il9O0aZ1bY2cX3dW4eV5fU6gT7hS8iR9jQ0';
  const signature = `${'aB3/'.repeat(21)}aA==`;
  const error = await refusedWith(`you sent ${cookie} and ${signature}`, cookie);
  const text = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error);
  for (const secret of [cookie, signature]) expect(text).not.toContain(secret);
});

it.each([1, 2, 3, 4, 6, 9, 15, 22, 43])(
  'removes a cookie that the service splits into %i parts, whatever is between them',
  async (count) => {
    const cookie = 'Xh0lq-_3Il9O0aZ1bY2cX3dW4eV5fU6gT7hS8iR9jQ0';
    const size = Math.ceil(cookie.length / count);
    const parts = Array.from({ length: count }, (_, index) => cookie.slice(index * size, (index + 1) * size));
    for (const between of [' then ', ' ', ', the transfer failed because ', '\u0301 ', '-x-']) {
      const { message, requestId } = await refusedWith(`first ${parts.join(between)}`, parts.join(between));
      expect(message).not.toContain('first X');
      expect(`${message} ${requestId}`).toContain('[…]');
      if (count < 22)
        for (const part of parts.filter(Boolean)) expect(message + requestId).not.toContain(part);
    }
  },
);

import { ServiceError } from '../errors.ts';

/**
 * Returns the body of a response. Requires a stream, because the client limits the size of what it reads. This is not in
 * check-platform.ts, which a page loads later.
 *
 * @throws ServiceError UNSUPPORTED_PLATFORM if `fetch` has no streams, as that of React Native
 */
export function bodyOf({ body }: Response): Response['body'] {
  if (body !== undefined) return body;
  const feature = 'Response.body';
  const remedy =
    'Pass a fetch with streams, such as that of expo/fetch: new ServiceClient({ deployment, fetch }).';
  throw new ServiceError('UNSUPPORTED_PLATFORM', {
    message: `The responses of fetch have no body. ${remedy}`,
    context: { missing: [{ feature, neededFor: 'everything', remedy }] },
  });
}

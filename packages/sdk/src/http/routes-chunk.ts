/** The endpoints with their schemas, and what a response of them needs. transport.ts loads this chunk. */

export { errorBody } from '@service/contract/responses';
export { CLIENT_ROUTES } from '@service/contract/routes/client-routes';
export { quoted } from '../lib/service-words.ts';

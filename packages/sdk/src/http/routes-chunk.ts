/** The endpoints with their schemas, and what a response of them needs. load-routes.ts loads this chunk. */

export { errorBody } from '@service/contract/responses';
export { CLIENT_ROUTES } from '@service/contract/routes/client-routes';
export { PREPARING_ROUTES } from '@service/contract/routes/preparing-routes';
export { quoted } from '../lib/service-words.ts';

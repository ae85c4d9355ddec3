export { ServiceClient } from '../client/service-client.ts';

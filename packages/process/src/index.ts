/** What every long-running command needs: a listener for HTTP, an end in time at a signal, and a log of errors. */
export {
  type ClientAddress,
  createClientAddress,
  isProxyRange,
  networkOf,
  widerNetwork,
} from './client-address.ts';
export { closeOnSignal } from './close-on-signal.ts';
export { type Listener, listen, MOST_WAITING, type OpenPort, openPort, serveOn } from './listen.ts';
export { logError } from './log-error.ts';
export { portTaken } from './port-taken.ts';

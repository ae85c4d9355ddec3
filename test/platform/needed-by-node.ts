/**
 * What is newer than the floor, but which Node's own `fetch`, streams and ports use whenever they run. Browsers have no
 * such code. The SDK never calls it.
 */
const OWN =
  /^(Readable|Writable|Transform|Request|Response|Headers|Blob|FormData|Message|Event|Performance|WebSocket|Error\.captureStackTrace$|String\.prototype\.toWellFormed$)/;

export const isNeededByNode = (name: string): boolean => OWN.test(name);

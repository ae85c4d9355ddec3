/**
 * Calls a listener of the caller's. Reports what it throws as an error of the page: the SDK goes on, and the error
 * cannot be mistaken for the failure of an operation that was sent.
 */
export function notify(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    (globalThis.reportError ?? console.error)(error);
  }
}

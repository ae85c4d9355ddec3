/**
 * Calls a listener of the caller. Reports what it throws as an error of the page, so that nobody takes the error for the
 * failure of an operation that was sent.
 */
export function notify(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    (globalThis.reportError ?? console.error)(error);
  }
}

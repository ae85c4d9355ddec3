/**
 * Calls a listener of the caller. Reports what it throws as an error of the page. Otherwise the error would look like the
 * failure of an operation that was sent.
 */
export function notify(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    (globalThis.reportError ?? console.error)(error);
  }
}

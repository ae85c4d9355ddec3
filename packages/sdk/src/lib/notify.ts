/**
 * Calls a listener of the caller's. What it throws is its page's to see: it must neither end what goes on here nor pass
 * for the failure of an operation whose signed bytes have left.
 */
export function tell(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    (globalThis.reportError ?? console.error)(error);
  }
}

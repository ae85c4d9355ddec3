/** A page that proves with Semaphore in a worker, as the SDK does. */
const worker = new Worker('./semaphore-worker.js', { type: 'module' });

/** Makes a proof. Returns its milliseconds. */
globalThis.measure = async () => {
  const started = performance.now();
  const answered = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve());
    worker.onerror = ({ message }) => reject(new Error(message));
  });
  worker.postMessage('prove');
  await answered;
  return performance.now() - started;
};
globalThis.first = globalThis.measure;

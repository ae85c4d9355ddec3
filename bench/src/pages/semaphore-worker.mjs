/** Proves with Semaphore for each message. */
import { importPeer } from '../../peers/semaphore.mjs';

let prove;

addEventListener('message', async () => {
  try {
    prove ??= await (await importPeer())({ wasm: './semaphore.wasm', zkey: './semaphore.zkey' });
    await prove();
    postMessage({});
  } catch (error) {
    postMessage({ error: String(error) });
  }
});

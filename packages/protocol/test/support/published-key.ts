/** alpha and beta of Hermez's powers of tau: x and y, then x.c1, x.c0, y.c1 and y.c0. */
const ALPHA_BETA =
  '2d4d9aa7e302d9df41749d5507949d05dbea33fbb16c643b22f599a2be6df2e2' +
  '14bedd503c37ceb061d8ec60209fe345ce89830a19230301f076caff004d1926' +
  '0967032fcbf776d1afc985f88877f182d38480a653f2decaa9794cbc3bf3060c' +
  '0e187847ad4c798374d0d6732bf501847dd68bc0e071241e0213bc7fc13db7ab' +
  '304cfbd1e08a704a99f5e847d93f8c3caafddec46b7a0d379da69a4d112346a7' +
  '1739c1b1a457a8c7313123d24d2f9192f896b7c63eea05a9d57f06547ad0cec8';

/** The generator of the second group, as x.c1, x.c0, y.c1 and y.c0. */
export const GENERATOR = Buffer.from(
  '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2' +
    '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed' +
    '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b' +
    '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa',
  'hex',
);

/**
 * Returns a verifying key whose setup looks right: from the published powers of tau, with a secret. Only its length and the parts
 * that a check of the setup reads are real.
 */
export function publishedKey(): Uint8Array {
  return Buffer.concat([Buffer.from(ALPHA_BETA, 'hex'), GENERATOR, Buffer.alloc(256, 7)]);
}

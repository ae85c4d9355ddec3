// Addresses of the program's accounts: SHA-256 over the seeds, the first bump from 255 down that is off the curve.
import { decodeBase58, encodeBase58, littleEndian, powerMod, sha256, toInteger } from './bytes.mjs';

const P = 2n ** 255n - 19n;

const invert = (value) => powerMod(value, P - 2n, P);
const D = ((P - 121665n) * invert(121666n)) % P;

/** Returns whether 32 bytes are a compressed point of edwards25519: whether (y^2 - 1) / (d y^2 + 1) is a square. */
function isOnCurve(bytes) {
  const y = toInteger(Buffer.from(bytes).reverse()) & (2n ** 255n - 1n);
  const square = (y * y) % P;
  const xSquare = ((square - 1n + P) * invert((D * square + 1n) % P)) % P;
  // Euler: a square to the power of (p - 1) / 2 is 1; zero is the square of zero.
  return xSquare === 0n || powerMod(xSquare, (P - 1n) / 2n, P) === 1n;
}

/** Returns the address and bump of some seeds under a program. */
function derive(program, ...seeds) {
  for (let bump = 255; bump >= 0; bump -= 1) {
    const end = [Buffer.of(bump), decodeBase58(program), Buffer.from('ProgramDerivedAddress')];
    const hash = sha256(...seeds, ...end);
    if (!isOnCurve(hash)) return { address: encodeBase58(hash), bump };
  }
  throw new Error('no bump gives an address off the curve');
}

/** The accounts of the program, each by its seeds. */
export function accountsOf(program) {
  const at = (...seeds) => derive(program, ...seeds.map((seed) => Buffer.from(seed)));
  return {
    config: () => at('config'),
    treasury: () => at('treasury'),
    verifier: (authority) => at('verifier', decodeBase58(authority)),
    circuit: (id) => at('circuit', Buffer.concat([Buffer.from(id)], 32)),
    credential: (wallet) => at('credential', decodeBase58(wallet)),
    ruleSet: (creator, nonce) => at('rule', decodeBase58(creator), littleEndian(nonce, 8)),
    mintBinding: (mint) => at('binding', decodeBase58(mint)),
    pass: (rule, wallet) => at('pass', decodeBase58(rule), decodeBase58(wallet)),
    place: (rule, tag) => at('place', decodeBase58(rule), Buffer.from(tag, 'hex')),
    extraAccountMetaList: (mint) => at('extra-account-metas', decodeBase58(mint)),
  };
}

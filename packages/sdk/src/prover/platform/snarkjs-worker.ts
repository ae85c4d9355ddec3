/** Makes the proofs with snarkjs in a module worker of a browser, so that the page's thread stays free. */
import * as prover from '../worker/snarkjs/make-proof.ts';
import { servePage } from './serve-page.ts';

servePage(prover);

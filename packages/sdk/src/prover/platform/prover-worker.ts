/** Makes the proofs with the SDK's own prover in a module worker of a browser, so that the page's thread stays free. */
import * as prover from '../worker/own/make-proof.ts';
import { servePage } from './serve-page.ts';

servePage(prover);

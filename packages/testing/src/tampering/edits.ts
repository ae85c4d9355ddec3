/**
 * The kinds of edit that hostile modes are made of. Only this repository can import them, as `@service/testing/edits`: the
 * sweep of test/adversarial is made of them too.
 */
export { changeArtifact } from './edits/artifacts.ts';
export { endless, stalled } from './edits/bodies.ts';
export {
  addInstruction,
  drain,
  type Edit as ActionEdit,
  inAction,
  opposite,
  withAccount,
  withAmount,
} from './edits/instructions.ts';
export {
  type CompiledMessage,
  readCompiled,
  writeCompiled,
  writeDraft,
  writeWire,
} from './edits/message-draft.ts';
export { changeDraft, changeTransaction, type DraftJson, type TransactionEdit } from './edits/prepared.ts';
export { onProofContext } from './edits/proof-context.ts';
export {
  askService,
  editJson,
  isFor,
  type Json,
  jsonOf,
  refusal,
  set,
  withBody,
  without,
} from './edits/responses.ts';
export { changeFields, changeText } from './edits/sign-in-message.ts';
export {
  failedOnChain,
  finalized,
  ifFinal,
  inState,
  queued,
  type Story,
  type Submitted,
  tellStory,
} from './edits/story.ts';
export { instead, onApi, untilAborted } from './edits/transport.ts';
export { type Tamper, UNKNOWN_ADDRESS } from './hostile-mode.ts';

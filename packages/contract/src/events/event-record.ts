/** Events: what the service reports to dApps, by webhooks (SPEC.md section 6). */
import * as z from 'zod/mini';
import { addressField, eventIdField, idField, signatureField, u64Field } from '../fields.ts';
import { OPERATION_KINDS } from '../operation.ts';
import { failureRecord } from '../operation-record.ts';
import { bindingRecord, credentialRecord, passRecord } from '../records.ts';

/** The types of events. */
export const EVENT_TYPES = [
  'operation.finalized',
  'operation.failed',
  'credential.issued',
  'credential.revoked',
  'pass.expiring',
  'pass.closed',
  'pass.suspended',
  'pass.granted',
  'place.taken',
  'rule.announced',
  'rule.changed',
  'issuer.nominated',
  'issuer.changed',
] as const;
/** The type of an event. */
export type EventType = (typeof EVENT_TYPES)[number];

const commonEvent = {
  /** Identifies the event. Each repetition of the event has the same id. */
  id: eventIdField,
  /** Unix seconds at which the service recorded the event. */
  createdAt: u64Field,
  /** Base58 address of the wallet that the event is about. */
  wallet: addressField,
};

const finalOperation = {
  /** UUID of the operation. */
  operationId: idField,
  /** The action. */
  kind: z.enum(OPERATION_KINDS),
  /** Base58 address of the rule set. Only CREATE_RULE_SET has it. */
  rule: z.optional(addressField),
  /** Signature of the transaction: base58 of 64 bytes. */
  signature: signatureField,
};

const passOfEvent = z.omit(passRecord, { ended: true });

/** An operation was executed, and the result is final. */
export const operationFinalizedEvent = z.object({
  ...commonEvent,
  /** Type of the event. */
  type: z.literal('operation.finalized'),
  /** The operation. */
  data: z.object({
    ...finalOperation,
    /** Executed and final. */
    state: z.literal('FINALIZED'),
    /** Number of the slot in which the transaction was executed. */
    slot: u64Field,
  }),
});

/** An operation failed, and the result is final. */
export const operationFailedEvent = z.object({
  ...commonEvent,
  /** Type of the event. */
  type: z.literal('operation.failed'),
  /** The operation. */
  data: z.object({
    ...finalOperation,
    /** Final; nothing changed. */
    state: z.literal('FAILED'),
    /** Number of the slot in which the transaction failed; absent if it never landed. */
    slot: z.optional(u64Field),
    /** Why it failed. */
    failure: failureRecord,
  }),
});

/** A wallet has a new credential on chain, or a new one in place of the old one. */
export const credentialIssuedEvent = z.object({
  ...commonEvent,
  /** Type of the event. */
  type: z.literal('credential.issued'),
  /** The credential as it is now. */
  data: credentialRecord,
});

/** The credential of a wallet was revoked on chain. */
export const credentialRevokedEvent = z.object({
  ...commonEvent,
  /** Type of the event. */
  type: z.literal('credential.revoked'),
  /** The credential as it is now. Its issuedAt is the time of the revocation. */
  data: credentialRecord,
});

/** A live pass will expire soon: in 24 hours, or when half of its life is left if that is less. */
export const passExpiringEvent = z.object({
  ...commonEvent,
  /** Type of the event. */
  type: z.literal('pass.expiring'),
  /** The pass. */
  data: passOfEvent,
});

/** A pass ended before its expiry, or its account was closed after its expiry. */
export const passClosedEvent = z.object({
  ...commonEvent,
  /** Type of the event. */
  type: z.literal('pass.closed'),
  /** The pass as it was before. */
  data: z.extend(passOfEvent, {
    /** ENDED: it ended before expiresAt. EXPIRED: it had expired, and its account was closed. */
    reason: z.enum(['ENDED', 'EXPIRED']),
    /** Unix seconds of chain time at which the service saw it: some seconds later, or more after an outage. */
    closedAt: u64Field,
  }),
});

/** The creator of the rule set suspended a wallet, changed when the suspension ends, or lifted it. */
export const passSuspendedEvent = z.object({
  ...commonEvent,
  /** Type of the event. */
  type: z.literal('pass.suspended'),
  /** The pass. Its suspendedUntil is 0 if the suspension was lifted. */
  data: z.extend(passOfEvent, {
    /** Unix seconds until which the wallet is suspended. 0: it is no longer suspended. 18446744073709551615: until the creator lifts it. */
    suspendedUntil: u64Field,
  }),
});

/** The creator of the rule set granted a wallet a pass, or granted it again with another expiry. */
export const passGrantedEvent = z.object({
  ...commonEvent,
  /** Type of the event. */
  type: z.literal('pass.granted'),
  /** The pass. */
  data: passOfEvent,
});

/**
 * A wallet took the place of another wallet of the same person, in a rule set that limits the wallets of each person. The
 * wallet of the event is the new one. The pass of the replaced wallet ended, which has an event of its own.
 */
export const placeTakenEvent = z.object({
  ...commonEvent,
  /** Type of the event. */
  type: z.literal('place.taken'),
  /** The place as it is now. */
  data: z.object({
    /** Base58 address of the Place account. */
    address: addressField,
    /** Base58 address of the rule set. */
    rule: addressField,
    /** Base58 address of the wallet that held the place before. */
    replaced: addressField,
    /** Unix seconds since when the wallet of the event holds it. */
    since: u64Field,
  }),
});

const bindingOfEvent = z.extend(bindingRecord, {
  /** Base58 address of the wallet that becomes the issuer when it accepts; null if there is none. */
  nominee: z.nullable(addressField),
  /** Base58 address of the rule set that the issuer announced; null if there is none. */
  nextRule: z.nullable(addressField),
  /** Unix seconds from which anyone can apply nextRule; 0 if there is none. */
  nextRuleFrom: u64Field,
});

/** The issuer of a mint announced another rule set, or withdrew the announcement. The wallet of the event is the issuer. */
export const ruleAnnouncedEvent = z.object({
  ...commonEvent,
  /** Type of the event. */
  type: z.literal('rule.announced'),
  /** The binding of the mint. Its nextRule is null if the issuer withdrew the announcement. */
  data: bindingOfEvent,
});

/** An announced rule set was applied. The wallet of the event is the issuer. */
export const ruleChangedEvent = z.object({
  ...commonEvent,
  /** Type of the event. */
  type: z.literal('rule.changed'),
  /** The binding of the mint. Its rule is the new rule set. */
  data: bindingOfEvent,
});

/** The issuer of a mint nominated the next one, or withdrew the nomination. The wallet of the event is the issuer. */
export const issuerNominatedEvent = z.object({
  ...commonEvent,
  /** Type of the event. */
  type: z.literal('issuer.nominated'),
  /** The binding of the mint. Its nominee is null if the issuer withdrew the nomination. */
  data: bindingOfEvent,
});

/** The nominated issuer of a mint accepted. The wallet of the event is the new issuer. */
export const issuerChangedEvent = z.object({
  ...commonEvent,
  /** Type of the event. */
  type: z.literal('issuer.changed'),
  /** The binding of the mint. Its issuer is the new one. */
  data: bindingOfEvent,
});

/** An event. The body of a webhook, and the `data` of a message in a stream. New types may be added: ignore unknown ones. */
export const eventRecord = z.discriminatedUnion('type', [
  operationFinalizedEvent,
  operationFailedEvent,
  credentialIssuedEvent,
  credentialRevokedEvent,
  passExpiringEvent,
  passClosedEvent,
  passSuspendedEvent,
  passGrantedEvent,
  placeTakenEvent,
  ruleAnnouncedEvent,
  ruleChangedEvent,
  issuerNominatedEvent,
  issuerChangedEvent,
]);
/** An event (SPEC.md section 6). */
export type ServiceEvent = z.infer<typeof eventRecord>;

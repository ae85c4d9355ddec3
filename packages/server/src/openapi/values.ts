/** The field types of the wire (SPEC.md section 2), with in keywords what their schemas check by code. */
import {
  addressField,
  base64Field,
  hexField,
  idField,
  issueRequest,
  nameField,
  REGIONS,
  regionCodeField,
  STATUSES,
  signatureField,
  statusCodeField,
  u64Field,
} from '@service/contract';
import { value } from './component.ts';

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

/** The named values. */
export const VALUES = {
  Address: value(addressField, 'A Solana address: base58 of 32 bytes.', {
    type: 'string',
    pattern: `^${BASE58}{32,44}$`,
  }),
  U64: value(
    u64Field,
    'A whole number of 64 bits, 0 to 18446744073709551615, as a decimal string: JSON numbers cannot hold it.',
    { maxLength: 20 },
  ),
  Amount: value(issueRequest.shape.amount, 'Base units of a token: not zero.', { not: { const: '0' } }),
  Hex32: value(hexField, '32 bytes as lowercase hex.'),
  Base64: value(base64Field, 'Bytes as base64 with padding, in the standard alphabet.', {
    contentEncoding: 'base64',
  }),
  Signature: value(signatureField, 'A transaction signature: base58 of 64 bytes.'),
  Id: value(idField, 'A UUID in lowercase.', { format: 'uuid' }),
  Name: value(nameField, 'A name: 1 to 32 bytes of UTF-8 without control characters.', { maxLength: 32 }),
  RegionCode: value(regionCodeField, 'ISO 3166-1 alpha-2 code of a region.', {
    enum: REGIONS.map(({ code }) => code),
  }),
  StatusCode: value(statusCodeField, 'Code of an investor status.', {
    enum: STATUSES.map(({ code }) => code),
  }),
};

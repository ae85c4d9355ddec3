/** Acts of an issuer that the chain would refuse: the client says so, whatever the service prepared, and asks no wallet. */
import type { OperationKind } from '@service/contract';
import { TOKEN_2022_PROGRAM } from '@service/protocol';
import {
  CONFIG_ACCOUNT_TYPE,
  getConfigDecoder,
  getConfigEncoder,
  getPassDecoder,
  getPassEncoder,
  getRuleSetDecoder,
  getRuleSetEncoder,
  PASS_ACCOUNT_TYPE,
  RULE_SET_ACCOUNT_TYPE,
} from '@service/protocol/generated';
import { UNKNOWN_ADDRESS } from '@service/testing/edits';
import { bytesOf, changingAccounts, type Encoded, withBytes } from '../support/story.ts';
import { type Case, type Rejection, ready, rejecting } from './case.ts';

const CODECS = {
  [CONFIG_ACCOUNT_TYPE]: [getConfigDecoder, getConfigEncoder],
  [PASS_ACCOUNT_TYPE]: [getPassDecoder, getPassEncoder],
  [RULE_SET_ACCOUNT_TYPE]: [getRuleSetDecoder, getRuleSetEncoder],
} as const;

/** Changes fields of each account of a type that the client's node returns, or hides these accounts. */
const changing = (type: keyof typeof CODECS, fields: object | null, isChanged = () => true) =>
  changingAccounts((account) => {
    if (!account || bytesOf(account)[0] !== type || isOfToken(account) || !isChanged()) return account;
    if (!fields) return null;
    const [decoder, encoder] = CODECS[type];
    const data = { ...(decoder().decode(bytesOf(account)) as object), ...fields };
    return withBytes(account, new Uint8Array(encoder().encode(data as never)));
  });

const isOfToken = (account: Encoded) => 'owner' in account && account.owner === TOKEN_2022_PROGRAM;

/** Offset of the state of a token account, and the state of a frozen one. */
const [STATE_AT, FROZEN] = [108, 2];
/** Offset of the type of an account with extensions, and the type of a token account. */
const [TYPE_AT, TOKEN_ACCOUNT] = [165, 2];
const freezingAll = changingAccounts((account) =>
  account && isOfToken(account) && bytesOf(account)[TYPE_AT] === TOKEN_ACCOUNT
    ? withBytes(account, bytesOf(account).with(STATE_AT, FROZEN))
    : account,
);

const acting = (id: string, kind: OperationKind, rejection: Rejection, edits: ReturnType<typeof changing>) =>
  rejecting(
    `act-${id}`,
    rejection,
    async ({ client, wallet }, { stage }) =>
      client.signAndSubmit(wallet, await ready(stage.prepare(kind, client))),
    { edits: () => edits },
  );

export const ACT_CASES: readonly Case[] = [
  acting('to-a-holder-without-a-pass', 'RECOVER', 'PASS_REQUIRED', changing(PASS_ACCOUNT_TYPE, null)),
  acting(
    'to-a-suspended-holder',
    'RECOVER',
    'PASS_SUSPENDED',
    changing(PASS_ACCOUNT_TYPE, { suspendedUntil: 2n ** 40n }),
  ),
  acting('from-a-frozen-account', 'REDEEM', 'INVALID_REQUEST', freezingAll),
  acting('while-paused', 'REDEEM', 'PROTOCOL_PAUSED', changing(CONFIG_ACCOUNT_TYPE, { paused: true })),
  acting(
    'of-another-creator',
    'SUSPEND',
    'NOT_CREATOR',
    changing(RULE_SET_ACCOUNT_TYPE, { creator: UNKNOWN_ADDRESS }),
  ),
  acting('without-the-power', 'GRANT', 'POWER_NOT_GIVEN', changing(RULE_SET_ACCOUNT_TYPE, { powers: 0 })),
  rejecting(
    'act-without-the-power-since-it-was-ready',
    'POWER_NOT_GIVEN',
    async ({ client, wallet }, { stage }) => {
      const prepared = await ready(stage.prepare('GRANT', client));
      await ready(client.ready(prepared));
      return client.signAndSubmit(wallet, prepared);
    },
    {
      asks: 1,
      edits: (_stage, traffic) => changing(RULE_SET_ACCOUNT_TYPE, { powers: 0 }, () => traffic.asked > 0),
    },
  ),
];

import type { LandedTransaction } from '../chain/history.ts';
import { invalidParams } from '../rpc/errors.ts';
import { asAddress, asOptions, asSignature } from '../rpc/params.ts';
import { accountSubscribe, programSubscribe } from './account-methods.ts';
import { atSlot, type Notify, type SubscribeMethod } from './subscription.ts';

/** The methods that subscribe, as Agave's PubSub has them. */
export const SUBSCRIBE_METHODS: Readonly<Record<string, SubscribeMethod>> = {
  accountSubscribe,
  programSubscribe,

  slotSubscribe: () => ({
    notification: 'slotNotification',
    receive(event, notify) {
      if (event.what !== 'slot') return;
      const { slot, parent, root } = event;
      notify({ slot, parent, root });
    },
  }),

  rootSubscribe: () => ({
    notification: 'rootNotification',
    receive(event, notify) {
      if (event.what === 'root') notify(event.slot);
    },
  }),

  signatureSubscribe(node, params) {
    const signature = asSignature(params.value(0));
    const options = params.options(1);
    const commitment = options.commitment();
    const wantsReceived = options.boolean('enableReceivedNotification');
    const finish = (slot: bigint, { err }: LandedTransaction, notify: Notify) =>
      notify(atSlot(slot, { err }), true);
    return {
      notification: 'signatureNotification',
      start(notify) {
        const slot = node.chain.slots.at(commitment);
        const landed = node.chain.history.get(signature);
        if (landed && landed.slot <= slot) finish(slot, landed, notify);
      },
      receive(event, notify) {
        if (event.what === 'received' && wantsReceived && event.landed.signature === signature)
          notify(atSlot(event.slot, 'receivedSignature'));
        if (event.what !== 'reached' || event.commitment !== commitment) return;
        const landed = event.landed.find((each) => each.signature === signature);
        if (landed) finish(event.slot, landed, notify);
      },
    };
  },

  logsSubscribe(_node, params) {
    const isWanted = readMentions(params.value(0));
    const commitment = params.options(1).commitment();
    return {
      notification: 'logsNotification',
      receive(event, notify) {
        if (event.what !== 'reached' || event.commitment !== commitment) return;
        for (const landed of event.landed) {
          const { signature, err, logs } = landed;
          if (isWanted(landed)) notify(atSlot(event.slot, { signature, err, logs }));
        }
      },
    };
  },
};

/** Reads the filter of `logsSubscribe`. This cluster has no votes, so `all` and `allWithVotes` are the same. */
function readMentions(value: unknown): (landed: LandedTransaction) => boolean {
  if (value === 'all' || value === 'allWithVotes') return () => true;
  if (typeof value === 'string') {
    throw invalidParams(
      `Invalid params: unknown variant \`${value}\`, expected one of \`all\`, \`allWithVotes\`, \`mentions\`.`,
    );
  }
  const mentions = asOptions(value, 'filter').array('mentions') ?? [];
  if (mentions.length !== 1) throw invalidParams('Invalid Request: Only 1 address supported');
  const address = asAddress(mentions[0]);
  return ({ accountKeys }) => accountKeys.includes(address);
}

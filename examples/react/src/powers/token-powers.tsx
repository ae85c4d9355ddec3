import type { PowerSentence } from '@service/sdk/chain';
import type { Address } from '@solana/kit';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { nameOrShortAddress } from '../site/address.tsx';
import { splitAddresses } from './split-addresses.ts';
import { usePowers } from './use-powers.ts';

interface TokenPowersProps {
  readonly mint: Address;
  /** Whether the person sees the sentences without a click. */
  readonly isOpen: boolean;
}

const TOPICS = [
  ['tokens', 'Your tokens'],
  ['rules', 'Who can hold them'],
  ['protocol', 'The program'],
] as const;

/** Says what the issuer and others can do, from the chain and not from the service. */
export function TokenPowers({ mint, isOpen }: TokenPowersProps) {
  const { data, error, refetch } = usePowers(mint);
  return (
    <details className="fold" open={isOpen}>
      <summary>What the issuer can do</summary>
      {!data && !error && <p role="status">Reading the chain…</p>}
      {error && <ErrorNotice error={error} onRetry={() => refetch()} />}
      {data &&
        TOPICS.map(([topic, title]) => (
          <Topic
            key={topic}
            title={title}
            sentences={data.sentences.filter((each) => each.topic === topic)}
          />
        ))}
    </details>
  );
}

function Topic({
  title,
  sentences,
}: {
  readonly title: string;
  readonly sentences: readonly PowerSentence[];
}) {
  if (sentences.length === 0) return null;
  return (
    <>
      <p className="fold-topic">{title}</p>
      <ul>
        {sentences.map(({ text }) => (
          <li key={text}>
            {splitAddresses(text).map((part, index) =>
              part.isAddress ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
                <code key={index} title={part.text}>
                  {nameOrShortAddress(part.text)}
                </code>
              ) : (
                part.text
              ),
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

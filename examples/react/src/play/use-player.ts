import { useServiceClient } from '@service/sdk/react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useWalletChoice } from '../wallet/chosen-wallet.tsx';
import { CHAPTERS, type Props } from './chapters.ts';
import { Stage } from './stage.ts';
import { BEGINNING, type Story } from './story.ts';

/** Plays the story: chapter by chapter, with a wait after those that the person should look at. */
export function usePlayer() {
  const client = useServiceClient();
  const queryClient = useQueryClient();
  const choice = useWalletChoice();
  const [story, setStory] = useState<Story>(BEGINNING);
  const isPausing = useRef(false);
  const goOn = useRef<(() => void) | null>(null);
  const playing = useRef<AbortController | null>(null);
  useEffect(() => () => playing.current?.abort(), []);

  /** Waits after a chapter, until the person goes on. */
  const wait = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      goOn.current = resolve;
      signal.addEventListener('abort', () => reject(signal.reason));
      setStory((now) => ({ ...now, mode: 'waiting', pausing: false }));
    });

  const play = async () => {
    const abort = new AbortController();
    const { signal } = abort;
    playing.current = abort;
    isPausing.current = false;
    const change = (next: (now: Story) => Story) => {
      if (!signal.aborted) setStory(next);
    };
    try {
      const stage = await Stage.open({ client, queryClient, choice, signal, change });
      const props: Props = {};
      for (const [index, chapter] of CHAPTERS.entries()) {
        change((now) => ({ ...now, mode: 'playing', chapter: index }));
        const scene = await chapter.run(stage, props);
        signal.throwIfAborted();
        if (scene) stage.shows(scene);
        if (chapter.next || isPausing.current) await wait(signal);
      }
      change((now) => ({ ...now, mode: 'done' }));
    } catch (error) {
      change((now) => ({ ...now, mode: 'failed', proof: null, error: error as Error }));
    } finally {
      abort.abort();
    }
  };

  const setPausing = (pausing: boolean) => {
    isPausing.current = pausing;
    setStory((now) => ({ ...now, pausing }));
  };
  /** Ends the wait. */
  const resume = (pausing: boolean) => {
    setPausing(pausing);
    goOn.current?.();
  };
  return {
    story,
    play,
    pause: () => setPausing(true),
    /** Goes on to the next wait. */
    goOn: () => resume(false),
    /** Plays one chapter, and waits after it. */
    step: () => resume(true),
    cancel() {
      playing.current?.abort();
      setStory(BEGINNING);
    },
  };
}

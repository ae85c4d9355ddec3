import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { ActionButton } from '../site/action-button.tsx';
import { PageTitle } from '../site/page-title.tsx';
import { useIsSandbox } from '../site/use-is-sandbox.ts';
import { CHAPTERS } from './chapters.ts';
import { People } from './people.tsx';
import { SceneView } from './scene-view.tsx';
import { usePlayer } from './use-player.ts';

/** The story of the demo, which plays by itself on the real service and chain. */
export function PlayPage() {
  const { story, play, pause, goOn, step, cancel } = usePlayer();
  const isSandbox = useIsSandbox();
  const { mode, chapter, scene, people, proof, approvals, pausing, error } = story;
  const { who, says, next } = CHAPTERS[chapter]!;
  const player = useRef<HTMLElement>(null);
  // The button that the person pressed is gone, so the focus moves to what it began.
  useEffect(() => {
    if (mode !== 'playing' && mode !== 'done') return;
    player.current?.scrollIntoView({ block: 'nearest' });
    player.current?.focus({ preventScroll: true });
  }, [mode]);
  const isOn = mode === 'playing' || mode === 'waiting';
  return (
    <div className="play">
      <PageTitle name="Play">The story in two minutes</PageTitle>
      {mode === 'ready' && (
        <section className="card stack" aria-label="Before you play">
          <p>
            An issuer, Alice and Bob use the real service, the real proof and the real chain of this demo. The
            story stops where somebody is refused.
          </p>
          <p className="hint">
            While it plays, the three development wallets approve every request by themselves, and the stack
            fills in the form of the sandbox verifier.
          </p>
          {isSandbox === false ? (
            <p className="notice">
              The story needs the sandbox verifier. Run npm start without --no-verifier.
            </p>
          ) : (
            <button type="button" className="button button-large" disabled={!isSandbox} onClick={play}>
              Play
            </button>
          )}
        </section>
      )}
      {mode !== 'ready' && (
        <>
          <section ref={player} tabIndex={-1} className="card stack-small player" aria-label="Player">
            <p role="status" className="narration">
              {mode === 'done'
                ? 'That is the story. Everything on this page is on the chain of this demo.'
                : says}
            </p>
            <progress
              className="progress"
              aria-label="The story"
              max={CHAPTERS.length}
              value={mode === 'done' ? CHAPTERS.length : chapter + (proof ?? 0)}
            />
            <div className="row row-spread">
              <span className="hint">
                {chapter + 1} of {CHAPTERS.length} · {approvals} requests approved automatically
              </span>
              <div className="row">
                {mode === 'playing' && (
                  <ActionButton className="button-small" busy={pausing} busyText="Pausing…" onClick={pause}>
                    Pause
                  </ActionButton>
                )}
                {mode === 'waiting' && (
                  <button type="button" className="button-small" onClick={step}>
                    One step
                  </button>
                )}
                {isOn && (
                  <button type="button" className="button-small" onClick={cancel}>
                    Cancel
                  </button>
                )}
                {!isOn && (
                  <button type="button" className="button-small" onClick={play}>
                    Play again
                  </button>
                )}
              </div>
            </div>
          </section>
          <People people={people} acts={isOn ? who : null} />
          {error && <ErrorNotice error={error} />}
          {mode === 'done' && <End />}
          {isOn && (
            <SceneView key={`${chapter} ${mode}`} scene={scene} isStop={mode === 'waiting'}>
              {mode === 'waiting' && (
                <button type="button" className="button" onClick={goOn}>
                  {next ?? 'Continue'}
                </button>
              )}
            </SceneView>
          )}
        </>
      )}
    </div>
  );
}

function End() {
  return (
    <section className="card stack" aria-label="What to do next">
      <h2>Now by hand</h2>
      <p>
        The rule set, the token and both passes stay. Use them at the <Link href="/issuer">issuer desk</Link>{' '}
        and at the <Link href="/holder">holder page</Link>, or choose <Link href="/lies">another lie</Link>.
      </p>
    </section>
  );
}

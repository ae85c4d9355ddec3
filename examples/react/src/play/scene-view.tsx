import type { ReactNode } from 'react';
import { ChainRefusal } from '../checks/chain-refusal.tsx';
import { ReasonList } from '../checks/reason-list.tsx';
import { describeClauses } from '../clauses/describe-clause.ts';
import { RefusalReport } from '../lies/refusal-report.tsx';
import { InView } from '../site/in-view.tsx';
import { Knowledge } from './knowledge.tsx';
import type { Scene } from './story.ts';

interface SceneViewProps {
  /** Null before the first one. */
  readonly scene: Scene | null;
  /** Whether the story waits here, so that the scene comes into the window and gets the focus. */
  readonly isStop: boolean;
  /** The button that goes on. */
  readonly children: ReactNode;
}

export function SceneView({ scene, isStop, children }: SceneViewProps) {
  const content = (
    <div className="scene stack">
      <h2 className="visually-hidden">What happens</h2>
      {scene && <Content scene={scene} />}
      {children && <div>{children}</div>}
    </div>
  );
  return isStop ? <InView>{content}</InView> : content;
}

function Content({ scene }: { readonly scene: Scene }) {
  switch (scene.kind) {
    case 'rules':
      return (
        <div className="read-back">
          <p className="eyebrow">Who can get a pass</p>
          <p>{describeClauses(scene.clauses)}</p>
        </div>
      );
    case 'knowledge':
      return <Knowledge scene={scene} />;
    case 'transfer':
      return <p className="notice notice-good">{scene.text}</p>;
    case 'check':
      return (
        <section className="refusal stack" aria-label="The page warns">
          <h3>The page knows before Alice signs</h3>
          <ReasonList reasons={scene.reasons} />
          <p>A page can be wrong or hostile. See what the chain does.</p>
        </section>
      );
    case 'chain':
      return (
        <ChainRefusal error={scene.error} payer="Alice">
          <p>
            Token-2022 asked the program of the service about this transfer, as it does for every transfer of
            this token. The program found no pass of Bob, so the whole transaction failed.
          </p>
        </ChainRefusal>
      );
    case 'refusal':
      return <RefusalReport refusal={scene.refusal} />;
  }
}

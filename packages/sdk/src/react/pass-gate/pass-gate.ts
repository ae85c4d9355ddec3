/** A drop-in that shows its children to holders of a live pass, and leads others to one. */
import { createElement as element, Fragment, type ReactElement, type ReactNode } from 'react';
import type { ServiceError } from '../../errors.ts';
import type { ProveProgress } from '../../query/prove-progress.ts';
import { useSession } from '../use-session.ts';
import { useWallet } from '../use-wallet.ts';
import { KeepFocus } from './keep-focus.ts';
import { ENGLISH, type PassGateLabels } from './labels.ts';
import type { PassGateState, PassGateStep } from './states.ts';
import { type PassGateOptions, usePassGate, useWitnessOfGate } from './use-pass-gate.ts';

/** The state of a gate with this name. */
export type PassGateStateOf<S extends PassGateState['state']> = Extract<
  PassGateState,
  {
    /** Name of the state. */
    readonly state: S;
  }
>;

/** Replaces what a gate shows, by state. Each gets its state, with what the person can do. */
export type PassGateRender = {
  readonly [S in PassGateState['state']]?: (state: PassGateStateOf<S>) => ReactNode;
};

/** The props of {@link PassGate}. */
export interface PassGateProps extends PassGateOptions {
  /** What holders of a live pass see. A function gets the wallet and the pass. */
  readonly children?: ReactNode | ((open: PassGateStateOf<'open'>) => ReactNode);
  /** Other words, such as of another language. @default English */
  readonly labels?: Partial<PassGateLabels> | undefined;
  /** The class of the outer element. `data-state` and `data-part` are there for styles, too. */
  readonly className?: string | undefined;
  /** Other content, by state. */
  readonly render?: PassGateRender | undefined;
}

/**
 * Shows its children while the wallet has a live pass of a rule set. Until then, it leads the person to one: connect a
 * wallet, sign in, get verified, come back, prove. It offers a renewal in time. It has no styles: each part has `data-part`, and the
 * outer element `data-state`. Put a {@link ServiceProvider} around it.
 *
 * It hides nothing: everybody can read the code of a page. A server that has something to protect must read the pass itself.
 *
 * @example
 * <ServiceProvider client={client}>
 *   <PassGate rule={rule}>Welcome!</PassGate>
 * </ServiceProvider>
 */
export function PassGate({ children, labels, className, render, ...options }: PassGateProps): ReactElement {
  const words = { ...ENGLISH, ...labels };
  const gate = usePassGate(options);
  const { wallet, disconnect } = useWallet();
  const { logout } = useSession();
  const { forget } = useWitnessOfGate(wallet, options);
  const replace = render?.[gate.state] as ((state: PassGateState) => ReactNode) | undefined;
  const attributes = {
    'data-pass-gate': '',
    'data-state': gate.state,
    'aria-busy': gate.state === 'loading' || gate.state === 'proving',
    ...(className === undefined ? {} : { className }),
    // The children are content of the page, so they are not in a group of the gate.
    ...(gate.state === 'open' ? {} : { role: 'group', 'aria-label': words.gate }),
  };
  const leave = () => {
    try {
      // Another person may use this tab next.
      forget();
    } catch {
      // A page that may not store data has nothing to forget there.
    }
    logout.mutate();
    disconnect();
  };
  const content = replace ? replace(gate) : parts(gate, words, options.wallet === undefined ? leave : null);
  return element(
    KeepFocus,
    { attributes },
    // Always rendered, because screen readers announce only a change of its text.
    element(
      'p',
      { key: 'status', role: 'status', 'data-part': 'status' },
      replace ? null : statusOf(gate, words),
    ),
    element(Fragment, { key: 'content' }, content),
    gate.state === 'open' &&
      element(Fragment, { key: 'children' }, typeof children === 'function' ? children(gate) : children),
  );
}

/** Returns the sentence that says where the person stands. */
function statusOf(gate: PassGateState | PassGateStep, words: PassGateLabels): string | null {
  switch (gate.state) {
    case 'open':
      return gate.renewal && `${words.renew} ${statusOf(gate.renewal, words)}`;
    case 'connect':
      return gate.isPending ? words.connecting : gate.wallets.length === 0 ? words.noWallet : words.connect;
    case 'signIn':
      return gate.isPending ? words.signingIn : words.signIn;
    case 'verify':
      return gate.isOfOtherWallet ? words.otherWallet : words.verify;
    case 'waiting':
      return gate.isInReview ? words.inReview : words.waiting;
    case 'proving':
      return stepText(gate.progress, words);
    default:
      return words[gate.state];
  }
}

/** Returns the words of a step. They have no countdown, because screen readers would read out each second. */
function stepText(progress: ProveProgress | null, { steps, finalIn }: PassGateLabels): string {
  const seconds = progress?.confirmed?.finalIn;
  return seconds ? finalIn.replace('SECONDS', String(seconds)) : steps[progress?.step ?? 'checks'];
}

/** Returns what the person can do in a state, and what went wrong. */
function parts(
  gate: PassGateState | PassGateStep,
  words: PassGateLabels,
  leave: (() => void) | null,
): ReactNode {
  const leaving = leave && button('leave', words.leaveButton, { onClick: leave });
  switch (gate.state) {
    case 'loading':
      return null;
    case 'connect':
      return group(
        ...gate.wallets.map((wallet) =>
          button(
            'connect',
            words.connectWallet.replace('NAME', () => wallet.name),
            {
              key: `wallet ${wallet.name}`,
              isBusy: gate.isPending,
              onClick: () => gate.connect(wallet),
            },
          ),
        ),
        errorText(gate.error),
      );
    case 'signIn':
      return group(
        button('signIn', words.signInButton, {
          isBusy: gate.isPending,
          onClick: gate.signIn,
          onFocus: gate.prepare,
          onPointerEnter: gate.prepare,
        }),
        leaving,
        errorText(gate.error),
      );
    case 'failed':
      return group(
        errorText(gate.error),
        button('retry', words.retryButton, { onClick: gate.retry }),
        leaving,
      );
    case 'verify':
      return group(
        button('verify', words.verifyButton, { isBusy: gate.isPending, onClick: gate.verify }),
        leaving,
        errorText(gate.error),
      );
    case 'waiting':
      return leaving;
    case 'blocked':
      return group(
        element(
          'ul',
          { key: 'reasons', 'data-part': 'reasons' },
          gate.reasons.map(({ code, who }) =>
            element('li', { key: code, 'data-code': code, 'data-who': who }, words.reasons[code]),
          ),
        ),
        button('retry', words.retryButton, { onClick: gate.retry }),
        gate.verify && button('verify', words.verifyButton, { onClick: gate.verify }),
        leaving,
        errorText(gate.error),
      );
    case 'prove':
      return group(
        button('prove', words.proveButton, {
          onClick: gate.prove,
          onFocus: gate.prepare,
          onPointerEnter: gate.prepare,
        }),
        leaving,
        errorText(gate.error),
      );
    case 'proving':
      return group(
        element('progress', {
          key: 'progress',
          'data-part': 'progress',
          'aria-label': stepText(gate.progress, words),
          value: gate.progress?.fraction ?? 0,
        }),
        gate.cancel && button('cancel', words.cancelButton, { onClick: gate.cancel }),
      );
    case 'open':
      return (
        gate.renewal &&
        element(
          'div',
          { 'data-part': 'renewal', 'data-state': gate.renewal.state },
          parts(gate.renewal, words, null),
        )
      );
  }
}

const group = (...content: readonly ReactNode[]) => element(Fragment, null, ...content);

interface ButtonOptions extends Readonly<Record<string, unknown>> {
  readonly onClick: () => void;
  /** Whether the action of the button is in progress. A click then does nothing. The button is not disabled, because that loses the focus. */
  readonly isBusy?: boolean;
}

function button(
  part: string,
  text: string,
  { onClick, isBusy = false, ...attributes }: ButtonOptions,
): ReactElement {
  const act = isBusy ? { 'aria-disabled': true } : { onClick };
  return element('button', { key: part, type: 'button', 'data-part': part, ...attributes, ...act }, text);
}

/** The message says what happened, then what to do. */
function errorText(error: ServiceError | null): ReactNode {
  return (
    error &&
    element(
      'p',
      { key: 'error', role: 'alert', 'data-part': 'error', 'data-code': error.code },
      error.message,
    )
  );
}

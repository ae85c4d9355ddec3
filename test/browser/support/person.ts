/** A person at a page, who uses only the keyboard. The same in each engine. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { build } from 'esbuild';
import type { Browser, Display, Engine, Key, Tab } from './engines/tab.ts';
import { button, byRole, expressionOf, type Target, text } from './targets.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Proofs and finality take seconds, and a busy machine takes several times as long. */
const WAIT_MS = 90_000;
/** Milliseconds between two looks at a page. */
const LOOK_MS = 100;
/** Looks after which an expression is evaluated again, because layout and fields can change without the document. */
const MOST_SKIPPED = 10;
/** More elements than any page has. */
const MOST_TABS = 400;

/** The prompt of the development wallet. */
const PROMPT = byRole('dialog', /^Sign this/);

/** Where a person is: one tab of one engine. */
export interface Place {
  readonly engine: Engine;
  readonly tab: Tab;
  readonly width: number;
}

/** Opens a tab of its own for a person: nobody shares its storage, its cookies and its development wallet. */
export async function openPerson(engine: Engine, browser: Browser, display: Display): Promise<Person> {
  const width = Math.max(display.width, engine.narrowest);
  const tab = await browser.newTab({ ...display, width });
  return new Person({ engine, tab, width }, await pageScript());
}

let built: Promise<string> | undefined;

/** Returns page-script.ts as one script. */
function pageScript(): Promise<string> {
  built ??= build({
    entryPoints: [join(import.meta.dirname, 'page-script.ts')],
    bundle: true,
    format: 'iife',
    minify: true,
    write: false,
    define: { 'process.env': '{}' },
  }).then(({ outputFiles: [file] }) => file!.text);
  return built;
}

export class Person {
  /** How often the person pressed a button, a link or a choice, and approved in the wallet. */
  readonly done = { presses: 0, approvals: 0 };
  readonly tab: Tab;
  readonly #engine: Engine;
  readonly #script: string;
  readonly #width: number;

  constructor({ engine, tab, width }: Place, script: string) {
    this.tab = tab;
    this.#engine = engine;
    this.#script = script;
    this.#width = width;
  }

  /** Errors and warnings of the console, with violations of the content security policy. */
  get logged(): readonly string[] {
    return this.tab.logged;
  }

  /** Opens a page by its address. */
  opens(url: string): Promise<void> {
    return this.tab.open(url);
  }

  reloads(): Promise<void> {
    return this.tab.reload();
  }

  /** Returns the value of an expression of the page. It never counts as an action of the person. */
  async looks<V>(expression: string): Promise<V> {
    const guarded = `typeof person === 'object' ? Promise.resolve(${expression}).then((found) => ({ found })) : null`;
    let answer = await this.tab.evaluate(guarded);
    if (!answer) {
      await this.tab.inject(this.#script);
      answer = await this.tab.evaluate(guarded);
    }
    return (answer as { readonly found: V }).found;
  }

  /** Looks until an expression is true. Each evaluation takes long, so it waits for a change of the document. */
  async waitsFor(expression: string): Promise<void> {
    const deadline = performance.now() + WAIT_MS;
    let cause: unknown;
    let version = 0;
    for (let look = 1; performance.now() < deadline; look += 1) {
      if (look % MOST_SKIPPED === 0) version = 0;
      // Read the version first: a change during the evaluation leads to another one.
      const answer = await this.looks<true | number>(
        `((now) => now === ${version} ? now : Promise.resolve(${expression}).then((is) => Boolean(is) || now))(person.version())`,
      ).catch((error: unknown) => {
        // A page that navigates ends each evaluation.
        cause = error;
        return 0;
      });
      if (answer === true) return;
      version = answer;
      await setTimeout(LOOK_MS);
    }
    const page = await this.looks<string>('document.body.innerText').catch(() => 'nothing');
    throw new Error(`${expression} is not true after ${WAIT_MS} ms. The page shows:\n${page}`, { cause });
  }

  /** Waits until an element is visible. */
  finds(...either: readonly Target[]): Promise<void> {
    return this.waitsFor(either.map((target) => `person.isShown(${expressionOf(target)})`).join(' || '));
  }

  /** Waits until an element is gone. */
  misses(target: Target): Promise<void> {
    return this.waitsFor(`!person.isShown(${expressionOf(target)})`);
  }

  /** Waits until a text is visible. */
  sees(wanted: string | RegExp, within?: Target): Promise<void> {
    return this.finds(text(wanted, within));
  }

  /** Waits until an element is in the window without scrolling, in both themes, and has the focus, or contains it. */
  async findsInWindow(target: Target, { focus = true } = {}): Promise<void> {
    const wanted = expressionOf(target);
    for (const theme of ['light', 'dark']) {
      await this.looks(`document.documentElement.style.colorScheme = ${JSON.stringify(theme)}`);
      await this.waitsFor(`person.isInWindow(${wanted})${focus ? ` && person.hasFocus(${wanted})` : ''}`);
    }
    await this.looks("document.documentElement.style.colorScheme = ''");
  }

  isEnabled(target: Target): Promise<boolean> {
    return this.looks(`person.isEnabled(${expressionOf(target)})`);
  }

  isChecked(target: Target): Promise<boolean> {
    return this.looks(`person.isChecked(${expressionOf(target)})`);
  }

  textOf(target: Target): Promise<string> {
    return this.looks(`person.textOf(${expressionOf(target)})`);
  }

  /** Waits until the text of an element differs from what it was. */
  waitsForOtherText(target: Target, before: string): Promise<void> {
    const now = `person.textOf(${expressionOf(target)})`;
    return this.waitsFor(`${now} !== ${JSON.stringify(before)}`);
  }

  titleOf(target: Target): Promise<string> {
    return this.looks(`person.titleOf(${expressionOf(target)})`);
  }

  /** Returns the `title` of the first element that matches a selector in the label of a control. */
  titleInLabel(target: Target, selector: string): Promise<string | undefined> {
    return this.looks(`person.titleInLabel(${expressionOf(target)}, ${JSON.stringify(selector)})`);
  }

  press(...keys: readonly Key[]): Promise<void> {
    if (keys.at(-1) === 'Enter' || keys.at(-1) === 'Space') this.done.presses += 1;
    return this.tab.press(...keys);
  }

  /**
   * Moves the focus to an element with the Tab key, or back with Shift. Fails if the keyboard does not reach it. It never
   * goes past the last element: in Firefox that leads to the toolbar, from which a protocol cannot come back.
   */
  async tabTo(target: Target): Promise<void> {
    await this.finds(target);
    const wanted = expressionOf(target);
    for (let pressed = 0; pressed < MOST_TABS; pressed++) {
      if (await this.looks(`person.isFocused(${wanted})`)) return;
      if (await this.looks(`person.isBehind(${wanted})`)) await this.press('Shift', 'Tab');
      else await this.press('Tab');
    }
    throw new Error(`The Tab key does not reach ${expressionOf(target)}.`);
  }

  /** Presses a button or follows a link, when it is enabled. */
  async presses(target: Target, key: Key = 'Enter'): Promise<void> {
    await this.waitsUntilEnabled(target);
    await this.tabTo(target);
    await this.press(key);
  }

  async waitsUntilEnabled(target: Target): Promise<void> {
    await this.waitsFor(`person.isEnabled(${expressionOf(target)})`);
  }

  /** Replaces the text of a field. */
  async types(target: Target, wanted: string): Promise<void> {
    await this.tabTo(target);
    await this.press('Control', 'a');
    await this.writes(wanted);
  }

  /** Writes at the focus. */
  async writes(wanted: string): Promise<void> {
    for (const key of wanted) await this.press(key);
  }

  /** Writes a date, such as 05/17/1990, at the focus. */
  async writesDate(date: string): Promise<void> {
    for (const [index, part] of date.split('/').entries()) {
      if (index > 0 && !this.#engine.movesThroughDates) await this.press('ArrowRight');
      await this.writes(part);
    }
  }

  /** Opens a page of the site by its link. */
  async goesTo(name: string): Promise<void> {
    await this.presses(byRole('link', name));
    await this.finds(byRole('heading'));
  }

  /**
   * Signs what a part of the page says is ready, and approves it. No request leaves the page between the key and the prompt.
   * At the prompt, the browser would let a wallet open a window.
   */
  async signs(target: Target, within: Target): Promise<void> {
    await this.waitsUntilEnabled(target);
    await this.tabTo(target);
    // Last, because it is ready for half a minute.
    await this.sees('Ready to sign.', within);
    await this.looks('person.holdRequests()');
    try {
      await this.press('Enter');
      await this.finds(PROMPT);
      assert.equal(await this.looks('person.wasActiveAtPrompt'), true);
    } finally {
      await this.looks('person.releaseRequests()');
    }
    await this.approves();
  }

  /** Approves what the development wallet shows. */
  async approves(): Promise<void> {
    this.done.approvals += 1;
    await this.presses(button('Approve', PROMPT));
    await this.misses(PROMPT);
  }

  /** Checks the page with axe in both themes, and that it is not wider than the screen. */
  async hasAccessiblePage(): Promise<void> {
    await this.tab.inject(AXE);
    const page = await this.looks<string>('location.href');
    for (const theme of ['light', 'dark']) {
      const violations = await this.looks<string[]>(violationsIn(theme));
      assert.deepEqual(violations, [], `${page}, ${theme}`);
    }
    await this.looks("document.documentElement.style.colorScheme = ''");
    const width = await this.looks<number>('document.documentElement.scrollWidth');
    assert.ok(width <= this.#width, `${page} is ${width} pixels wide`);
  }

  leaves(): Promise<void> {
    return this.tab.close();
  }
}

/** Returns an expression of the violations that axe finds in a theme. Not every protocol can change the theme of the system. */
const violationsIn = (theme: string) => `(
  document.documentElement.style.colorScheme = ${JSON.stringify(theme)},
  axe.run().then(({ violations }) => violations.map(({ id, nodes }) =>
    id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join('; ')))
)`;

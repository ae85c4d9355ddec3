/** What people do at the demo, step by step. */
import type { Person } from './person.ts';

/** What to do with each page that a person comes to: check it, or take a picture of it. */
export type Look = (
  person: Person,
  page: 'start' | 'issuer' | 'verifier' | 'holder' | 'lies',
) => Promise<void>;

const RULE_SET = 'EU professionals';

/** More accounts than the development wallet has. */
const MOST_ACCOUNTS = 10;

/** Opens the demo as an issuer, creates a rule set, funds it, and binds a mint. */
export async function offersRuleSet(issuer: Person, url: string, look: Look): Promise<void> {
  await issuer.page.goto(url);
  await issuer.sees('What to click first');
  await look(issuer, 'start');
  await connects(issuer, 'Issuer', ['Issuer']);
  await issuer.goesTo('Issuer desk');
  await look(issuer, 'issuer');
  await signsIn(issuer);
  await createsRuleSet(issuer, RULE_SET);
  await fundsAndBinds(issuer, RULE_SET);
  await look(issuer, 'issuer');
}

/** Opens the demo as a holder, and gets passes for Bob and Alice. Alice stays chosen. */
export async function getsPasses(holder: Person, url: string, look: Look): Promise<void> {
  await holder.page.goto(url);
  await connects(holder, 'Alice', ['Alice', 'Bob']);
  await holder.goesTo('Holder page');
  await look(holder, 'holder');
  for (const account of ['Bob', 'Alice']) {
    await switchesTo(holder, account);
    await signsIn(holder);
    await getsPass(holder, RULE_SET, look);
  }
  await look(holder, 'holder');
}

/** Has the issuer issue 100 tokens to Alice. */
export async function getsTokens(holder: Person, issuer: Person, look: Look): Promise<void> {
  await issuesTo(issuer, await addressOf(holder, 'Alice'));
  await look(issuer, 'issuer');
}

/** Transfers 30 tokens to Bob, who has no token account yet. */
export async function transfersToBob(holder: Person, look: Look): Promise<void> {
  const form = transferForm(holder);
  await holder.presses(holder.button('Use Bob', form));
  await holder.types(form.getByLabel('Amount'), '30');
  await holder.presses(holder.button('Create the recipient’s token account', form));
  await holder.approves();
  await holder.presses(holder.button('Transfer', form));
  await holder.approves();
  await holder.sees('Transferred 30 tokens. It is final.', form);
  await look(holder, 'holder');
}

/** Connects the development wallet, chooses an account of it, and gets SOL for some accounts. */
async function connects(person: Person, account: string, funded: readonly string[]): Promise<void> {
  await person.presses(person.button('Connect wallet'));
  await person.presses(person.button('Connect Development wallet', menuOf(person)));
  await choosesAccount(person, account);
  for (const name of funded) {
    const getSol = person.button(`Get 1 SOL for ${name}`, menuOf(person));
    await person.presses(getSol);
    await person.isEnabled(getSol);
  }
  await person.page.keyboard.press('Escape');
}

/** Switches to another account of the connected wallet. */
async function switchesTo(person: Person, account: string): Promise<void> {
  await person.presses(person.button(/^Wallet:/));
  await choosesAccount(person, account);
  await person.page.keyboard.press('Escape');
}

/** Signs in on the page, and approves the message. */
async function signsIn(person: Person): Promise<void> {
  await person.presses(person.button('Sign in', person.page.getByRole('main')));
  await person.approves();
}

/** Gets verified, and proves the rule set. */
async function getsPass(person: Person, ruleSet: string, look: Look): Promise<void> {
  const { page } = person;
  await getsVerified(person, 'Get verified', look);

  const row = page.getByRole('article', { name: ruleSet, exact: true });
  await person.presses(person.button(/^Prove/, row));
  await row.getByRole('progressbar').waitFor();
  await person.approves();
  // Not the end of the progress, which has these words too.
  await row.getByText('you have a pass', { exact: true }).waitFor();
}

/** Gets verified again. With the new credential, the page offers the renewal sooner, but not in the hour after the proof. */
export async function seesRenewal(person: Person, look: Look): Promise<void> {
  const pass = person.page.getByRole('article', { name: `Pass of ${RULE_SET}` });
  const hint = pass.getByText(/^You can renew your pass from/);
  const before = await hint.innerText();
  await getsVerified(person, 'Get verified again', look);
  await hint.filter({ hasNotText: before }).waitFor();
  if (await person.button(`Renew ${RULE_SET}`, pass).isEnabled()) {
    throw new Error('The page offers a renewal that the chain would reject.');
  }
}

/** Gets verified at the sandbox verifier as a professional in France. */
async function getsVerified(person: Person, button: string, look: Look): Promise<void> {
  const { page } = person;
  await person.presses(person.button(button));
  await page.getByRole('heading', { name: 'Sandbox verification' }).waitFor();
  await look(person, 'verifier');
  await person.tabTo(page.getByLabel('Region'));
  await page.keyboard.type('France');
  await person.tabTo(page.getByLabel('Status'));
  await page.keyboard.type('Prof');
  await person.tabTo(page.getByLabel('Birth date'));
  await page.keyboard.type('05171990');
  await person.presses(person.button('Verify and go back to the site'));
  await person.sees('Your witness (region, status, birth date and a secret number) is in this tab.');
}

/** Creates a rule set. Reloads the page while it is under way: the page then shows how it ends. */
async function createsRuleSet(person: Person, name: string): Promise<void> {
  const { page } = person;
  await person.types(page.getByRole('textbox', { name: 'Name' }), name);
  await person.presses(person.button('Create rule set'));
  await person.approves();
  const underWay = page.getByRole('region', { name: 'Under way' });
  // A reload before that would drop a transaction that nobody has sent. On a busy machine, it can be final already.
  const sent = underWay.getByText(/accepted by the service|sent, waiting|checking the chain/);
  const ruleSet = page.getByRole('article', { name: `Rule set ${name}` });
  await sent.or(ruleSet).first().waitFor();
  await page.reload();
  await ruleSet.waitFor();
  await underWay.waitFor({ state: 'hidden' });
}

/** Funds the rule set, creates a mint, and binds it. */
async function fundsAndBinds(person: Person, ruleSet: string): Promise<void> {
  const card = person.page.getByRole('article', { name: `Rule set ${ruleSet}` });
  await person.presses(person.button('Fund', card));
  await person.approves();
  await person.sees('Funded.', card);
  await person.presses(person.button('Create mint'));
  await person.approves();
  // The page then finds the mint by its stored address.
  await person.page.reload();
  await person.presses(person.button('Bind mint'));
  await person.approves();
  await person.sees('Bound. You can issue its tokens now.');
}

/** Issues 100 tokens to a wallet that has no token account yet. */
async function issuesTo(person: Person, wallet: string): Promise<void> {
  const form = person.page.getByRole('form', { name: 'Issue tokens' });
  await person.types(form.getByLabel('Holder'), wallet);
  await person.presses(person.button('Issue', form));
  // The first transaction creates the token account.
  await person.approves();
  await person.approves();
  await person.sees(/^Issued 100 tokens/, form);
}

/**
 * Lets the service lie about the amount, and transfers tokens to Bob. Reads the report of the client's refusal, there and
 * on the page of the lies.
 */
export async function meetsLie(person: Person, look: Look): Promise<void> {
  const { page } = person;
  await person.goesTo('Lying service');
  await person.presses(page.getByRole('switch', { name: 'Let the service lie' }), 'Space');
  await person.goesTo('Holder page');
  const form = transferForm(person);
  await person.presses(person.button('Use Bob', form));
  await person.types(form.getByLabel('Amount'), '5');
  await person.presses(person.button('Transfer', form));
  const report = page.getByRole('article', { name: /^Refused:/ }).first();
  await person.sees('PREPARED_MISMATCH', report);
  await person.sees(/^Transfer 500 base units to/, report);
  await person.sees('Your wallet was not asked to sign this transaction, and it was not sent.', report);
  await look(person, 'holder');
  await person.goesTo('Lying service');
  await person.sees('PREPARED_MISMATCH', report);
  await look(person, 'lies');
}

export const transferForm = ({ page }: Person) => page.getByRole('form', { name: 'Transfer tokens' });

/** Returns the address of an account of the person's wallet, which the wallet menu shows. */
async function addressOf(person: Person, account: string): Promise<string> {
  await person.presses(person.button(/^Wallet:/));
  const radio = menuOf(person).getByRole('radio', { name: new RegExp(`^${account}`) });
  const address = await radio.evaluate((input) => input.closest('label')?.querySelector('code')?.title);
  await person.page.keyboard.press('Escape');
  if (!address) throw new Error(`The wallet menu has no address of ${account}.`);
  return address;
}

/** Moves to the chosen account, then with the arrow keys to the other one. */
async function choosesAccount(person: Person, account: string): Promise<void> {
  const { page } = person;
  const wanted = menuOf(person).getByRole('radio', { name: new RegExp(`^${account}`) });
  await person.tabTo(menuOf(person).getByRole('radio', { checked: true }));
  for (let moved = 0; moved < MOST_ACCOUNTS && !(await wanted.isChecked()); moved++) {
    await page.keyboard.press('ArrowDown');
  }
}

const menuOf = ({ page }: Person) => page.getByRole('dialog', { name: 'Wallet' });

/** What people do at the demo, step by step. */
import type { Person } from './person.ts';
import { button, byRole, label, type Target, text } from './targets.ts';

/** What to do with each page that a person comes to: check it, or take a picture of it. */
export type Look = (
  person: Person,
  page: 'start' | 'play' | 'issuer' | 'verifier' | 'holder' | 'places' | 'lies',
) => Promise<void>;

const RULE_SET = 'EU professionals';
const LIMITED = 'Two wallets each';

/** More accounts than the development wallet has. */
const MOST_ACCOUNTS = 10;

/** Opens the demo as an issuer, creates a rule set, funds it, and binds a mint. */
export async function offersRuleSet(issuer: Person, url: string, look: Look): Promise<void> {
  await issuer.opens(url);
  await issuer.sees('By hand, step by step');
  await look(issuer, 'start');
  await connects(issuer, 'Issuer', ['Issuer']);
  await issuer.goesTo('Issuer desk');
  await look(issuer, 'issuer');
  await signsIn(issuer);
  await createsRuleSet(issuer, RULE_SET);
  await fundsAndBinds(issuer);
  await look(issuer, 'issuer');
}

/** Opens the demo as a holder, and gets passes for Bob and Alice. Alice stays chosen. */
export async function getsPasses(holder: Person, url: string, look: Look): Promise<void> {
  await holder.opens(url);
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

/** Saves the witness under a passphrase. It is gone after a reload, and the passphrase opens it. */
export async function savesWitness(holder: Person, look: Look): Promise<void> {
  const form = byRole('form', 'Saved witness');
  const passphrase = 'correct horse battery';
  await holder.types(label('Passphrase', form), passphrase);
  await holder.presses(button('Save the witness', form));
  await holder.sees('Saved in this browser.', form);
  await holder.reloads();
  await holder.sees(/Your witness is not in this tab any more, and a proof needs it/);
  await holder.types(label('Passphrase', form), 'a wrong passphrase');
  await holder.presses(button('Open the saved witness', form));
  await holder.finds(byRole('alert', undefined, form));
  await look(holder, 'holder');
  await holder.types(label('Passphrase', form), passphrase);
  await holder.presses(button('Open the saved witness', form));
  await holder.sees('is in this tab. With it, you can prove the rule sets that you meet.');
}

/** Reads what the issuer can do before accepting a token. It folds and unfolds the sentences with the keyboard. */
export async function readsPowers(holder: Person, look: Look): Promise<void> {
  const tokens = byRole('region', 'Your tokens');
  const sentence = text(/^The issuer .+ can move the tokens of any holder/, tokens);
  await holder.finds(sentence);
  await holder.sees(/^The creator of the rule set .+ can suspend the pass of any wallet/, tokens);
  await look(holder, 'holder');
  // Safari and Firefox have no role for a summary.
  await holder.presses(text('What the issuer can do', tokens));
  await holder.misses(sentence);
  await holder.press('Enter');
  await holder.finds(sentence);
}

const MAIN = byRole('main');

/** Lets the story play to its end. It stops at each refusal, which is in the window. */
export async function playsStory(person: Person, url: string, look: Look): Promise<void> {
  await person.opens(`${url}/play`);
  await look(person, 'play');
  await person.presses(button('Play', MAIN));
  await person.sees('what Alice knows', byRole('table'));
  await stopsAt(person, byRole('table'), 'Continue', look);
  await stopsAt(person, byRole('region', 'The page warns'), 'Send it anyway', look);
  const refused = byRole('region', 'The chain refused');
  await person.sees('DESTINATION_PASS_MISSING 6051', refused);
  await stopsAt(person, refused, 'Continue', look);
  await person.sees('300 EXB', REPORT);
  await stopsAt(person, REPORT, 'Finish', look);
  await person.finds(byRole('heading', 'Now by hand'));
  await person.finds({ text: '70 EXB', exact: true });
}

/** Looks at a stop of the story, and goes on. */
async function stopsAt(person: Person, scene: Target, next: string, look: Look): Promise<void> {
  await person.finds(button(next, MAIN));
  await person.findsInWindow(scene);
  await person.findsInWindow(button(next, MAIN), { focus: false });
  await look(person, 'play');
  await person.presses(button(next, MAIN));
}

/** Pauses the story, plays one chapter, and cancels it. */
export async function cancelsStory(person: Person, url: string): Promise<void> {
  await person.opens(`${url}/play`);
  await person.presses(button('Play', MAIN));
  await person.presses(button('Pause', MAIN));
  await person.finds(button('Continue', MAIN));
  await person.presses(button('One step', MAIN));
  await person.sees(/^2 of 12/, MAIN);
  await person.finds(button('Continue', MAIN));
  await person.presses(button('Cancel', MAIN));
  await person.finds(button('Play', MAIN));
}

/** Recovers 10 tokens of Alice, who lost her wallet, for Bob. */
export async function recoversForBob(issuer: Person, holder: Person, look: Look): Promise<void> {
  const form = byRole('form', 'Recover tokens');
  await issuer.types(label('Lost wallet', form), await addressOf(holder, 'Alice'));
  await issuer.types(label('New wallet', form), await addressOf(holder, 'Bob'));
  await issuer.types(label('Amount', form), '10');
  await issuer.signs(button('Recover', form), form);
  await issuer.sees('Recovered 10 EXB. It is final.', form);
  await look(issuer, 'issuer');
}

/** Creates a rule set that two wallets of each person can prove, as the sandbox verifier counts them, and funds it. */
export async function offersLimited(issuer: Person, look: Look): Promise<void> {
  const form = byRole('region', 'New rule set');
  await issuer.presses(button(/New rule set/));
  await issuer.types(byRole('textbox', 'Name'), LIMITED);
  await issuer.tabTo(label('Verifier', form));
  await issuer.writes('Sandbox');
  await issuer.types(label('Wallets per person', form), '2');
  await issuer.sees('At most 2 wallets of each person.', form);
  await issuer.signs(button('Create rule set'), form);
  const card = byRole('article', `Rule set ${LIMITED}`);
  await issuer.sees('Wallets per person', card);
  await funds(issuer);
  await look(issuer, 'issuer');
}

/** Proves the limited rule set with two wallets of one person, who has one document and three wallets. */
export async function getsTwoWallets(owner: Person, url: string, look: Look): Promise<void> {
  await owner.opens(url);
  await connects(owner, 'Alice', ['Issuer', 'Alice', 'Bob']);
  await owner.goesTo('Holder page');
  for (const [account, wallet] of [
    ['Alice', 'wallet 1 of 2'],
    ['Bob', 'wallet 2 of 2'],
  ] as const) {
    await switchesTo(owner, account);
    await signsIn(owner);
    await getsVerified(owner, 'Get verified', look, DOCUMENT);
    await owner.sees(wallet, LIMITED_ROW);
    await look(owner, 'places');
    await proves(owner, LIMITED_ROW);
    await owner.finds({ text: wallet, exact: true, within: LIMITED_ROW });
  }
}

/** A third wallet of the person has no place. It can replace the first one, but not within an hour. */
export async function findsNoPlace(owner: Person, look: Look): Promise<void> {
  await switchesTo(owner, 'Issuer');
  await signsIn(owner);
  await getsVerified(owner, 'Get verified', look, DOCUMENT);
  await owner.sees('No place is free: 2 other wallets of yours count here already.', LIMITED_ROW);
  await isRefused(owner);
  await owner.tabTo(label('This replaces a lost wallet', LIMITED_ROW));
  await owner.press('Space');
  await owner.sees('that Alice and Issuer are wallets of one person', LIMITED_ROW);
  await owner.sees('It proved this less than an hour ago.', LIMITED_ROW);
  await isRefused(owner);
  await look(owner, 'places');
}

/** An hour later, the third wallet replaces the first one, whose pass ends. */
export async function replacesLost(owner: Person, skipHour: () => Promise<void>, look: Look): Promise<void> {
  await skipHour();
  await owner.finds(button(/^Prove/, LIMITED_ROW));
  await proves(owner, LIMITED_ROW);
  await owner.finds({ text: 'wallet 2 of 2', exact: true, within: LIMITED_ROW });
  await look(owner, 'places');
  await switchesTo(owner, 'Alice');
  await signsIn(owner);
  await owner.sees('You have no pass yet.');
}

async function isRefused(owner: Person): Promise<void> {
  if (await owner.isEnabled(button(/^Prove/, LIMITED_ROW))) {
    throw new Error('The page offers a proof that the chain would reject.');
  }
}

const LIMITED_ROW = byRole('article', LIMITED);
const DOCUMENT = 'P-1';

/** Suspends Bob, sees that the holder’s page knows, and lifts the suspension. */
export async function suspendsBob(issuer: Person, holder: Person, look: Look): Promise<void> {
  const form = byRole('form', 'Suspend a wallet');
  await issuer.types(label('Wallet to suspend', form), await addressOf(holder, 'Bob'));
  await issuer.presses(button('Suspend', form));
  await issuer.approves();
  await issuer.sees('The wallet is suspended.', form);
  await look(issuer, 'issuer');
  await holder.presses(button('Use Bob', TRANSFER_FORM));
  await holder.types(label('Amount', TRANSFER_FORM), '1');
  await holder.sees(/suspended/, TRANSFER_FORM);
  await issuer.presses(button('Lift suspension', form));
  await issuer.approves();
  await issuer.sees('The suspension is lifted.', form);
}

/**
 * Grants a pass to a custodian, which is another account of the issuer’s wallet, and issues tokens to it. When the grant has
 * ended, the custodian can receive no more.
 */
export async function grantsToCustodian(issuer: Person, look: Look): Promise<void> {
  const form = byRole('form', 'Grant a pass');
  await issuer.presses(button('Use Bob', form));
  await issuer.presses(button('Grant pass', form));
  await issuer.approves();
  await issuer.sees('The pass is granted.', form);
  await issuesTo(issuer, await addressOf(issuer, 'Bob'));
  await look(issuer, 'issuer');
  await issuer.presses(button('End grant', form));
  await issuer.approves();
  await issuer.sees('The grant has ended.', form);
  await issuer.types(label('Amount', ISSUE_FORM), '1');
  await issuer.sees('Bob must prove it first.', ISSUE_FORM);
}

/**
 * Sees, before an issue, that the mint reads credentials: Alice was verified again after her proof, so she must prove again.
 * She can still send.
 */
export async function seesUnsupported(issuer: Person, holder: Person): Promise<void> {
  await issuer.types(label('Holder', ISSUE_FORM), await addressOf(holder, 'Alice'));
  await issuer.types(label('Amount', ISSUE_FORM), '1');
  await issuer.sees('was revoked or replaced.', ISSUE_FORM);
}

/**
 * Issues tokens of a mint without a hook to a wallet that proves nothing, as tools without passes do. Then sets the gate, lets
 * anybody freeze, and freezes the account of that wallet. The keeper of the service does not find it, because it never had a
 * pass.
 */
export async function gatesToken(issuer: Person, look: Look): Promise<void> {
  await issuer.sees('A gate is weaker than the hook of a bound token');
  await issuer.presses(button('Create a gated token'));
  await issuer.approves();
  await issuer.sees('Set its gate next.', GATED_MINT);
  const outsider = await addressOf(issuer, 'Alice');
  await issuesGated(issuer, outsider, '20');
  await issuer.presses(button('Set the gate', GATED_MINT));
  await issuer.approves();
  await issuer.finds({ text: 'thawed', exact: true, within: GATED_MINT });
  await issuer.misses(text('Set its gate next.'));
  const freeze = button(/^Freeze the account of/, GATED_MINT);
  await issuer.misses(freeze);
  await issuer.presses(button('Let anybody freeze', GATED_MINT));
  await issuer.approves();
  await issuer.presses(freeze);
  await issuer.approves();
  await issuer.finds({ text: 'frozen', exact: true, within: GATED_MINT });
  await issuer.misses(freeze);
  await look(issuer, 'issuer');
}

/** Issues tokens of the gated mint. */
async function issuesGated(issuer: Person, wallet: string, amount: string): Promise<void> {
  const form = ISSUE_GATED;
  await issuer.types(label('Holder', form), wallet);
  await issuer.types(label('Amount', form), amount);
  await issuer.presses(button('Issue', form));
  await issuer.approves();
  await issuer.sees(`Issued ${amount} tokens.`, form);
}

/** Alice thaws her account of the gated token with her pass. Before that, the issuer’s page says that she must. */
export async function thawsGated(issuer: Person, holder: Person, look: Look): Promise<void> {
  const mint = await issuer.titleOf(text(/^\w{4}…\w{4}$/, GATED_MINT));
  const alice = await addressOf(holder, 'Alice');
  await issuer.types(label('Holder', ISSUE_GATED), alice);
  await issuer.sees('This account is not thawed.', ISSUE_GATED);
  const section = byRole('region', 'A gated token');
  await holder.types(label('Address of its mint', section), mint);
  await holder.sees('The gate is weaker than a transfer hook', section);
  await holder.presses(button('Thaw my account', section));
  await holder.approves();
  await holder.sees('Your account is thawed. You can receive the token.', section);
  await holder.finds({ text: 'thawed', exact: true, within: section });
  await look(holder, 'holder');
  await issuesGated(issuer, alice, '10');
}

/** Suspends Alice. The keeper of the service then freezes her account, which no act of the issuer did. */
export async function seesGatedFrozen(issuer: Person, holder: Person, look: Look): Promise<void> {
  const form = byRole('form', 'Suspend a wallet');
  const thawed: Target = { text: 'thawed', exact: true, within: GATED_MINT };
  await issuer.finds(thawed);
  await issuer.types(label('Wallet to suspend', form), await addressOf(holder, 'Alice'));
  await issuer.presses(button('Suspend', form));
  await issuer.approves();
  await issuer.misses(thawed);
  await look(issuer, 'issuer');
  await issuer.presses(button('Lift suspension', form));
  await issuer.approves();
  await issuer.sees('The suspension is lifted.', form);
}

/** Transfers 30 tokens to Bob, who has no token account yet. */
export async function transfersToBob(holder: Person, look: Look): Promise<void> {
  const form = TRANSFER_FORM;
  await holder.presses(button('Use Bob', form));
  await holder.types(label('Amount', form), '30');
  await holder.presses(button('Create the recipient’s token account', form));
  await holder.approves();
  await holder.signs(button('Transfer', form), form);
  await holder.sees('Transferred 30 EXB. It is final.', form);
  await look(holder, 'holder');
}

/** Sends tokens to a wallet without a pass, although the page advises against it. The chain rejects the transfer. */
export async function sendsAnyway(holder: Person, look: Look): Promise<void> {
  const form = TRANSFER_FORM;
  await holder.presses(button('Use Issuer', form));
  await holder.types(label('Amount', form), '30');
  await holder.presses(button('Send it anyway', form));
  // The account for the token comes first, then the transfer.
  await holder.approves();
  await holder.approves();
  const refused = byRole('region', 'The chain refused', form);
  await holder.findsInWindow(refused);
  await holder.sees('DESTINATION_PASS_MISSING 6051', refused);
  await holder.sees('Issuer has no pass of this rule set.', refused);
  await look(holder, 'holder');
}

/** Connects the development wallet, chooses an account of it, and gets SOL for some accounts. */
async function connects(person: Person, account: string, funded: readonly string[]): Promise<void> {
  await person.presses(button('Connect wallet'));
  await person.presses(button('Connect Development wallet', MENU));
  await choosesAccount(person, account);
  for (const name of funded) {
    const getSol = button(`Get 1 SOL for ${name}`, MENU);
    await person.presses(getSol);
    await person.waitsUntilEnabled(getSol);
  }
  await person.press('Escape');
}

/** Switches to another account of the connected wallet. */
async function switchesTo(person: Person, account: string): Promise<void> {
  await person.presses(button(/^Wallet:/));
  await choosesAccount(person, account);
  await person.press('Escape');
}

/** Signs in on the page, and approves the message. */
async function signsIn(person: Person): Promise<void> {
  const main = byRole('main');
  await person.signs(button('Sign in', main), main);
}

/** Gets verified, and proves the rule set. */
async function getsPass(person: Person, ruleSet: string, look: Look): Promise<void> {
  // Two issuers can give one name.
  await person.sees(/^Created by/, byRole('article', ruleSet));
  await getsVerified(person, 'Get verified', look);

  await proves(person, byRole('article', ruleSet));
}

/** Proves the rule set of a row. */
async function proves(person: Person, row: Target): Promise<void> {
  await person.presses(button(/^Prove/, row));
  await person.finds(byRole('progressbar', undefined, row));
  await person.signs(button('Sign', row), row);
  // Not the end of the progress, which has these words too.
  await person.finds({ text: 'you have a pass', exact: true, within: row });
}

/** Gets verified again. With the new credential, the page offers the renewal sooner, but not in the hour after the proof. */
export async function seesRenewal(person: Person, look: Look): Promise<void> {
  const pass = byRole('article', new RegExp(`Pass of ${RULE_SET}`));
  const hint = text(/^You can renew your pass from/, pass);
  await person.finds(hint);
  const before = await person.textOf(hint);
  await getsVerified(person, 'Get verified again', look);
  await person.waitsForOtherText(hint, before);
  if (await person.isEnabled(button(`Renew ${RULE_SET}`, pass))) {
    throw new Error('The page offers a renewal that the chain would reject.');
  }
}

/** Gets verified at the sandbox verifier as a professional in France. */
async function getsVerified(person: Person, name: string, look: Look, document?: string): Promise<void> {
  await person.presses(button(name));
  await person.finds(byRole('heading', 'Verify who you are'));
  // Several people use this browser. The verifier knows the last one.
  const [here, again] = ['Continue on this device', 'Begin a new check'];
  const isKnown = await person.looks<boolean>(`document.body.innerText.includes(${JSON.stringify(again)})`);
  await look(person, 'verifier');
  await person.presses(button(isKnown ? again : here));
  await person.finds(byRole('heading', 'Sandbox verification'));
  await look(person, 'verifier');
  await person.tabTo(label('Region'));
  await person.writes('France');
  await person.tabTo(label('Status'));
  await person.writes('Prof');
  await person.tabTo(label('Birth date'));
  await person.writesDate('05/17/1990');
  if (document) await person.types(label('Document number'), document);
  await person.presses(button('Verify and go back to the site'));
  await person.sees('is in this tab. With it, you can prove the rule sets that you meet.');
}

/** Creates a rule set. Reloads the page while it is under way: the page then shows how it ends. */
async function createsRuleSet(person: Person, name: string): Promise<void> {
  await person.types(byRole('textbox', 'Name'), name);
  for (const power of ['Suspend the pass of a wallet', 'Grant passes without a proof']) {
    await person.tabTo(label(power));
    await person.press('Space');
  }
  await person.signs(button('Create rule set'), byRole('region', 'New rule set'));
  const underWay = byRole('region', 'Under way');
  // A reload before that would drop a transaction that nobody has sent. On a busy machine, it can be final already.
  const sent = text(/accepted by the service|sent, waiting|checking the chain/, underWay);
  const ruleSet = byRole('article', new RegExp(`Rule set ${name}`));
  await person.finds(sent, ruleSet);
  await person.reloads();
  await person.finds(ruleSet);
  await person.misses(underWay);
}

/** Funds the rule set, creates a mint, and binds it. */
async function fundsAndBinds(person: Person): Promise<void> {
  await funds(person);
  await person.tabTo(label('What you can do with tokens of holders'));
  await person.writes('Recover');
  await person.presses(button('Create token'));
  await person.approves();
  // A reload before that can drop the transaction before the page has sent it.
  await person.finds(BIND_FORM);
  // The page then finds the mint by its stored address.
  await person.reloads();
  for (const choice of [
    'Accept passes that the creator of the rule set grants',
    'Read the credential in each transfer too',
  ]) {
    await person.tabTo(label(choice));
    await person.press('Space');
  }
  await person.signs(button('Bind token'), BIND_FORM);
  // The index of the service can lag behind, and the page knows.
  await person.finds(ISSUE_FORM);
  // Safari and Firefox have no role for a summary.
  await person.presses(text('Recover tokens, suspend holders, and gate tokens without a hook'));
}

/** Funds the rule set that needs it. The step that follows is then due. */
async function funds(person: Person): Promise<void> {
  const step = byRole('region', 'Pass funds');
  await person.presses(button('Fund', step));
  await person.approves();
  await person.misses(step);
}

const BIND_FORM = byRole('form', 'Bind a token to a rule set');
const ISSUE_FORM = byRole('form', 'Issue tokens');

/** Issues 100 tokens to a wallet that has no token account yet. */
async function issuesTo(person: Person, wallet: string): Promise<void> {
  const form = ISSUE_FORM;
  await person.types(label('Holder', form), wallet);
  await person.types(label('Amount', form), '100');
  await person.presses(button('Create the holder’s token account', form));
  await person.approves();
  await person.signs(button('Issue', form), form);
  await person.sees(/^Issued 100 EXB/, form);
}

/**
 * Lets the service lie about the amount, and transfers tokens to Bob. Reads the report of the client's refusal, there and
 * on the page of the lies.
 */
export async function meetsLie(person: Person, look: Look): Promise<void> {
  await person.goesTo('Lying service');
  await person.presses(byRole('switch', 'Let the service lie'), 'Space');
  await person.goesTo('Holder page');
  const form = TRANSFER_FORM;
  await person.presses(button('Use Bob', form));
  await person.types(label('Amount', form), '5');
  await person.presses(button('Transfer', form));
  const report = REPORT;
  await person.findsInWindow(report);
  // The page does not say beside it that the transfer would succeed.
  await person.misses(text('would succeed', form));
  await person.sees('PREPARED_MISMATCH', report);
  await person.sees('Transfer 5 EXB to Bob.', report);
  await person.sees('50 EXB', report);
  await person.sees('Your wallet was not asked to sign this transaction, and it was not sent.', report);
  await look(person, 'holder');
  await person.goesTo('Lying service');
  await person.sees('PREPARED_MISMATCH', report);
  await look(person, 'lies');
}

/**
 * Lets the service lie about the amount at a wider window: it issues ten times the tokens. Then it is honest again.
 */
export async function meetsLieAsIssuer(issuer: Person, holder: Person): Promise<void> {
  await issuer.goesTo('Lying service');
  await issuer.presses(byRole('switch', 'Let the service lie'), 'Space');
  await issuer.goesTo('Issuer desk');
  await issuer.types(label('Holder', ISSUE_FORM), await addressOf(holder, 'Bob'));
  await issuer.types(label('Amount', ISSUE_FORM), '7');
  await issuer.presses(button('Issue', ISSUE_FORM));
  await issuer.findsInWindow(REPORT);
  await issuer.sees('70 EXB', REPORT);
  await issuer.presses(button('Turn off'));
}

const REPORT = byRole('article', /^Refused:/);
const GATED_MINT = byRole('article', 'Gated token');
const ISSUE_GATED = byRole('form', 'Issue gated tokens');

export const TRANSFER_FORM = byRole('form', 'Transfer tokens');

/** Returns the address of an account of the person's wallet, which the wallet menu shows. */
async function addressOf(person: Person, account: string): Promise<string> {
  await person.presses(button(/^Wallet:/));
  const radio = byRole('radio', new RegExp(`^${account}`), MENU);
  await person.finds(radio);
  const address = await person.titleInLabel(radio, 'code');
  await person.press('Escape');
  if (!address) throw new Error(`The wallet menu has no address of ${account}.`);
  return address;
}

/** Moves to the chosen account, then with the arrow keys to the other one. In WebKit the last one has no next one. */
async function choosesAccount(person: Person, account: string): Promise<void> {
  const wanted = byRole('radio', new RegExp(`^${account}`), MENU);
  await person.tabTo({ role: 'radio', checked: true, within: MENU });
  for (const key of ['ArrowDown', 'ArrowUp'] as const) {
    for (let moved = 0; moved < MOST_ACCOUNTS; moved++) {
      if (await person.isChecked(wanted)) return;
      await person.press(key);
    }
  }
  throw new Error(`The arrow keys do not reach the account ${account}.`);
}

const MENU: Target = byRole('dialog', 'Wallet');

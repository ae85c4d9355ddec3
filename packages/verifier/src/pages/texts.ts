/** Every text of the pages, in each language. The compiler rejects a language without one of the texts. */

const en = {
  title: 'Verify who you are',
  wallet: 'Wallet',
  site: 'Site',
  agree:
    'Continue only if this is your wallet and you came from this site. The credential is for this wallet, and only this browser gets the data that you need for proofs.',
  agreeProvider: 'The next page checks who you are. Have an identity document ready.',
  agreeSandbox: 'The next page is a form for development. It checks nothing, so you need no document.',
  here: 'Continue on this device',
  onPhone: 'Continue on your phone',
  known: 'You were verified here before. You do not need your document again.',
  verifyKnown: 'Verify this wallet',
  notKnown: 'Begin a new check if you are somebody else, or if your data has changed.',
  phone: 'Continue on your phone',
  phoneCode: 'Scan this code with your phone. This page continues automatically.',
  phoneCodeLabel: 'Code with the link for your phone',
  phoneLink: 'Or open this link on your phone:',
  phoneAgree:
    'Continue only if you scanned the code from your own screen, and if this is your wallet. Somebody who sent you this code could take the credential.',
  phoneDone: 'Done on this phone',
  phoneDoneText: 'Go back to the device where you began. Its page continues automatically.',
  checking: 'The check is not finished',
  checkingText: 'Finish it on the page of the provider. This page continues automatically.',
  openCheck: 'Open the check',
  beginAgain: 'Begin a new check',
  review: 'Your check is in review',
  reviewText:
    'This can take minutes or days. You can close this page. Come back later from the site, in this browser. You do not need your document again.',
  notFinished: 'Did you not finish the check?',
  approved: 'You are verified',
  approvedText: 'Go back to the site to get your credential.',
  goBack: 'Go back to the site',
  retry: 'Please try again',
  retryText: 'The check could not be finished. A sharper picture or another document often helps.',
  declined: 'You were not verified',
  declinedText: 'The provider did not accept the check. Start again at the site, or ask the site for help.',
  refused: {
    sandbox: 'The check was only a test, which does not count here. Ask the site for help.',
    flow: 'This verifier needs another kind of check. Ask the site for help.',
    region: 'The check does not show your country. Start again with a document or an address that shows it.',
    'birth date': 'The check does not show your birth date. Start again with a document that shows it.',
    document: 'This verifier does not accept this kind of document. Start again with another one.',
    'document expired': 'Your document has expired. Start again with a valid one.',
    person: 'The check does not show the number of your document. Start again with another document.',
    'taken back': 'The provider took back an earlier approval. Ask the site for help.',
    service:
      'The site did not accept the result. Start again at the site. You do not need your document again.',
  },
  elsewhere: 'This link is open in another browser',
  elsewhereText:
    'Only the browser that began can continue. If that was not you, somebody else has this link. Start again at the site.',
  finished: 'This verification is finished',
  finishedText: 'Go back to the site. To verify again, start there.',
  invalid: 'This link does not work',
  invalidText: 'It has expired, or it is wrong. Go back to the site and start the verification again.',
  unreachable: 'Please try again in a moment',
  unreachableText: 'A service that this page needs did not respond. Nothing is lost.',
  tryAgain: 'Try again',
  busy: 'One moment',
  busyText: 'Another tab is completing this verification.',
  failed: 'Something went wrong',
  failedText: 'Go back to the site and start again.',
  tooMany: 'Too many requests',
  tooManyText: 'Wait a minute and try again.',
};

/** The texts of one language. */
export type Texts = typeof en;

const de: Texts = {
  title: 'Identität bestätigen',
  wallet: 'Wallet',
  site: 'Website',
  agree:
    'Fahren Sie nur fort, wenn das Ihre Wallet ist und Sie von dieser Website kommen. Der Nachweis gilt für diese Wallet, und nur dieser Browser erhält die Daten, die Sie dafür brauchen.',
  agreeProvider: 'Die nächste Seite prüft, wer Sie sind. Halten Sie ein Ausweisdokument bereit.',
  agreeSandbox:
    'Die nächste Seite ist ein Formular für die Entwicklung. Sie prüft nichts, also brauchen Sie kein Dokument.',
  here: 'Auf diesem Gerät fortfahren',
  onPhone: 'Auf dem Handy fortfahren',
  known: 'Sie wurden hier schon geprüft. Sie brauchen Ihr Dokument nicht noch einmal.',
  verifyKnown: 'Diese Wallet bestätigen',
  notKnown:
    'Beginnen Sie eine neue Prüfung, wenn Sie jemand anderes sind oder sich Ihre Daten geändert haben.',
  phone: 'Auf dem Handy fortfahren',
  phoneCode: 'Scannen Sie diesen Code mit dem Handy. Diese Seite geht automatisch weiter.',
  phoneCodeLabel: 'Code mit dem Link für Ihr Handy',
  phoneLink: 'Oder öffnen Sie diesen Link auf dem Handy:',
  phoneAgree:
    'Fahren Sie nur fort, wenn Sie den Code von Ihrem eigenen Bildschirm gescannt haben und das Ihre Wallet ist. Wer Ihnen diesen Code geschickt hat, könnte den Nachweis an sich nehmen.',
  phoneDone: 'Auf dem Handy fertig',
  phoneDoneText:
    'Gehen Sie zurück zu dem Gerät, auf dem Sie begonnen haben. Die Seite dort geht automatisch weiter.',
  checking: 'Die Prüfung ist noch nicht fertig',
  checkingText: 'Schließen Sie sie auf der Seite des Anbieters ab. Diese Seite geht automatisch weiter.',
  openCheck: 'Prüfung öffnen',
  beginAgain: 'Neue Prüfung beginnen',
  review: 'Ihre Angaben werden noch geprüft',
  reviewText:
    'Das kann Minuten oder Tage dauern. Sie können diese Seite schließen. Kommen Sie später über die Website zurück, in diesem Browser. Sie brauchen Ihr Dokument nicht noch einmal.',
  notFinished: 'Haben Sie die Prüfung nicht abgeschlossen?',
  approved: 'Ihre Identität ist bestätigt',
  approvedText: 'Gehen Sie zurück zur Website, um Ihren Nachweis zu erhalten.',
  goBack: 'Zurück zur Website',
  retry: 'Bitte versuchen Sie es noch einmal',
  retryText:
    'Die Prüfung konnte nicht abgeschlossen werden. Oft hilft ein schärferes Bild oder ein anderes Dokument.',
  declined: 'Ihre Identität wurde nicht bestätigt',
  declinedText:
    'Der Anbieter hat die Prüfung nicht angenommen. Beginnen Sie auf der Website neu, oder bitten Sie dort um Hilfe.',
  refused: {
    sandbox: 'Die Prüfung war nur ein Test, der hier nicht zählt. Bitten Sie auf der Website um Hilfe.',
    flow: 'Hier ist eine andere Art von Prüfung nötig. Bitten Sie auf der Website um Hilfe.',
    region:
      'Die Prüfung zeigt Ihr Land nicht. Beginnen Sie neu mit einem Dokument oder einer Adresse, die es zeigt.',
    'birth date':
      'Die Prüfung zeigt Ihr Geburtsdatum nicht. Beginnen Sie neu mit einem Dokument, das es zeigt.',
    document: 'Diese Art von Dokument wird nicht angenommen. Beginnen Sie neu mit einem anderen.',
    'document expired': 'Ihr Dokument ist abgelaufen. Beginnen Sie neu mit einem gültigen.',
    person:
      'Die Prüfung zeigt die Nummer Ihres Dokuments nicht. Beginnen Sie neu mit einem anderen Dokument.',
    'taken back':
      'Der Anbieter hat eine frühere Bestätigung zurückgenommen. Bitten Sie auf der Website um Hilfe.',
    service:
      'Die Website hat das Ergebnis nicht angenommen. Beginnen Sie dort neu. Sie brauchen Ihr Dokument nicht noch einmal.',
  },
  elsewhere: 'Dieser Link ist in einem anderen Browser geöffnet',
  elsewhereText:
    'Nur der Browser, der begonnen hat, kann fortfahren. Wenn Sie das nicht waren, hat jemand anderes diesen Link. Beginnen Sie auf der Website neu.',
  finished: 'Diese Bestätigung ist abgeschlossen',
  finishedText: 'Gehen Sie zurück zur Website. Um sich neu bestätigen zu lassen, beginnen Sie dort.',
  invalid: 'Dieser Link funktioniert nicht',
  invalidText: 'Er ist abgelaufen oder falsch. Gehen Sie zurück zur Website und beginnen Sie neu.',
  unreachable: 'Bitte versuchen Sie es gleich noch einmal',
  unreachableText: 'Ein Dienst, den diese Seite braucht, hat nicht geantwortet. Es ist nichts verloren.',
  tryAgain: 'Noch einmal versuchen',
  busy: 'Einen Augenblick',
  busyText: 'Ein anderer Tab schließt diese Bestätigung gerade ab.',
  failed: 'Etwas ist schiefgegangen',
  failedText: 'Gehen Sie zurück zur Website und beginnen Sie neu.',
  tooMany: 'Zu viele Anfragen',
  tooManyText: 'Warten Sie eine Minute und versuchen Sie es noch einmal.',
};

/** The texts by language. The first one is the default. */
export const TEXTS = { en, de } as const;
/** A language of the pages. */
export type Language = keyof typeof TEXTS;

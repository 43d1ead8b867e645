const en = {
  'people.title': 'Owners and test users of {application}',
  'people.invite': 'Invite someone',
  'people.invite-text':
    'An invitation is a link that works once and expires after seven days. To accept it, the person needs an account ' +
    'on this server.',
  'people.role': 'Role',
  'people.owner': 'Owner',
  'people.owner-help': 'Can see and change everything here, just like you.',
  'people.test-user': 'Test user',
  'people.test-user-help': 'Can authorize the application in test mode, but cannot see anything here.',
  'people.send-to': 'Send the link to',
  'people.send-to-help': 'An e-mail address. Leave empty to pass the link on yourself.',
  'people.create-link': 'Create an invitation link',
  'people.withdraw': 'Withdraw invitations',
  'people.withdraw-text': 'Invitations that nobody has accepted yet will stop working.',
  'people.withdraw-owners': 'Withdraw owner invitations',
  'people.withdraw-test-users': 'Withdraw test user invitations',
  'people.withdrawn-owners': 'All pending owner invitations were withdrawn.',
  'people.withdrawn-test-users': 'All pending test user invitations were withdrawn.',
  'people.owners': 'Owners',
  'people.owners-text':
    'Owners can see and change everything about the application. To hand it over, invite the new owner and leave ' +
    'once they have accepted.',
  'people.test-users': 'Test users',
  'people.no-test-users': 'There are no test users. You need them only in test mode.',
  'people.live-mode': 'Live mode',
  'people.test-mode-text': 'Only owners and test users can authorize the application.',
  'people.live-mode-text':
    'Every user of this server can authorize the application. In test mode, only owners and test users can.',
  'people.to-live': 'Switch to live mode…',
  'people.to-test': 'Switch to test mode…',
  'people.no-users': 'No users have active authorizations.',
  'people.use':
    '{users, plural, one {<b>{users, number} user</b> has} other {<b>{users, number} users</b> have}} {grants, ' +
    'plural, one {{grants, number} active authorization} other {{grants, number} active authorizations}}.',
  'people.much-use':
    '{users, plural, one {<b>At least {users, number} user</b> has} other {<b>At least {users, number} users</b> ' +
    'have}} more than {grants, plural, one {{grants, number} active authorization} other {{grants, number} active ' +
    'authorizations}}.',
  'people.mailed': 'The invitation is being sent to {email}.',
  'people.bad-address': 'Enter a valid e-mail address.',
  'people.unknown-role': 'member_role must be one of: {values}.',
  'people.unknown-mode': 'mode must be one of: {values}.',
  'people.last-owner': 'An owner is required',
  'people.last-owner-text': 'No other owner of this application can log in. Nothing was changed.',
  'people.last-owner-advice':
    'Invite another owner first, then leave. If the application is no longer needed, delete it.',
  'member.you': '<bdi>{username}</bdi> (you)',
  'member.since': 'added <time>{when}</time>',
  'member.since-disabled': 'added <time>{when}</time> · the account is disabled',
  'member.remove': 'Remove…',
  'member.remove-label': 'Remove {username}…',
  'member.leave': 'Leave…',
  'member.leave-question': 'Leave {application}?',
  'member.leave-text':
    'You will no longer be able to see or change {application}. Your pending invitations will stop working, too.',
  'member.leave-button': 'Leave the application',
  'member.left': 'You left {application}.',
  'member.remove-question': 'Remove {username}?',
  'member.remove-owner-text':
    '{username} will no longer be able to see or change {application}. Their pending invitations will stop working, ' +
    'too.',
  'member.remove-test-user-text':
    '{username} will no longer be able to authorize {application} while it is in test mode.',
  'member.remove-owner-button': 'Remove the owner',
  'member.remove-test-user-button': 'Remove the test user',
  'member.owner-removed': '{username} is no longer an owner of {application}.',
  'member.test-user-removed': '{username} is no longer a test user of {application}.',
  'mode.to-test': 'Switch to test mode?',
  'mode.to-test-text':
    'Only owners and test users will be able to authorize the application. Other users will see an explanation, and ' +
    'the application will get no new tokens for them.',
  'mode.to-test-tokens':
    'The access tokens that it already has for other users keep working until they expire. The authorizations of ' +
    'these users continue when you switch back to live mode.',
  'mode.to-test-button': 'Switch to test mode',
  'mode.to-live': 'Switch to live mode?',
  'mode.to-live-text': 'Every user of this server will be able to authorize the application.',
  'mode.to-live-button': 'Switch to live mode',
  'mode.is-test': '{application} is now in test mode.',
  'mode.is-live': '{application} is now in live mode.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'people.title': 'Besitzer und Testbenutzer von {application}',
  'people.invite': 'Jemanden einladen',
  'people.invite-text':
    'Eine Einladung ist ein Link, der nur einmal und sieben Tage lang gilt. Um sie anzunehmen, braucht die Person ' +
    'ein Konto auf diesem Server.',
  'people.role': 'Rolle',
  'people.owner': 'Besitzer',
  'people.owner-help': 'Sieht und ändert hier alles, wie Sie.',
  'people.test-user': 'Testbenutzer',
  'people.test-user-help': 'Kann die Anwendung im Testmodus zulassen. Sieht hier nichts.',
  'people.send-to': 'Den Link senden an',
  'people.send-to-help': 'Eine E-Mail-Adresse. Lassen Sie das Feld leer, um den Link selbst weiterzugeben.',
  'people.create-link': 'Einladungslink erzeugen',
  'people.withdraw': 'Einladungen zurückziehen',
  'people.withdraw-text': 'Einladungen, die noch niemand angenommen hat, werden ungültig.',
  'people.withdraw-owners': 'Einladungen für Besitzer zurückziehen',
  'people.withdraw-test-users': 'Einladungen für Testbenutzer zurückziehen',
  'people.withdrawn-owners': 'Alle offenen Einladungen für Besitzer wurden zurückgezogen.',
  'people.withdrawn-test-users': 'Alle offenen Einladungen für Testbenutzer wurden zurückgezogen.',
  'people.owners': 'Besitzer',
  'people.owners-text':
    'Besitzer sehen und ändern alles an der Anwendung. Um sie zu übergeben, laden Sie den neuen Besitzer ein, und ' +
    'verlassen Sie die Anwendung, sobald er angenommen hat.',
  'people.test-users': 'Testbenutzer',
  'people.no-test-users': 'Es gibt keine Testbenutzer. Sie werden nur im Testmodus gebraucht.',
  'people.live-mode': 'Live-Modus',
  'people.test-mode-text': 'Nur Besitzer und Testbenutzer können die Anwendung zulassen.',
  'people.live-mode-text':
    'Jeder Benutzer dieses Servers kann die Anwendung zulassen. Im Testmodus können es nur Besitzer und Testbenutzer.',
  'people.to-live': 'In den Live-Modus wechseln …',
  'people.to-test': 'In den Testmodus wechseln …',
  'people.no-users': 'Zurzeit gewährt ihr kein Benutzer Zugriff.',
  'people.use':
    '{users, plural, one {<b>{users, number} Benutzer</b> gewährt ihr zurzeit Zugriff} other {<b>{users, number} ' +
    'Benutzer</b> gewähren ihr zurzeit Zugriff}}, mit {grants, plural, one {{grants, number} Zustimmung} other ' +
    '{{grants, number} Zustimmungen}}.',
  'people.much-use':
    '<b>Mindestens {users, number} Benutzer</b> gewähren ihr zurzeit Zugriff, mit mehr als {grants, plural, one ' +
    '{{grants, number} Zustimmung} other {{grants, number} Zustimmungen}}.',
  'people.mailed': 'Die Einladung wird an {email} gesendet.',
  'people.bad-address': 'Geben Sie eine gültige E-Mail-Adresse ein.',
  'people.unknown-role': 'member_role muss einer dieser Werte sein: {values}.',
  'people.unknown-mode': 'mode muss einer dieser Werte sein: {values}.',
  'people.last-owner': 'Ein Besitzer ist erforderlich',
  'people.last-owner-text': 'Kein anderer Besitzer dieser Anwendung kann sich anmelden. Es wurde nichts geändert.',
  'people.last-owner-advice':
    'Laden Sie zuerst einen anderen Besitzer ein, und verlassen Sie dann die Anwendung. Wird sie nicht mehr ' +
    'gebraucht, löschen Sie sie.',
  'member.you': '<bdi>{username}</bdi> (Sie)',
  'member.since': 'hinzugefügt <time>{when}</time>',
  'member.since-disabled': 'hinzugefügt <time>{when}</time> · das Konto ist gesperrt',
  'member.remove': 'Entfernen …',
  'member.remove-label': '{username} entfernen …',
  'member.leave': 'Verlassen …',
  'member.leave-question': '{application} verlassen?',
  'member.leave-text': 'Sie können {application} nicht mehr sehen oder ändern. Auch Ihre Einladungen werden ungültig.',
  'member.leave-button': 'Anwendung verlassen',
  'member.left': 'Sie haben {application} verlassen.',
  'member.remove-question': '{username} entfernen?',
  'member.remove-owner-text':
    '{username} kann {application} nicht mehr sehen oder ändern. Auch Einladungen dieses Benutzers werden ungültig.',
  'member.remove-test-user-text': '{username} kann {application} nicht mehr zulassen, solange sie im Testmodus ist.',
  'member.remove-owner-button': 'Besitzer entfernen',
  'member.remove-test-user-button': 'Testbenutzer entfernen',
  'member.owner-removed': '{username} ist kein Besitzer von {application} mehr.',
  'member.test-user-removed': '{username} ist kein Testbenutzer von {application} mehr.',
  'mode.to-test': 'In den Testmodus wechseln?',
  'mode.to-test-text':
    'Dann können nur noch ihre Besitzer und Testbenutzer die Anwendung zulassen. Anderen Benutzern wird das auf ' +
    'einer Seite mitgeteilt, und die Anwendung erhält für sie keine neuen Token.',
  'mode.to-test-tokens':
    'Zugriffstoken, die sie für andere Benutzer schon hat, gelten, bis sie ablaufen. Die Zustimmungen dieser ' +
    'Benutzer gelten weiter, wenn Sie in den Live-Modus zurückkehren.',
  'mode.to-test-button': 'In den Testmodus wechseln',
  'mode.to-live': 'In den Live-Modus wechseln?',
  'mode.to-live-text': 'Dann kann jeder Benutzer dieses Servers die Anwendung zulassen.',
  'mode.to-live-button': 'In den Live-Modus wechseln',
  'mode.is-test': '{application} ist jetzt im Testmodus.',
  'mode.is-live': '{application} ist jetzt im Live-Modus.',
};

/** Messages on the pages for an application’s owners, test users and mode. */
export const applicationPeople = { en, de };

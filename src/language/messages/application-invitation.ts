const en = {
  'invitation.title': 'Invitation to {application}',
  'invitation.heading': 'Invitation to <bdi>{application}</bdi>',
  'invitation.another': 'Create another link',
  'invitation.lede':
    'Send this link to the person you want to invite. Anyone who has it can accept the invitation, but only once and ' +
    'within seven days. You will not see the link again.',
  'invitation.done': 'Done',
  'invited.owner': 'Become an owner of <bdi>{application}</bdi>?',
  'invited.test-user': 'Become a test user of <bdi>{application}</bdi>?',
  'invited.owner-text':
    '<b><bdi>{inviter}</bdi></b> has invited you to manage the application with them. You will be able to change its ' +
    'settings, secrets, owners and test users, and to delete it.',
  'invited.test-user-text':
    '<b><bdi>{inviter}</bdi></b> has invited you to try the application. You will decide later, on another page, ' +
    'what it may do.',
  'invited.test-user-early-text':
    '<b><bdi>{inviter}</bdi></b> has invited you to try the application, which is not yet open to all users. You ' +
    'will decide later, on another page, what it may do.',
  'invited.account':
    'You are logged in as <b><bdi>{username}</bdi></b>. The owners will see this name. The invitation expires ' +
    '<time>{when}</time>.',
  'invited.accept': 'Accept',
  'invited.later': 'Not now',
  'invited.owner-now': 'You are now an owner of {application}.',
  'invited.test-user-now': 'You are now a test user of {application}.',
  'invited.ask-again': 'Ask the person who invited you for another link.',
  'invited.invalid': 'This invitation is not valid',
  'invited.invalid-text': 'The link is incomplete, or the application was deleted. Nothing was changed.',
  'invited.used': 'This invitation has already been used',
  'invited.used-text': 'An invitation works only once. Nothing was changed.',
  'invited.expired': 'This invitation has expired',
  'invited.expired-text': 'An invitation is valid for seven days. Nothing was changed.',
  'invited.withdrawn': 'This invitation has been withdrawn',
  'invited.withdrawn-text':
    'An owner withdrew it, or the user who created it can no longer invite people. Nothing was changed.',
  'invited.member': 'You already have this role',
  'invited.member-text': 'The invitation was not used. Nothing was changed.',
  'invited.member-advice': 'You do not need to do anything.',
  'invited.full': 'No more members can be added',
  'invited.full-text': 'The application already has the maximum number of owners or test users. Nothing was changed.',
  'invited.full-advice': 'Ask an owner to remove somebody first.',
  'invited.last-owner-text': 'Nothing was changed.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'invitation.title': 'Einladung zu {application}',
  'invitation.heading': 'Einladung zu <bdi>{application}</bdi>',
  'invitation.another': 'Weiteren Link erzeugen',
  'invitation.lede':
    'Senden Sie diesen Link der Person, die Sie einladen möchten. Jeder, der ihn hat, kann die Einladung annehmen, ' +
    'aber nur einmal und innerhalb von sieben Tagen. Der Link wird nicht noch einmal angezeigt.',
  'invitation.done': 'Fertig',
  'invited.owner': 'Besitzer von <bdi>{application}</bdi> werden?',
  'invited.test-user': 'Testbenutzer von <bdi>{application}</bdi> werden?',
  'invited.owner-text':
    '<b><bdi>{inviter}</bdi></b> lädt Sie ein, die Anwendung gemeinsam zu verwalten. Sie können dann ihre ' +
    'Einstellungen, Client-Secrets, Besitzer und Testbenutzer ändern und die Anwendung löschen.',
  'invited.test-user-text':
    '<b><bdi>{inviter}</bdi></b> lädt Sie ein, die Anwendung auszuprobieren. Was sie darf, entscheiden Sie später ' +
    'auf einer anderen Seite.',
  'invited.test-user-early-text':
    '<b><bdi>{inviter}</bdi></b> lädt Sie ein, die Anwendung auszuprobieren, die noch nicht allen Benutzern ' +
    'offensteht. Was sie darf, entscheiden Sie später auf einer anderen Seite.',
  'invited.account':
    'Sie sind als <b><bdi>{username}</bdi></b> angemeldet. Die Besitzer werden diesen Namen sehen. Die Einladung ' +
    'läuft <time>{when}</time> ab.',
  'invited.accept': 'Annehmen',
  'invited.later': 'Nicht jetzt',
  'invited.owner-now': 'Sie sind jetzt Besitzer von {application}.',
  'invited.test-user-now': 'Sie sind jetzt Testbenutzer von {application}.',
  'invited.ask-again': 'Bitten Sie die Person, die Sie eingeladen hat, um einen neuen Link.',
  'invited.invalid': 'Diese Einladung ist ungültig',
  'invited.invalid-text': 'Der Link ist unvollständig, oder die Anwendung wurde gelöscht. Es wurde nichts geändert.',
  'invited.used': 'Diese Einladung wurde schon angenommen',
  'invited.used-text': 'Eine Einladung lässt sich nur einmal annehmen. Es wurde nichts geändert.',
  'invited.expired': 'Diese Einladung ist abgelaufen',
  'invited.expired-text': 'Eine Einladung gilt sieben Tage. Es wurde nichts geändert.',
  'invited.withdrawn': 'Diese Einladung wurde zurückgezogen',
  'invited.withdrawn-text':
    'Ein Besitzer hat sie zurückgezogen, oder der Benutzer, von dem sie stammt, darf niemanden mehr einladen. Es ' +
    'wurde nichts geändert.',
  'invited.member': 'Sie haben diese Rolle schon',
  'invited.member-text': 'Die Einladung wurde nicht verbraucht. Es wurde nichts geändert.',
  'invited.member-advice': 'Sie müssen nichts tun.',
  'invited.full': 'Es sind keine weiteren Mitglieder möglich',
  'invited.full-text':
    'Die Anwendung hat schon die Höchstzahl an Besitzern oder Testbenutzern. Es wurde nichts geändert.',
  'invited.full-advice': 'Bitten Sie einen Besitzer, zuerst jemanden zu entfernen.',
  'invited.last-owner-text': 'Es wurde nichts geändert.',
};

/** Messages about invitations to an application, for the users who create or open them. */
export const applicationInvitation = { en, de };

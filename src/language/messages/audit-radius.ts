const GRANTS = '{grants, plural, one {1 grant} other {{grants, number} grants}}';
const TOKENS = '{tokens, plural, one {1 access token} other {{tokens, number} access tokens}}';
const CLIENTS = '{clients, plural, one {1 application} other {{clients, number} applications}}';
const USERS = '{users, plural, one {1 user} other {{users, number} users}}';

const en = {
  'radius.lede':
    'If a token, a key, an application’s secret or a session has leaked, this page lists everything valid that ' +
    'came from it: grants, including those from token exchanges, and their tokens.',
  'radius.choose': 'Choose what leaked',
  'radius.kind': 'What leaked?',
  'radius.kind-token': 'A token or code',
  'radius.kind-token-help':
    'An access token, a refresh token or a code, even an expired one. It is not stored and does not appear in any ' +
    'URL.',
  'radius.kind-client': 'An application’s client secret',
  'radius.kind-client-help': 'Enter the name or the client id of the application.',
  'radius.kind-session': 'A session',
  'radius.kind-session-help': 'Open this page from a user’s sessions, or enter the name of the session’s event stream.',
  'radius.kind-key': 'A key',
  'radius.kind-key-help': 'Enter the id of a signing key, or the thumbprint of a key or certificate.',
  'radius.kind-grant': 'A grant',
  'radius.kind-grant-help': 'Enter the name of its event stream, which begins with “grant-”.',
  'radius.source': 'Token, name or id',
  'radius.source-help': 'It must match your choice above.',
  'radius.time': 'At an earlier time',
  'radius.time-help': 'Leave empty for the current time. Time zone: {zone}.',
  'radius.find': 'Find affected grants',
  'radius.slow':
    'Searching for a key reads the whole log, and choosing an earlier time replays it. With a large log, this takes ' +
    'a few seconds.',
  'radius.new-secret': 'New client secret',
  'radius.rotate': 'Rotate the secret',
  'radius.copy': 'Copy the secret now',
  'radius.copy-text':
    'You will not be able to see it again. Only a hash is stored. Send it to the people who run the application.',
  'radius.client-secret': 'Client secret',
  'radius.copied': 'I have copied the secret',
  'radius.from': 'From {kind, select, client {the application} key {the key} session {the session} other {the grant}}',
  'radius.valid-now': 'Valid now:',
  'radius.valid-after': 'Valid after event {position},',
  'radius.counts': `<b>${GRANTS} with ${TOKENS}</b> for ${CLIENTS} and ${USERS}.`,
  'radius.exchanges': `${GRANTS} came from {grants, plural, one {a token exchange} other {token exchanges}}.`,
  'radius.end': 'End everything…',
  'radius.stop': '{kind, select, client {Replace the client secret…} key {Remove the key…} other {End the session…}}',
  'radius.nothing': 'No valid grants',
  'radius.nothing-here': 'Nothing on this page',
  'radius.nothing-text':
    'Expired and revoked tokens are not listed. Choose an earlier time to see what was valid then.',
  'radius.caption': 'Affected grants',
  'radius.what': 'Grant',
  'radius.now': 'Now',
  'radius.chain': 'Chain',
  'radius.row':
    '{kind, select, authorization {Authorization} exchange {Token exchange} other {Application’s own grant}}{via, ' +
    'select, subject { with a subject token from a grant above} actor { with an actor token from a grant above} ' +
    `other {}}, ${TOKENS}`,
  'radius.one-source': 'Enter only one source.',
  'radius.grant-length': 'A grant id has 22 characters.',
  'radius.unknown':
    'The log has no {kind, select, client {application} key {key} session {session} other {grant}} with this ' +
    'id.{meantIs, select, some { Did you mean {meant}?} other {}}',
  'radius.no-kind': 'Choose what leaked.',
  'radius.no-source':
    'Enter {kind, select, client {the name or the client id of the application} session {the name of the session’s ' +
    'event stream} key {the id or the thumbprint of the key} other {the name of the grant’s event stream}}.',
  'radius.no-token': 'Paste an access token, a refresh token or a code.',
  'radius.not-issued': 'This server did not issue this token or code.',
  'radius.several':
    '{count} grants began with this token from another issuer: {ids}{more, select, yes { and others} other {}}. ' +
    'Enter one of them, or end them all with the command “grantlog log blast-radius --token - --end”.',
  'radius.end-title':
    'End everything that came from {kind, select, client {the application} key {the key} session {the session} other ' +
    '{the grant}} {name}?',
  'radius.end-button': 'End everything',
  'radius.stop-title':
    '{kind, select, client {Replace the client secret of} key {Remove the key} other {End the session}} {name}?',
  'radius.stop-button':
    '{kind, select, client {Replace the client secret} key {Remove the key} other {End the session}}',
  'radius.end-nothing': 'There are currently no valid grants from this source.',
  'radius.end-counts':
    `This immediately ends ${GRANTS} with ${TOKENS}{exchanges, plural, =0 {} one {, including 1 grant from a token ` +
    'exchange,} other {, including {exchanges, number} grants from token exchanges,}} for ' +
    `${CLIENTS} and ${USERS}. Otherwise, {grants, plural, one {it} other {they}} would remain valid {untilIs, ` +
    'select, revoked {until revoked} other {until {until} at the latest}}.',
  'radius.end-final': 'This cannot be undone. The log keeps a record of what happened.',
  'radius.stop-removed': 'The application was removed, so nothing more can come from it.',
  'radius.stop-secret':
    'The client secret is replaced first, so deployments of the application stop working until they have the new ' +
    'one. The next page shows it once.',
  'radius.stop-no-secret':
    'The application has no client secret to replace, so users can authorize it again. Remove the application to ' +
    'prevent that.',
  'radius.stop-key':
    'A signing key is retired, and replaced if it is in use. A registered key of an application is removed. If an ' +
    'application publishes the key itself, it must stop publishing it.',
  'radius.stop-session': 'The session ends first, so that nothing more can be authorized in it.',
  'radius.stop-grant': 'The user or the application can ask for access again.',
  'radius.ended':
    `Ended ${GRANTS} with ${TOKENS}.{stopped, select, session { The session was ended.} secret { The client secret ` +
    'was replaced.} client { The application’s key was removed.} signing { The signing key was retired.} other {}}',
  'radius.ended-some':
    `Ended ${GRANTS} with ${TOKENS}. {left, plural, one {1 more grant} other {{left, number} more grants}} came ` +
    'from the source in the meantime. End {left, plural, one {it} other {them}}, too.',
  'radius.not-stopped': `Ended ${GRANTS} with ${TOKENS}. The source itself was not stopped. {why}`,
  'radius.key-not-retired': 'The signing key could not be retired ({refusal}). Try again.',
  'radius.key-needed': '{client} still has the key, because it needs one: {why}',
  'radius.still-published':
    '{client} has authenticated with the key and publishes its keys at {uri}. Have the key removed there, or remove ' +
    'the application.',
  'radius.still-accepted':
    'The token is from the issuer {issuer}, which cannot revoke it here. It has not expired, so it can be presented ' +
    'again. To prevent that, remove the key that signed it, or remove the trusted issuer.',
  'radius.still-trusted':
    'The record of the trusted issuer {issuer} contains the key. Remove the key from the record, or remove the issuer.',
  'radius.public':
    '{client} is public and has no secret to replace, so users can authorize it again. Remove it to prevent that.',
  'radius.with-keys':
    '{client} authenticates with keys. If one of them has leaked, end everything that came from that key, or remove ' +
    'the application.',
} as const;

const GRANTS_DE = '{grants, plural, one {1 Grant} other {{grants, number} Grants}}';
const TOKENS_DE = '{tokens, plural, one {1 Zugriffstoken} other {{tokens, number} Zugriffstoken}}';
const CLIENTS_DE = '{clients, plural, one {1 Anwendung} other {{clients, number} Anwendungen}}';
const ENDED_DE = `Beendet: ${GRANTS_DE} mit ${TOKENS_DE}.`;

const de: Readonly<Record<keyof typeof en, string>> = {
  'radius.lede':
    'Ein Token, ein Schlüssel, das Client-Secret einer Anwendung oder eine Sitzung ist in fremde Hände geraten. ' +
    'Diese Seite zeigt alles, was daraus hervorging und gültig ist: Grants, auch solche aus einem Token-Tausch, und ' +
    'ihre Token.',
  'radius.choose': 'Quelle des Lecks wählen',
  'radius.kind': 'Was ist in fremde Hände geraten?',
  'radius.kind-token': 'Ein Token oder Code',
  'radius.kind-token-help':
    'Ein Zugriffstoken, ein Refresh-Token oder ein Code, auch abgelaufen. Es wird nicht gespeichert und steht in ' +
    'keiner Adresse.',
  'radius.kind-client': 'Das Client-Secret einer Anwendung',
  'radius.kind-client-help': 'Geben Sie den Namen oder die Client-ID der Anwendung ein.',
  'radius.kind-session': 'Eine Sitzung',
  'radius.kind-session-help':
    'Öffnen Sie die Seite über die Sitzungen eines Benutzers, oder geben Sie den Namen des Ereignisstroms ein.',
  'radius.kind-key': 'Ein Schlüssel',
  'radius.kind-key-help':
    'Geben Sie die ID eines Signaturschlüssels oder den Fingerabdruck eines Schlüssels oder Zertifikats ein.',
  'radius.kind-grant': 'Ein Grant',
  'radius.kind-grant-help': 'Geben Sie den Namen seines Ereignisstroms ein. Er beginnt mit „grant-“.',
  'radius.source': 'Token, Name oder ID',
  'radius.source-help': 'Passend zur Auswahl oben.',
  'radius.time': 'Zu einem früheren Zeitpunkt',
  'radius.time-help': 'Lassen Sie das Feld für die Gegenwart leer. Zeitzone: {zone}.',
  'radius.find': 'Betroffene Grants suchen',
  'radius.slow':
    'Die Suche nach einem Schlüssel liest das ganze Protokoll, ein früherer Zeitpunkt spielt es neu ab. Bei einem ' +
    'großen Protokoll dauert das einige Sekunden.',
  'radius.new-secret': 'Neues Client-Secret',
  'radius.rotate': 'Client-Secret erneuern',
  'radius.copy': 'Kopieren Sie das Client-Secret jetzt',
  'radius.copy-text':
    'Sie können es nicht noch einmal ansehen. Gespeichert wird nur ein Hash. Senden Sie es denen, die die Anwendung ' +
    'betreiben.',
  'radius.client-secret': 'Client-Secret',
  'radius.copied': 'Ich habe das Client-Secret kopiert',
  'radius.from':
    'Aus {kind, select, client {der Anwendung} key {dem Schlüssel} session {der Sitzung} other {dem Grant}}',
  'radius.valid-now': 'Jetzt gültig:',
  'radius.valid-after': 'Gültig nach Ereignis {position},',
  'radius.counts':
    `<b>${GRANTS_DE} mit ${TOKENS_DE}</b>, von ${CLIENTS_DE} und {users, plural, one {1 Benutzer} other {{users, ` +
    'number} Benutzern}}.',
  'radius.exchanges': `${GRANTS_DE} {grants, plural, one {stammt} other {stammen}} aus einem Token-Tausch.`,
  'radius.end': 'Alles beenden …',
  'radius.stop':
    '{kind, select, client {Client-Secret ersetzen …} key {Schlüssel entfernen …} other {Sitzung beenden …}}',
  'radius.nothing': 'Keine gültigen Grants',
  'radius.nothing-here': 'Nichts auf dieser Seite',
  'radius.nothing-text':
    'Abgelaufene und widerrufene Token werden nicht aufgeführt. Ein früherer Zeitpunkt zeigt, was damals gültig war.',
  'radius.caption': 'Betroffene Grants',
  'radius.what': 'Grant',
  'radius.now': 'Jetzt',
  'radius.chain': 'Kette',
  'radius.row':
    '{kind, select, authorization {Zustimmung} exchange {Token-Tausch} other {Eigener Grant der Anwendung}}{via, ' +
    'select, subject { mit einem Subject-Token eines Grants weiter oben} actor { mit einem Actor-Token eines Grants ' +
    `weiter oben} other {}}, ${TOKENS_DE}`,
  'radius.one-source': 'Geben Sie nur eine Quelle ein.',
  'radius.grant-length': 'Die ID eines Grants hat 22 Zeichen.',
  'radius.unknown':
    'Das Protokoll kennt {kind, select, client {keine Anwendung} key {keinen Schlüssel} session {keine Sitzung} ' +
    'other {keinen Grant}} mit dieser ID.{meantIs, select, some { Meinen Sie vielleicht {meant}?} other {}}',
  'radius.no-kind': 'Wählen Sie, was in fremde Hände geraten ist.',
  'radius.no-source':
    'Geben Sie {kind, select, client {den Namen oder die Client-ID der Anwendung} session {den Namen des ' +
    'Ereignisstroms der Sitzung} key {die ID oder den Fingerabdruck des Schlüssels} other {den Namen des ' +
    'Ereignisstroms des Grants}} ein.',
  'radius.no-token': 'Fügen Sie ein Zugriffstoken, ein Refresh-Token oder einen Code ein.',
  'radius.not-issued': 'Dieser Server hat dieses Token oder diesen Code nicht ausgestellt.',
  'radius.several':
    'Mit diesem Token eines anderen Ausstellers begannen {count} Grants: {ids}{more, select, yes { und andere} ' +
    'other {}}. Geben Sie einen davon ein, oder beenden Sie alle mit dem Befehl „grantlog log blast-radius --token ' +
    '- --end“.',
  'radius.end-title':
    'Alles beenden, was aus {kind, select, client {der Anwendung} key {dem Schlüssel} session {der Sitzung} other ' +
    '{dem Grant}} {name} hervorging?',
  'radius.end-button': 'Alles beenden',
  'radius.stop-title':
    '{kind, select, client {Das Client-Secret von {name} ersetzen} key {Den Schlüssel {name} entfernen} other {Die ' +
    'Sitzung {name} beenden}}?',
  'radius.stop-button':
    '{kind, select, client {Client-Secret ersetzen} key {Schlüssel entfernen} other {Sitzung beenden}}',
  'radius.end-nothing': 'Zurzeit ist kein Grant gültig, der daraus hervorging.',
  'radius.end-counts':
    `Sofort {grants, plural, one {endet} other {enden}} ${GRANTS_DE} mit ${TOKENS_DE}: {exchanges, plural, one {1 ` +
    `Tausch} other {{exchanges, number} Tauschvorgänge}}, ${CLIENTS_DE}, {users, plural, one {1 Benutzer} other ` +
    '{{users, number} Benutzer}}. Sonst {grants, plural, one {wäre er} other {wären sie}} ' +
    '{untilIs, select, revoked {bis zu einem Widerruf} other {bis spätestens {until}}} gültig.',
  'radius.end-final': 'Das lässt sich nicht rückgängig machen. Das Protokoll bewahrt, was geschehen ist.',
  'radius.stop-removed': 'Die Anwendung wurde entfernt, aus ihr kann also nichts mehr hervorgehen.',
  'radius.stop-secret':
    'Zuerst wird ihr Client-Secret ersetzt. Ihre Installationen funktionieren erst wieder mit dem neuen, das die ' +
    'nächste Seite einmal anzeigt.',
  'radius.stop-no-secret':
    'Die Anwendung hat kein Client-Secret, das ersetzt werden könnte: Benutzer können sie wieder zulassen. ' +
    'Entfernen Sie die Anwendung, um das zu verhindern.',
  'radius.stop-key':
    'Ein Signaturschlüssel wird außer Dienst gestellt und ersetzt, falls er in Gebrauch ist. Ein registrierter ' +
    'Schlüssel einer Anwendung wird entfernt, nicht aber einer, den eine Anwendung selbst veröffentlicht: Das muss ' +
    'sie beenden.',
  'radius.stop-session': 'Zuerst endet die Sitzung, damit in ihr nichts mehr zugelassen werden kann.',
  'radius.stop-grant': 'Der Benutzer oder die Anwendung kann wieder um Zugriff bitten.',
  'radius.ended':
    `${ENDED_DE}{stopped, select, session { Die Sitzung wurde beendet.} secret { Das Client-Secret wurde ersetzt.} ` +
    'client { Der Schlüssel der Anwendung wurde entfernt.} signing { Der Signaturschlüssel wurde außer Dienst ' +
    'gestellt.} other {}}',
  'radius.ended-some':
    `${ENDED_DE} Inzwischen {left, plural, one {ist 1 weiterer Grant} other {sind {left, number} weitere Grants}} ` +
    'daraus hervorgegangen: Beenden Sie auch {left, plural, one {diesen} other {diese}}.',
  'radius.not-stopped': `${ENDED_DE} Die Quelle selbst besteht weiter. {why}`,
  'radius.key-not-retired':
    'Der Signaturschlüssel konnte nicht außer Dienst gestellt werden ({refusal}): Versuchen Sie es noch einmal.',
  'radius.key-needed': '{client} hat den Schlüssel noch, weil die Anwendung einen braucht: {why}',
  'radius.still-published':
    '{client} hat sich mit dem Schlüssel angemeldet und veröffentlicht die eigenen Schlüssel unter {uri}. Lassen Sie ' +
    'den Schlüssel dort entfernen, oder entfernen Sie die Anwendung.',
  'radius.still-accepted':
    'Das Token ist vom Aussteller {issuer}, der es hier nicht zurücknehmen kann, und noch nicht abgelaufen: Es kann ' +
    'wieder vorgelegt werden. Um das zu verhindern, entfernen Sie den Schlüssel, der es signiert hat, oder den ' +
    'vertrauenswürdigen Aussteller.',
  'radius.still-trusted':
    'Der Eintrag des vertrauenswürdigen Ausstellers {issuer} enthält den Schlüssel: Nehmen Sie ihn aus dem Eintrag, ' +
    'oder entfernen Sie den Aussteller.',
  'radius.public':
    '{client} ist öffentlich und hat kein Client-Secret, das ersetzt werden könnte: Benutzer können die Anwendung ' +
    'wieder zulassen. Entfernen Sie sie, um das zu verhindern.',
  'radius.with-keys':
    '{client} meldet sich mit Schlüsseln an. Falls einer davon in fremde Hände geraten ist, beenden Sie alles, was ' +
    'aus diesem Schlüssel hervorging, oder entfernen Sie die Anwendung.',
};

/** Messages on the page about everything that came from a leaked token, key, secret or session. */
export const auditRadius = { en, de };

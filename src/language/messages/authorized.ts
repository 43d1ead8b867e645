const en = {
  'authorized.lede':
    'Applications that you have given access to your account. Revoking access takes effect immediately.',
  'authorized.none': 'No applications have access to your account',
  'authorized.count': '{count, plural, one {1 authorization} other {{count, number} authorizations}}',
  'authorized.count-for':
    '{count, plural, one {1 authorization} other {{count, number} authorizations}}<hidden> for {application}</hidden>',
  'authorized.count-with-receipts':
    '{count, plural, one {1 authorization} other {{count, number} authorizations}}, with receipts<hidden> for ' +
    '{application}</hidden>',
  'authorized.explanation':
    'One authorization for each time you authorized the application or logged in to it, newest first. A receipt is ' +
    'a file that proves what you consented to. Anyone with Grantlog’s source code can verify it, even without this ' +
    'server.',
  'authorized.title-of': 'Authorizations for {application}',
  'authorized.facts': 'by <bdi>{owner}</bdi> · first used <added>{since}</added> · last used <used>{when}</used>',
  'publisher.itself': 'itself (not verified)',
  'publisher.operator': 'the operator of this server',
  'authorized.permissions': 'Permissions',
  'authorized.only-for': 'only for <code>{api}</code>',
  'authorized.open': 'Open <bdi>{application}</bdi>',
  'authorized.at': 'Authorized <time>{when}</time>',
  'authorized.began': 'Began <time>{when}</time>',
  'authorized.passed-on-from': '<bdi>{from}</bdi> passed access on to <bdi>{to}</bdi>, for <code>{scope}</code>',
  'authorized.passed-on-from-at':
    '<bdi>{from}</bdi> passed access on to <bdi>{to}</bdi>, for <code>{scope}</code> at {resources}',
  'authorized.passed-on-until': 'ends <time>{when}</time>',
  'authorized.not-asked':
    'You were not asked, so there is no receipt: this access began with a token about you from ' +
    '<code>{issuer}</code>, which this server trusts. Another such token would give access again.',
  'authorized.last-used': 'last used <time>{when}</time>',
  'authorized.managed': 'The application manages this authorization as <code>{id}</code>',
  'authorized.managed-replaced':
    'The application manages this authorization as <code>{id}</code>. It replaced your earlier one.',
  'authorized.managed-merged':
    'The application manages this authorization as <code>{id}</code>. It also contains your earlier one.',
  'authorized.ends-with-session': 'ends with the <a>session</a> you authorized it in',
  'authorized.passed-on': 'Passed on to other applications',
  'authorized.more': 'and {count, number} more',
  'authorized.passed-on-ends': 'This access ends with the authorization. To end all of it, revoke the authorization.',
  'authorized.receipt': 'Download receipt<hidden> of the authorization for {application} from {when}</hidden>',
  'authorized.revoke': 'Revoke',
  'authorized.revoke-one': 'Revoke the authorization for {application} from {when}',
  'authorized.revoke-access': 'Revoke access',
  'authorized.revoke-access-of': 'Revoke access for {application}',
  'authorized.revoke-access-ask': 'Revoke access<hidden> for {application}</hidden>…',
  'authorized.revoke-question':
    'Revoke all access for <bdi>{application}</bdi>? It ends immediately, and the application will have to ask ' +
    'you again.',
  'authorized.revoke-question-issuers':
    'Revoke all access for <bdi>{application}</bdi>? It ends immediately, and the application will have to ask you ' +
    'again, or get another token about you from {issuers}.',
  'authorized.revoked-all': '{application} no longer has access to your account.',
  'authorized.revoked-some':
    'Only some authorizations were revoked: {left, plural, one {1 authorization for {application} is} other ' +
    '{{left, number} authorizations for {application} are}} still active. Try again.',
  'authorized.revoked-one':
    'One authorization was revoked. {left, plural, one {1 authorization for {application} is} other ' +
    '{{left, number} authorizations for {application} are}} still active.',
  'agents.lede':
    'Agents that act for you with other services, and applications that you authorized for a specific service. ' +
    'The page <a>Authorized applications</a> also lists all others.',
  'agents.none': 'No agents act for you',
  'agents.none-here': 'No agents on this page',
  'agents.none-help': 'When you authorize an agent, it appears here, with what it may do and where.',
  'agents.runs-on': 'runs on',
  'agents.or': 'or',
  'agents.your-device': 'one of your computers or devices',
  'agents.every-service': 'for every service',
  'agents.end': 'End',
  'agents.end-named': 'End access for {agent}',
  'agents.end-ask': 'End<hidden> access for {agent}</hidden>…',
  'agents.end-question': 'End all access for {agent}? It will have to ask you again.',
  'agents.end-question-issuers':
    'End all access for {agent}? It will have to ask you again, or get another token about you from {issuers}.',
  'agents.end-all': 'End all',
  'agents.end-all-ask': 'End all…',
  'agents.end-all-title': 'End all access',
  'agents.end-all-help': 'The access of all agents ends immediately. Each agent will have to ask you again.',
  'agents.end-all-question': 'End all access for {count, number} agents?',
  'agents.ended': '{agent} no longer acts for you.',
  'agents.not-ended': '{agent} still has access to your account. Try again.',
  'agents.all-ended': 'Agents no longer have access to your account.',
  'agents.some-left': 'Some agents still have access: {agents}. Try again.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'authorized.lede': 'Anwendungen, denen Sie Zugriff auf Ihr Konto gegeben haben. Ein Widerruf wirkt sofort.',
  'authorized.none': 'Keine Anwendung hat Zugriff auf Ihr Konto',
  'authorized.count': '{count, plural, one {1 Zustimmung} other {{count, number} Zustimmungen}}',
  'authorized.count-for':
    '{count, plural, one {1 Zustimmung} other {{count, number} Zustimmungen}}<hidden> für {application}</hidden>',
  'authorized.count-with-receipts':
    '{count, plural, one {1 Zustimmung} other {{count, number} Zustimmungen}}, mit Belegen<hidden> für ' +
    '{application}</hidden>',
  'authorized.explanation':
    'Für jedes Mal, dass Sie die Anwendung zugelassen oder sich über sie angemeldet haben, steht hier eine ' +
    'Zustimmung, die neueste zuerst. Ein Beleg ist eine Datei, die beweist, welchem Zugriff Sie zugestimmt haben. ' +
    'Wer den Quelltext von Grantlog hat, kann ihn auch ohne diesen Server prüfen.',
  'authorized.title-of': 'Zustimmungen für {application}',
  'authorized.facts':
    'von <bdi>{owner}</bdi> · zuerst verwendet <added>{since}</added> · zuletzt verwendet <used>{when}</used>',
  'publisher.itself': 'sich selbst (nicht überprüft)',
  'publisher.operator': 'dem Betreiber dieses Servers',
  'authorized.permissions': 'Berechtigungen',
  'authorized.only-for': 'nur für <code>{api}</code>',
  'authorized.open': '<bdi>{application}</bdi> öffnen',
  'authorized.at': 'Zugelassen <time>{when}</time>',
  'authorized.began': 'Begonnen <time>{when}</time>',
  'authorized.passed-on-from':
    '<bdi>{from}</bdi> hat Zugriff an <bdi>{to}</bdi> weitergegeben, für <code>{scope}</code>',
  'authorized.passed-on-from-at':
    '<bdi>{from}</bdi> hat Zugriff an <bdi>{to}</bdi> weitergegeben, für <code>{scope}</code> bei {resources}',
  'authorized.passed-on-until': 'endet <time>{when}</time>',
  'authorized.not-asked':
    'Sie wurden nicht gefragt, deshalb gibt es keinen Beleg: Der Zugriff begann mit einem Token über Sie von ' +
    '<code>{issuer}</code>, dem dieser Server vertraut. Ein weiteres solches Token gibt wieder Zugriff.',
  'authorized.last-used': 'zuletzt verwendet <time>{when}</time>',
  'authorized.managed': 'Die Anwendung verwaltet diese Zustimmung als <code>{id}</code>',
  'authorized.managed-replaced':
    'Die Anwendung verwaltet diese Zustimmung als <code>{id}</code>. Sie hat Ihre frühere ersetzt.',
  'authorized.managed-merged':
    'Die Anwendung verwaltet diese Zustimmung als <code>{id}</code>. Sie enthält auch Ihre frühere.',
  'authorized.ends-with-session': 'endet mit der <a>Sitzung</a>, in der Sie die Anwendung zugelassen haben',
  'authorized.passed-on': 'An andere Anwendungen weitergegeben',
  'authorized.more': 'und {count, number} weitere',
  'authorized.passed-on-ends': 'Dieser Zugriff endet mit der Zustimmung: Widerrufen Sie sie, um alles zu beenden.',
  'authorized.receipt': 'Beleg herunterladen<hidden> zur Zustimmung für {application} vom {when}</hidden>',
  'authorized.revoke': 'Widerrufen',
  'authorized.revoke-one': 'Die Zustimmung für {application} vom {when} widerrufen',
  'authorized.revoke-access': 'Zugriff widerrufen',
  'authorized.revoke-access-of': 'Zugriff von {application} widerrufen',
  'authorized.revoke-access-ask': 'Zugriff<hidden> von {application}</hidden> widerrufen …',
  'authorized.revoke-question':
    'Den gesamten Zugriff von <bdi>{application}</bdi> widerrufen? Er endet sofort, und die Anwendung muss Sie ' +
    'erneut um Zustimmung bitten.',
  'authorized.revoke-question-issuers':
    'Den gesamten Zugriff von <bdi>{application}</bdi> widerrufen? Er endet sofort, und die Anwendung muss Sie ' +
    'erneut fragen oder ein weiteres Token über Sie von {issuers} erhalten.',
  'authorized.revoked-all': '{application} hat keinen Zugriff mehr auf Ihr Konto.',
  'authorized.revoked-some':
    'Nicht alle Zustimmungen wurden widerrufen: {left, plural, one {1 Zustimmung für {application} gilt} other ' +
    '{{left, number} Zustimmungen für {application} gelten}} noch. Versuchen Sie es noch einmal.',
  'authorized.revoked-one':
    'Eine Zustimmung wurde widerrufen. {left, plural, one {1 Zustimmung für {application} gilt} other {{left, ' +
    'number} Zustimmungen für {application} gelten}} noch.',
  'agents.lede':
    'Agenten, die für Sie bei anderen Diensten handeln, und Anwendungen, die Sie für einen bestimmten Dienst ' +
    'zugelassen haben. Unter <a>Zugelassene Anwendungen</a> stehen auch alle anderen.',
  'agents.none': 'Kein Agent handelt für Sie',
  'agents.none-here': 'Keine Agenten auf dieser Seite',
  'agents.none-help': 'Wenn Sie einen zulassen, steht hier, was er tun darf und wo.',
  'agents.runs-on': 'läuft auf',
  'agents.or': 'oder',
  'agents.your-device': 'einem Ihrer Computer oder Geräte',
  'agents.every-service': 'für jeden Dienst',
  'agents.end': 'Beenden',
  'agents.end-named': 'Zugriff von {agent} beenden',
  'agents.end-ask': 'Beenden<hidden>: Zugriff von {agent}</hidden> …',
  'agents.end-question': 'Den gesamten Zugriff von {agent} beenden? Danach muss der Agent Sie erneut fragen.',
  'agents.end-question-issuers':
    'Den gesamten Zugriff von {agent} beenden? Danach muss der Agent Sie erneut fragen oder ein weiteres Token über ' +
    'Sie von {issuers} erhalten.',
  'agents.end-all': 'Alle beenden',
  'agents.end-all-ask': 'Alle beenden …',
  'agents.end-all-title': 'Alle beenden',
  'agents.end-all-help': 'Der Zugriff aller Agenten endet sofort. Danach muss jeder Sie erneut fragen.',
  'agents.end-all-question': 'Den gesamten Zugriff von {count, number} Agenten beenden?',
  'agents.ended': '{agent} handelt nicht mehr für Sie.',
  'agents.not-ended': '{agent} hat noch Zugriff auf Ihr Konto. Versuchen Sie es noch einmal.',
  'agents.all-ended': 'Kein Agent handelt mehr für Sie.',
  'agents.some-left': 'Einige Agenten haben noch Zugriff: {agents}. Versuchen Sie es noch einmal.',
};

/** Messages on the pages for a user’s authorized applications and connected agents. */
export const authorized = { en, de };

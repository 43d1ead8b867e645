const en = {
  'domains.off': 'The list has no effect yet, because the setting “Applications that describe themselves” is “None”.',
  'domains.list': 'Only applications from allowed domains may describe themselves.',
  'domains.any': 'Applications from any domain may describe themselves, unless the domain is blocked.',
  'domains.setting': 'Change this setting',
  'domains.allow': 'Allow',
  'domains.block': 'Block',
  'domains.remove': 'Remove {domain} from the list',
  'domains.lede':
    'Allowed and blocked domains of applications that describe themselves instead of being registered here. {meaning}',
  'domains.change': 'Add or change a domain',
  'domains.help': 'For example, example.com. This includes its subdomains, unless they have their own entries.',
  'domains.applications': 'Applications from this domain',
  'domains.not-a-domain': 'Enter a domain such as example.com, without https:// or a path.',
  'domains.removed': '{domain} is no longer on the list.',
  'domains.allowed': '{domain} is allowed.',
  'domains.blocked': '{domain} is blocked.',
  'policies.lede':
    'Policies that allow an application to exchange another application’s tokens. Without a policy, every exchange ' +
    'is refused.',
  'policies.add': 'Add a policy',
  'policy.choose': 'Choose an application',
  'policy.choose-error': 'Choose an application.',
  'policy.title': '{client} may exchange tokens of {subject}',
  'policy.heading': '<bdi>{client}</bdi> may exchange tokens of <bdi>{subject}</bdi>',
  'policy.pair':
    'Application that exchanges tokens: <client-link><bdi>{client}</bdi></client-link>. Application whose tokens are ' +
    'exchanged: <subject-link><bdi>{subject}</bdi></subject-link>.',
  'policy.warning-advice':
    'Add the grant type in <settings-link>the settings of the application</settings-link>, or run <code>grantlog ' +
    'client update {id} --grant token-exchange</code> with a further <code>--grant</code> for each grant type that ' +
    'the application already has.',
  'policy.client': 'Application that exchanges tokens',
  'policy.client-help': 'Only confidential applications with the token exchange grant type can exchange tokens.',
  'policy.client-missing':
    'Not listed? <applications-link>Open the application</applications-link> and add the grant type in its ' +
    'settings.',
  'policy.subject': 'Application whose tokens are exchanged',
  'policy.subject-help':
    'The application that the tokens were issued to. It can be the application that exchanges the tokens.',
  'policy.client-name': 'Name or client id of the application that exchanges tokens',
  'policy.client-name-help': 'It must be confidential. You can find ids on the Applications page.',
  'policy.subject-name': 'Name or client id of the application whose tokens are exchanged',
  'policy.impersonation-help': 'The new token represents only the subject.',
  'policy.delegation-help': 'The new token also names the actor, which identifies itself with its own token.',
  'policy.scope-help':
    'One per line. The new token gets no other scopes. Leave empty to allow all scopes of the exchanged token.',
  'policy.resources-help':
    'One URI per line. The new token is not valid for other resource servers. Leave empty to allow all resource ' +
    'servers of the exchanged token.',
  'policy.add-button': 'Add the policy',
  'policy.remove': 'Remove…',
  'policy.exists': 'These two applications already have a policy. To change it, open it from the list.',
  'policy.in-effect': 'The policy “{policy}” is in effect.',
  'policy.added': 'The policy “{policy}” was added.',
  'policy.saved': 'The policy was saved. It applies to future exchanges.',
  'policy.remove-title': 'Remove the policy?',
  'policy.remove-text': '{client} will no longer be able to exchange tokens of {subject}.',
  'policy.remove-tokens': 'Tokens from earlier exchanges stay valid until they expire or their authorization ends.',
  'policy.remove-button': 'Remove the policy',
  'policy.removed': 'The policy “{policy}” was removed.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'domains.off':
    'Die Liste wirkt noch nicht, weil die Einstellung „Anwendungen, die sich selbst beschreiben“ auf „Keine“ steht.',
  'domains.list': 'Nur Anwendungen erlaubter Domains dürfen sich selbst beschreiben.',
  'domains.any': 'Anwendungen aller Domains dürfen sich selbst beschreiben, außer denen blockierter Domains.',
  'domains.setting': 'Diese Einstellung ändern',
  'domains.allow': 'Erlauben',
  'domains.block': 'Blockieren',
  'domains.remove': '{domain} aus der Liste entfernen',
  'domains.lede':
    'Erlaubte und blockierte Domains von Anwendungen, die sich selbst beschreiben, statt hier registriert zu sein. ' +
    '{meaning}',
  'domains.change': 'Domain hinzufügen oder ändern',
  'domains.help': 'Etwa example.com. Das schließt die Subdomains ein, sofern sie keinen eigenen Eintrag haben.',
  'domains.applications': 'Anwendungen dieser Domain',
  'domains.not-a-domain': 'Geben Sie eine Domain wie example.com ein, ohne https:// und Pfad.',
  'domains.removed': '{domain} steht nicht mehr auf der Liste.',
  'domains.allowed': '{domain} ist erlaubt.',
  'domains.blocked': '{domain} ist blockiert.',
  'policies.lede':
    'Legt fest, welche Anwendung die Token welcher anderen tauschen darf. Ohne Regel wird jeder Tausch abgelehnt.',
  'policies.add': 'Regel hinzufügen',
  'policy.choose': 'Wählen Sie eine Anwendung',
  'policy.choose-error': 'Wählen Sie eine Anwendung.',
  'policy.title': '{client} darf Token von {subject} tauschen',
  'policy.heading': '<bdi>{client}</bdi> darf Token von <bdi>{subject}</bdi> tauschen',
  'policy.pair':
    'Anwendung, die Token tauscht: <client-link><bdi>{client}</bdi></client-link>. Anwendung, deren Token getauscht ' +
    'werden: <subject-link><bdi>{subject}</bdi></subject-link>.',
  'policy.warning-advice':
    'Fügen Sie den Grant-Typ in <settings-link>den Einstellungen der Anwendung</settings-link> hinzu. Oder führen ' +
    'Sie <code>grantlog client update {id} --grant token-exchange</code> aus, mit einem weiteren ' +
    '<code>--grant</code> für jeden Grant-Typ, den die Anwendung schon hat.',
  'policy.client': 'Anwendung, die Token tauscht',
  'policy.client-help': 'Nur vertrauliche Anwendungen mit dem Grant-Typ Token Exchange können das.',
  'policy.client-missing':
    'Nicht in der Liste? <applications-link>Öffnen Sie die Anwendung</applications-link>, und fügen Sie den ' +
    'Grant-Typ in ihren Einstellungen hinzu.',
  'policy.subject': 'Anwendung, deren Token getauscht werden',
  'policy.subject-help':
    'Die Anwendung, für die die Token ausgestellt wurden. Es kann die Anwendung sein, die die Token tauscht.',
  'policy.client-name': 'Name oder Client-ID der Anwendung, die Token tauscht',
  'policy.client-name-help': 'Sie muss vertraulich sein. Die IDs finden Sie auf der Seite „Anwendungen“.',
  'policy.subject-name': 'Name oder Client-ID der Anwendung, deren Token getauscht werden',
  'policy.impersonation-help': 'Das neue Token steht allein für das Subjekt.',
  'policy.delegation-help':
    'Das neue Token nennt auch die handelnde Partei, die sich mit einem eigenen Token ausweist.',
  'policy.scope-help': 'Einer pro Zeile. Das neue Token hat keine anderen. Leer: alle Scopes des getauschten Tokens.',
  'policy.resources-help':
    'Die URI eines Ressourcenservers pro Zeile. Das neue Token gilt für keine anderen. Leer: alle des getauschten ' +
    'Tokens.',
  'policy.add-button': 'Regel hinzufügen',
  'policy.remove': 'Entfernen …',
  'policy.exists': 'Für diese beiden gibt es schon eine Regel. Ändern Sie diese über die Liste.',
  'policy.in-effect': 'Die Regel „{policy}“ gilt.',
  'policy.added': 'Die Regel „{policy}“ wurde hinzugefügt.',
  'policy.saved': 'Die Regel wurde gespeichert. Sie gilt für künftige Tauschvorgänge.',
  'policy.remove-title': 'Die Regel entfernen?',
  'policy.remove-text': '{client} kann keine Token von {subject} mehr tauschen.',
  'policy.remove-tokens': 'Bereits getauschte Token gelten weiter, bis sie ablaufen oder ihre Zustimmung endet.',
  'policy.remove-button': 'Regel entfernen',
  'policy.removed': 'Die Regel „{policy}“ wurde entfernt.',
};

/** Messages on the pages for client domains and exchange policies. */
export const adminClients = { en, de };

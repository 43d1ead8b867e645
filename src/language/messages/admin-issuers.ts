const en = {
  'issuers.lede': 'Other servers whose tokens are accepted here: identity providers, clusters and CI systems.',
  'issuers.add': 'Add an issuer',
  'issuer.issuer-help': 'Exactly as it appears in the iss claim of its tokens.',
  'issuer.presets': 'What issues the tokens?',
  'issuer.preset.custom': 'Other issuer',
  'issuer.preset.custom-help': 'Any server that signs JWTs',
  'issuer.preset.kubernetes-help': 'Pods, identified by their service accounts',
  'issuer.preset.kubernetes-advice':
    'Paste the output of “kubectl get --raw /openid/v1/jwks” as the public keys. Mount a projected service account ' +
    'token with the audience {issuer} into the pods.',
  'issuer.preset.github-help': 'Workflow jobs',
  'issuer.preset.github-advice':
    'GitHub signs the tokens of everyone’s jobs, so require a claim that only your jobs have. Have the job request ' +
    'its token with the audience {issuer}.',
  'issuer.preset.gitlab-help': 'Pipeline jobs',
  'issuer.preset.gitlab-advice':
    'gitlab.com signs the tokens of everyone’s jobs, so require a claim that only your jobs have. Declare an ' +
    'id_token with aud: {issuer} in the job. For your own GitLab instance, replace the host in both URLs.',
  'issuer.preset.openid': 'OpenID provider',
  'issuer.preset.openid-help': 'Users who log in elsewhere, such as on another Grantlog server',
  'issuer.preset.openid-advice':
    'An application exchanges ID tokens from the provider for access tokens from this server. As the audience, enter ' +
    'the client id that the provider assigned to the application. The keys are at the jwks_uri in the provider’s ' +
    'metadata.',
  'issuer.example': 'For example, {example}.',
  'issuer.test': 'Test the keys',
  'issuer.test-help': 'Fetches the published keys, as for a token with an unknown key.',
  'issuer.keys-read': '{address} has {count, plural, one {# key} other {# keys}}, for {algorithms}.',
  'issuer.keys-unread': '{address} {problem}. Tokens from this issuer are refused until the keys can be read.',
  'issuer.keys-earlier':
    '{address} {problem}. {count, plural, one {The key that was read earlier remains} other {The # keys that were ' +
    'read earlier remain}} in use for up to a day.',
  'issuer.keys-instead': 'Or paste the public keys',
  'issuer.keys-uri-instead': 'Or enter the URL of the published keys',
  'issuer.client-ids': 'Client ids of confidential applications',
  'issuer.no-clients': 'There is no confidential application yet. Register one first.',
  'issuer.scopes-known': 'Scopes of this server: {scopes}.',
  'issuer.kinds': 'Kinds of tokens',
  'issuer.limits-summary':
    '{audience, select, own {for this server} other {for certain audiences}} · {resources, select, any {for any ' +
    'resource server} other {for certain resource servers}}',
  'issuer.uses': 'Its tokens are accepted as',
  'issuer.assertion': 'Assertions',
  'issuer.assertion-help': 'An application redeems an assertion for an access token (RFC 7523).',
  'issuer.identity': 'Identity assertions',
  'issuer.identity-help': 'An identity provider lets an application act for its user (typ oauth-id-jag+jwt).',
  'issuer.subject': 'Subject tokens',
  'issuer.subject-help': 'An application exchanges a subject token for an access token (RFC 8693).',
  'issuer.actor': 'Actor tokens',
  'issuer.actor-help': 'An application presents an actor token to prove who acts for the subject (RFC 8693).',
  'issuer.keys': 'Public keys',
  'issuer.keys-help': 'As a JWK set or in PEM format.',
  'issuer.keys-uri': 'URL of the published keys',
  'issuer.keys-uri-help': 'The jwks_uri in its metadata.',
  'issuer.users': 'Users and their names',
  'issuer.limits': 'Audiences, resource servers and lifetimes',
  'issuer.audiences': 'Audiences',
  'issuer.audiences-help':
    'One per line. A token must have at least one of them. Leave empty to require this server as the audience.',
  'issuer.claims': 'Required claims',
  'issuer.claims-help':
    'One per line, with the only accepted value. Every token must have all of them. A name such as ' +
    '/kubernetes.io/namespace is a JSON Pointer.',
  'issuer.clients-help':
    'One application per line, by name or client id. If a claim follows, the tokens that the application presents ' +
    'must have that claim.',
  'issuer.unknown-application':
    '{found, select, none {No application has the name or client id “{line}”.} other {Several applications have ' +
    'the name “{line}”. Enter the client id of one of them.}}',
  'issuer.no-url': 'The issuer is not a URL. Check that it appears exactly like this in the iss claim of its tokens.',
  'issuer.added-no-url':
    'Tokens from {issuer} are now accepted. The issuer is not a URL: check that it appears exactly like this in the ' +
    'iss claim of its tokens.',
  'issuer.mapping': 'The subject is',
  'issuer.mapping-client': 'a program, which acts as the application',
  'issuer.mapping-name': 'the user named in a claim',
  'issuer.mapping-email': 'the user with the verified e-mail address',
  'issuer.mapping-table': 'a user in the table below',
  'issuer.name-claim': 'Claim with the user name',
  'issuer.name-claim-help': 'Leave empty to use the subject.',
  'issuer.users-help': 'For the table: one subject and its user here per line. Only hashes of subjects are stored.',
  'issuer.scope-help': 'One per line. Tokens get no other scopes.',
  'issuer.resources-help':
    'One URI per line. Tokens are not valid for other resource servers. Leave empty for no limit.',
  'issuer.lifetime': 'Lifetime of access tokens, in seconds',
  'issuer.lifetime-help': 'No access token is valid for longer than this.',
  'issuer.age': 'Maximum age of its tokens, in seconds',
  'issuer.age-help': 'Older tokens are refused, and so are tokens that are valid for longer than this.',
  'issuer.add-button': 'Add the issuer',
  'issuer.exists': 'This issuer is already trusted. To change it, open it from the list.',
  'issuer.added': 'Tokens from {issuer} are now accepted.',
  'issuer.saved': 'The settings were saved. They apply to tokens that are presented from now on.',
  'issuer.remove-title': 'Stop trusting this issuer?',
  'issuer.removed': 'Tokens from {issuer} are no longer accepted.',
  'issuer.remove-tokens': 'Tokens from {issuer} will no longer be accepted.',
  'issuer.remove-text':
    'All access based on its tokens ends immediately, and is not restored if you trust the issuer again.',
  'issuer.remove-button': 'Remove the issuer',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'issuers.lede': 'Andere Server, deren Token hier akzeptiert werden: Identitätsanbieter, Cluster und CI-Systeme.',
  'issuers.add': 'Aussteller hinzufügen',
  'issuer.issuer-help': 'Genau so, wie seine Token ihn in iss nennen.',
  'issuer.presets': 'Was stellt die Token aus?',
  'issuer.preset.custom': 'Anderer Aussteller',
  'issuer.preset.custom-help': 'Jeder Server, der JWTs signiert',
  'issuer.preset.kubernetes-help': 'Pods mit ihren Dienstkonten',
  'issuer.preset.kubernetes-advice':
    'Fügen Sie die Ausgabe von „kubectl get --raw /openid/v1/jwks“ als öffentliche Schlüssel ein. Binden Sie in ' +
    'die Pods ein projiziertes Dienstkonto-Token für den Empfänger {issuer} ein.',
  'issuer.preset.github-help': 'Jobs von Workflows',
  'issuer.preset.github-advice':
    'GitHub signiert die Token der Jobs aller Kunden. Verlangen Sie deshalb einen Claim, den nur Ihre haben. Der Job ' +
    'fordert sein Token für den Empfänger {issuer} an.',
  'issuer.preset.gitlab-help': 'Jobs von Pipelines',
  'issuer.preset.gitlab-advice':
    'gitlab.com signiert die Token der Jobs aller Kunden. Verlangen Sie deshalb einen Claim, den nur Ihre haben. ' +
    'Deklarieren Sie im Job ein id_token mit aud: {issuer}. Für eine eigene GitLab-Instanz ersetzen Sie den Host in ' +
    'beiden Adressen.',
  'issuer.preset.openid': 'OpenID-Anbieter',
  'issuer.preset.openid-help': 'Benutzer, die sich anderswo anmelden, etwa bei einem anderen Grantlog',
  'issuer.preset.openid-advice':
    'Eine Anwendung tauscht ID-Token des Anbieters gegen Zugriffstoken dieses Servers ein. Tragen Sie als Empfänger ' +
    'die Client-ID ein, die der Anbieter der Anwendung gegeben hat. Die Schlüssel stehen unter der jwks_uri in den ' +
    'Metadaten des Anbieters.',
  'issuer.example': 'Etwa {example}.',
  'issuer.test': 'Schlüssel prüfen',
  'issuer.test-help': 'Ruft die veröffentlichten Schlüssel ab, wie bei einem Token mit unbekanntem Schlüssel.',
  'issuer.keys-read': '{address} hat {count, plural, one {# Schlüssel} other {# Schlüssel}}, für {algorithms}.',
  'issuer.keys-unread':
    'Die Schlüssel unter {address} sind nicht lesbar: {problem}. Token dieses Ausstellers werden abgelehnt, bis die ' +
    'Schlüssel gelesen werden können.',
  'issuer.keys-earlier':
    'Die Schlüssel unter {address} sind nicht lesbar: {problem}. {count, plural, one {Der zuvor gelesene Schlüssel ' +
    'wird} other {Die # zuvor gelesenen Schlüssel werden}} noch höchstens einen Tag lang verwendet.',
  'issuer.keys-instead': 'Oder die öffentlichen Schlüssel einfügen',
  'issuer.keys-uri-instead': 'Oder die Adresse der veröffentlichten Schlüssel angeben',
  'issuer.client-ids': 'Client-IDs vertraulicher Anwendungen',
  'issuer.no-clients': 'Es gibt noch keine vertrauliche Anwendung. Registrieren Sie zuerst eine.',
  'issuer.scopes-known': 'Scopes dieses Servers: {scopes}.',
  'issuer.kinds': 'Arten von Token',
  'issuer.limits-summary':
    '{audience, select, own {für diesen Server} other {für bestimmte Empfänger}} · {resources, select, any {für ' +
    'jeden Ressourcenserver} other {für bestimmte Ressourcenserver}}',
  'issuer.uses': 'Seine Token werden akzeptiert als',
  'issuer.assertion': 'Assertions',
  'issuer.assertion-help': 'Eine Anwendung löst eine Assertion gegen ein Zugriffstoken ein (RFC 7523).',
  'issuer.identity': 'Identitäts-Assertions',
  'issuer.identity-help':
    'Ein Identitätsanbieter lässt eine Anwendung für seinen Benutzer handeln (typ oauth-id-jag+jwt).',
  'issuer.subject': 'Subject-Token',
  'issuer.subject-help': 'Eine Anwendung tauscht ein Subject-Token gegen ein Zugriffstoken (RFC 8693).',
  'issuer.actor': 'Actor-Token',
  'issuer.actor-help': 'Eine Anwendung weist mit einem Actor-Token nach, wer für das Subjekt handelt (RFC 8693).',
  'issuer.keys': 'Öffentliche Schlüssel',
  'issuer.keys-help': 'Als JWK-Set oder im PEM-Format.',
  'issuer.keys-uri': 'Adresse der veröffentlichten Schlüssel',
  'issuer.keys-uri-help': 'Die jwks_uri in seinen Metadaten.',
  'issuer.users': 'Benutzer und ihre Namen',
  'issuer.limits': 'Empfänger, Ressourcenserver und Gültigkeitsdauer',
  'issuer.audiences': 'Empfänger (Audience)',
  'issuer.audiences-help':
    'Einer pro Zeile; ein Token muss für mindestens einen davon bestimmt sein. Leer: dieser Server.',
  'issuer.claims': 'Verlangte Claims',
  'issuer.claims-help':
    'Einer pro Zeile, mit dem einzigen akzeptierten Wert. Alle Token müssen sie haben. Ein Name wie ' +
    '/kubernetes.io/namespace ist ein JSON Pointer.',
  'issuer.clients-help':
    'Der Name oder die Client-ID einer Anwendung pro Zeile. Ein Claim dahinter wird von den Token verlangt, die ' +
    'diese Anwendung vorlegt.',
  'issuer.unknown-application':
    '{found, select, none {Keine Anwendung hat den Namen oder die Client-ID „{line}“.} other {Mehrere Anwendungen ' +
    'haben den Namen „{line}“. Geben Sie die Client-ID von einer ein.}}',
  'issuer.no-url': 'Der Aussteller ist keine URL. Prüfen Sie, ob ihn seine Token in iss genau so nennen.',
  'issuer.added-no-url':
    'Token von {issuer} werden jetzt akzeptiert. Der Aussteller ist keine URL: Prüfen Sie, ob ihn seine Token in iss ' +
    'genau so nennen.',
  'issuer.mapping': 'Das Subjekt ist',
  'issuer.mapping-client': 'ein Programm, das als die Anwendung handelt',
  'issuer.mapping-name': 'der Benutzer, dessen Name in einem Claim steht',
  'issuer.mapping-email': 'der Benutzer mit der bestätigten E-Mail-Adresse',
  'issuer.mapping-table': 'ein Benutzer aus der Tabelle unten',
  'issuer.name-claim': 'Claim mit dem Benutzernamen',
  'issuer.name-claim-help': 'Leer: das Subjekt.',
  'issuer.users-help':
    'Für die Tabelle: pro Zeile ein Subjekt und der zugehörige Benutzer hier. Gespeichert werden nur Hashwerte der ' +
    'Subjekte.',
  'issuer.scope-help': 'Einer pro Zeile. Token haben keine anderen.',
  'issuer.resources-help':
    'Die URI eines Ressourcenservers pro Zeile; Token gelten für keine anderen. Leer: keine Einschränkung.',
  'issuer.lifetime': 'Gültigkeitsdauer der Zugriffstoken in Sekunden',
  'issuer.lifetime-help': 'Kein Zugriffstoken gilt länger.',
  'issuer.age': 'Höchstalter seiner Token in Sekunden',
  'issuer.age-help': 'Ältere Token werden abgelehnt, ebenso Token, die noch länger als diese Zeit gelten.',
  'issuer.add-button': 'Aussteller hinzufügen',
  'issuer.exists': 'Diesem Aussteller wird schon vertraut. Ändern Sie ihn über die Liste.',
  'issuer.added': 'Token von {issuer} werden jetzt akzeptiert.',
  'issuer.saved': 'Die Einstellungen wurden gespeichert. Sie gelten für Token, die ab jetzt vorgelegt werden.',
  'issuer.remove-title': 'Vertrauen entziehen?',
  'issuer.removed': 'Token von {issuer} werden nicht mehr akzeptiert.',
  'issuer.remove-tokens': 'Token von {issuer} werden dann nicht mehr akzeptiert.',
  'issuer.remove-text':
    'Jeder Zugriff aufgrund solcher Token endet sofort. Er kehrt auch nicht zurück, wenn Sie dem Aussteller später ' +
    'wieder vertrauen.',
  'issuer.remove-button': 'Aussteller entfernen',
};

/** Messages on the pages for trusted issuers. */
export const adminIssuers = { en, de };

const en = {
  'refusal.issuer-token-malformed.rule':
    'A token from another issuer must be a signed JWT with iss and sub (RFC 7523 §3).',
  'refusal.issuer-token-malformed.expected':
    'a signed JWT without crit, in which iss and sub are strings and times are numbers of seconds',
  'refusal.issuer-token-malformed.seen': 'something else',
  'refusal.issuer-token-malformed.advice':
    'Send the issuer’s token unchanged. Encrypted tokens and SAML are not supported.',
  'refusal.issuer-token-type.rule': 'The typ in the header of a JWT indicates its purpose (RFC 8725 §3.11).',
  'refusal.issuer-token-type.expected': 'one of {expected} as typ, or no typ',
  'refusal.issuer-token-type.advice':
    'Ask the issuer for a token of this kind. ID-JAGs are redeemed with the JWT bearer grant.',
  'refusal.issuer-untrusted.rule': 'A JWT is accepted only if its issuer is trusted.',
  'refusal.issuer-untrusted.expected': 'a trusted issuer, spelled exactly as in its record',
  'refusal.issuer-untrusted.advice':
    'Ask an administrator to trust the issuer: on the Trusted issuers page, or with grantlog trusted-issuer set.',
  'refusal.issuer-use.rule': 'The record of an issuer lists the uses for which its tokens are accepted.',
  'refusal.issuer-client.rule': 'The record of an issuer lists the clients that may present its tokens.',
  'refusal.issuer-client.expected':
    'a client in the record; for an identity assertion, also the one that its client_id claim names',
  'refusal.issuer-client.seen': 'a different client',
  'refusal.issuer-algorithm.rule': 'A JWT must be signed with an accepted algorithm.',
  'refusal.issuer-algorithm.expected': 'one of {allowed} as alg',
  'refusal.issuer-algorithm.advice':
    'Algorithms with a shared secret, such as HS256, and the algorithm none are never accepted.',
  'refusal.issuer-key-unknown.rule': 'A JWT must be signed with the private half of one of the issuer’s keys.',
  'refusal.issuer-key-unknown.expected': 'a key for {algorithm}; the issuer’s keys that have a kid: {keys}',
  'refusal.issuer-key-unknown.seen': 'no kid, and no key for {algorithm}',
  'refusal.issuer-key-unknown.seen-2': 'the kid {seen}',
  'refusal.issuer-key-unknown.advice':
    'Publish a key before signing with it. Published keys are read at most once a minute.',
  'refusal.issuer-keys-unreadable.rule': 'The keys of the issuer are read from the URL in its record.',
  'refusal.issuer-keys-unreadable.expected':
    'a JWK set with 1 to 20 public keys and at most 64 KB, sent over https within 5 seconds and without a redirect',
  'refusal.issuer-keys-unreadable.seen': 'the key set {problem}',
  'refusal.issuer-keys-unreadable.advice': 'Correct the key set or the record, and try again after 15 seconds.',
  'refusal.issuer-signature-wrong.rule': 'The signature must be valid.',
  'refusal.issuer-signature-wrong.expected': 'a signature made with a key of the issuer',
  'refusal.issuer-signature-wrong.seen': 'a signature that was not made with this key',
  'refusal.issuer-signature-wrong.seen-2': 'a signature that was not made with any of the {tried} matching keys',
  'refusal.issuer-signature-wrong.advice':
    'Check that nothing alters the token, and that the record has the current keys of the issuer.',
  'refusal.issuer-audience.rule':
    'A JWT must be issued for this server, so that a JWT for another server cannot be used here (RFC 7523 §3).',
  'refusal.issuer-audience.expected': 'one of {expected} in aud',
  'refusal.issuer-audience.advice':
    'Request the token for this audience, or ask an administrator to accept a different one.',
  'refusal.issuer-time.rule': 'A JWT must have an exp, and the record of its issuer limits its age (RFC 7523 §3).',
  'refusal.issuer-time.expected': 'exp in the future, by at most {duration}; iat at most that long ago',
  'refusal.issuer-time.advice':
    'Request a new token for each use. Check the clocks. An administrator can change the limit.',
  'refusal.issuer-claim.rule':
    'The record of an issuer can require claims: in all its tokens, or in those that a particular client presents.',
  'refusal.issuer-claim.expected': '{name}={expected}',
  'refusal.issuer-subject.rule':
    'The subject of a JWT must be an active user here, unless the issuer’s subjects are clients.',
  'refusal.issuer-subject.expected':
    'a user, found {mapping, select, email {by verified e-mail address} name {by user name} table {in the issuer’s ' +
    'table} other {as the client}}',
  'refusal.issuer-subject.seen': 'no such user, or one who is disabled',
  'refusal.issuer-act.rule':
    'This server itself records who acts in an exchange, and accepts no actor named by another issuer.',
  'refusal.issuer-act.expected': 'a token without an act claim',
  'refusal.issuer-act.seen': 'an act claim that names the subject itself',
  'refusal.issuer-act.seen-2': 'an act claim',
  'refusal.issuer-act.advice': 'Send a token of the subject alone, and the token of the actor as actor_token.',
  'refusal.issuer-scope-beyond.rule':
    'An access token for a JWT from another issuer has at most the scopes that both the record of the issuer and the ' +
    'JWT allow.',
  'refusal.issuer-scope-beyond.expected': 'some or all of: {allowed}',
  'refusal.issuer-scope-beyond.advice': 'Leave out scope to get every scope that is allowed.',
  'refusal.issuer-resource-beyond.rule':
    'An access token for a JWT from another issuer can only be for resource servers that both the record of the ' +
    'issuer and the JWT allow.',
  'refusal.issuer-resource-beyond.expected': 'some or all of: {allowed}',
  'refusal.issuer-resource-beyond.advice':
    'Leave out resource to get a token for every resource server that is allowed.',
  'refusal.issuer-no-scope-left.rule': 'A token must have at least one scope.',
  'refusal.issuer-no-scope-left.expected':
    'a scope that both the record of the issuer and the JWT allow, and that this server knows',
  'refusal.issuer-no-scope-left.seen': 'none',
  'refusal.issuer-no-resource-left.rule':
    'A token that is restricted to resource servers must be for at least one of them.',
  'refusal.issuer-no-resource-left.expected':
    'a registered resource server that both the record of the issuer and the JWT allow',
  'refusal.issuer-no-resource-left.seen': 'none',
  'refusal.issuer-token-replayed.rule':
    'An assertion can be redeemed only once, whichever node it is presented to (RFC 7523 §3).',
  'refusal.issuer-token-replayed.expected': 'an assertion with a new jti',
  'refusal.issuer-token-replayed.seen': 'one that has already been redeemed',
  'refusal.issuer-token-replayed.advice': 'Request a new assertion from the issuer for each access token.',
  'refusal.issuer-second-factor.rule': 'A client that requires a second factor gets tokens only for logins with one.',
  'refusal.issuer-second-factor.expected': 'a login on this server',
  'refusal.issuer-second-factor.seen': 'an assertion from another issuer',
  'refusal.issuer-second-factor.advice':
    'Have the user log in here, or ask an administrator to change the application.',
  'refusal.issuers.record-advice':
    'Ask an administrator to check the record: on the Trusted issuers page, or with grantlog trusted-issuer show ' +
    'ISSUER.',
  'refusal.issuers.seen-time': 'no exp',
  'refusal.issuers.seen-time-2': 'an exp {span} ago',
  'refusal.issuers.seen-time-3': 'an exp {span} in the future',
  'refusal.issuers.seen-time-4': 'an iat {span} ago',
  'refusal.issuers.seen-time-5': 'an iat or nbf {span} in the future',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.issuer-token-malformed.rule':
    'Ein Token eines anderen Ausstellers ist ein signiertes JWT mit iss und sub (RFC 7523 §3).',
  'refusal.issuer-token-malformed.expected':
    'ein signiertes JWT, dessen iss und sub Texte sind, ohne crit; mit Zeitangaben in Sekunden als Zahl',
  'refusal.issuer-token-malformed.seen': 'etwas anderes',
  'refusal.issuer-token-malformed.advice':
    'Senden Sie das Token des Ausstellers unverändert. Verschlüsselte Token und SAML werden nicht unterstützt.',
  'refusal.issuer-token-type.rule': 'Der typ im Header eines JWT gibt dessen Zweck an (RFC 8725 §3.11).',
  'refusal.issuer-token-type.expected': 'einer von {expected} als typ, oder kein typ',
  'refusal.issuer-token-type.advice':
    'Bitten Sie den Aussteller um ein Token dieser Art. ID-JAGs werden mit dem JWT-Bearer-Grant eingelöst.',
  'refusal.issuer-untrusted.rule': 'Ein JWT wird nur angenommen, wenn sein Aussteller vertrauenswürdig ist.',
  'refusal.issuer-untrusted.expected': 'ein vertrauenswürdiger Aussteller, genau so geschrieben wie in seinem Eintrag',
  'refusal.issuer-untrusted.advice':
    'Bitten Sie einen Administrator, dem Aussteller zu vertrauen: auf der Seite „Vertrauenswürdige Aussteller“ oder ' +
    'mit grantlog trusted-issuer set.',
  'refusal.issuer-use.rule': 'Der Eintrag eines Ausstellers legt fest, wofür seine Token angenommen werden.',
  'refusal.issuer-client.rule': 'Der Eintrag eines Ausstellers nennt die Clients, die seine Token vorlegen dürfen.',
  'refusal.issuer-client.expected':
    'ein Client im Eintrag; bei einer Identitäts-Assertion auch der Client, den ihr Claim client_id nennt',
  'refusal.issuer-client.seen': 'ein anderer Client',
  'refusal.issuer-algorithm.rule': 'Ein JWT muss mit einem akzeptierten Algorithmus signiert sein.',
  'refusal.issuer-algorithm.expected': 'einer von {allowed} als alg',
  'refusal.issuer-algorithm.advice':
    'Algorithmen mit gemeinsamem Geheimnis wie HS256 und der Algorithmus none werden nie angenommen.',
  'refusal.issuer-key-unknown.rule': 'Ein JWT wird mit der privaten Hälfte eines Schlüssels des Ausstellers signiert.',
  'refusal.issuer-key-unknown.expected':
    'ein Schlüssel für {algorithm}; die Schlüssel des Ausstellers mit einer kid: {keys}',
  'refusal.issuer-key-unknown.seen': 'keine kid, und kein Schlüssel passt zu {algorithm}',
  'refusal.issuer-key-unknown.seen-2': 'die kid {seen}',
  'refusal.issuer-key-unknown.advice':
    'Veröffentlichen Sie einen Schlüssel, bevor Sie mit ihm signieren. Veröffentlichte Schlüssel werden höchstens ' +
    'einmal in der Minute gelesen.',
  'refusal.issuer-keys-unreadable.rule':
    'Die Schlüssel des Ausstellers werden von der Adresse in seinem Eintrag gelesen.',
  'refusal.issuer-keys-unreadable.expected':
    'ein JWK-Set mit 1 bis 20 öffentlichen Schlüsseln und höchstens 64 KB, über https, in höchstens 5 Sekunden, ' +
    'ohne Weiterleitung',
  'refusal.issuer-keys-unreadable.seen': 'ein Fehler der Schlüssel: {problem}',
  'refusal.issuer-keys-unreadable.advice':
    'Berichtigen Sie die Schlüssel oder den Eintrag, und versuchen Sie es nach 15 Sekunden noch einmal.',
  'refusal.issuer-signature-wrong.rule': 'Die Signatur muss stimmen.',
  'refusal.issuer-signature-wrong.expected': 'eine Signatur eines Schlüssels des Ausstellers',
  'refusal.issuer-signature-wrong.seen': 'eine Signatur, die nicht von diesem Schlüssel stammt',
  'refusal.issuer-signature-wrong.seen-2': 'eine Signatur, die von keinem der {tried} passenden Schlüssel stammt',
  'refusal.issuer-signature-wrong.advice':
    'Prüfen Sie, dass nichts das Token verändert und dass der Eintrag die aktuellen Schlüssel des Ausstellers hat.',
  'refusal.issuer-audience.rule':
    'Ein JWT muss für diesen Server ausgestellt sein, damit eines für einen anderen Server hier nicht verwendet ' +
    'werden kann (RFC 7523 §3).',
  'refusal.issuer-audience.expected': 'einer von {expected} in aud',
  'refusal.issuer-audience.advice':
    'Fordern Sie das Token für diesen Empfänger an, oder bitten Sie einen Administrator, einen weiteren anzunehmen.',
  'refusal.issuer-time.rule':
    'Ein JWT muss ein exp haben, und der Eintrag seines Ausstellers begrenzt sein Alter (RFC 7523 §3).',
  'refusal.issuer-time.expected':
    'ein exp in der Zukunft, höchstens um {duration}; ein iat, das höchstens so lange zurückliegt',
  'refusal.issuer-time.advice':
    'Fordern Sie für jede Verwendung ein neues Token an. Prüfen Sie die Uhren. Ein Administrator kann die Grenze ' +
    'ändern.',
  'refusal.issuer-claim.rule':
    'Der Eintrag eines Ausstellers kann Claims verlangen, für alle seine Token oder für die eines Clients.',
  'refusal.issuer-claim.expected': '{name}={expected}',
  'refusal.issuer-subject.rule':
    'Das Subjekt eines JWT muss hier ein aktiver Benutzer sein, außer die Subjekte des Ausstellers sind Clients.',
  'refusal.issuer-subject.expected':
    'ein Benutzer, gefunden {mapping, select, email {anhand der bestätigten E-Mail-Adresse} name {anhand des ' +
    'Benutzernamens} table {in der Tabelle des Ausstellers} other {als der Client}}',
  'refusal.issuer-subject.seen': 'kein solcher Benutzer, oder ein gesperrter',
  'refusal.issuer-act.rule':
    'Dieser Server zeichnet selbst auf, wer bei einem Tausch handelt, und akzeptiert keine handelnde Partei, die ein ' +
    'anderer Aussteller nennt.',
  'refusal.issuer-act.expected': 'ein Token ohne den Claim act',
  'refusal.issuer-act.seen': 'ein Claim act, der das Subjekt selbst nennt',
  'refusal.issuer-act.seen-2': 'ein Claim act',
  'refusal.issuer-act.advice':
    'Senden Sie ein Token des Subjekts allein, und das Token der handelnden Partei als actor_token.',
  'refusal.issuer-scope-beyond.rule':
    'Ein Zugriffstoken für ein JWT eines anderen Ausstellers hat höchstens die Scopes, die der Eintrag des ' +
    'Ausstellers und das JWT erlauben.',
  'refusal.issuer-scope-beyond.expected': 'einige oder alle von: {allowed}',
  'refusal.issuer-scope-beyond.advice': 'Lassen Sie scope weg, um alle erlaubten Scopes zu erhalten.',
  'refusal.issuer-resource-beyond.rule':
    'Ein Zugriffstoken für ein JWT eines anderen Ausstellers ist nur für Ressourcenserver, die der Eintrag des ' +
    'Ausstellers und das JWT erlauben.',
  'refusal.issuer-resource-beyond.expected': 'einige oder alle von: {allowed}',
  'refusal.issuer-resource-beyond.advice':
    'Lassen Sie resource weg, um ein Token für alle erlaubten Ressourcenserver zu erhalten.',
  'refusal.issuer-no-scope-left.rule': 'Ein Token muss mindestens einen Scope haben.',
  'refusal.issuer-no-scope-left.expected':
    'ein Scope, den der Eintrag des Ausstellers und das JWT erlauben und den dieser Server kennt',
  'refusal.issuer-no-scope-left.seen': 'nichts',
  'refusal.issuer-no-resource-left.rule':
    'Ein auf Ressourcenserver eingeschränktes Token muss für mindestens einen davon sein.',
  'refusal.issuer-no-resource-left.expected':
    'ein registrierter Ressourcenserver, den der Eintrag des Ausstellers und das JWT erlauben',
  'refusal.issuer-no-resource-left.seen': 'nichts',
  'refusal.issuer-token-replayed.rule':
    'Eine Assertion wird nur ein einziges Mal eingelöst, gleich an welchem Knoten (RFC 7523 §3).',
  'refusal.issuer-token-replayed.expected': 'eine Assertion mit einem neuen jti',
  'refusal.issuer-token-replayed.seen': 'eine, die schon eingelöst wurde',
  'refusal.issuer-token-replayed.advice': 'Fordern Sie vom Aussteller für jedes Zugriffstoken eine neue Assertion an.',
  'refusal.issuer-second-factor.rule':
    'Ein Client, der einen zweiten Faktor verlangt, erhält Token nur für Anmeldungen mit einem.',
  'refusal.issuer-second-factor.expected': 'eine Anmeldung an diesem Server',
  'refusal.issuer-second-factor.seen': 'eine Assertion eines anderen Ausstellers',
  'refusal.issuer-second-factor.advice':
    'Lassen Sie den Benutzer sich hier anmelden, oder bitten Sie einen Administrator, die Anwendung zu ändern.',
  'refusal.issuers.record-advice':
    'Bitten Sie einen Administrator, den Eintrag zu prüfen: auf der Seite „Vertrauenswürdige Aussteller“ oder mit ' +
    'grantlog trusted-issuer show ISSUER.',
  'refusal.issuers.seen-time': 'kein exp',
  'refusal.issuers.seen-time-2': 'ein exp vor {span}',
  'refusal.issuers.seen-time-3': 'ein exp erst in {span}',
  'refusal.issuers.seen-time-4': 'ein iat vor {span}',
  'refusal.issuers.seen-time-5': 'ein iat oder nbf erst in {span}',
};

/** Explanations of refusals: tokens from other issuers. */
export const refusalIssuers = { en, de };

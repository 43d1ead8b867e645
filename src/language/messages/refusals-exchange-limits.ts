const en = {
  'refusal.exchange-chain-too-deep.rule': 'The number of exchanges in a chain is limited.',
  'refusal.exchange-chain-too-deep.expected': 'at most four exchanges',
  'refusal.exchange-chain-too-deep.seen': 'a token that results from four exchanges',
  'refusal.exchange-chain-too-deep.advice': 'Shorten the chain: exchange the token of an earlier client in the chain.',
  'refusal.exchange-not-bound.rule':
    'A token that is bound to a key or certificate can be exchanged only for another bound token.',
  'refusal.exchange-not-bound.expected':
    'a DPoP proof or a certificate of this client, so that the new token can be bound',
  'refusal.exchange-not-bound.seen': 'neither',
  'refusal.exchange-not-bound.advice':
    'Send a DPoP proof with the request (RFC 9449 §5), or authenticate with a certificate.',
  'refusal.exchange-second-factor.rule':
    'An application that requires a second factor gets no token for a user who logged in without one.',
  'refusal.exchange-second-factor.expected': 'a subject token from a login with a second factor or a passkey',
  'refusal.exchange-second-factor.seen': 'one from a login with neither, or from a login that was not recorded',
  'refusal.exchange-second-factor.advice':
    'Have the user log in to the first application again with a second factor: send acr_values=mfa in its ' +
    'authorization request.',
  'refusal.exchange-too-many.rule': 'The number of valid exchanged tokens per authorization is limited.',
  'refusal.exchange-too-many.expected': 'at most {limit} at the same time',
  'refusal.exchange-too-many.seen': '{limit}',
  'refusal.exchange-too-many.advice':
    'Reuse an exchanged token until it expires. Shorter token lifetimes for resource servers allow more exchanges.',
  'refusal.exchange-token-ended.rule': 'A token can be exchanged only while it is valid.',
  'refusal.exchange-token-ended.expected': 'a valid token',
  'refusal.exchange-token-ended.seen':
    'a token that is no longer valid, from an application whose tokens this application may not exchange',
  'refusal.exchange-token-ended.advice':
    'Get a new token from the application that sent this one. Its owners can see why the token is no longer valid.',
  'refusal.exchange-resource-removed.rule': 'A token becomes invalid when the last of its resource servers is removed.',
  'refusal.exchange-resource-removed.expected': 'a token for a registered resource server',
  'refusal.exchange-resource-removed.seen': 'one whose resource servers were removed',
  'refusal.exchange-resource-removed.advice':
    'Get a token for a different resource server, or ask an administrator to register the old one again.',
  'refusal.exchange-scope-beyond.rule':
    'OpenID Connect scopes and restricted scopes are only for the client that they were granted to.',
  'refusal.exchange-scope-beyond.rule-2':
    'An exchanged token can have only scopes that its subject token, its actor token and the policy have in common.',
  'refusal.exchange-scope-beyond.expected': 'some of: {allowed}',
  'refusal.exchange-scope-beyond.seen': 'also {missing}',
  'refusal.exchange-scope-beyond.advice': 'Leave out scope to get all possible scopes, or request fewer.',
  'refusal.exchange-resource-beyond.rule':
    'An exchanged token can only be for resource servers that both its subject token and the policy allow.',
  'refusal.exchange-resource-beyond.seen': 'also {missing}',
  'refusal.exchange-resource-beyond.advice': 'Request fewer resource servers, or get a subject token for all of them.',
  'refusal.exchange-details-beyond.rule':
    'Each authorization detail of an exchanged token must equal a detail of its subject token, or narrow it only by ' +
    'shortening lists of strings. If the actor token also has details, each detail must be within one of those, too.',
  'refusal.exchange-details-beyond.expected': 'no authorization_details',
  'refusal.exchange-details-beyond.expected-2': 'all or part of a detail: {allowed}',
  'refusal.exchange-details-beyond.seen': 'more than is allowed, in a detail of type {type}',
  'refusal.exchange-details-beyond.advice':
    'Leave out authorization_details to get all possible details, or request less.',
  'refusal.exchange-no-details-left.rule':
    'A token without scopes needs at least one detail. Its type must be declared by one of the resource servers of ' +
    'the token, and allowed for the application. If the actor token has details, the detail must also be within one ' +
    'of those.',
  'refusal.exchange-no-details-left.expected': 'at least one remaining detail of the subject token',
  'refusal.exchange-no-details-left.seen': 'none',
  'refusal.exchange-no-details-left.advice':
    "Set audience to the resource server that declares the type, add the type to the application's registration, or " +
    'get an actor token that has such a detail.',
  'refusal.exchange-no-scope-left.rule':
    'An exchanged token has the scopes that the subject token, the actor token and the policy have in common.',
  'refusal.exchange-no-scope-left.expected': 'a scope that the tokens and the policy have in common',
  'refusal.exchange-no-scope-left.seen': 'none',
  'refusal.exchange-no-scope-left.advice':
    'Get a subject token with more scopes, or ask an administrator to change the policy.',
  'refusal.exchange-no-resource-left.rule':
    'An exchanged token is for the resource servers that both the subject token and the policy allow.',
  'refusal.exchange-no-resource-left.expected': 'a resource server that the subject token and the policy both allow',
  'refusal.exchange-no-resource-left.seen': 'none',
  'refusal.exchange-no-resource-left.advice':
    'Get a subject token for a different resource server, or ask an administrator to change the policy.',
  'refusal.exchanges.type-advice.refresh-token':
    'Use the refresh token to get an access token, and send the access token. A refresh token cannot be exchanged.',
  'refusal.exchanges.type-advice.jwt':
    'Declare an access token of this server as urn:ietf:params:oauth:token-type:access_token, even if it is a JWT.',
  'refusal.exchanges.id-token-problems.not-verified': 'one that could not be verified as an ID token of this server',
  'refusal.exchanges.id-token-problems.no-id': 'one from an earlier release, without the id of its authorization',
  'refusal.exchanges.id-token-problems.expired': 'one that has expired',
  'refusal.exchanges.id-token-problems.not-newest': 'an earlier one that a refresh has replaced',
  'refusal.exchanges.id-token-problems.ended': 'one whose authorization has ended',
  'refusal.exchanges.actor-advice':
    'As actor_token, send a token that this client got for itself or for a different user.',
  'refusal.exchanges.issuer-advice': 'Declare a JWT from another issuer as urn:ietf:params:oauth:token-type:jwt.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.exchange-chain-too-deep.rule': 'Die Anzahl der Tauschvorgänge in einer Kette ist begrenzt.',
  'refusal.exchange-chain-too-deep.expected': 'höchstens vier Tauschvorgänge',
  'refusal.exchange-chain-too-deep.seen': 'ein Token, das durch vier Tauschvorgänge entstanden ist',
  'refusal.exchange-chain-too-deep.advice':
    'Verkürzen Sie die Kette: Tauschen Sie das Token eines früheren Clients der Kette.',
  'refusal.exchange-not-bound.rule':
    'Ein Token, das an einen Schlüssel oder ein Zertifikat gebunden ist, lässt sich nur gegen ein ebensolches ' +
    'tauschen.',
  'refusal.exchange-not-bound.expected':
    'ein DPoP-Nachweis oder ein Zertifikat dieses Clients, damit das neue Token gebunden werden kann',
  'refusal.exchange-not-bound.seen': 'keines von beiden',
  'refusal.exchange-not-bound.advice':
    'Senden Sie mit der Anfrage einen DPoP-Nachweis (RFC 9449 §5), oder authentifizieren Sie sich mit einem ' +
    'Zertifikat.',
  'refusal.exchange-second-factor.rule':
    'Eine Anwendung, die einen zweiten Faktor verlangt, erhält kein Token eines Benutzers, der sich ohne einen ' +
    'angemeldet hat.',
  'refusal.exchange-second-factor.expected':
    'ein Subject-Token einer Anmeldung mit einem zweiten Faktor oder einem Passkey',
  'refusal.exchange-second-factor.seen':
    'eines einer Anmeldung ohne beides, oder einer nicht aufgezeichneten Anmeldung',
  'refusal.exchange-second-factor.advice':
    'Lassen Sie den Benutzer sich bei der ersten Anwendung neu in zwei Schritten anmelden: Senden Sie acr_values=mfa ' +
    'in deren Autorisierungsanfrage.',
  'refusal.exchange-too-many.rule':
    'Die Anzahl gültiger Token, die aus einer Autorisierung getauscht wurden, ist begrenzt.',
  'refusal.exchange-too-many.expected': 'höchstens {limit} zur selben Zeit',
  'refusal.exchange-too-many.seen': '{limit}',
  'refusal.exchange-too-many.advice':
    'Verwenden Sie ein getauschtes Token, bis es abläuft. Mit kürzeren Gültigkeitsdauern der Ressourcenserver sind ' +
    'mehr Tauschvorgänge möglich.',
  'refusal.exchange-token-ended.rule': 'Ein Token lässt sich tauschen, solange es gültig ist.',
  'refusal.exchange-token-ended.expected': 'ein gültiges Token',
  'refusal.exchange-token-ended.seen':
    'ein nicht mehr gültiges Token, von einer Anwendung, deren Token diese Anwendung nicht tauschen darf',
  'refusal.exchange-token-ended.advice':
    'Holen Sie ein neues Token von der Anwendung, die dieses gesendet hat. Deren Besitzer können sehen, warum das ' +
    'Token nicht mehr gültig ist.',
  'refusal.exchange-resource-removed.rule': 'Ein Token endet mit dem letzten seiner Ressourcenserver.',
  'refusal.exchange-resource-removed.expected': 'ein Token für einen registrierten Ressourcenserver',
  'refusal.exchange-resource-removed.seen': 'eines, dessen Ressourcenserver entfernt wurden',
  'refusal.exchange-resource-removed.advice':
    'Holen Sie ein Token für einen anderen Ressourcenserver, oder bitten Sie einen Administrator, den alten wieder ' +
    'zu registrieren.',
  'refusal.exchange-scope-beyond.rule':
    'Scopes von OpenID Connect und eingeschränkte Scopes sind nur für den Client, dem sie gewährt wurden.',
  'refusal.exchange-scope-beyond.rule-2':
    'Ein getauschtes Token hat nur Scopes, die seinem Subject-Token, seinem Actor-Token und der Tauschregel ' +
    'gemeinsam sind.',
  'refusal.exchange-scope-beyond.expected': 'ein Teil von: {allowed}',
  'refusal.exchange-scope-beyond.seen': 'außerdem {missing}',
  'refusal.exchange-scope-beyond.advice':
    'Lassen Sie scope weg, um alle möglichen Scopes zu erhalten, oder fordern Sie weniger an.',
  'refusal.exchange-resource-beyond.rule':
    'Ein getauschtes Token ist nur für Ressourcenserver, die sein Subject-Token und die Tauschregel erlauben.',
  'refusal.exchange-resource-beyond.seen': 'außerdem {missing}',
  'refusal.exchange-resource-beyond.advice':
    'Nennen Sie weniger Ressourcenserver, oder holen Sie ein Subject-Token für alle.',
  'refusal.exchange-details-beyond.rule':
    'Jedes Detail eines getauschten Tokens muss einem seines Subject-Tokens gleichen oder darf es nur verkleinern, ' +
    'indem es Listen von Texten kürzt. Hat auch das Actor-Token Details, muss jedes Detail zudem innerhalb eines ' +
    'davon liegen.',
  'refusal.exchange-details-beyond.expected': 'kein authorization_details',
  'refusal.exchange-details-beyond.expected-2': 'ein Detail, ganz oder zum Teil: {allowed}',
  'refusal.exchange-details-beyond.seen': 'mehr, in einem Detail des Typs {type}',
  'refusal.exchange-details-beyond.advice':
    'Lassen Sie authorization_details weg, um alle möglichen Details zu erhalten, oder fordern Sie weniger an.',
  'refusal.exchange-no-details-left.rule':
    'Ein Token ohne Scope braucht mindestens ein Detail. Dessen Typ muss von einem der Ressourcenserver des Tokens ' +
    'deklariert und für die Anwendung erlaubt sein. Hat das Actor-Token Details, muss das Detail auch innerhalb ' +
    'eines davon liegen.',
  'refusal.exchange-no-details-left.expected': 'mindestens ein verbleibendes Detail des Subject-Tokens',
  'refusal.exchange-no-details-left.seen': 'nichts',
  'refusal.exchange-no-details-left.advice':
    'Nennen Sie als audience den Ressourcenserver, der den Typ deklariert, fügen Sie den Typ der Registrierung der ' +
    'Anwendung hinzu, oder holen Sie ein Actor-Token, das ein solches Detail hat.',
  'refusal.exchange-no-scope-left.rule':
    'Ein getauschtes Token hat die Scopes, die dem Subject-Token, dem Actor-Token und der Tauschregel gemeinsam sind.',
  'refusal.exchange-no-scope-left.expected': 'ein Scope, der den Token und der Tauschregel gemeinsam ist',
  'refusal.exchange-no-scope-left.seen': 'nichts',
  'refusal.exchange-no-scope-left.advice':
    'Holen Sie ein Subject-Token mit mehr Scopes, oder bitten Sie einen Administrator, die Tauschregel zu ändern.',
  'refusal.exchange-no-resource-left.rule':
    'Ein getauschtes Token ist für die Ressourcenserver, die das Subject-Token und die Tauschregel erlauben.',
  'refusal.exchange-no-resource-left.expected':
    'ein Ressourcenserver, den das Subject-Token und die Tauschregel erlauben',
  'refusal.exchange-no-resource-left.seen': 'nichts',
  'refusal.exchange-no-resource-left.advice':
    'Holen Sie ein Subject-Token für einen anderen Ressourcenserver, oder bitten Sie einen Administrator, die ' +
    'Tauschregel zu ändern.',
  'refusal.exchanges.type-advice.refresh-token':
    'Holen Sie mit dem Refresh-Token ein Zugriffstoken, und senden Sie dieses. Ein Refresh-Token lässt sich nicht ' +
    'tauschen.',
  'refusal.exchanges.type-advice.jwt':
    'Ein Zugriffstoken dieses Servers wird als urn:ietf:params:oauth:token-type:access_token angegeben, auch wenn ' +
    'es ein JWT ist.',
  'refusal.exchanges.id-token-problems.not-verified':
    'eines, das sich nicht als ID-Token dieses Servers bestätigen ließ',
  'refusal.exchanges.id-token-problems.no-id': 'eines einer früheren Version, ohne die ID seiner Autorisierung',
  'refusal.exchanges.id-token-problems.expired': 'ein abgelaufenes',
  'refusal.exchanges.id-token-problems.not-newest': 'ein früheres, das bei einer Erneuerung ersetzt wurde',
  'refusal.exchanges.id-token-problems.ended': 'eines, dessen Autorisierung beendet ist',
  'refusal.exchanges.actor-advice':
    'Senden Sie als actor_token ein Token, das dieser Client für sich selbst oder für einen anderen Benutzer ' +
    'erhalten hat.',
  'refusal.exchanges.issuer-advice':
    'Ein JWT eines anderen Ausstellers wird als urn:ietf:params:oauth:token-type:jwt angegeben.',
};

/** Explanations of refusals: limits on token exchanges, and parts of other explanations about exchanges. */
export const refusalExchangeLimits = { en, de };

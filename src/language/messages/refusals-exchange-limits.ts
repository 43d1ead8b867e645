const en = {
  'refusal.exchange-chain-too-deep.rule': 'The number of exchanges in a chain is limited.',
  'refusal.exchange-chain-too-deep.expected': 'at most four exchanges',
  'refusal.exchange-chain-too-deep.seen': 'a token that was exchanged four times',
  'refusal.exchange-chain-too-deep.advice': 'Have an earlier client in the chain exchange its token for the last one.',
  'refusal.exchange-not-bound.rule':
    'A token that only the holder of a key can use is exchanged only for another such token.',
  'refusal.exchange-not-bound.expected':
    'a DPoP proof or a client certificate of this client, which the new token is bound to',
  'refusal.exchange-not-bound.seen': 'neither',
  'refusal.exchange-not-bound.advice':
    'Send a DPoP proof with the request (RFC 9449 §5), or authenticate with a certificate.',
  'refusal.exchange-second-factor.rule':
    'An application that requires a second factor gets no token for a user who logged in without one.',
  'refusal.exchange-second-factor.expected': 'a subject token of a login with a second factor or a passkey',
  'refusal.exchange-second-factor.seen': 'one of a login with the password alone, or of a login that is not recorded',
  'refusal.exchange-second-factor.advice':
    'Have the user log in again with two steps at the first application: request acr_values=mfa there.',
  'refusal.exchange-too-many.rule': 'The number of valid tokens that were exchanged from one authorization is limited.',
  'refusal.exchange-too-many.expected': 'at most {limit} at the same time',
  'refusal.exchange-too-many.seen': '{limit}',
  'refusal.exchange-too-many.advice':
    'Keep the token and use it until it expires. Shorter lifetimes of resource servers allow more exchanges.',
  'refusal.exchange-token-ended.rule': 'A token can be exchanged only while it is valid.',
  'refusal.exchange-token-ended.expected': 'a valid token',
  'refusal.exchange-token-ended.seen':
    'a token that is no longer valid, of an application whose tokens this one may not exchange',
  'refusal.exchange-token-ended.advice':
    'Get a new token from the application that sent it. Its owners can see why it ended.',
  'refusal.exchange-resource-removed.rule': 'A token becomes invalid when the last of its resource servers is removed.',
  'refusal.exchange-resource-removed.expected': 'a token for a resource server that this server knows',
  'refusal.exchange-resource-removed.seen': 'one whose resource servers were removed',
  'refusal.exchange-resource-removed.advice':
    'Get a token for a different resource server, or ask an administrator to register the old one again.',
  'refusal.exchange-scope-beyond.rule':
    'Scopes of OpenID Connect and restricted scopes are for the client that got them.',
  'refusal.exchange-scope-beyond.rule-2':
    'An exchanged token can have only scopes that its subject token, its actor token and the policy have in common.',
  'refusal.exchange-scope-beyond.expected': 'some of: {allowed}',
  'refusal.exchange-scope-beyond.seen': 'also {missing}',
  'refusal.exchange-scope-beyond.advice': 'Leave out scope to get everything that is possible, or request less.',
  'refusal.exchange-resource-beyond.rule':
    'An exchanged token can only be for resource servers that both its subject token and the policy allow.',
  'refusal.exchange-resource-beyond.seen': 'also {missing}',
  'refusal.exchange-resource-beyond.advice':
    'Request fewer resource servers, or get a subject token that is for all of them.',
  'refusal.exchange-details-beyond.rule':
    'Each authorization detail of an exchanged token equals one of its subject token, or narrows it by shortening ' +
    'lists of strings, but in no other way. If the actor token has details, too, it is also within one of those.',
  'refusal.exchange-details-beyond.expected': 'no authorization_details',
  'refusal.exchange-details-beyond.expected-2': 'part or all of a detail: {allowed}',
  'refusal.exchange-details-beyond.seen': 'more than is allowed, in a detail of type {type}',
  'refusal.exchange-details-beyond.advice':
    'Leave out authorization_details to get everything that is possible, or request less.',
  'refusal.exchange-no-details-left.rule':
    'A token without scopes needs a detail: of a type that its resource servers declare and that the application may ' +
    'use, and within a detail of the actor token if that has any.',
  'refusal.exchange-no-details-left.expected': 'a detail of the subject token that is left',
  'refusal.exchange-no-details-left.seen': 'none',
  'refusal.exchange-no-details-left.advice':
    'Send the resource server that declares the type as audience, add the type to the registration of the ' +
    'application, or get an actor token for it.',
  'refusal.exchange-no-scope-left.rule':
    'An exchanged token has the scopes that the subject token, the actor token and the policy have in common.',
  'refusal.exchange-no-scope-left.expected': 'a scope that they have in common',
  'refusal.exchange-no-scope-left.seen': 'none',
  'refusal.exchange-no-scope-left.advice':
    'Get a subject token with more scopes, or ask an administrator to change the policy.',
  'refusal.exchange-no-resource-left.rule':
    'An exchanged token is for the resource servers that both the subject token and the policy allow.',
  'refusal.exchange-no-resource-left.expected': 'a resource server that both allow',
  'refusal.exchange-no-resource-left.seen': 'none',
  'refusal.exchange-no-resource-left.advice':
    'Get a subject token for a different resource server, or ask an administrator to change the policy.',
  'refusal.exchanges.type-advice.refresh-token':
    'Refresh with it first, and send the new access token. A refresh token cannot be exchanged.',
  'refusal.exchanges.type-advice.jwt':
    'Declare an access token of this server as urn:ietf:params:oauth:token-type:access_token, even if it is a JWT.',
  'refusal.exchanges.id-token-problems.not-verified': 'one whose signature or content does not come from this server',
  'refusal.exchanges.id-token-problems.no-id': 'one from an earlier release, which does not identify its authorization',
  'refusal.exchanges.id-token-problems.expired': 'one that has expired',
  'refusal.exchanges.id-token-problems.not-newest': 'an earlier one: a refresh has issued a newer one',
  'refusal.exchanges.id-token-problems.ended': 'one whose authorization has ended',
  'refusal.exchanges.actor-advice':
    'Send a token that this client got for itself, or for another user, as actor_token.',
  'refusal.exchanges.issuer-advice': 'Declare a JWT from another issuer as urn:ietf:params:oauth:token-type:jwt.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.exchange-chain-too-deep.rule': 'Die Anzahl der Tauschvorgänge in einer Kette ist begrenzt.',
  'refusal.exchange-chain-too-deep.expected': 'höchstens vier Tauschvorgänge',
  'refusal.exchange-chain-too-deep.seen': 'ein Token, das schon viermal getauscht wurde',
  'refusal.exchange-chain-too-deep.advice':
    'Lassen Sie einen früheren Client der Kette sein Token gegen das letzte tauschen.',
  'refusal.exchange-not-bound.rule':
    'Ein Token, das nur der Besitzer eines Schlüssels verwenden kann, wird gegen ein ebensolches getauscht.',
  'refusal.exchange-not-bound.expected':
    'ein DPoP-Nachweis oder ein Client-Zertifikat dieses Clients, woran das neue Token gebunden wird',
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
    'eines einer Anmeldung mit dem Passwort allein, oder einer nicht aufgezeichneten Anmeldung',
  'refusal.exchange-second-factor.advice':
    'Lassen Sie den Benutzer sich bei der ersten Anwendung neu in zwei Schritten anmelden: Fordern Sie dort ' +
    'acr_values=mfa an.',
  'refusal.exchange-too-many.rule':
    'Die Anzahl gültiger Token, die aus einer Autorisierung getauscht wurden, ist begrenzt.',
  'refusal.exchange-too-many.expected': 'höchstens {limit} zur selben Zeit',
  'refusal.exchange-too-many.seen': '{limit}',
  'refusal.exchange-too-many.advice':
    'Behalten Sie das Token, und verwenden Sie es, bis es abläuft. Mit kürzeren Gültigkeitsdauern der ' +
    'Ressourcenserver sind mehr Tauschvorgänge möglich.',
  'refusal.exchange-token-ended.rule': 'Ein Token lässt sich tauschen, solange es gültig ist.',
  'refusal.exchange-token-ended.expected': 'ein gültiges Token',
  'refusal.exchange-token-ended.seen': 'ein beendetes, von einer Anwendung, deren Token diese nicht tauschen darf',
  'refusal.exchange-token-ended.advice':
    'Holen Sie ein neues Token von der Anwendung, die es gesendet hat. Deren Besitzer können sehen, warum es ' +
    'beendet wurde.',
  'refusal.exchange-resource-removed.rule': 'Ein Token endet mit dem letzten seiner Ressourcenserver.',
  'refusal.exchange-resource-removed.expected': 'ein Token für einen Ressourcenserver, den dieser Server kennt',
  'refusal.exchange-resource-removed.seen': 'eines, dessen Ressourcenserver entfernt wurden',
  'refusal.exchange-resource-removed.advice':
    'Holen Sie ein Token für einen anderen Ressourcenserver, oder bitten Sie einen Administrator, den alten wieder ' +
    'zu registrieren.',
  'refusal.exchange-scope-beyond.rule':
    'Scopes von OpenID Connect und eingeschränkte Scopes sind für den Client, der sie erhalten hat.',
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
    'Jedes Detail eines getauschten Tokens gleicht einem seines Subject-Tokens oder verkleinert es, indem es Listen ' +
    'von Texten kürzt, aber nicht anders. Hat auch das Actor-Token Details, liegt es zudem innerhalb eines davon.',
  'refusal.exchange-details-beyond.expected': 'kein authorization_details',
  'refusal.exchange-details-beyond.expected-2': 'ein Teil eines Details: {allowed}',
  'refusal.exchange-details-beyond.seen': 'mehr, in einem Detail des Typs {type}',
  'refusal.exchange-details-beyond.advice':
    'Lassen Sie authorization_details weg, um alle möglichen Details zu erhalten, oder fordern Sie weniger an.',
  'refusal.exchange-no-details-left.rule':
    'Ein Token ohne Scope braucht ein Detail: eines Typs, den seine Ressourcenserver deklarieren und die Anwendung ' +
    'verwenden darf, und innerhalb eines Details des Actor-Tokens, falls das welche hat.',
  'refusal.exchange-no-details-left.expected': 'ein verbleibendes Detail des Subject-Tokens',
  'refusal.exchange-no-details-left.seen': 'nichts',
  'refusal.exchange-no-details-left.advice':
    'Nennen Sie als audience den Ressourcenserver, der den Typ deklariert, fügen Sie den Typ der Registrierung der ' +
    'Anwendung hinzu, oder holen Sie ein Actor-Token dafür.',
  'refusal.exchange-no-scope-left.rule':
    'Ein getauschtes Token hat die Scopes, die dem Subject-Token, dem Actor-Token und der Tauschregel gemeinsam sind.',
  'refusal.exchange-no-scope-left.expected': 'ein gemeinsamer Scope',
  'refusal.exchange-no-scope-left.seen': 'nichts',
  'refusal.exchange-no-scope-left.advice':
    'Holen Sie ein Subject-Token mit mehr Scopes, oder bitten Sie einen Administrator, die Tauschregel zu ändern.',
  'refusal.exchange-no-resource-left.rule':
    'Ein getauschtes Token ist für die Ressourcenserver, die das Subject-Token und die Tauschregel erlauben.',
  'refusal.exchange-no-resource-left.expected': 'ein Ressourcenserver, den beide erlauben',
  'refusal.exchange-no-resource-left.seen': 'nichts',
  'refusal.exchange-no-resource-left.advice':
    'Holen Sie ein Subject-Token für einen anderen Ressourcenserver, oder bitten Sie einen Administrator, die ' +
    'Tauschregel zu ändern.',
  'refusal.exchanges.type-advice.refresh-token':
    'Erneuern Sie zuerst damit, und senden Sie das neue Zugriffstoken. Ein Refresh-Token lässt sich nicht tauschen.',
  'refusal.exchanges.type-advice.jwt':
    'Ein Zugriffstoken dieses Servers wird als urn:ietf:params:oauth:token-type:access_token angegeben, auch wenn ' +
    'es ein JWT ist.',
  'refusal.exchanges.id-token-problems.not-verified':
    'eines, dessen Signatur oder Inhalt nicht von diesem Server stammt',
  'refusal.exchanges.id-token-problems.no-id': 'eines einer früheren Version, das seine Autorisierung nicht nennt',
  'refusal.exchanges.id-token-problems.expired': 'ein abgelaufenes',
  'refusal.exchanges.id-token-problems.not-newest': 'ein früheres: Eine Erneuerung hat ein neueres ausgestellt',
  'refusal.exchanges.id-token-problems.ended': 'eines, dessen Autorisierung beendet ist',
  'refusal.exchanges.actor-advice':
    'Senden Sie als actor_token ein Token, das dieser Client für sich selbst oder für einen anderen Benutzer ' +
    'erhalten hat.',
  'refusal.exchanges.issuer-advice':
    'Ein JWT eines anderen Ausstellers wird als urn:ietf:params:oauth:token-type:jwt angegeben.',
};

/** Explanations of refusals: limits on token exchanges, and parts of other explanations about exchanges. */
export const refusalExchangeLimits = { en, de };

const en = {
  'refusal.exchange-policy-missing.rule':
    'A client may exchange tokens, its own or those of another client, only if an exchange policy allows it.',
  'refusal.exchange-policy-missing.expected': 'an exchange policy for this client and the client of the subject token',
  'refusal.exchange-policy-missing.seen': 'none',
  'refusal.exchange-policy-missing.advice':
    'Ask an administrator to add a policy: on the Token exchange page, or with grantlog exchange-policy set.',
  'refusal.exchange-mode-not-allowed.rule':
    'An exchange without an actor_token is impersonation; one with an actor_token is delegation (RFC 8693 §1.1).',
  'refusal.exchange-mode-not-allowed.advice': 'Leave out actor_token, or ask an administrator to change the policy.',
  'refusal.exchange-mode-not-allowed.advice-2':
    'Send a token of this client as actor_token, or ask an administrator to change the policy.',
  'refusal.exchange-token-type.rule':
    'A token must be of the declared type: an access token or an ID token from this server, or a JWT from another ' +
    'issuer (RFC 8693 §3).',
  'refusal.exchange-token-type.seen': 'an access token or another JWT from this server',
  'refusal.exchange-token-type.advice': 'Send the token unchanged, and declare its actual type.',
  'refusal.exchange-id-token.rule':
    'An ID token from this server can be exchanged only if it is the newest one of its authorization and has not ' +
    'expired.',
  'refusal.exchange-id-token.expected':
    'the ID token that was issued with the newest access token of its authorization',
  'refusal.exchange-id-token.advice':
    'Send the newest ID token or the access token that was issued with it, and declare the matching type.',
  'refusal.exchange-may-act.rule':
    'A subject token with may_act can be exchanged only by the party that it names (RFC 8693 §4.4).',
  'refusal.exchange-may-act.expected': 'a may_act whose iss, sub and client_id match the actor, with no other members',
  'refusal.exchange-may-act.seen': 'a different party, or members that this server cannot compare',
  'refusal.exchange-may-act.advice':
    'Have the issuer put the client_id of this client, or the sub and iss of the actor, in may_act. If iss is ' +
    'missing, sub is a subject of the issuer of the subject token. Without an actor_token, the client itself is the ' +
    'actor.',
  'refusal.exchange-chain-ended.rule':
    'An exchanged token ends when any grant above it in the chain ends, or when its actor’s grant ends.',
  'refusal.exchange-chain-ended.expected': 'a chain of active grants',
  'refusal.exchange-chain-ended.seen':
    'the session that the chain depends on has ended, or an account or application in it was removed or disabled',
  'refusal.exchange-chain-ended.seen-2':
    'a grant of the chain was revoked {revocationCause}{agoIs, select, known { {ago} ago (position {position} of ' +
    'the log)} other {}}',
  'refusal.exchange-chain-ended.advice': 'Start over with a new token of the user or client.',
  'refusal.exchange-type-alone.rule': 'actor_token_type describes actor_token (RFC 8693 §2.1).',
  'refusal.exchange-type-alone.expected': 'both, or neither',
  'refusal.exchange-type-alone.seen': 'only actor_token_type',
  'refusal.exchange-type-alone.advice': 'Send actor_token, or leave out its type.',
  'refusal.exchange-format.rule': 'The client and its resource servers determine the format of an access token.',
  'refusal.exchange-format.expected': 'a client or a resource server with JWT access tokens',
  'refusal.exchange-format.seen': '{seen} access tokens',
  'refusal.exchange-format.advice':
    'Leave out requested_token_type, or change the format of the client or of the resource server.',
  'refusal.exchange-actor-of-another-client.rule':
    'A client can name only itself, or a user who uses it, as the actor.',
  'refusal.exchange-actor-of-another-client.expected': 'a token that was issued to this client',
  'refusal.exchange-actor-of-another-client.seen': 'one that was issued to a different client',
  'refusal.exchange-actor-exchanged.rule':
    'An actor token must not itself come from an exchange, so that each chain depends on only a few grants.',
  'refusal.exchange-actor-exchanged.expected': 'a token that this client got without an exchange',
  'refusal.exchange-actor-exchanged.seen': 'a token from an exchange',
  'refusal.exchange-actor-is-subject.rule': 'With delegation, another party acts for the subject (RFC 8693 §1.1).',
  'refusal.exchange-actor-is-subject.expected': 'an actor other than the subject',
  'refusal.exchange-actor-is-subject.seen': 'the same user or client',
  'refusal.exchange-actor-is-subject.advice':
    'Leave out actor_token if the policy allows impersonation, or send a token of a different party.',
  'refusal.exchange-actor-repeated.rule': 'The same party cannot act twice in a chain of delegations.',
  'refusal.exchange-actor-repeated.expected': 'an actor that is not yet in the chain',
  'refusal.exchange-actor-repeated.seen': 'an actor that is already in it',
  'refusal.exchange-actor-repeated.advice': 'Use the token that this actor got earlier.',
  'refusal.exchange-client-repeated.rule':
    'A client can make only one exchange in a chain, so that no chain has a loop.',
  'refusal.exchange-client-repeated.expected': 'a token of a chain in which this client has not made an exchange',
  'refusal.exchange-client-repeated.seen': 'a token of a chain in which it already has',
  'refusal.exchange-client-repeated.advice':
    'Use the token that this client got from the earlier exchange, or start from a token of the user.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.exchange-policy-missing.rule':
    'Ein Client darf Token, eigene oder die eines anderen Clients, nur tauschen, wenn eine Tauschregel es erlaubt.',
  'refusal.exchange-policy-missing.expected': 'eine Tauschregel für diesen Client und den Client des Subject-Tokens',
  'refusal.exchange-policy-missing.seen': 'nichts',
  'refusal.exchange-policy-missing.advice':
    'Bitten Sie einen Administrator um eine Tauschregel: auf der Seite „Token-Tausch“ oder mit grantlog ' +
    'exchange-policy set.',
  'refusal.exchange-mode-not-allowed.rule':
    'Ohne actor_token ist ein Tausch Impersonation, mit actor_token Delegation (RFC 8693 §1.1).',
  'refusal.exchange-mode-not-allowed.advice':
    'Lassen Sie actor_token weg, oder bitten Sie einen Administrator, die Tauschregel zu ändern.',
  'refusal.exchange-mode-not-allowed.advice-2':
    'Senden Sie ein Token dieses Clients als actor_token, oder bitten Sie einen Administrator, die Tauschregel zu ' +
    'ändern.',
  'refusal.exchange-token-type.rule':
    'Ein Token ist vom angegebenen Typ: ein Zugriffstoken oder ID-Token dieses Servers, oder ein JWT eines anderen ' +
    'Ausstellers (RFC 8693 §3).',
  'refusal.exchange-token-type.seen': 'ein Zugriffstoken oder anderes JWT dieses Servers',
  'refusal.exchange-token-type.advice': 'Senden Sie das Token unverändert, und geben Sie seinen tatsächlichen Typ an.',
  'refusal.exchange-id-token.rule':
    'Ein ID-Token dieses Servers lässt sich nur tauschen, solange es das neueste seiner Autorisierung und nicht ' +
    'abgelaufen ist.',
  'refusal.exchange-id-token.expected':
    'das ID-Token, das mit dem neuesten Zugriffstoken seiner Autorisierung ausgestellt wurde',
  'refusal.exchange-id-token.advice':
    'Senden Sie das neueste ID-Token oder das Zugriffstoken, das mit ihm ausgestellt wurde, und geben Sie den ' +
    'passenden Typ an.',
  'refusal.exchange-may-act.rule':
    'Ein Subject-Token mit may_act kann nur die Partei tauschen, die es nennt (RFC 8693 §4.4).',
  'refusal.exchange-may-act.expected':
    'ein may_act, dessen iss, sub und client_id die der handelnden Partei sind, ohne weitere Angaben',
  'refusal.exchange-may-act.seen': 'eine andere Partei, oder Angaben, die dieser Server nicht vergleichen kann',
  'refusal.exchange-may-act.advice':
    'Lassen Sie den Aussteller in may_act die client_id dieses Clients nennen, oder sub und iss der handelnden ' +
    'Partei. Ohne iss ist sub ein Subjekt des Ausstellers des Subject-Tokens. Ohne actor_token handelt der Client ' +
    'selbst.',
  'refusal.exchange-chain-ended.rule':
    'Ein getauschtes Token endet, sobald in der Kette ein Grant darüber oder der Grant der handelnden Partei endet.',
  'refusal.exchange-chain-ended.expected': 'eine Kette gültiger Grants',
  'refusal.exchange-chain-ended.seen':
    'die Sitzung, von der die Kette abhängt, ist beendet, oder ein Konto oder eine Anwendung darin wurde entfernt ' +
    'oder gesperrt',
  'refusal.exchange-chain-ended.seen-2':
    'ein Grant der Kette wurde {revocationCause}{agoIs, select, known { vor {ago} (Position {position} des ' +
    'Protokolls)} other {}} widerrufen',
  'refusal.exchange-chain-ended.advice': 'Beginnen Sie von vorn mit einem neuen Token des Benutzers oder Clients.',
  'refusal.exchange-type-alone.rule': 'actor_token_type beschreibt actor_token (RFC 8693 §2.1).',
  'refusal.exchange-type-alone.expected': 'beides, oder keines von beiden',
  'refusal.exchange-type-alone.seen': 'nur actor_token_type',
  'refusal.exchange-type-alone.advice': 'Senden Sie actor_token, oder lassen Sie dessen Typ weg.',
  'refusal.exchange-format.rule': 'Der Client und seine Ressourcenserver bestimmen das Format eines Zugriffstokens.',
  'refusal.exchange-format.expected': 'ein Client oder Ressourcenserver mit Zugriffstoken als JWT',
  'refusal.exchange-format.seen': '{seen, select, opaque {opake} other {{seen}}} Zugriffstoken',
  'refusal.exchange-format.advice':
    'Lassen Sie requested_token_type weg, oder ändern Sie das Format des Clients oder des Ressourcenservers.',
  'refusal.exchange-actor-of-another-client.rule':
    'Ein Client kann als handelnde Partei nur sich selbst nennen, oder einen Benutzer, der ihn verwendet.',
  'refusal.exchange-actor-of-another-client.expected': 'ein Token, das für diesen Client ausgestellt wurde',
  'refusal.exchange-actor-of-another-client.seen': 'eines, das für einen anderen Client ausgestellt wurde',
  'refusal.exchange-actor-exchanged.rule':
    'Ein Actor-Token darf nicht selbst aus einem Tausch stammen, damit jede Kette nur von wenigen Grants abhängt.',
  'refusal.exchange-actor-exchanged.expected': 'ein Token, das dieser Client ohne einen Tausch erhalten hat',
  'refusal.exchange-actor-exchanged.seen': 'ein Token aus einem Tausch',
  'refusal.exchange-actor-is-subject.rule':
    'Bei Delegation handelt eine andere Partei für das Subjekt (RFC 8693 §1.1).',
  'refusal.exchange-actor-is-subject.expected': 'eine handelnde Partei, die nicht das Subjekt ist',
  'refusal.exchange-actor-is-subject.seen': 'derselbe Benutzer oder Client',
  'refusal.exchange-actor-is-subject.advice':
    'Lassen Sie actor_token weg, wenn die Tauschregel Impersonation erlaubt, oder senden Sie ein Token einer ' +
    'anderen Partei.',
  'refusal.exchange-actor-repeated.rule': 'Dieselbe Partei kann in einer Kette von Delegationen nicht zweimal handeln.',
  'refusal.exchange-actor-repeated.expected': 'eine handelnde Partei, die noch nicht in der Kette ist',
  'refusal.exchange-actor-repeated.seen': 'eine handelnde Partei, die schon in ihr ist',
  'refusal.exchange-actor-repeated.advice': 'Verwenden Sie das Token, das diese Partei zuvor erhalten hat.',
  'refusal.exchange-client-repeated.rule':
    'Ein Client tauscht in einer Kette höchstens einmal, damit keine Kette ein Kreis wird.',
  'refusal.exchange-client-repeated.expected': 'ein Token einer Kette, in der dieser Client noch keines getauscht hat',
  'refusal.exchange-client-repeated.seen': 'ein Token einer Kette, in der er es schon getan hat',
  'refusal.exchange-client-repeated.advice':
    'Verwenden Sie das Token, das dieser Client beim früheren Tausch erhalten hat, oder beginnen Sie mit einem ' +
    'Token des Benutzers.',
};

/** Explanations of refusals: token exchanges. */
export const refusalExchanges = { en, de };

const en = {
  'refusal.token-sent-twice.rule': 'A request must send its access token only once (RFC 6750 §2).',
  'refusal.token-sent-twice.expected': 'an Authorization header, or access_token in the body',
  'refusal.token-sent-twice.seen': 'both',
  'refusal.token-sent-twice.advice': 'Send the token only in the Authorization header.',
  'refusal.token-unknown.rule': 'Unknown access token.',
  'refusal.token-unknown.expected': 'a valid access token',
  'refusal.token-unknown.seen':
    'a token that this server does not know: issued elsewhere, expired long ago, or revoked',
  'refusal.token-unknown.seen-2': 'a truncated or mistyped credential',
  'refusal.token-unknown.seen-3': 'a value that this server did not issue',
  'refusal.token-unknown.seen-4': 'a different kind of credential: {form}',
  'refusal.token-unknown.advice': 'Send the access_token of the newest response, complete and unchanged.',
  'refusal.token-expired.rule': 'The access token has expired.',
  'refusal.token-expired.expected': 'an unexpired token',
  'refusal.token-expired.seen': 'expired {duration} ago',
  'refusal.token-expired.advice': 'Refresh it when expires_in has passed, or when a response contains invalid_token.',
  'refusal.token-superseded.rule':
    'An access token expires refreshReuseWindowSeconds after its refresh token was used.',
  'refusal.token-superseded.expected': 'the access token of the newest refresh',
  'refusal.token-superseded.seen':
    'a token that a refresh superseded (position {position} of the log) and that expired {duration} ago',
  'refusal.token-superseded.advice':
    'Use the access token of the newest response. Refresh in one process and share its response.',
  'refusal.token-key-retired.rule':
    'A JWT access token is invalid once the operator has retired the key that signed it.',
  'refusal.token-key-retired.expected': 'a token that was signed with a different key',
  'refusal.token-key-retired.seen': 'a token that was signed with the key {kid}, which the operator retired early',
  'refusal.token-key-retired.advice': 'Refresh the token, or request a new one. See: grantlog key list',
  'refusal.token-client-removed.rule': 'Tokens become invalid when their application is deleted.',
  'refusal.token-client-removed.expected': 'a registered application',
  'refusal.token-client-removed.seen': 'one that was deleted',
  'refusal.token-client-removed.advice': 'Register the application again.',
  'refusal.token-client-disabled.rule': 'Tokens of an application are refused while an administrator has disabled it.',
  'refusal.token-client-disabled.expected': 'an application that is enabled',
  'refusal.token-client-disabled.seen': 'one that is disabled',
  'refusal.token-client-disabled.advice':
    'Ask an administrator to enable the application. Tokens that have not expired then work again.',
  'refusal.token-for-other-resource.rule':
    'A token that is restricted to resource servers is valid only there (RFC 8707).',
  'refusal.token-for-other-resource.expected': 'an unrestricted token',
  'refusal.token-for-other-resource.seen': 'a token for {resource}',
  'refusal.token-for-other-resource.advice': 'Request a token with this server as resource.',
  'refusal.sender-not-proven.rule':
    'Only the holder of the key or certificate that a token is bound to can use it (RFC 9449 §7.1, RFC 8705 §3).',
  'refusal.token-unbound.rule': 'The DPoP scheme is for tokens that are bound to a key (RFC 9449 §7.1).',
  'refusal.token-unbound.rule-2': 'The operation accepts only tokens that are bound to a key or certificate.',
  'refusal.token-unbound.expected': 'a token that is bound to a key',
  'refusal.token-unbound.expected-2': 'a token that is bound to its sender',
  'refusal.token-unbound.seen': 'a token that anyone who has it can use',
  'refusal.token-unbound.advice': 'Send it with the Bearer scheme, or request a token with a DPoP proof.',
  'refusal.token-unbound.advice-2': 'Request a token with a DPoP proof, or with a client certificate.',
  'refusal.token-lacks-scope.rule': 'The token lacks a scope that this operation requires.',
  'refusal.token-lacks-scope.seen': 'a token with {held}; missing {missing}',
  'refusal.token-lacks-scope.advice': 'Request these scopes with the token.',
  'refusal.tokens.unproven-senders.sent-as-bearer.seen': 'a bearer token',
  'refusal.tokens.unproven-senders.proof-missing.seen': 'no proof that can be read',
  'refusal.tokens.unproven-senders.another-key.seen': 'a proof with a different key',
  'refusal.tokens.unproven-senders.certificate-missing.seen': 'no certificate',
  'refusal.tokens.unproven-senders.certificate-refused.seen':
    'a certificate that is malformed, not valid now, or from a hop that is not trusted',
  'refusal.tokens.unproven-senders.another-certificate.seen': 'a different certificate',
  'refusal.tokens.bound-key': 'a proof with the key that the token is bound to',
  'refusal.tokens.proof-advice':
    'Send Authorization: DPoP with a new proof in the DPoP header, signed with the key of the token request. If you ' +
    'did, somebody else may have the token.',
  'refusal.tokens.bound-certificate': 'the certificate that the token is bound to',
  'refusal.tokens.certificate-advice':
    'Send the certificate of the token request. A proxy that terminates TLS must pass it on in Client-Cert. If you ' +
    'did, somebody else may have the token.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.token-sent-twice.rule': 'Eine Anfrage darf ihr Zugriffstoken nur einmal senden (RFC 6750 §2).',
  'refusal.token-sent-twice.expected': 'ein Header Authorization, oder access_token im Body',
  'refusal.token-sent-twice.seen': 'beides',
  'refusal.token-sent-twice.advice': 'Senden Sie das Token nur im Header Authorization.',
  'refusal.token-unknown.rule': 'Unbekanntes Zugriffstoken.',
  'refusal.token-unknown.expected': 'ein gültiges Zugriffstoken',
  'refusal.token-unknown.seen':
    'ein Token, das dieser Server nicht kennt: anderswo ausgestellt, längst abgelaufen oder widerrufen',
  'refusal.token-unknown.seen-2': 'ein abgeschnittener oder vertippter Wert',
  'refusal.token-unknown.seen-3': 'ein Wert, den dieser Server nicht ausgestellt hat',
  'refusal.token-unknown.seen-4': 'etwas anderes: {form}',
  'refusal.token-unknown.advice': 'Senden Sie das access_token der neuesten Antwort, vollständig und unverändert.',
  'refusal.token-expired.rule': 'Das Zugriffstoken ist abgelaufen.',
  'refusal.token-expired.expected': 'ein Token, das nicht abgelaufen ist',
  'refusal.token-expired.seen': 'vor {duration} abgelaufen',
  'refusal.token-expired.advice':
    'Erneuern Sie es, wenn expires_in verstrichen ist oder eine Antwort invalid_token enthält.',
  'refusal.token-superseded.rule':
    'Ein Zugriffstoken läuft refreshReuseWindowSeconds nach der Verwendung seines Refresh-Tokens ab.',
  'refusal.token-superseded.expected': 'das Zugriffstoken der neuesten Erneuerung',
  'refusal.token-superseded.seen':
    'ein Token, das durch eine Erneuerung ersetzt wurde (Position {position} des Protokolls) und vor {duration} ' +
    'abgelaufen ist',
  'refusal.token-superseded.advice':
    'Verwenden Sie das Zugriffstoken der neuesten Antwort. Erneuern Sie in einem Prozess, und teilen Sie dessen ' +
    'Antwort.',
  'refusal.token-key-retired.rule':
    'Ein JWT-Zugriffstoken ist ungültig, sobald der Betreiber den Schlüssel außer Dienst gestellt hat, der es ' +
    'signiert hat.',
  'refusal.token-key-retired.expected': 'ein Token, das ein anderer Schlüssel signiert hat',
  'refusal.token-key-retired.seen':
    'ein Token, das der Schlüssel {kid} signiert hat, den der Betreiber vorzeitig außer Dienst gestellt hat',
  'refusal.token-key-retired.advice': 'Erneuern Sie das Token, oder fordern Sie ein neues an. Siehe: grantlog key list',
  'refusal.token-client-removed.rule': 'Token enden, wenn ihre Anwendung gelöscht wird.',
  'refusal.token-client-removed.expected': 'eine registrierte Anwendung',
  'refusal.token-client-removed.seen': 'eine gelöschte Anwendung',
  'refusal.token-client-removed.advice': 'Registrieren Sie die Anwendung noch einmal.',
  'refusal.token-client-disabled.rule':
    'Token einer Anwendung werden abgelehnt, solange ein Administrator sie gesperrt hat.',
  'refusal.token-client-disabled.expected': 'eine Anwendung, die nicht gesperrt ist',
  'refusal.token-client-disabled.seen': 'eine gesperrte Anwendung',
  'refusal.token-client-disabled.advice':
    'Bitten Sie einen Administrator, die Anwendung zu entsperren. Token, die nicht abgelaufen sind, funktionieren ' +
    'dann wieder.',
  'refusal.token-for-other-resource.rule':
    'Ein auf Ressourcenserver eingeschränktes Token ist nur dort gültig (RFC 8707).',
  'refusal.token-for-other-resource.expected': 'ein Token ohne Einschränkung',
  'refusal.token-for-other-resource.seen': 'ein Token für {resource}',
  'refusal.token-for-other-resource.advice': 'Fordern Sie ein Token mit diesem Server als resource an.',
  'refusal.sender-not-proven.rule':
    'Nur wer den Schlüssel oder das Zertifikat besitzt, woran ein Token gebunden ist, kann es verwenden (RFC 9449 ' +
    '§7.1, RFC 8705 §3).',
  'refusal.token-unbound.rule': 'Das Schema DPoP ist für Token, die an einen Schlüssel gebunden sind (RFC 9449 §7.1).',
  'refusal.token-unbound.rule-2':
    'Der Vorgang nimmt nur Token an, die an einen Schlüssel oder ein Zertifikat gebunden sind.',
  'refusal.token-unbound.expected': 'ein Token, das an einen Schlüssel gebunden ist',
  'refusal.token-unbound.expected-2': 'ein Token, das an seinen Absender gebunden ist',
  'refusal.token-unbound.seen': 'ein Token, das jeder verwenden kann, der es hat',
  'refusal.token-unbound.advice':
    'Senden Sie es mit dem Schema Bearer, oder fordern Sie ein Token mit einem DPoP-Nachweis an.',
  'refusal.token-unbound.advice-2':
    'Fordern Sie ein Token mit einem DPoP-Nachweis oder mit einem Client-Zertifikat an.',
  'refusal.token-lacks-scope.rule': 'Dem Token fehlt ein Scope, den dieser Vorgang voraussetzt.',
  'refusal.token-lacks-scope.seen': 'ein Token mit {held}; es fehlt {missing}',
  'refusal.token-lacks-scope.advice': 'Fordern Sie diese Scopes mit dem Token an.',
  'refusal.tokens.unproven-senders.sent-as-bearer.seen': 'ein Bearer-Token',
  'refusal.tokens.unproven-senders.proof-missing.seen': 'kein lesbarer Nachweis',
  'refusal.tokens.unproven-senders.another-key.seen': 'ein Nachweis mit einem anderen Schlüssel',
  'refusal.tokens.unproven-senders.certificate-missing.seen': 'kein Zertifikat',
  'refusal.tokens.unproven-senders.certificate-refused.seen':
    'ein Zertifikat, das nicht lesbar oder zurzeit nicht gültig ist oder von einer Zwischenstation kommt, der nicht ' +
    'vertraut wird',
  'refusal.tokens.unproven-senders.another-certificate.seen': 'ein anderes Zertifikat',
  'refusal.tokens.bound-key': 'ein Nachweis mit dem Schlüssel, an den das Token gebunden ist',
  'refusal.tokens.proof-advice':
    'Senden Sie Authorization: DPoP mit einem neuen Nachweis im Header DPoP, signiert mit dem Schlüssel der ' +
    'Token-Anfrage. Tun Sie das schon, hat vielleicht jemand anderes das Token.',
  'refusal.tokens.bound-certificate': 'das Zertifikat, an das das Token gebunden ist',
  'refusal.tokens.certificate-advice':
    'Senden Sie das Zertifikat der Token-Anfrage. Ein Proxy, an dem TLS endet, muss es in Client-Cert weitergeben. ' +
    'Ist das der Fall, hat vielleicht jemand anderes das Token.',
};

/** Explanations of refusals: tokens. */
export const refusalTokens = { en, de };

const en = {
  'refusal.token-sent-twice.rule': 'A request must contain its access token only once (RFC 6750 §2).',
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
  'refusal.token-unknown.advice': 'Send the access_token from the latest response, complete and unchanged.',
  'refusal.token-expired.rule': 'The access token has expired.',
  'refusal.token-expired.expected': 'an unexpired token',
  'refusal.token-expired.seen': 'a token that expired {duration} ago',
  'refusal.token-expired.advice':
    'Refresh the token when the time in expires_in has passed, or when a response contains invalid_token.',
  'refusal.token-superseded.rule': 'An access token expires refreshReuseWindowSeconds after its refresh token is used.',
  'refusal.token-superseded.expected': 'the access token from the latest refresh',
  'refusal.token-superseded.seen':
    'a token that was superseded by a refresh (position {position} of the log) and expired {duration} ago',
  'refusal.token-superseded.advice':
    'Use the access token from the latest response. Refresh in only one process, and share its response.',
  'refusal.token-key-retired.rule':
    'A JWT access token is invalid once the operator has retired the key that signed it.',
  'refusal.token-key-retired.expected': 'a token that was signed with a different key',
  'refusal.token-key-retired.seen': 'a token that was signed with the key {kid}, which the operator retired early',
  'refusal.token-key-retired.advice': 'Refresh the token, or request a new one. See: grantlog key list',
  'refusal.token-client-removed.rule': 'Tokens become invalid when their application is deleted.',
  'refusal.token-client-removed.expected': 'a registered application',
  'refusal.token-client-removed.seen': 'a deleted application',
  'refusal.token-client-removed.advice': 'Register the application again.',
  'refusal.token-client-disabled.rule': 'The tokens of a disabled application are refused.',
  'refusal.token-client-disabled.expected': 'an enabled application',
  'refusal.token-client-disabled.seen': 'a disabled application',
  'refusal.token-client-disabled.advice':
    'Ask an administrator to enable the application. Tokens that have not expired will then work again.',
  'refusal.token-for-other-resource.rule':
    'A token that is restricted to certain resource servers is valid only for those servers (RFC 8707).',
  'refusal.token-for-other-resource.expected': 'an unrestricted token',
  'refusal.token-for-other-resource.seen': 'a token for {resource}',
  'refusal.token-for-other-resource.advice': 'Request a token with this server as the resource.',
  'refusal.sender-not-proven.rule':
    'Only the holder of the key or certificate that a token is bound to can use it (RFC 9449 §7.1, RFC 8705 §3).',
  'refusal.token-unbound.rule': 'The DPoP scheme is for tokens that are bound to a key (RFC 9449 §7.1).',
  'refusal.token-unbound.rule-2': 'This operation accepts only tokens that are bound to a key or certificate.',
  'refusal.token-unbound.expected': 'a token that is bound to a key',
  'refusal.token-unbound.expected-2': 'a token that is bound to a key or certificate',
  'refusal.token-unbound.seen': 'a token that is not bound to a key',
  'refusal.token-unbound.advice': 'Send the token with the Bearer scheme, or request a token with a DPoP proof.',
  'refusal.token-unbound.advice-2': 'Request a token with a DPoP proof or a client certificate.',
  'refusal.token-lacks-scope.rule': 'The token lacks a scope that this operation requires.',
  'refusal.token-lacks-scope.seen': 'a token with these scopes: {held}; missing: {missing}',
  'refusal.token-lacks-scope.advice': 'Request a token with the expected scopes.',
  'refusal.tokens.unproven-senders.sent-as-bearer.seen': 'the token, sent as a bearer token',
  'refusal.tokens.unproven-senders.proof-missing.seen': 'no readable proof',
  'refusal.tokens.unproven-senders.another-key.seen': 'a proof with a different key',
  'refusal.tokens.unproven-senders.certificate-missing.seen': 'no certificate',
  'refusal.tokens.unproven-senders.certificate-refused.seen':
    'a certificate that is malformed, not currently valid, or forwarded by an untrusted proxy',
  'refusal.tokens.unproven-senders.another-certificate.seen': 'a different certificate',
  'refusal.tokens.bound-key': 'a proof with the key that the token is bound to',
  'refusal.tokens.proof-advice':
    'Send Authorization: DPoP with a new proof in the DPoP header, signed with the key from the token request. If ' +
    'you already do, somebody else may have the token.',
  'refusal.tokens.bound-certificate': 'the certificate that the token is bound to',
  'refusal.tokens.certificate-advice':
    'Send the certificate from the token request. A proxy that terminates TLS must forward it in Client-Cert. If ' +
    'this is already the case, somebody else may have the token.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.token-sent-twice.rule': 'Eine Anfrage darf ihr Zugriffstoken nur einmal enthalten (RFC 6750 §2).',
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
  'refusal.token-expired.seen': 'ein Token, das vor {duration} abgelaufen ist',
  'refusal.token-expired.advice':
    'Erneuern Sie das Token, wenn die Zeit in expires_in verstrichen ist oder eine Antwort invalid_token enthält.',
  'refusal.token-superseded.rule':
    'Ein Zugriffstoken läuft refreshReuseWindowSeconds nach der Verwendung seines Refresh-Tokens ab.',
  'refusal.token-superseded.expected': 'das Zugriffstoken der neuesten Erneuerung',
  'refusal.token-superseded.seen':
    'ein Token, das durch eine Erneuerung ersetzt wurde (Position {position} des Protokolls) und vor {duration} ' +
    'abgelaufen ist',
  'refusal.token-superseded.advice':
    'Verwenden Sie das Zugriffstoken der neuesten Antwort. Erneuern Sie nur in einem Prozess, und teilen Sie dessen ' +
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
  'refusal.token-client-disabled.rule': 'Die Token einer gesperrten Anwendung werden abgelehnt.',
  'refusal.token-client-disabled.expected': 'eine Anwendung, die nicht gesperrt ist',
  'refusal.token-client-disabled.seen': 'eine gesperrte Anwendung',
  'refusal.token-client-disabled.advice':
    'Bitten Sie einen Administrator, die Anwendung zu entsperren. Token, die nicht abgelaufen sind, funktionieren ' +
    'dann wieder.',
  'refusal.token-for-other-resource.rule':
    'Ein auf bestimmte Ressourcenserver eingeschränktes Token ist nur dort gültig (RFC 8707).',
  'refusal.token-for-other-resource.expected': 'ein Token ohne Einschränkung',
  'refusal.token-for-other-resource.seen': 'ein Token für {resource}',
  'refusal.token-for-other-resource.advice': 'Fordern Sie ein Token mit diesem Server als resource an.',
  'refusal.sender-not-proven.rule':
    'Nur wer den Schlüssel oder das Zertifikat besitzt, woran ein Token gebunden ist, kann es verwenden (RFC 9449 ' +
    '§7.1, RFC 8705 §3).',
  'refusal.token-unbound.rule': 'Das Schema DPoP ist für Token, die an einen Schlüssel gebunden sind (RFC 9449 §7.1).',
  'refusal.token-unbound.rule-2':
    'Dieser Vorgang nimmt nur Token an, die an einen Schlüssel oder ein Zertifikat gebunden sind.',
  'refusal.token-unbound.expected': 'ein Token, das an einen Schlüssel gebunden ist',
  'refusal.token-unbound.expected-2': 'ein Token, das an einen Schlüssel oder ein Zertifikat gebunden ist',
  'refusal.token-unbound.seen': 'ein Token, das nicht an einen Schlüssel gebunden ist',
  'refusal.token-unbound.advice':
    'Senden Sie das Token mit dem Schema Bearer, oder fordern Sie ein Token mit einem DPoP-Nachweis an.',
  'refusal.token-unbound.advice-2':
    'Fordern Sie ein Token mit einem DPoP-Nachweis oder mit einem Client-Zertifikat an.',
  'refusal.token-lacks-scope.rule': 'Dem Token fehlt ein Scope, den dieser Vorgang voraussetzt.',
  'refusal.token-lacks-scope.seen': 'ein Token mit diesen Scopes: {held}; es fehlt: {missing}',
  'refusal.token-lacks-scope.advice': 'Fordern Sie ein Token mit den erwarteten Scopes an.',
  'refusal.tokens.unproven-senders.sent-as-bearer.seen': 'das Token, als Bearer-Token gesendet',
  'refusal.tokens.unproven-senders.proof-missing.seen': 'kein lesbarer Nachweis',
  'refusal.tokens.unproven-senders.another-key.seen': 'ein Nachweis mit einem anderen Schlüssel',
  'refusal.tokens.unproven-senders.certificate-missing.seen': 'kein Zertifikat',
  'refusal.tokens.unproven-senders.certificate-refused.seen':
    'ein Zertifikat, das nicht lesbar oder zurzeit nicht gültig ist oder von einem nicht vertrauenswürdigen Proxy ' +
    'weitergegeben wurde',
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

const en = {
  'refusal.profile-requires.rule':
    'The application uses the FAPI 2.0 profile, which requires this (Security Profile §{clause}).',
  'refusal.profile.requirements.pkce.expected': 'code_challenge and code_challenge_method=S256',
  'refusal.profile.requirements.pkce.seen': 'no code_challenge',
  'refusal.profile.requirements.pkce.advice':
    'Enable PKCE with S256 in the client library. Keep the verifier for the token request.',
  'refusal.profile.requirements.https-redirect.expected': 'a redirect URI with https, even on a loopback address',
  'refusal.profile.requirements.https-redirect.seen': 'a different scheme',
  'refusal.profile.requirements.https-redirect.advice': 'Register a redirect URI with https.',
  'refusal.profile.requirements.redirect-uri.expected': 'redirect_uri, even if only one is registered',
  'refusal.profile.requirements.redirect-uri.seen': 'no redirect_uri',
  'refusal.profile.requirements.redirect-uri.advice': 'Send redirect_uri with each authorization request.',
  'refusal.profile.requirements.signature.expected': 'PS256, ES256 or EdDSA',
  'refusal.profile.requirements.signature.seen': 'a different algorithm',
  'refusal.profile.requirements.signature.advice':
    'Sign with one of the expected algorithms. An RSA key can sign with PS256 instead of RS256.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.profile-requires.rule':
    'Die Anwendung hat das Profil FAPI 2.0, das dies verlangt (Security Profile §{clause}).',
  'refusal.profile.requirements.pkce.expected': 'code_challenge und code_challenge_method=S256',
  'refusal.profile.requirements.pkce.seen': 'keine code_challenge',
  'refusal.profile.requirements.pkce.advice':
    'Schalten Sie PKCE mit S256 in der Client-Bibliothek ein. Bewahren Sie den Verifier für die Token-Anfrage auf.',
  'refusal.profile.requirements.https-redirect.expected':
    'eine Redirect-URI mit https, auch auf einer Loopback-Adresse',
  'refusal.profile.requirements.https-redirect.seen': 'ein anderes Schema',
  'refusal.profile.requirements.https-redirect.advice': 'Registrieren Sie eine Redirect-URI mit https.',
  'refusal.profile.requirements.redirect-uri.expected': 'redirect_uri, auch wenn nur eine registriert ist',
  'refusal.profile.requirements.redirect-uri.seen': 'keine redirect_uri',
  'refusal.profile.requirements.redirect-uri.advice': 'Senden Sie redirect_uri mit jeder Autorisierungsanfrage.',
  'refusal.profile.requirements.signature.expected': 'PS256, ES256 oder EdDSA',
  'refusal.profile.requirements.signature.seen': 'ein anderer Algorithmus',
  'refusal.profile.requirements.signature.advice':
    'Signieren Sie mit einem der erwarteten Algorithmen. Ein RSA-Schlüssel kann statt mit RS256 auch mit PS256 ' +
    'signieren.',
};

/** Explanations of refusals: the FAPI 2.0 profile. */
export const refusalProfile = { en, de };

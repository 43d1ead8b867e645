const en = {
  'script.copy': 'Copy',
  'script.copied': 'Copied',
  'script.copying-failed': 'Copying failed',
  'script.show-password': 'Show password',
  'script.hide-password': 'Hide password',
  'script.strength': 'Strength',
  'script.too-short': 'Too short',
  'script.easy-to-guess': 'Easy to guess',
  'script.fair': 'Fair',
  'script.good': 'Good',
  'script.very-good': 'Very good',
  'script.at-least': 'Use at least {minimum} characters.',
  'script.has-passkey': 'This device already has one of your passkeys.',
  'script.no-passkey-created': 'No passkey was created. Try again when you are ready.',
  'script.no-passkey-for-login': 'No passkey was used. Try again, or log in with your password.',
  'script.no-passkey-for-step': 'No passkey was used. Try again, or confirm in another way.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'script.copy': 'Kopieren',
  'script.copied': 'Kopiert',
  'script.copying-failed': 'Kopieren nicht möglich',
  'script.show-password': 'Passwort anzeigen',
  'script.hide-password': 'Passwort verbergen',
  'script.strength': 'Stärke',
  'script.too-short': 'Zu kurz',
  'script.easy-to-guess': 'Leicht zu erraten',
  'script.fair': 'Mittel',
  'script.good': 'Gut',
  'script.very-good': 'Sehr gut',
  'script.at-least': 'Verwenden Sie mindestens {minimum} Zeichen.',
  'script.has-passkey': 'Auf diesem Gerät ist schon einer Ihrer Passkeys.',
  'script.no-passkey-created': 'Es wurde kein Passkey erstellt. Versuchen Sie es noch einmal, wenn Sie bereit sind.',
  'script.no-passkey-for-login':
    'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, oder melden Sie sich mit Ihrem Passwort an.',
  'script.no-passkey-for-step':
    'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, oder bestätigen Sie auf andere Weise.',
};

/** Messages shown by scripts, which read them from data attributes. */
export const scripts = { en, de };

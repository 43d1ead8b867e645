const en = {
  'error.try-again': 'Try again',
  'error.open-form-again': 'Open the form again',
  'error.above-form': '{title}. {advice}',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'error.try-again': 'Noch einmal versuchen',
  'error.open-form-again': 'Das Formular noch einmal öffnen',
  'error.above-form': '{title}. {advice}',
};

/** The texts of errors that any page may show. */
export const errors = { en, de };

const en = {
  'error.try-again': 'Try again',
  'error.open-form-again': 'Open the form again',
  'error.above-form': '{title}. {advice}',
  'error.ended-title': 'Already ended',
  'error.ended': 'This has already ended or been removed, so nothing was changed.',
  'error.ended-advice': 'See “{where}” for what remains.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'error.try-again': 'Noch einmal versuchen',
  'error.open-form-again': 'Das Formular noch einmal öffnen',
  'error.above-form': '{title}. {advice}',
  'error.ended-title': 'Schon beendet',
  'error.ended': 'Dies wurde schon beendet oder entfernt. Es wurde nichts geändert.',
  'error.ended-advice': 'Siehe „{where}“ für das, was noch besteht.',
};

/** The texts of errors that any page may show. */
export const errors = { en, de };

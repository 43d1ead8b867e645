const en = {
  'chart.tokens': '{count, plural, one {{count, number} token} other {{count, number} tokens}}',
  'chart.tokens-number': 'Number of tokens',
  'chart.logins': '{count, plural, one {{count, number} login} other {{count, number} logins}}',
  'chart.logins-number': 'Number of logins',
  'chart.failed-logins': '{count, plural, one {{count, number} failed login} other {{count, number} failed logins}}',
  'chart.failed-logins-number': 'Number of failed logins',
  'chart.refusals': '{count, plural, one {{count, number} refusal} other {{count, number} refusals}}',
  'chart.refusals-number': 'Number of refusals',
  'chart.peak-hour':
    '{counted}, {is, select, all {all in one hour} other {at most {maximum, number} in an hour}} ({period})',
  'chart.peak-day':
    '{counted}, {is, select, all {all on one day} other {at most {maximum, number} in a day}} ({period})',
  'chart.bar': '{period}: {counted}',
  'chart.table': '<hidden>{title} </hidden>Show as a table',
  'chart.hour': 'Hour starting',
  'chart.day': 'Day',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'chart.tokens': '{count, plural, one {{count, number} Token} other {{count, number} Token}}',
  'chart.tokens-number': 'Anzahl der Token',
  'chart.logins': '{count, plural, one {{count, number} Anmeldung} other {{count, number} Anmeldungen}}',
  'chart.logins-number': 'Anzahl der Anmeldungen',
  'chart.failed-logins':
    '{count, plural, one {{count, number} fehlgeschlagene Anmeldung} other {{count, number} fehlgeschlagene ' +
    'Anmeldungen}}',
  'chart.failed-logins-number': 'Anzahl der fehlgeschlagenen Anmeldungen',
  'chart.refusals': '{count, plural, one {{count, number} Ablehnung} other {{count, number} Ablehnungen}}',
  'chart.refusals-number': 'Anzahl der Ablehnungen',
  'chart.peak-hour':
    '{counted}, {is, select, all {alle in einer Stunde} other {höchstens {maximum, number} in einer Stunde}} ' +
    '({period})',
  'chart.peak-day':
    '{counted}, {is, select, all {alle an einem Tag} other {höchstens {maximum, number} an einem Tag}} ({period})',
  'chart.bar': '{period}: {counted}',
  'chart.table': '<hidden>{title}: </hidden>Als Tabelle anzeigen',
  'chart.hour': 'Stunde ab',
  'chart.day': 'Tag',
};

/** Messages in charts of hourly and daily counts. */
export const charts = { en, de };

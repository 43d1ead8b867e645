import { MAX_LENGTH } from '../domain/lengths.ts';
import type { ProfileField } from '../domain/profile.ts';
import { message, type Message } from '../language/message.ts';
import { isUrl } from '../platform/urls.ts';
import { tooLongProblem } from './account-problems.ts';

/** The normal form of an entered value, or the problem with it and how to fix it. */
export type CheckedValue = { readonly value: string } | { readonly problem: Message };

/**
 * Checks a value that a user entered in the profile.
 * @returns the normal form of the value, without surrounding whitespace, or the problem with it. An empty value
 * is always valid and means that the field is not filled in
 */
export function checkProfileValue(field: ProfileField, input: string): CheckedValue {
  // Trimming and matching come after the length check, because both could be slow.
  if (input.length > MAX_LENGTH.profileText) return { problem: tooLongProblem(MAX_LENGTH.profileText) };
  const trimmed = input.trim();
  return trimmed === '' ? { value: '' } : CHECKS[field](trimmed);
}

type Check = (trimmed: string) => CheckedValue;

const CHECKS: Readonly<Record<ProfileField, Check>> = {
  middle_name: singleLine(MAX_LENGTH.personName),
  nickname: singleLine(MAX_LENGTH.personName),
  gender: singleLine(60),
  birthdate: checkBirthdate,
  profile: checkUrl,
  website: checkUrl,
  picture: checkUrl,
  phone_number: checkPhoneNumber,
  zoneinfo: checkTimeZone,
  locale: checkLanguage,
  street_address: multiline(300),
  locality: singleLine(150),
  region: singleLine(150),
  postal_code: singleLine(32),
  country: singleLine(100),
};

/** Returns a check for a single line of text, which it converts to NFC. */
function singleLine(limit: number): Check {
  return (trimmed) => {
    const value = trimmed.normalize('NFC');
    if (value.length > limit) return { problem: tooLongProblem(limit) };
    return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(value) ? { problem: message('problem.one-line') } : { value };
  };
}

/** Returns a check for several lines of text. It removes blank lines, and joins the remaining ones with line feeds. */
function multiline(limit: number): Check {
  return (trimmed) => {
    const allLines = trimmed.normalize('NFC').split(/\r\n|\r|\n/u);
    const value = allLines
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('\n');
    if (value.length > limit) return { problem: tooLongProblem(limit) };
    return /[^\P{Cc}\n]|[\p{Cs}\p{Zl}\p{Zp}]/u.test(value)
      ? { problem: message('problem.control-characters') }
      : { value };
  };
}

const INVALID_URL = message('problem.web-address');

/** Checks an `https` or `http` URL without credentials. */
function checkUrl(trimmed: string): CheckedValue {
  // The URL parser would silently remove line breaks and tabs.
  if (/[\s\p{Cc}\p{Cs}]/u.test(trimmed) || !isUrl(trimmed)) return { problem: INVALID_URL };
  const { protocol, username, password, href } = new URL(trimmed);
  if (protocol !== 'https:' && protocol !== 'http:') return { problem: INVALID_URL };
  if (username !== '' || password !== '') return { problem: message('problem.web-address-with-user') };
  return href.length > MAX_LENGTH.profileText ? { problem: tooLongProblem(MAX_LENGTH.profileText) } : { value: href };
}

const INVALID_BIRTHDATE = message('problem.birthdate');

/** Checks a birthdate: `YYYY`, `YYYY-MM-DD`, or `0000-MM-DD` if the year is omitted (OpenID Connect Core §5.1). */
function checkBirthdate(trimmed: string): CheckedValue {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})-(\d{2}))?$/.exec(trimmed) ?? [];
  if (year === undefined) return { problem: INVALID_BIRTHDATE };
  if (month === undefined) return year === '0000' ? { problem: INVALID_BIRTHDATE } : { value: trimmed };
  return Number(day) >= 1 && Number(day) <= daysInMonth(Number(year), Number(month))
    ? { value: trimmed }
    : { problem: message('problem.no-such-day', { day: trimmed }) };
}

/**
 * Returns the number of days in the month, or zero if there is no such month. The year 0 stands for any year, so its
 * February has 29 days.
 */
function daysInMonth(year: number, month: number): number {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** At most 15 digits (ITU-T E.164), optionally with an extension as in RFC 3966. */
const PHONE_NUMBER = /^(\+\d{7,15})(?:;ext=(\d{1,8}))?$/;

/**
 * Checks a phone number. The normal form is E.164, without digit separators, and with
 * `;ext=` before an extension. The (0) in +44 (0)20 is dialed only within the country, so it is removed.
 */
function checkPhoneNumber(trimmed: string): CheckedValue {
  const problem = message('problem.phone-number');
  if (trimmed.length > 60) return { problem };
  const value = trimmed
    .replace(/\s*(?:;\s*ext=|ext\.?|x)\s*(?=\d+$)/iu, ';ext=')
    .replace('(0)', '')
    .replaceAll(/[\s().\-/\u2010-\u2013]/gu, '');
  return PHONE_NUMBER.test(value) ? { value } : { problem };
}

/** Checks a time zone name against the IANA database. */
function checkTimeZone(trimmed: string): CheckedValue {
  const canonicalName = canonicalTimeZone(trimmed);
  return canonicalName === undefined ? { problem: message('problem.time-zone') } : { value: canonicalName };
}

/**
 * Returns the name in the database's spelling, or undefined if the database does not contain it. Node.js releases
 * differ in which name of a zone they prefer, so an alias is kept as entered.
 */
function canonicalTimeZone(name: string): string | undefined {
  // Offsets such as +01:00 are not zone names.
  if (name.length > 64 || !/^[A-Za-z][\w+\-/]*$/.test(name)) return undefined;
  try {
    const { timeZone: preferredName } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return preferredName.toLowerCase() === name.toLowerCase() ? preferredName : name;
  } catch {
    return undefined;
  }
}

/** Checks a BCP 47 language tag, such as `en-GB`. Underscores are also accepted. */
function checkLanguage(trimmed: string): CheckedValue {
  const problem = message('problem.language');
  if (trimmed.length > 64) return { problem };
  try {
    const [value] = Intl.getCanonicalLocales(trimmed.replaceAll('_', '-'));
    return value === undefined ? { problem } : { value };
  } catch {
    return { problem };
  }
}

import { PROFILE_FIELDS, type ProfileField } from '../../../domain/profile.ts';
import { message, type Text } from '../../../language/message.ts';

/** The label, help text and type of a form field. */
interface FieldLayout {
  readonly label: Text;
  /** Empty if the label needs no explanation. */
  readonly help: Text;
  /** The value of the `autocomplete` attribute: an autofill field name (HTML), or `off`. */
  readonly autocomplete: string;
  readonly type: 'text' | 'url' | 'tel' | 'lines' | 'time-zone';
}

const textField = (label: Text, autocomplete: string, help: Text = ''): FieldLayout => ({
  label,
  help,
  autocomplete,
  type: 'text',
});
const urlField = (label: Text, autocomplete: string, help: Text): FieldLayout => ({
  label,
  help,
  autocomplete,
  type: 'url',
});

const FIELD_LAYOUTS: Readonly<Record<ProfileField, FieldLayout>> = {
  middle_name: textField(message('profile.middle-name'), 'additional-name'),
  nickname: textField(message('profile.nickname'), 'nickname', message('profile.nickname-help')),
  gender: textField(message('profile.gender'), 'sex', message('profile.gender-help')),
  birthdate: textField(message('profile.birthday'), 'bday', message('profile.birthday-help')),
  profile: urlField(message('profile.page'), 'off', message('profile.page-help')),
  website: urlField(message('profile.website'), 'url', message('profile.website-help')),
  picture: urlField(message('profile.picture'), 'photo', message('profile.picture-help')),
  phone_number: {
    ...textField(message('profile.phone-number'), 'tel', message('profile.phone-number-help')),
    type: 'tel',
  },
  street_address: {
    ...textField(message('profile.street'), 'street-address', message('profile.street-help')),
    type: 'lines',
  },
  locality: textField(message('profile.city'), 'address-level2'),
  region: textField(message('profile.region'), 'address-level1'),
  postal_code: textField(message('profile.postal-code'), 'postal-code'),
  country: textField(message('profile.country'), 'country-name'),
  zoneinfo: { ...textField(message('profile.time-zone'), 'off'), type: 'time-zone' },
  locale: textField(message('profile.language'), 'language', message('profile.language-help')),
};

const GROUPS: readonly { readonly title: Text; readonly fields: readonly ProfileField[] }[] = [
  { title: message('profile.about-you'), fields: ['middle_name', 'nickname', 'gender', 'birthdate'] },
  { title: message('profile.on-the-web'), fields: ['profile', 'website', 'picture'] },
  { title: message('profile.phone'), fields: ['phone_number'] },
  {
    title: message('profile.postal-address'),
    fields: ['street_address', 'postal_code', 'locality', 'region', 'country'],
  },
  { title: message('profile.language-and-time'), fields: ['locale', 'zoneinfo'] },
];

export interface ProfileFormField extends FieldLayout {
  readonly name: ProfileField;
  readonly value: string;
}

export type ProfileFormGroup = { readonly title: Text; readonly fields: readonly ProfileFormField[] };

/** Returns the form fields in groups, with their values. */
export function profileFormGroups(
  values: Partial<Readonly<Record<ProfileField, string>>>,
): readonly ProfileFormGroup[] {
  return GROUPS.map(({ title, fields }) => ({
    title,
    fields: fields.map((name) => ({ ...FIELD_LAYOUTS[name], name, value: values[name] ?? '' })),
  }));
}

/** The primary time zones. UTC is added because Node.js 20 does not list it. */
const TIME_ZONES: readonly string[] = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

/** Returns the time zones to choose from. They include the user's current time zone, even if it is an alias. */
export function timeZones(current: string): readonly string[] {
  return current === '' || TIME_ZONES.includes(current) ? TIME_ZONES : [current, ...TIME_ZONES];
}

/** Returns all profile fields, each read from the form with `readField`. */
export function readProfile(readField: (name: ProfileField) => string): Readonly<Record<ProfileField, string>> {
  return Object.fromEntries(PROFILE_FIELDS.map((name) => [name, readField(name)])) as Record<ProfileField, string>;
}

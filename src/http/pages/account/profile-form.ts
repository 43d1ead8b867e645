import { PROFILE_FIELDS, type ProfileField } from '../../../domain/profile.ts';

/** How the form asks for a field. */
interface FieldText {
  readonly label: string;
  /** Empty if the label suffices. */
  readonly help: string;
  /** The hint for browsers that fill in forms (HTML, "autofill field names"). */
  readonly autocomplete: string;
  readonly type: 'text' | 'url' | 'tel' | 'lines' | 'time-zone';
}

const asText = (label: string, autocomplete: string, help = ''): FieldText => ({
  label,
  help,
  autocomplete,
  type: 'text',
});
const asUrl = (label: string, autocomplete: string, help: string): FieldText => ({
  label,
  help,
  autocomplete,
  type: 'url',
});

const FIELD_TEXTS: Readonly<Record<ProfileField, FieldText>> = {
  middle_name: asText('Middle name', 'additional-name'),
  nickname: asText('Nickname', 'nickname', 'What your friends call you.'),
  gender: asText('Gender', 'sex', 'In your own words.'),
  birthdate: asText('Birthday', 'bday', 'Such as 1985-04-23. 0000-04-23 leaves out the year; 1985 is only the year.'),
  profile: asUrl('Profile page', 'off', 'The address of a page about you, such as your profile on a social network.'),
  website: asUrl('Website', 'url', 'The address of your website or blog.'),
  picture: asUrl('Picture', 'photo', 'The address of a picture of you. The picture itself is not stored here.'),
  phone_number: {
    ...asText('Phone number', 'tel', 'With + and the country code, such as +44 20 7946 0123.'),
    type: 'tel',
  },
  street_address: { ...asText('Street and number', 'street-address', 'Can have several lines.'), type: 'lines' },
  locality: asText('City or town', 'address-level2'),
  region: asText('State, county or region', 'address-level1'),
  postal_code: asText('Postal code', 'postal-code'),
  country: asText('Country', 'country-name'),
  zoneinfo: { ...asText('Time zone', 'off'), type: 'time-zone' },
  locale: asText('Language', 'language', 'Such as en for English, or de-CH for German as used in Switzerland.'),
};

const GROUPS: readonly { readonly title: string; readonly fields: readonly ProfileField[] }[] = [
  { title: 'About you', fields: ['middle_name', 'nickname', 'gender', 'birthdate'] },
  { title: 'On the web', fields: ['profile', 'website', 'picture'] },
  { title: 'Phone', fields: ['phone_number'] },
  { title: 'Postal address', fields: ['street_address', 'postal_code', 'locality', 'region', 'country'] },
  { title: 'Language and time', fields: ['locale', 'zoneinfo'] },
];

export interface ProfileFormField extends FieldText {
  readonly name: ProfileField;
  readonly value: string;
}

export type ProfileFormGroup = { readonly title: string; readonly fields: readonly ProfileFormField[] };

/** The fields of the form in groups, with their values. */
export function profileForm(values: Partial<Readonly<Record<ProfileField, string>>>): readonly ProfileFormGroup[] {
  return GROUPS.map(({ title, fields }) => ({
    title,
    fields: fields.map((name) => ({ ...FIELD_TEXTS[name], name, value: values[name] ?? '' })),
  }));
}

/** Node.js 20 does not list UTC. */
const TIME_ZONES: readonly string[] = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

/** The time zones to choose from, with the current one even if it is an alias. */
export function timeZones(current: string): readonly string[] {
  return current === '' || TIME_ZONES.includes(current) ? TIME_ZONES : [current, ...TIME_ZONES];
}

/** Every field as it was entered. */
export function enteredProfile(read: (name: ProfileField) => string): Readonly<Record<ProfileField, string>> {
  return Object.fromEntries(PROFILE_FIELDS.map((name) => [name, read(name)])) as Record<ProfileField, string>;
}

import { expect } from 'chai';
import fc from 'fast-check';
import { checkProfileValue } from '../../src/accounts/profile-values.ts';
import { english } from '../../src/language/english.ts';
import { PROFILE_FIELDS, type ProfileField } from '../../src/domain/profile.ts';

/** Accepted input, with its normalized form. */
const VALID_VALUES: Readonly<Record<ProfileField, readonly (readonly [input: string, normalized: string])[]>> = {
  middle_name: [['  Augusta\u00a0', 'Augusta']],
  nickname: [['Ame\u0301lie', 'Am\u00e9lie']],
  gender: [
    ['female', 'female'],
    ['nicht-binär', 'nicht-binär'],
  ],
  birthdate: [
    ['1815', '1815'],
    [' 1815-12-10 ', '1815-12-10'],
    ['0000-02-29', '0000-02-29'],
    ['2000-02-29', '2000-02-29'],
  ],
  profile: [['HTTPS://Ada.Example', 'https://ada.example/']],
  website: [['http://ada.example/\u00fc', 'http://ada.example/%C3%BC']],
  picture: [['https://bücher.example/ada.png', 'https://xn--bcher-kva.example/ada.png']],
  phone_number: [
    ['+44 (0)20 7946 0123', '+442079460123'],
    ['+1 (604) 555-1234 ext. 5678', '+16045551234;ext=5678'],
    ['+16045551234;ext=5678', '+16045551234;ext=5678'],
    ['+49-30-901820 x12', '+4930901820;ext=12'],
  ],
  zoneinfo: [
    ['europe/berlin', 'Europe/Berlin'],
    ['UTC', 'UTC'],
  ],
  locale: [
    ['en_gb', 'en-GB'],
    ['de', 'de'],
    ['ZH-hant-tw', 'zh-Hant-TW'],
  ],
  street_address: [[' 12 St James’s Square \r\n\r\n Flat 3\t', '12 St James’s Square\nFlat 3']],
  locality: [['London', 'London']],
  region: [['Greater London', 'Greater London']],
  postal_code: [['SW1Y 4LB', 'SW1Y 4LB']],
  country: [['United Kingdom', 'United Kingdom']],
};

const INVALID_VALUES: Readonly<Record<ProfileField, readonly string[]>> = {
  middle_name: ['x'.repeat(151), 'a\nb', 'a\u0000b', 'a\ud800'],
  nickname: ['x'.repeat(151), 'a\tb', 'a\u2028b'],
  gender: ['x'.repeat(61)],
  birthdate: [
    '0000',
    '1815-13-01',
    '1815-00-01',
    '1815-04-31',
    '1900-02-29',
    '1815-12-00',
    '10.12.1815',
    '1815-12',
    '٢٠٠٠',
  ],
  profile: ['ada.example', 'javascript:alert(1)', 'ftp://ada.example', 'https://', 'https://a.example/\nb'],
  website: ['https://ada:secret@a.example/', 'https://ada@a.example/', 'mailto:ada@a.example', 'data:text/html,x'],
  picture: ['/ada.png', `https://a.example/${'x'.repeat(1_024)}`, `https://a.example/${'ü'.repeat(400)}`],
  phone_number: [
    '020 7946 0123',
    '0044 20 7946 0123',
    '+44',
    '+1234567890123456',
    '+44 20 CALL ME',
    '+',
    `+1${' '.repeat(70)}604`,
  ],
  zoneinfo: ['Berlin', 'Europe/Nowhere', '+01:00', 'x'.repeat(65), 'Europe/Berlin\u0000'],
  locale: ['english language', 'e', 'en--GB', 'x'.repeat(65), 'en-GB; q=1'],
  street_address: ['x'.repeat(301), 'a\u0000b', 'a\u0007b'],
  locality: ['x'.repeat(151), 'a\nb'],
  region: ['x'.repeat(151), 'a\nb'],
  postal_code: ['x'.repeat(33), 'a\nb'],
  country: ['x'.repeat(101), 'a\nb'],
};

function describeProblem(field: ProfileField, input: string): string {
  const result = checkProfileValue(field, input);
  return 'problem' in result ? english.text(result.problem) : '';
}

describe('a profile value', () => {
  for (const field of PROFILE_FIELDS) {
    it(`is normalized: ${field}`, () => {
      for (const [input, normalized] of VALID_VALUES[field])
        expect(checkProfileValue(field, input), input).to.deep.equal({ value: normalized });
    });

    it(`is refused with an explanation: ${field}`, () => {
      for (const input of INVALID_VALUES[field])
        expect(describeProblem(field, input), JSON.stringify(input)).to.match(/\.$/);
    });

    it(`may be left empty: ${field}`, () => {
      for (const emptyInput of ['', '  ', '\n'])
        expect(checkProfileValue(field, emptyInput)).to.deep.equal({ value: '' });
    });
  }

  it('does not change when it is normalized a second time', () => {
    const acceptedInputs = PROFILE_FIELDS.flatMap((field) => VALID_VALUES[field].map(([input]) => input));
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('a', '+', '1', ' ', '-', ':', '/', ';ext=', '.', '\n', '\r', 'e\u0301') }),
      fc.constantFrom(...acceptedInputs),
    );
    fc.assert(
      fc.property(fc.constantFrom(...PROFILE_FIELDS), text, (field, input) => {
        const result = checkProfileValue(field, input);
        if ('value' in result) expect(checkProfileValue(field, result.value)).to.deep.equal(result);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is refused before it is processed if it is excessively long', () => {
    for (const field of PROFILE_FIELDS)
      expect(describeProblem(field, ' '.repeat(1_025))).to.equal('Use at most 1024 characters.');
  });
});

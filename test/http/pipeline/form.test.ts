import { expect } from 'chai';
import fc from 'fast-check';
import { createForm } from '../../../src/http/pipeline/form.ts';
import { splitPairs } from '../../../src/http/pipeline/form-encoding.ts';
import { PageError } from '../../../src/http/pipeline/page-error.ts';
import { FORM_FIELDS, type FieldName } from '../../../src/config/input-limits.ts';

const formOf = (body: string) => createForm(splitPairs(body, 1_000) ?? []);
const formWith = (name: FieldName, value: string) => formOf(`${name}=${encodeURIComponent(value)}`);

const fieldName = fc.constantFrom(
  ...(Object.keys(FORM_FIELDS) as FieldName[]).filter((name) => FORM_FIELDS[name] < 2_000),
);
const character = fc.constantFrom('a', ' ', '%', '+', '&', '=', 'é', '語', '\0', '\n');
const textOfLength = (length: number) =>
  fc.array(character, { minLength: length, maxLength: length }).map((characters) => characters.join(''));

describe('A form field', () => {
  it('contains the entered value up to its limit', () => {
    const entry = fieldName.chain((name) =>
      fc
        .nat(FORM_FIELDS[name])
        .chain(textOfLength)
        .map((value) => [name, value] as const),
    );
    fc.assert(
      fc.property(entry, ([name, value]) => {
        const form = formWith(name, value);
        expect([form.text(name), form.list(name), form.input(name), form.trimmed(name)]).to.deep.equal([
          value,
          [value],
          value,
          value.trim(),
        ]);
      }),
    );
  });

  it('is refused beyond its limit, or truncated to one character over the limit where a rule checks the length', () => {
    const entry = fieldName.chain((name) =>
      fc
        .integer({ min: 1, max: 5_000 })
        .chain((excess) => textOfLength(FORM_FIELDS[name] + excess))
        .map((value) => [name, value] as const),
    );
    fc.assert(
      fc.property(entry, ([name, value]) => {
        const form = formWith(name, value);
        for (const readField of [form.text, form.list])
          expect(() => readField(name)).to.throw(
            PageError,
            `The ${name} field is longer than ${FORM_FIELDS[name]} characters.`,
          );
        for (const text of [form.input(name), form.trimmed(name), form.words(name).join(' ')])
          expect(text).to.have.length(FORM_FIELDS[name] + 1);
      }),
    );
  });

  it('is not decoded if its encoded form is too long', () => {
    const malformedValue = '%'.repeat(9 * FORM_FIELDS.role + 1); // would fail to decode
    const form = formOf(`role=${malformedValue}`);
    expect(() => form.text('role')).to.throw(PageError, `longer than ${FORM_FIELDS.role} characters`);
    expect(form.input('role')).to.equal(malformedValue.slice(0, FORM_FIELDS.role + 1));
    expect(splitPairs(`${'%'.repeat(10_000)}=x`, 1)).to.deep.equal([{ name: null, value: 'x' }]);
  });

  it('is refused if it is sent more than once, unless it may have several values', () => {
    const form = formOf('role=a&role=b&name=x&n%61me=y');
    expect(form.list('role')).to.deep.equal(['a', 'b']);
    for (const readField of [form.text, form.input, form.trimmed, form.words])
      expect(() => readField('name')).to.throw(PageError, 'The name field was sent more than once.');
  });

  it('is empty when absent', () => {
    const form = formOf('unknown=1&&=&name');
    expect([form.text('name'), form.text('email'), form.list('role'), form.words('redirect_uris')]).to.deep.equal([
      '',
      '',
      [],
      [],
    ]);
  });
});

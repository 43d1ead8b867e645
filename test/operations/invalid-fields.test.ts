import { expect } from 'chai';
import { MESSAGE_KEYS } from '../../src/language/catalog.ts';
import { message } from '../../src/language/message.ts';
import { invalidFields, STATE_PROBLEMS } from '../../src/operations/invalid-fields.ts';

/** The problems that depend on the input alone, and the messages that join or complete problems, by family. */
const INPUT_PROBLEMS: Readonly<Record<string, string>> = {
  problem: `required too-long outer-space invisible email name-control-characters password-short password-common
    password-known one-line control-characters web-address web-address-with-user birthdate no-such-day phone-number
    time-zone language sentences lines commas semicolons either`,
  'resource-problem': `long-uri uri host user scheme metadata name many-scopes repeated-scope long-scope
    scope-characters own-scope scope-description choice lifetime`,
  'detail-type': 'form excess many many-bytes name sentence too-many-placeholders braces path',
  'policy-problem': `no-effect modes no-scope many-scopes own-scope scope-form no-resource many-resources
    resource-form`,
  'issuer-problem': `issuer no-keys keys-and-address address many-audiences audience uses mapping users-without-table
    claim-without-names name-claim table line repeated-subject many-claims claim no-client clients no-scope scopes
    own-scope no-resource many-resources seconds`,
  'scope-problem': 'no-name name long-description description-characters no-description icon sensitivity',
  'provider-problem': `id all name no-client-id client-id domains claim required-and-disabled second-factor no-issuer
    google issuer discovery needless-tenants tenants needless-secret secret no-secret openid scopes roles groups
    no-claim`,
  sector: 'some-of',
};

const familyOf = (key: string): string => key.slice(0, key.indexOf('.'));

describe('A problem with an operation field', () => {
  it('is classified as depending on the input alone or also on the server state', () => {
    const families = new Set([...STATE_PROBLEMS].map(familyOf));
    const inputProblems = Object.entries(INPUT_PROBLEMS).flatMap(([family, names]) =>
      names.split(/\s+/).map((name) => `${family}.${name}`),
    );
    expect(Object.keys(INPUT_PROBLEMS).toSorted()).to.deep.equal([...families].toSorted());
    expect([...inputProblems, ...STATE_PROBLEMS].toSorted()).to.deep.equal(
      MESSAGE_KEYS.filter((key) => families.has(familyOf(key))).toSorted(),
    );
  });

  it('is a usage error if it depends on the input alone', () => {
    expect(invalidFields({ name: message('problem.required') }).problems).to.have.length(1);
    expect(invalidFields({ name: message('problem.name-taken') }).problems).to.deep.equal([]);
  });

  it('is not a usage error if it contains a problem that depends on the state', () => {
    const joinedProblems = message('problem.sentences', {
      one: message('problem.one-line'),
      other: message('resource-problem.registered'),
    });
    expect(invalidFields({ uri: joinedProblems }).problems).to.deep.equal([]);
    const listedProblems = message('client-document.unusable', { problems: [message('resource-problem.registered')] });
    expect(invalidFields({ uri: listedProblems }).problems).to.deep.equal([]);
  });
});

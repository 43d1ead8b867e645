import { createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import { fixedKey } from '../../support/fixed-key.ts';
import fc from 'fast-check';
import { createRequestSeal } from '../../../src/oauth/credentials/sealed-request.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';

const entropy = seededEntropy('forms');
const { seal, open } = createRequestSeal(fixedKey(createSecretKey(Buffer.alloc(32, 1))), entropy);
const openParameters = (...form: Parameters<typeof open>) => open(...form)?.parameters;
const PARAMETERS = new Map([
  ['client_id', 'A'],
  ['scope', 'read write'],
  ['state', 'é"<&'],
]);

describe('a sealed authorization request', () => {
  it('opens unchanged for an hour', () => {
    const sealedRequest = seal(PARAMETERS, 'session', 1_000);
    for (const now of [1_000, 4_599]) expect(openParameters(sealedRequest, 'session', now)).to.deep.equal(PARAMETERS);
    expect(open(sealedRequest, 'session', 4_600)).to.equal(undefined);
  });

  it('opens at most five minutes before it was sealed, to allow for clocks that were ahead', () => {
    const sealedRequest = seal(PARAMETERS, 'session', 1_000);
    expect(openParameters(sealedRequest, 'session', 700)).to.deep.equal(PARAMETERS);
    expect(open(sealedRequest, 'session', 699)).to.equal(undefined);
  });

  it('can contain any parameters', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name }), (entries) => {
        expect(openParameters(seal(new Map(entries), 'session', 0), 'session', 0)).to.deep.equal(new Map(entries));
      }),
    );
  });

  it('identifies its form by a nonce that is the same each time it is opened, and different for each form', () => {
    const [form, otherForm] = [seal(PARAMETERS, 'session', 0), seal(PARAMETERS, 'session', 0)];
    expect(open(form, 'session', 1)).to.deep.equal(open(form, 'session', 2));
    expect(open(form, 'session', 1)?.nonce)
      .to.match(/^[\w-]{43}$/)
      .and.not.equal(open(otherForm, 'session', 1)?.nonce);
  });

  it('does not open in a different session', () => {
    const sealedRequest = seal(PARAMETERS, 'session', 0);
    for (const binding of ['', 'sessio', 'session ', 'other'])
      expect(open(sealedRequest, binding, 0)).to.equal(undefined);
  });

  it('cannot be changed by moving characters between the payload and the binding', () => {
    const sealedRequest = seal(PARAMETERS, 'ab', 0);
    expect(open(sealedRequest, 'a', 0)).to.equal(undefined);
    expect(open(sealedRequest, `ab${sealedRequest.split('.', 1)[0]}`, 0)).to.equal(undefined);
  });

  it('does not open under a different key', () => {
    const otherSeal = createRequestSeal(fixedKey(createSecretKey(Buffer.alloc(32, 2))), entropy);
    expect(otherSeal.open(seal(PARAMETERS, 'session', 0), 'session', 0)).to.equal(undefined);
  });

  it('never opens as a different request after any change', () => {
    const sealedRequest = seal(PARAMETERS, 'session', 0);
    fc.assert(
      fc.property(fc.nat(sealedRequest.length - 1), fc.string({ minLength: 0, maxLength: 2 }), (index, text) => {
        const request = open(sealedRequest.slice(0, index) + text + sealedRequest.slice(index + 1), 'session', 0);
        if (request !== undefined) expect(request.parameters).to.deep.equal(PARAMETERS);
      }),
      { numRuns: 1_000 },
    );
    const [payload = '', signature = ''] = sealedRequest.split('.');
    const forgedPayload = Buffer.from(
      Buffer.from(payload, 'base64url').toString().replace('read write', 'read write admin'),
    ).toString('base64url');
    for (const text of [
      `${forgedPayload}.${signature}`,
      `${payload}.`,
      payload,
      `.${signature}`,
      '',
      '.',
      '..',
      `${payload}.${signature.slice(0, -2)}`,
    ])
      expect(open(text, 'session', 0), text).to.equal(undefined);
  });

  it('cannot be opened from any other string, and the attempt never causes an exception', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => open(text, 'session', 0) === undefined));
  });
});

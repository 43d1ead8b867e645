import { createHmac, createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { ClientId, UserId } from '../../../src/domain/values.ts';
import { createSubjects, sectorHosts, sectorOf, type SubjectClient } from '../../../src/oauth/openid/subjects.ts';

const KEY = createSecretKey(Buffer.alloc(32, 7));
const { subjectOf, isSubjectOf } = createSubjects(KEY);

const USER = 'AAAAAAAAAAAAAAAAAAAAAA' as UserId;

const pairwise = (clientId: string, redirectUris: readonly string[], sector: string | null = null): SubjectClient => ({
  clientId: clientId as ClientId,
  redirectUris,
  openid: { subjectType: 'pairwise', sectorIdentifierUri: sector },
});

const ids = fc.stringMatching(/^[\w-]{22}$/).map((id) => id as UserId);
const clients = fc
  .tuple(
    fc.stringMatching(/^[\w-]{1,8}$/),
    fc.array(fc.constantFrom('https://a.example/cb', 'https://b.example/', 'http://127.0.0.1/cb', 'com.a:/'), {
      minLength: 1,
    }),
    fc.option(fc.constantFrom('https://s.example/doc.json', 'https://a.example/doc.json')),
  )
  .map(([id, uris, sector]) => pairwise(id, uris, sector));

describe('the subject of a user', () => {
  it("is the user's id for a client with public subjects", () => {
    const client = pairwise('one', ['https://a.example/cb']);
    expect(subjectOf({ ...client, openid: { ...client.openid, subjectType: 'public' } }, USER)).to.equal(USER);
  });

  it('is equal for two pairwise clients if and only if the user and the sector are equal', () => {
    fc.assert(
      fc.property(clients, clients, ids, ids, (client, otherClient, user, otherUser) => {
        expect(subjectOf(client, user) === subjectOf(otherClient, user)).to.equal(
          sectorOf(client) === sectorOf(otherClient),
        );
        expect(subjectOf(client, user) === subjectOf(client, otherUser)).to.equal(user === otherUser);
      }),
    );
  });

  it('is recognized only for its user', () => {
    fc.assert(
      fc.property(clients, ids, ids, (client, user, otherUser) => {
        expect(isSubjectOf(client, user, subjectOf(client, user))).to.equal(true);
        expect(isSubjectOf(client, otherUser, subjectOf(client, user))).to.equal(user === otherUser);
        expect(isSubjectOf(client, user, user)).to.equal(false);
      }),
    );
  });

  it('is an HMAC of the id and the sector, at most 255 ASCII characters', () => {
    const subject = subjectOf(pairwise('one', ['https://a.example/cb']), USER);
    expect(subject).to.equal(createHmac('sha256', KEY).update(`${USER} host a.example`).digest('base64url'));
    expect(subject).to.match(/^[\w-]{43}$/);
  });

  it('does not depend on the path, the port or the order of redirect URIs, or on native redirect URIs', () => {
    const subject = subjectOf(pairwise('one', ['https://a.example/cb']), USER);
    for (const uris of [
      ['https://A.example:8443/other'],
      ['http://127.0.0.1:8000/cb', 'https://a.example/cb', 'com.example.app:/cb'],
    ])
      expect(subjectOf(pairwise('two', uris), USER)).to.equal(subject);
  });
});

describe('a sector', () => {
  it('is the host of the sector document rather than the host of the redirect URIs', () => {
    expect(sectorOf(pairwise('one', ['https://a.example/'], 'https://s.example:8443/x'))).to.equal('host s.example');
  });

  it('is the client if its redirect URIs have no host or several hosts', () => {
    const uris = [
      ['http://localhost:3000/'],
      ['com.example.app://a.example/'],
      ['https://a.example/', 'https://b.example/'],
    ];
    for (const redirectUris of uris) expect(sectorOf(pairwise('one', redirectUris))).to.equal('client one');
    expect(sectorHosts(uris.flat())).to.deep.equal(['a.example', 'b.example']);
  });

  it('of a client never equals the sector of a host', () => {
    expect(sectorOf(pairwise('a.example', []))).not.to.equal(sectorOf(pairwise('two', ['https://a.example/'])));
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import {
  client,
  invitationRefusal,
  isSameSecret,
  type ClientCommand,
  type ClientSettings,
  type Invitation,
} from '../../src/domain/client.ts';
import { DEFAULT_OPENID, SUBJECT_TYPES } from '../../src/domain/openid-settings.ts';
import { DEFAULT_SECURITY } from '../../src/domain/security-settings.ts';
import {
  ACCESS_TOKEN_FORMATS,
  CLIENT_MODES,
  RESTRICTED_SCOPES,
  SIGNING_ALGORITHMS,
  type MemberRole,
  type UserId,
} from '../../src/domain/values.ts';
import { CLIENT_SETTINGS } from '../support/client-settings.ts';
import { clientId, hashOf, seconds, userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';
import { unchecked } from '../support/unchecked.ts';

const SECRET = { algorithm: 'sha256', hash: hashOf('secret') } as const;
const register: Extract<ClientCommand, { readonly type: 'RegisterClient' }> = {
  type: 'RegisterClient',
  registration: { ...CLIENT_SETTINGS, clientId: clientId('A'), ownerId: null, secret: SECRET },
};
const update: ClientCommand = { type: 'UpdateClient', settings: { ...CLIENT_SETTINGS, name: 'Another name' } };
const OTHER_SECRET = { algorithm: 'sha256', hash: hashOf('other secret') } as const;
const rotate: ClientCommand = {
  type: 'RotateClientSecret',
  secret: OTHER_SECRET,
  now: seconds(0),
  previousUntil: null,
};
const rehash: ClientCommand = { type: 'RehashClientSecret', secret: { algorithm: 'sealed', sealed: 'seal' } };
const remove: ClientCommand = { type: 'RemoveClient' };
const disable: ClientCommand = { type: 'DisableClient' };
const enable: ClientCommand = { type: 'EnableClient' };

describe('a client', () => {
  it('can be registered once, and its id is never reused, even after its removal', () => {
    given(client).when(register).accepted('ClientRegistered');
    given(client, register).when(register).refused('client-id-taken');
    given(client, register, remove).when(register).refused('client-id-taken');
  });

  it('can be changed while it is registered', () => {
    given(client, register).when(update).accepted('ClientUpdated');
    given(client, register, update).when(update).changesNothing();
    const originalUpdate = { type: 'UpdateClient', settings: { ...CLIENT_SETTINGS } } as const;
    given(client, register).when(originalUpdate).changesNothing();
    given(client, register, update).when(originalUpdate).accepted('ClientUpdated');
    given(client, register, update).when(rotate).accepted('ClientSecretRotated');
    given(client, register, rotate).when(remove).accepted('ClientRemoved');
  });

  it('is unknown before its registration and after its removal', () => {
    for (const command of [update, rotate, rehash]) {
      given(client).when(command).refused('client-unknown');
      given(client, register, remove).when(command).refused('client-unknown');
    }
    given(client).when(remove).refused('client-unknown');
  });

  it('gets a new hash of its registered secret once, and none after a rotation', () => {
    given(client, register, update).when(rehash).accepted('ClientSecretRehashed');
    given(client, register, rehash).when(rehash).changesNothing();
    given(client, register, rotate).when(rehash).changesNothing();
  });

  it('ignores a rotation to its current secret, and accepts one to the previous secret', () => {
    given(client, register)
      .when({ ...rotate, secret: SECRET })
      .changesNothing();
    given(client, register, rotate).when(rotate).changesNothing();
    given(client, register, rotate)
      .when({ ...rotate, secret: SECRET })
      .accepted('ClientSecretRotated');
  });

  it('can be disabled and enabled any number of times, and changed and removed while it is disabled', () => {
    given(client, register).when(enable).changesNothing();
    given(client, register).when(disable).accepted('ClientDisabled');
    given(client, register, disable).when(disable).changesNothing();
    given(client, register, disable).when(enable).accepted('ClientEnabled');
    given(client, register, disable, enable).when(disable).accepted('ClientDisabled');
    given(client, register, disable).when(update).accepted('ClientUpdated');
    given(client, register, disable, update).when(disable).changesNothing();
    given(client, register, disable).when(remove).accepted('ClientRemoved');
    for (const command of [disable, enable]) {
      given(client).when(command).refused('client-unknown');
      given(client, register, remove).when(command).refused('client-unknown');
    }
  });

  it('can get, replace and lose a logo, and losing none changes nothing', () => {
    const logo = (base64: string | null): ClientCommand => ({
      type: 'ChangeClientLogo',
      image: base64 === null ? null : { mediaType: 'image/png', base64 },
    });
    given(client, register).when(logo(null)).changesNothing();
    const [change] = given(client, register).when(logo('AAAA')).accepted('ClientLogoChanged').decision.events;
    expect(change?.data).to.deep.equal({ image: { mediaType: 'image/png', base64: 'AAAA' } });
    given(client, register, logo('AAAA')).when(logo('BBBB')).accepted('ClientLogoChanged');
    given(client, register, logo('AAAA')).when(logo(null)).accepted('ClientLogoChanged');
    given(client, register, logo('AAAA'), logo(null)).when(logo(null)).changesNothing();
    given(client, register, logo('AAAA'), update).when(update).changesNothing();
    given(client, register, logo('AAAA'), remove).when(logo(null)).refused('client-unknown');
  });

  it('that registers itself again with the same id changes nothing, unless the client was removed', () => {
    const selfRegister = {
      ...register,
      registration: { ...register.registration, selfRegistered: { registeredAt: seconds(1) } },
    };
    given(client).when(selfRegister).accepted('ClientRegistered');
    given(client, selfRegister).when(selfRegister).changesNothing();
    given(client, selfRegister, remove).when(selfRegister).refused('client-id-taken');
  });

  it('is removed once', () => {
    given(client, register, remove).when(remove).changesNothing();
  });

  it('has a decision time only for a rotation, because the overlap starts at that time', () => {
    expect(client.decidedAt?.({ ...rotate, now: seconds(7) })).to.equal(7);
    for (const command of [register, update, rehash, remove]) expect(client.decidedAt?.(command)).to.equal(undefined);
  });

  it('refuses unknown commands and events', () => {
    const unknownMessage = unchecked({ type: 'Other' });
    expect(() => given(client, register).when(unknownMessage)).to.throw('unhandled case');
    expect(() => client.evolve(client.initial, unknownMessage)).to.throw('unhandled case');
  });
});

describe('a client with a metadata document', () => {
  const accept = (name: string, members: Partial<ClientSettings> = {}): ClientCommand => ({
    type: 'AcceptDocument',
    acceptance: {
      ...CLIENT_SETTINGS,
      clientId: clientId('https://app.example/'),
      hash: hashOf(name),
      document: '{}',
      name,
      ...members,
    },
  });
  const updateWith = (settings: Partial<ClientSettings>): ClientCommand => ({
    type: 'UpdateClient',
    settings: { ...CLIENT_SETTINGS, ...settings },
  });

  it('stays disabled, and has no secret, when its document changes', () => {
    given(client, accept('One'), disable, accept('Two')).when(disable).changesNothing();
    given(client, accept('One')).when(rehash).changesNothing();
  });

  it('is recorded with its first document and with each changed document', () => {
    given(client).when(accept('One')).accepted('ClientDocumentAccepted');
    given(client, accept('One')).when(accept('One')).changesNothing();
    given(client, accept('One')).when(accept('Two')).accepted('ClientDocumentAccepted');
    given(client, accept('One'), accept('Two')).when(accept('One')).accepted('ClientDocumentAccepted');
  });

  it('never takes over a client that is registered here, or one that was removed', () => {
    given(client, register).when(accept('One')).refused('client-id-taken');
    given(client, accept('One'), remove).when(accept('Two')).refused('client-id-taken');
  });

  it("keeps the operator's settings when its document changes", () => {
    const flag = fc.boolean();
    const operatorSettings = fc.record({
      mode: fc.constantFrom(...CLIENT_MODES),
      secondFactorRequired: flag,
      skipAuthorization: flag,
      restrictedScopes: fc.subarray([...RESTRICTED_SCOPES]),
      accessTokenFormat: fc.constantFrom(...ACCESS_TOKEN_FORMATS),
      accessTokenAlgorithm: fc.constantFrom(...SIGNING_ALGORITHMS),
      openid: fc.record({ subjectType: fc.constantFrom(...SUBJECT_TYPES), requireAuthTime: flag }),
      security: fc.record({ requirePushedAuthorizationRequests: flag, tlsBoundAccessTokens: flag }),
    });
    const documentMembers = fc.record({
      redirectUris: fc.array(fc.webUrl()),
      security: fc.record({ dpopBoundAccessTokens: flag }),
    });
    fc.assert(
      fc.property(operatorSettings, documentMembers, documentMembers, (operator, firstDocument, secondDocument) => {
        const openid = { ...DEFAULT_OPENID, ...operator.openid };
        const settingsBefore = { ...operator, openid, security: { ...DEFAULT_SECURITY, ...operator.security } };
        const document = (members: typeof firstDocument) => ({
          ...members,
          security: { ...DEFAULT_SECURITY, ...members.security },
        });
        const { decision } = given(
          client,
          accept('One', document(firstDocument)),
          updateWith({ name: 'Known', ...settingsBefore }),
        )
          .when(accept('Two', document(secondDocument)))
          .accepted('ClientDocumentAccepted');
        expect(decision.events[0]?.data).to.deep.include({
          ...settingsBefore,
          security: {
            ...settingsBefore.security,
            dpopBoundAccessTokens:
              secondDocument.security.dpopBoundAccessTokens && !settingsBefore.security.tlsBoundAccessTokens,
          },
          name: 'Two',
          redirectUris: secondDocument.redirectUris,
        });
      }),
    );
  });

  it('can require DPoP through its document, but cannot withdraw the requirement', () => {
    const dpopRequirement = { security: { ...DEFAULT_SECURITY, dpopBoundAccessTokens: true } };
    for (const history of [[accept('One', dpopRequirement)], [accept('One'), updateWith(dpopRequirement)]]) {
      const { decision } = given(client, ...history)
        .when(accept('Two'))
        .accepted('ClientDocumentAccepted');
      expect(decision.events[0]?.data).to.deep.include(dpopRequirement);
    }
  });
});

describe('the members of a client', () => {
  const [ada, bob, eve] = [userId('ada'), userId('bob'), userId('eve')];
  const registerFor = (ownerId: UserId | null): ClientCommand => ({
    type: 'RegisterClient',
    registration: { ...CLIENT_SETTINGS, clientId: clientId('A'), ownerId, secret: SECRET },
  });
  const addMember = (user: UserId, role: MemberRole): ClientCommand => ({ type: 'AddMember', userId: user, role });
  const removeMember = (user: UserId): ClientCommand => ({ type: 'RemoveMember', userId: user });
  const withdrawInvitations = (role: MemberRole): ClientCommand => ({ type: 'WithdrawInvitations', role });
  const accept = (user: UserId, changes: Partial<Invitation> = {}): ClientCommand => ({
    type: 'AcceptInvitation',
    userId: user,
    invitation: { hash: hashOf('invitation'), role: 'owner', inviterId: ada, createdAt: 1, ...changes },
  });
  const registerForAda = registerFor(ada);

  it('are at first only the owner, if it has one', () => {
    const stateAfter = (command: ClientCommand) =>
      client.decide(command, client.initial).events.reduce(client.evolve, client.initial);
    const noMembers = { members: [], acceptedInvitations: [] };
    expect(client.initial).to.deep.include(noMembers);
    expect(stateAfter(registerFor(null))).to.deep.include(noMembers);
    expect(stateAfter(registerForAda).members).to.deep.equal([{ userId: ada, role: 'owner', joinedAt: 0 }]);
  });

  it('are added and removed, and a test user can become an owner', () => {
    given(client, registerForAda).when(addMember(bob, 'test-user')).accepted('ClientMemberAdded');
    given(client, registerForAda, addMember(bob, 'test-user'))
      .when(addMember(bob, 'owner'))
      .accepted('ClientMemberAdded');
    given(client, registerForAda, addMember(bob, 'owner')).when(removeMember(ada)).accepted('ClientMemberRemoved');
    given(client, registerFor(null)).when(addMember(bob, 'owner')).accepted('ClientMemberAdded');
  });

  it('do not change if a user already has the role, or leaves without being a member', () => {
    given(client, registerForAda).when(addMember(ada, 'owner')).changesNothing();
    given(client, registerForAda).when(addMember(ada, 'test-user')).changesNothing();
    given(client, registerForAda, addMember(bob, 'test-user')).when(addMember(bob, 'test-user')).changesNothing();
    given(client, registerForAda).when(removeMember(bob)).changesNothing();
  });

  it('always include an owner', () => {
    given(client, registerForAda, addMember(bob, 'test-user')).when(removeMember(bob)).accepted('ClientMemberRemoved');
    given(client, registerFor(null), addMember(bob, 'owner')).when(removeMember(bob)).refused('last-owner');
    given(client, registerForAda).when(removeMember(ada)).refused('last-owner');
    given(client, registerForAda, addMember(bob, 'test-user')).when(removeMember(ada)).refused('last-owner');
    given(client, registerForAda, addMember(bob, 'owner'), removeMember(ada))
      .when(removeMember(bob))
      .refused('last-owner');
  });

  it('join with an invitation once, and submitting the form again changes nothing', () => {
    given(client, registerForAda).when(accept(bob)).accepted('ClientMemberAdded');
    given(client, registerForAda, accept(bob)).when(accept(bob)).changesNothing();
    given(client, registerForAda, accept(bob)).when(accept(eve)).refused('invitation-used');
    given(client, registerForAda, accept(bob), removeMember(bob)).when(accept(bob)).refused('invitation-used');
    given(client, registerForAda)
      .when(accept(ada, { inviterId: ada }))
      .refused('already-member');
    given(client, registerForAda, addMember(bob, 'test-user'))
      .when(accept(bob, { role: 'test-user' }))
      .refused('already-member');
    given(client, registerForAda, addMember(bob, 'test-user')).when(accept(bob)).accepted('ClientMemberAdded');
  });

  it('join with any number of invitations, each of which is used once', () => {
    const another = accept(eve, { hash: hashOf('another invitation') });
    given(client, registerForAda, accept(bob)).when(another).accepted('ClientMemberAdded');
    given(client, registerForAda, accept(bob), another).when(another).changesNothing();
  });

  it('cannot join with an invitation from before its inviter became an owner, or to an unknown client', () => {
    given(client, registerForAda)
      .when(accept(bob, { createdAt: 0 }))
      .refused('invitation-withdrawn');
    const invitation = { hash: hashOf('invitation'), role: 'owner', inviterId: ada, createdAt: 1 } as const;
    expect(invitationRefusal(invitation, client.initial)).to.equal('client-unknown');
  });

  it('cannot join with an invitation that has been withdrawn, or whose inviter is no longer an owner', () => {
    given(client, registerForAda, withdrawInvitations('owner')).when(accept(bob)).refused('invitation-withdrawn');
    given(client, registerForAda, withdrawInvitations('test-user')).when(accept(bob)).accepted('ClientMemberAdded');
    given(client, registerForAda, withdrawInvitations('owner'))
      .when(accept(bob, { createdAt: 2 }))
      .accepted('ClientMemberAdded');
    const adaLeft = [registerForAda, addMember(eve, 'owner'), removeMember(ada)];
    given(client, ...adaLeft)
      .when(accept(bob))
      .refused('invitation-withdrawn');
    given(client, ...adaLeft, addMember(ada, 'owner'))
      .when(accept(bob))
      .refused('invitation-withdrawn');
    given(client, ...adaLeft, addMember(ada, 'owner'))
      .when(accept(bob, { createdAt: 4 }))
      .accepted('ClientMemberAdded');
    given(client, registerForAda)
      .when(accept(bob, { inviterId: eve }))
      .refused('invitation-withdrawn');
  });

  it('do not change once the client is removed', () => {
    for (const command of [addMember(bob, 'owner'), accept(bob), removeMember(ada), withdrawInvitations('owner')])
      given(client, registerForAda, remove).when(command).refused('client-unknown');
  });
});

describe('two secrets of a client', () => {
  it('are the same only if both are generated and have equal hashes', () => {
    const imported = { algorithm: 'pbkdf2-sha256', hash: SECRET.hash, verifier: 'verifier' } as never;
    expect(isSameSecret(SECRET, { ...SECRET })).to.equal(true);
    for (const otherSecret of [null, OTHER_SECRET, imported]) {
      expect(isSameSecret(SECRET, otherSecret)).to.equal(false);
      expect(isSameSecret(otherSecret, SECRET)).to.equal(false);
    }
    for (const secret of [null, imported]) expect(isSameSecret(secret, secret)).to.equal(false);
  });
});

import { expect } from 'chai';
import { createPartiesLookup } from '../../../src/audit/queries/parties.ts';
import { describeEvent } from '../../../src/audit/queries/sentence.ts';
import type { EventOf } from '../../../src/domain/events.ts';
import { sessionLogin, passwordLogin } from '../../../src/domain/login.ts';
import type { Position, RecordedEvent } from '../../../src/event-store/event-log.ts';
import type { Names } from '../../../src/audit/queries/sentence-parts.ts';
import { SETTINGS_STREAM } from '../../../src/domain/streams.ts';
import { createTranslators } from '../../../src/language/translators.ts';
import { english } from '../../../src/language/english.ts';
import { clientId, grantId, groupId, hashOf, passkeyId, seconds, userId } from '../../support/domain-values.ts';
import { toRecordedEvents, write, type TestEvent } from '../rules/hand-written-log.ts';
import type { UserId } from '../../../src/domain/values.ts';

type Consent = EventOf<'ConsentGiven'>['data'];

const PARTIES = { userId: userId('ada'), clientId: clientId('A') };
const NAMES = { user: () => 'Ada', application: () => 'App', group: () => undefined };
const CHECKED = { authenticatedAt: seconds(5), checkedAsOf: 1 as Position };

/** Returns the sentence about Ada's consent to the read scope for application A. */
function consentSentence(changes: Partial<Consent>): string {
  const data = { grantId: grantId('g'), ...PARTIES, scope: ['read'], basis: 'asked', ...changes } as const;
  const [event] = toRecordedEvents([write('grant-g', 'ConsentGiven', data)]);
  if (event === undefined) throw new Error('no event was written');
  return english.text(describeEvent(event, PARTIES, NAMES));
}

describe('the sentence about a consent', () => {
  it("states the session's login method", () => {
    const sentenceFor = (method: 'password' | 'sign-up' | 'set-up-link') =>
      consentSentence({ login: sessionLogin(hashOf('s'), { method, ...CHECKED }) });
    for (const method of ['password', 'sign-up', 'set-up-link'] as const)
      expect(sentenceFor(method)).to.equal('Ada authorized App for read, in a session started with the password');
    const withPasskey = sessionLogin(hashOf('s'), { method: 'passkey', passkeyId: passkeyId('p'), ...CHECKED });
    expect(consentSentence({ login: withPasskey, basis: 'skipped' })).to.equal(
      'App was granted read for Ada; this application needs no consent, in a session started with a passkey',
    );
  });

  it('states that the login is not recorded if an earlier release wrote the event', () => {
    expect(consentSentence({})).to.equal('Ada authorized App for read, in a session whose login is not recorded');
  });

  it('does not mention a session if the client sent the password', () => {
    const login = passwordLogin(seconds(5));
    expect(consentSentence({ basis: 'password', login })).to.equal('App was granted read with the password of Ada');
  });

  it('lists scopes that were requested but not granted', () => {
    const login = sessionLogin(hashOf('s'), { method: 'password', ...CHECKED });
    expect(consentSentence({ login, requested: { scope: ['read', 'write', 'groups'] } })).to.equal(
      'Ada authorized App for read, in a session started with the password; requested but not granted: write, groups',
    );
  });
});

describe('the sentence about a code', () => {
  it('states whether the client pushed the request', () => {
    const sentenceFor = (changes: object): string => {
      const code = { ...PARTIES, codeHash: hashOf('c'), scope: ['read'], redirectUri: 'https://app.example/' };
      const data = { ...code, redirectUriRequired: true, codeChallenge: null, expiresAt: seconds(60), ...changes };
      const [event] = toRecordedEvents([write('grant-g', 'AuthorizationCodeIssued', data)]);
      return english.text(describeEvent(event!, PARTIES, NAMES));
    };
    const mainClause = 'App was issued an authorization code for read, authorized by Ada';
    expect(sentenceFor({})).to.equal(mainClause);
    expect(sentenceFor({ pushed: true })).to.equal(`${mainClause}, through a pushed request`);
  });
});

describe('the sentence about an application member', () => {
  const [ada, bob] = [userId('ada'), userId('bob')];
  const names = {
    user: (id: UserId) => (id === ada ? 'Ada' : 'Bob'),
    application: () => 'App',
    group: () => undefined,
  };
  const sentenceFor = (testEvent: TestEvent, actor: UserId): string => {
    const [event] = toRecordedEvents([{ ...testEvent, envelope: { actor: { kind: 'user', id: actor } } }]);
    return english.text(describeEvent(event!, PARTIES, names));
  };

  it('states who added a member, or who invited the member', () => {
    const memberAdded = (invitation: { hash: string; by: string } | null): TestEvent =>
      write('client-A', 'ClientMemberAdded', { userId: bob, role: 'test-user', invitation });
    expect(sentenceFor(memberAdded(null), ada)).to.equal('Ada made Bob a test user of App');
    expect(sentenceFor(memberAdded({ hash: hashOf('i'), by: ada }), bob)).to.equal(
      'Bob became a test user of App, invited by Ada',
    );
  });

  it('states who removed a member, or that the member left', () => {
    const memberRemoved = write('client-A', 'ClientMemberRemoved', { userId: bob, role: 'owner' });
    expect(sentenceFor(memberRemoved, ada)).to.equal('Ada removed Bob as an owner of App');
    expect(sentenceFor(memberRemoved, bob)).to.equal('Bob stepped down as an owner of App');
    const invitationsWithdrawn = write('client-A', 'ClientInvitationsWithdrawn', { role: 'owner' });
    expect(sentenceFor(invitationsWithdrawn, ada)).to.equal(
      'Ada withdrew all pending invitations to become an owner of App',
    );
  });
});

describe('the sentence about an exchange policy', () => {
  const sentenceFor = (type: 'ExchangePolicySet' | 'ExchangePolicyRemoved', details: object): string => {
    const data = { clientId: clientId('A'), subjectClientId: clientId('B'), ...details };
    const [event] = toRecordedEvents([write('exchange-p', type, data)]);
    const names = {
      user: () => 'Ada',
      application: (id: string) => (id === clientId('A') ? 'Broker' : 'App'),
      group: () => undefined,
    };
    return english
      .text(describeEvent(event!, { userId: null, clientId: null }, names))
      .replace(/^.*? (?=allowed|removed)/, '');
  };

  it('names both applications, the modes and the limits', () => {
    const unlimitedSettings = { modes: ['impersonation'], scope: null, resources: null };
    expect(sentenceFor('ExchangePolicySet', { settings: unlimitedSettings })).to.equal(
      'allowed Broker to exchange tokens of App, by impersonation',
    );
    const limitedSettings = {
      modes: ['impersonation', 'delegation'],
      scope: ['read', 'write'],
      resources: ['https://a.example'],
    };
    expect(sentenceFor('ExchangePolicySet', { settings: limitedSettings })).to.equal(
      'allowed Broker to exchange tokens of App, by impersonation or delegation, for read, write, ' +
        'restricted to https://a.example',
    );
    expect(sentenceFor('ExchangePolicyRemoved', {})).to.equal(
      'removed the policy that allowed Broker to exchange tokens of App',
    );
  });
});

describe('the sentence about a group', () => {
  const sentenceFor = (type: 'GroupCreated' | 'GroupRemoved' | 'GroupMemberAdded' | 'GroupMemberRemoved'): string => {
    const data = type === 'GroupCreated' ? { name: 'Staff' } : type === 'GroupRemoved' ? {} : { userId: userId('ada') };
    const [event] = toRecordedEvents([write('x', type, { groupId: groupId('g'), ...data })]);
    return english
      .text(describeEvent(event!, { userId: null, clientId: null }, { ...NAMES, group: () => 'Staff' }))
      .replace(/^.*? (?=created|removed|added)/, '');
  };

  it('names the group and the user, even after the group has been removed', () => {
    expect(sentenceFor('GroupCreated')).to.equal('created the group Staff');
    expect(sentenceFor('GroupMemberAdded')).to.equal('added Ada to the group Staff');
    expect(sentenceFor('GroupMemberRemoved')).to.equal('removed Ada from the group Staff');
    expect(sentenceFor('GroupRemoved')).to.equal('removed the group Staff; it no longer has any members');
  });
});

describe('the sentence about a trusted issuer', () => {
  const sentenceFor = (type: 'TrustedIssuerSet' | 'TrustedIssuerRemoved', details: object): string => {
    const [event] = toRecordedEvents([write('issuer-i', type, { issuer: 'https://ci.example', ...details })]);
    const names = { ...NAMES, application: (id: string) => (id === clientId('A') ? 'Deployer' : 'App') };
    return english
      .text(describeEvent(event!, { userId: null, clientId: null }, names))
      .replace(/^.*? (?=configured|removed)/, '');
  };

  it('names the uses, the applications and the limits', () => {
    const settings = {
      uses: ['assertion', 'actor-token'],
      clients: [
        { clientId: clientId('A'), requiredClaims: [] },
        { clientId: clientId('B'), requiredClaims: [] },
      ],
      scope: ['read', 'write'],
      resources: ['https://a.example'],
    };
    expect(sentenceFor('TrustedIssuerSet', { settings })).to.equal(
      'configured the trusted issuer https://ci.example: assertion, actor-token by Deployer, App, for read, write, ' +
        'restricted to https://a.example',
    );
    expect(sentenceFor('TrustedIssuerRemoved', {})).to.equal(
      'removed the trusted issuer https://ci.example and ended the grants that began with its tokens',
    );
  });
});

describe('the sentence about a setting', () => {
  const lifetimeChanged = (value: string | number | null): TestEvent =>
    write('settings', 'SettingChanged', { name: 'accessTokenLifetimeSeconds', value });
  const otherChange = write('settings', 'SettingChanged', { name: 'refreshTokenLifetimeSeconds', value: 5 });
  const lifetimeReset = write('settings', 'SettingReset', { name: 'accessTokenLifetimeSeconds' });
  const sentenceFor = async (...writes: readonly TestEvent[]): Promise<string> => {
    const events = toRecordedEvents(writes);
    const log = { readStream: () => pages(events) };
    const parties = await createPartiesLookup(log)(SETTINGS_STREAM);
    return english.text(describeEvent(events.at(-1)!, parties, NAMES)).replace('The operator ', '');
  };
  async function* pages(events: readonly RecordedEvent[]): AsyncGenerator<readonly RecordedEvent[]> {
    for (const event of events) yield [event];
  }

  it("states the values before and after the change, as the setting's page does", async () => {
    const from = 'changed “Access token lifetime” from';
    expect(await sentenceFor(lifetimeChanged(3_600))).to.equal(`${from} its default to 1 hour`);
    expect(await sentenceFor(lifetimeChanged(36_000), otherChange, lifetimeChanged(600))).to.equal(
      `${from} 10 hours to 10 minutes`,
    );
    expect(await sentenceFor(lifetimeChanged(3_600), lifetimeChanged(null))).to.equal(`${from} 1 hour to none`);
    expect(await sentenceFor(lifetimeChanged(null), lifetimeChanged(60))).to.equal(`${from} none to 1 minute`);
    expect(await sentenceFor(lifetimeChanged(3_600), lifetimeReset, lifetimeChanged(60))).to.equal(
      `${from} its default to 1 minute`,
    );
    expect(await sentenceFor(lifetimeChanged(3_600), lifetimeReset)).to.equal(
      'reset “Access token lifetime” from 1 hour to its default',
    );
  });

  it('names the entries that a change added, removed and changed', async () => {
    const scopesChanged = (value: Readonly<Record<string, string>>): TestEvent =>
      write('settings', 'SettingChanged', { name: 'scopes', value });
    const languagesChanged = (value: readonly string[]): TestEvent =>
      write('settings', 'SettingChanged', { name: 'languages', value });
    expect(await sentenceFor(scopesChanged({ read: 'See', photos: 'See photos' }))).to.equal(
      'changed “Scopes” from its default to read, photos',
    );
    expect(
      await sentenceFor(
        scopesChanged({ read: 'See', write: 'Change' }),
        scopesChanged({ read: 'See it', photos: 'See photos' }),
      ),
    ).to.equal('changed “Scopes”: added photos; removed write; changed read');
    expect(await sentenceFor(languagesChanged(['en', 'de']), languagesChanged(['de', 'en']))).to.equal(
      'changed “Languages” from en, de to de, en',
    );
  });

  it('names the custom texts that a change added, changed and removed, with their languages', async () => {
    const brandTexts = (value: Readonly<Record<string, Readonly<Record<string, string>>>>): TestEvent =>
      write('settings', 'SettingChanged', { name: 'brandTexts', value });
    const first = brandTexts({ en: { 'login.title': 'Welcome' } });
    expect(await sentenceFor(first)).to.equal('changed “Your own texts”: added login.title (en)');
    expect(
      await sentenceFor(first, brandTexts({ en: { 'login.title': 'Hello' }, de: { 'login.title': 'Hallo' } })),
    ).to.equal('changed “Your own texts”: added login.title (de); changed login.title (en)');
    expect(await sentenceFor(first, brandTexts({}))).to.equal('changed “Your own texts”: removed login.title (en)');
  });

  it('shows the recorded name of a setting that no longer exists', async () => {
    expect(await sentenceFor(write('settings', 'SettingChanged', { name: 'oldSetting', value: true }))).to.equal(
      'changed “oldSetting” from its default to yes',
    );
  });
});

describe('a sentence in German and in HTML', () => {
  const erasureSentence = (names: Names) => {
    const [event] = toRecordedEvents([write('user-ada', 'UserErased', { userId: userId('ada') })]);
    return describeEvent(event!, { userId: null, clientId: null }, names);
  };

  it('isolates names, and inflects the placeholder for a missing name correctly', () => {
    const sentence = erasureSentence({ ...NAMES, user: () => '<Ada>' });
    expect(english.html(sentence.key, sentence.values)).to.equal(
      'The operator erased the account of <bdi class="named">&lt;Ada&gt;</bdi>',
    );
    const { de } = createTranslators();
    expect(de.text(sentence)).to.equal('Der Betreiber hat das Konto von <Ada> gelöscht');
    expect(de.text(erasureSentence({ ...NAMES, user: () => '' }))).to.equal(
      'Der Betreiber hat das Konto von einem gelöschten Benutzer gelöscht',
    );
  });
});

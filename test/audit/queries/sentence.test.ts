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
import { handWritten, write, type Written } from '../rules/hand-written-log.ts';
import type { UserId } from '../../../src/domain/values.ts';

type Consent = EventOf<'ConsentGiven'>['data'];

const PARTIES = { userId: userId('ada'), clientId: clientId('A') };
const NAMES = { user: () => 'Ada', application: () => 'App', group: () => undefined };
const CHECKED = { authenticatedAt: seconds(5), checkedAsOf: 1 as Position };

/** The sentence about Ada's consent to the read scope for application A. */
function consentSentence(changes: Partial<Consent>): string {
  const data = { grantId: grantId('g'), ...PARTIES, scope: ['read'], basis: 'asked', ...changes } as const;
  const [recorded] = handWritten([write('grant-g', 'ConsentGiven', data)]);
  if (recorded === undefined) throw new Error('no event was written');
  return english.text(describeEvent(recorded, PARTIES, NAMES));
}

describe('the sentence about a consent', () => {
  it("states the session's login method", () => {
    const startedWith = (method: 'password' | 'sign-up' | 'set-up-link') =>
      consentSentence({ login: sessionLogin(hashOf('s'), { method, ...CHECKED }) });
    for (const method of ['password', 'sign-up', 'set-up-link'] as const)
      expect(startedWith(method)).to.equal('Ada authorized App for read, in a session started with the password');
    const withPasskey = sessionLogin(hashOf('s'), { method: 'passkey', passkeyId: passkeyId('p'), ...CHECKED });
    expect(consentSentence({ login: withPasskey, basis: 'skipped' })).to.equal(
      'App was granted read for Ada; this client needs no consent, in a session started with a passkey',
    );
  });

  it('states that the login is not recorded if an earlier release wrote the event', () => {
    expect(consentSentence({})).to.equal('Ada authorized App for read, in a session whose login is not recorded');
  });

  it('mentions no session if the client sent the password', () => {
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
    const sentenceFor = (pushed: object): string => {
      const code = { ...PARTIES, codeHash: hashOf('c'), scope: ['read'], redirectUri: 'https://app.example/' };
      const data = { ...code, redirectUriRequired: true, codeChallenge: null, expiresAt: seconds(60), ...pushed };
      const [recorded] = handWritten([write('grant-g', 'AuthorizationCodeIssued', data)]);
      return english.text(describeEvent(recorded!, PARTIES, NAMES));
    };
    const plain = 'App was issued an authorization code for read, authorized by Ada';
    expect(sentenceFor({})).to.equal(plain);
    expect(sentenceFor({ pushed: true })).to.equal(`${plain}, by a request that the client pushed`);
  });
});

describe('the sentence about a member of an application', () => {
  const [ada, bob] = [userId('ada'), userId('bob')];
  const names = {
    user: (id: UserId) => (id === ada ? 'Ada' : 'Bob'),
    application: () => 'App',
    group: () => undefined,
  };
  const sentenceFor = (written: Written, actor: UserId): string => {
    const [recorded] = handWritten([{ ...written, envelope: { actor: { kind: 'user', id: actor } } }]);
    return english.text(describeEvent(recorded!, PARTIES, names));
  };

  it('states who added a member, or who invited the member', () => {
    const added = (invitation: { hash: string; by: string } | null): Written =>
      write('client-A', 'ClientMemberAdded', { userId: bob, role: 'test-user', invitation });
    expect(sentenceFor(added(null), ada)).to.equal('Ada made Bob a test user of App');
    expect(sentenceFor(added({ hash: hashOf('i'), by: ada }), bob)).to.equal(
      'Bob became a test user of App, invited by Ada',
    );
  });

  it('states who removed a member, or that the member left', () => {
    const removed = write('client-A', 'ClientMemberRemoved', { userId: bob, role: 'owner' });
    expect(sentenceFor(removed, ada)).to.equal('Ada removed Bob as an owner of App');
    expect(sentenceFor(removed, bob)).to.equal('Bob left App, of which they were an owner');
    const withdrawn = write('client-A', 'ClientInvitationsWithdrawn', { role: 'owner' });
    expect(sentenceFor(withdrawn, ada)).to.equal('Ada withdrew all pending invitations to become an owner of App');
  });
});

describe('the sentence about an exchange policy', () => {
  const sentenceFor = (type: 'ExchangePolicySet' | 'ExchangePolicyRemoved', more: object): string => {
    const data = { clientId: clientId('A'), subjectClientId: clientId('B'), ...more };
    const [recorded] = handWritten([write('exchange-p', type, data)]);
    const names = {
      user: () => 'Ada',
      application: (id: string) => (id === clientId('A') ? 'Broker' : 'App'),
      group: () => undefined,
    };
    return english
      .text(describeEvent(recorded!, { userId: null, clientId: null }, names))
      .replace(/^.*? (?=allowed|removed)/, '');
  };

  it('names both applications, the modes and the limits', () => {
    const any = { modes: ['impersonation'], scope: null, resources: null };
    expect(sentenceFor('ExchangePolicySet', { settings: any })).to.equal(
      'allowed Broker to exchange tokens of App, by impersonation',
    );
    const limited = {
      modes: ['impersonation', 'delegation'],
      scope: ['read', 'write'],
      resources: ['https://a.example'],
    };
    expect(sentenceFor('ExchangePolicySet', { settings: limited })).to.equal(
      'allowed Broker to exchange tokens of App, by impersonation or delegation, for read, write, at https://a.example',
    );
    expect(sentenceFor('ExchangePolicyRemoved', {})).to.equal(
      'removed the policy with which Broker could exchange tokens of App',
    );
  });
});

describe('the sentence about a group', () => {
  const sentenceFor = (type: 'GroupCreated' | 'GroupRemoved' | 'GroupMemberAdded' | 'GroupMemberRemoved'): string => {
    const data = type === 'GroupCreated' ? { name: 'Staff' } : type === 'GroupRemoved' ? {} : { userId: userId('ada') };
    const [recorded] = handWritten([write('x', type, { groupId: groupId('g'), ...data })]);
    return english
      .text(describeEvent(recorded!, { userId: null, clientId: null }, { ...NAMES, group: () => 'Staff' }))
      .replace(/^.*? (?=created|removed|added)/, '');
  };

  it('names the group and the user, even after the group was removed', () => {
    expect(sentenceFor('GroupCreated')).to.equal('created the group Staff');
    expect(sentenceFor('GroupMemberAdded')).to.equal('added Ada to the group Staff');
    expect(sentenceFor('GroupMemberRemoved')).to.equal('removed Ada from the group Staff');
    expect(sentenceFor('GroupRemoved')).to.equal('removed the group Staff; nobody is a member any more');
  });
});

describe('the sentence about a trusted issuer', () => {
  const sentenceFor = (type: 'TrustedIssuerSet' | 'TrustedIssuerRemoved', more: object): string => {
    const [recorded] = handWritten([write('issuer-i', type, { issuer: 'https://ci.example', ...more })]);
    const names = { ...NAMES, application: (id: string) => (id === clientId('A') ? 'Deployer' : 'App') };
    return english
      .text(describeEvent(recorded!, { userId: null, clientId: null }, names))
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
        'at https://a.example',
    );
    expect(sentenceFor('TrustedIssuerRemoved', {})).to.equal(
      'removed the trusted issuer https://ci.example, and ended what was issued for its tokens',
    );
  });
});

describe('the sentence about a setting', () => {
  const changed = (value: string | number | null): Written =>
    write('settings', 'SettingChanged', { name: 'accessTokenLifetimeSeconds', value });
  const other = write('settings', 'SettingChanged', { name: 'refreshTokenLifetimeSeconds', value: 5 });
  const reset = write('settings', 'SettingReset', { name: 'accessTokenLifetimeSeconds' });
  const sentenceFor = async (...written: readonly Written[]): Promise<string> => {
    const events = handWritten(written);
    const log = { readStream: () => pages(events) };
    const parties = await createPartiesLookup(log)(SETTINGS_STREAM);
    return english.text(describeEvent(events.at(-1)!, parties, NAMES)).replace('The operator ', '');
  };
  async function* pages(events: readonly RecordedEvent[]): AsyncGenerator<readonly RecordedEvent[]> {
    for (const event of events) yield [event];
  }

  it("states the values before and after the change, as the setting's page does", async () => {
    const from = 'changed “Lifetime of access tokens” from';
    expect(await sentenceFor(changed(3_600))).to.equal(`${from} its default to 1 hour`);
    expect(await sentenceFor(changed(36_000), other, changed(600))).to.equal(`${from} 10 hours to 10 minutes`);
    expect(await sentenceFor(changed(3_600), changed(null))).to.equal(`${from} 1 hour to none`);
    expect(await sentenceFor(changed(null), changed(60))).to.equal(`${from} none to 1 minute`);
    expect(await sentenceFor(changed(3_600), reset, changed(60))).to.equal(`${from} its default to 1 minute`);
    expect(await sentenceFor(changed(3_600), reset)).to.equal(
      'reset “Lifetime of access tokens” from 1 hour to its default',
    );
  });

  it('names the entries that a change added, removed and changed', async () => {
    const scopes = (value: Readonly<Record<string, string>>): Written =>
      write('settings', 'SettingChanged', { name: 'scopes', value });
    const languages = (value: readonly string[]): Written =>
      write('settings', 'SettingChanged', { name: 'languages', value });
    expect(await sentenceFor(scopes({ read: 'See', photos: 'See photos' }))).to.equal(
      'changed “Scopes” from its default to read, photos',
    );
    expect(
      await sentenceFor(scopes({ read: 'See', write: 'Change' }), scopes({ read: 'See it', photos: 'See photos' })),
    ).to.equal('changed “Scopes”: added photos; removed write; changed read');
    expect(await sentenceFor(languages(['en', 'de']), languages(['de', 'en']))).to.equal(
      'changed “Languages” from en, de to de, en',
    );
  });

  it('names the custom texts that a change added, changed and removed, with their languages', async () => {
    const texts = (value: Readonly<Record<string, Readonly<Record<string, string>>>>): Written =>
      write('settings', 'SettingChanged', { name: 'brandTexts', value });
    const first = texts({ en: { 'login.title': 'Welcome' } });
    expect(await sentenceFor(first)).to.equal('changed “Your own texts”: added login.title (en)');
    expect(
      await sentenceFor(first, texts({ en: { 'login.title': 'Hello' }, de: { 'login.title': 'Hallo' } })),
    ).to.equal('changed “Your own texts”: added login.title (de); changed login.title (en)');
    expect(await sentenceFor(first, texts({}))).to.equal('changed “Your own texts”: removed login.title (en)');
  });

  it('shows the recorded name of a setting that no longer exists', async () => {
    expect(await sentenceFor(write('settings', 'SettingChanged', { name: 'oldSetting', value: true }))).to.equal(
      'changed “oldSetting” from its default to yes',
    );
  });
});

describe('a sentence in German and in HTML', () => {
  const erased = (names: Names) => {
    const [recorded] = handWritten([write('user-ada', 'UserErased', { userId: userId('ada') })]);
    return describeEvent(recorded!, { userId: null, clientId: null }, names);
  };

  it('isolates names, and inflects the substitute for a missing name correctly', () => {
    const known = erased({ ...NAMES, user: () => '<Ada>' });
    expect(english.html(known.key, known.values)).to.equal(
      'The operator erased the account of <bdi class="named">&lt;Ada&gt;</bdi>',
    );
    const { de } = createTranslators();
    expect(de.text(known)).to.equal('Der Betreiber hat das Konto von <Ada> gelöscht');
    expect(de.text(erased({ ...NAMES, user: () => '' }))).to.equal(
      'Der Betreiber hat das Konto von einem gelöschten Benutzer gelöscht',
    );
  });
});

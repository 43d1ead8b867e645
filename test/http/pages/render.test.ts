import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { DEFAULT_OPENID } from '../../../src/domain/openid-settings.ts';
import type { EpochSeconds } from '../../../src/domain/values.ts';
import type { ApplicationLocals } from '../../../src/http/pages/applications/locals.ts';
import type { AuthorizedApplicationLocals, GrantLocals } from '../../../src/http/pages/account/authorization-lookup.ts';
import type { PageContext } from '../../../src/http/pages/page-context.ts';
import { createRenderer } from '../../../src/http/pages/render.ts';
import { VIEWS_DIRECTORY } from '../../../src/http/pages/views.ts';
import { auditSamples } from '../../support/audit-samples.ts';

const pages = createRenderer();

/** Every page in every one of its states, with `text` put where a string of the locals goes. */
function everyPage(text: (place: string) => string): Record<string, string> {
  const visitor = { user: null, csrfToken: text('csrf'), path: text('path'), flash: null };
  const member = {
    user: { username: text('user'), roles: ['administrator'] },
    csrfToken: text('csrf'),
    path: '/o/applications/',
    flash: { text: text('flash'), tone: 'good' },
  } as const;
  const nothing = { documents: [], applications: [], applicationCount: 0, authorized: [], authorizedCount: 0 };
  const described = { name: text('scope'), description: text('scope-description'), effects: [text('scope-effect')] };
  const scopes = [{ ...described, shares: text('scope-shares') }];
  const shared = {
    values: [
      { title: text('shared'), lines: [text('shared line 1'), text('shared line 2')] },
      { title: text('changed'), at: 1_700_000_000 as EpochSeconds },
    ],
    missing: [text('missing')],
  };
  const NOTHING_SHARED = { values: [], missing: [] };
  const account = { values: { username: text('username'), email: text('email') } };
  const accountErrors = { username: text('e1'), email: text('e2'), password: text('e3'), other: text('e4') };
  const application = {
    id: text('id'),
    name: text('name'),
    clientId: text('client-id'),
    clientType: 'confidential',
    grants: ['authorization-code', 'client-credentials', 'password'],
    redirectUris: [text('uri'), 'https://app.example/'],
    allowedOrigins: [text('origin')],
    accessTokenFormat: 'jwt',
    accessTokenAlgorithm: 'PS256',
    openid: {
      ...DEFAULT_OPENID,
      userinfoAlgorithm: 'ES256',
      subjectType: 'pairwise',
      sectorIdentifierUri: text('sector'),
      postLogoutRedirectUris: [text('uri'), text('logout')],
      backchannelLogoutUri: text('backchannel'),
      backchannelLogoutSessionRequired: true,
      initiateLoginUri: text('login'),
      defaultMaxAgeSeconds: 3_600,
      isSet: true,
    },
  } as const;
  const at = 1_700_000_000 as EpochSeconds;
  const everything = { query: '', number: 1, previous: null, next: null };
  const someOf = { query: text('query'), number: 2, previous: '/list/?page=1', next: '/list/?page=3' };
  const grant = {
    grantId: text('grant'),
    scope: [text('scope')],
    resources: [text('resource')],
    since: at,
    lastUsed: at,
    endsWithSession: true,
  };
  const authorized = {
    id: text('id'),
    name: text('name'),
    scope: [text('scope')],
    resources: [text('resource')],
    since: at,
    lastUsed: at,
    count: 7,
  };
  const authorizedInWords = {
    ...authorized,
    owner: text('owner'),
    scopes,
    sharesByName: text('by-name'),
    openUrl: text('open'),
  };
  const unknownSession = {
    how: '',
    browser: null,
    isCurrent: false,
    applications: [],
    applicationCount: 0,
    ending: [],
  };
  const sessions = [
    {
      id: text('session'),
      since: at,
      how: text('how'),
      browser: text('browser'),
      isCurrent: true,
      applications: [text('first application'), text('second application')],
      applicationCount: 12,
      ending: [text('first application')],
    },
    { ...unknownSession, id: text('session'), since: at },
    { ...unknownSession, id: text('session'), since: at, browser: text('browser') },
  ];
  const passkeys = [{ id: text('passkey'), name: text('passkey name'), since: at }];
  const unused = { lastUsed: null, oldSecret: null };
  const used = {
    lastUsed: 1_700_000_000 as EpochSeconds,
    oldSecret: { endsAt: 1_700_003_600 as EpochSeconds, lastUsed: 1_700_000_060 as EpochSeconds },
  };
  const tryIt = {
    issuer: text('issuer'),
    state: text('state'),
    nonce: text('nonce'),
    pkce: { verifier: text('verifier'), challenge: text('challenge'), method: 'S256' as const },
    sampleApi: true,
  };
  const bar = { from: 1_700_000_000 as EpochSeconds, tokens: 7 };
  const activity = { hours: [{ ...bar, tokens: 0 }, bar], days: [bar, { ...bar, tokens: 0 }] };
  const idle = { hours: [{ ...bar, tokens: 0 }], days: [{ ...bar, tokens: 0 }] };
  const setting = 'plainHttpRedirectUris' as const;
  const forbiddenRedirectUris = [{ uri: text('uri'), problem: text('problem'), setting }];
  const created = { ...member, application, forbiddenRedirectUris, ...unused, tryIt };
  const refusal = {
    requestId: text('request'),
    at: 1_700_000_000 as EpochSeconds,
    request: text('path'),
    error: text('error'),
    isProven: true,
    rule: text('rule'),
    expected: text('expected'),
    seen: text('seen'),
    advice: text('advice'),
  };
  const report = { sid: text('sid'), at, attempts: 1, failure: null };
  const detail = {
    ...created,
    activity,
    refusals: [refusal, { ...refusal, error: null, isProven: false }],
    logouts: { pending: 2, outcomes: [report, { ...report, attempts: 6, failure: text('failure') }] },
  };
  const form = {
    values: {
      name: text('name'),
      clientType: text('type'),
      grants: [text('grant')],
      redirectUris: text('uris'),
      allowedOrigins: text('origins'),
      accessTokenFormat: text('format'),
      accessTokenAlgorithm: text('algorithm'),
      openid: {
        isOpen: true,
        postLogoutRedirectUris: text('logout'),
        backchannelLogoutUri: text('backchannel'),
        initiateLoginUri: text('login'),
        idTokenAlgorithm: text('algorithm'),
        userinfoAlgorithm: text('algorithm'),
        subjectType: text('subject'),
        sectorIdentifierUri: text('sector'),
        defaultMaxAge: text('age'),
        requirements: ['session' as const],
      },
    },
    errors: {
      name: text('f1'),
      client_type: text('f2'),
      authorization_grant_type: text('f3'),
      redirect_uris: text('f4'),
      allowed_origins: text('f5'),
      access_token_algorithm: text('f6'),
      post_logout_redirect_uris: text('f7'),
      backchannel_logout_uri: text('f8'),
      id_token_algorithm: text('f9'),
      subject_type: text('f10'),
      other: text('f11'),
    },
  };
  const request = {
    ...member,
    request: text('request'),
    application: { name: text('name'), owner: text('owner'), registeredAt: 1_700_000_000 as EpochSeconds, isNew: true },
    authorizedSince: null,
    switchUserUrl: text('again'),
    resources: [text('resource')],
    scopes: [{ ...described, shared }],
    sharedBesides: shared,
  };
  return {
    'home of a visitor': pages.home({
      ...visitor,
      ...nothing,
      signupOpen: true,
      documents: [{ title: text('document'), href: '/.well-known/x' }],
    }),
    'home of a member': pages.home({
      ...member,
      signupOpen: false,
      documents: [],
      applicationCount: 9,
      authorizedCount: 2,
      applications: [
        { id: text('id'), name: text('name'), lastUsed: 1_700_000_000 as EpochSeconds },
        { id: text('id'), name: text('name'), lastUsed: null },
      ],
      authorized: [authorized],
    }),
    'home of a new member': pages.home({ ...member, ...nothing, signupOpen: false }),
    'description of the API': pages.apiDescription({
      ...visitor,
      groups: [
        {
          title: text('group'),
          text: text('about'),
          operations: [
            {
              id: 'listThings',
              method: 'GET',
              path: text('path'),
              summary: text('summary'),
              text: text('description'),
              ways: [
                { text: text('way'), scopes: [text('scope')] },
                { text: text('other'), scopes: [] },
              ],
              inputs: [
                {
                  title: text('place'),
                  fields: [{ name: text('name'), isRequired: false, type: text('type'), text: text('words') }],
                },
              ],
              answers: [{ status: '200', text: text('answer'), type: text('type'), schema: 'Thing' }],
              refusals: ['401'],
            },
          ],
        },
      ],
      schemas: [{ title: 'Thing', fields: [{ name: text('name'), isRequired: true, type: text('type'), text: '' }] }],
    }),
    login: pages.login({
      ...visitor,
      next: text('next'),
      username: text('username'),
      error: text('error'),
      signupOpen: true,
      passkeyOrigin: text('origin'),
    }),
    'login, first time': pages.login({
      ...visitor,
      next: '/o/authorize/',
      username: '',
      error: null,
      signupOpen: false,
      passkeyOrigin: null,
    }),
    setup: pages.setup({ ...visitor, ...account, errors: accountErrors, token: text('token') }),
    signup: pages.signup({ ...visitor, ...account, next: text('next'), errors: accountErrors }),
    'signup, first time': pages.signup({ ...visitor, next: '/', values: { username: '', email: '' }, errors: {} }),
    account: pages.account({
      ...member,
      values: { email: text('email'), firstName: text('first'), lastName: text('last') },
      errors: { email: text('e1'), first_name: text('e2'), last_name: text('e3') },
      profile: [{ title: text('title'), lines: [text('line 1'), text('line 2')] }],
      sessions,
      sessionCount: 9,
      passkeys,
      passkeyCount: 9,
      passkeysOffered: true,
    }),
    profile: pages.profile({
      ...member,
      groups: [
        {
          title: text('group'),
          fields: (
            [
              ['nickname', 'text'],
              ['website', 'url'],
              ['phone_number', 'tel'],
              ['street_address', 'lines'],
              ['zoneinfo', 'time-zone'],
            ] as const
          ).map(([name, type]) => ({
            name,
            label: text(`label ${name}`),
            help: text(`help ${name}`),
            autocomplete: text('autocomplete'),
            type,
            value: text(`value ${name}`),
          })),
        },
      ],
      timeZones: [text('zone'), text('value zoneinfo')],
      errors: { nickname: text('e1'), zoneinfo: text('e2'), street_address: text('e3'), other: text('e4') },
    }),
    'account, no passkeys': pages.account({
      ...member,
      values: { email: '', firstName: '', lastName: '' },
      errors: {},
      profile: [],
      sessions,
      sessionCount: 2,
      passkeys: [],
      passkeyCount: 0,
      passkeysOffered: false,
    }),
    sessions: pages.sessions({ ...member, paging: someOf, sessions }),
    'sessions, none on the page': pages.sessions({ ...member, paging: someOf, sessions: [] }),
    passkeys: pages.passkeys({ ...member, paging: someOf, passkeys }),
    'passkeys, none on the page': pages.passkeys({ ...member, paging: someOf, passkeys: [] }),
    'change of the password': pages.changePassword({
      ...member,
      errors: { current_password: text('e1'), new_password: text('e2') },
    }),
    'new passkey': pages.addPasskey({ ...member, origin: text('origin'), name: text('name'), error: text('error') }),
    erasure: pages.eraseAccount({
      ...member,
      isLastAdministrator: false,
      applications: 2,
      keyNote: text('note'),
      errors: { username: text('e1'), password: text('e2') },
    }),
    'erasure, last administrator': pages.eraseAccount({
      ...member,
      isLastAdministrator: true,
      applications: 0,
      keyNote: null,
      errors: { account: text('e1') },
    }),
    authorize: pages.authorize({
      ...request,
      scopes: [...request.scopes, ...request.scopes],
      destination: { kind: 'loopback', name: text('host') },
    }),
    'authorize, one scope': pages.authorize({
      ...request,
      authorizedSince: 1_700_000_000 as EpochSeconds,
      destination: { kind: 'app', name: text('host') },
    }),
    'authorize, web': pages.authorize({
      ...request,
      application: { ...request.application, isNew: false },
      scopes: [],
      sharedBesides: NOTHING_SHARED,
      destination: { kind: 'web', name: text('host') },
    }),
    'authorized applications': pages.authorizedTokens({
      ...member,
      paging: someOf,
      applications: [
        { ...authorizedInWords, newest: [grant, grant] },
        { ...authorizedInWords, count: 1, newest: [grant] },
      ],
    }),
    'no authorized applications': pages.authorizedTokens({ ...member, paging: everything, applications: [] }),
    'authorized applications, none on the page': pages.authorizedTokens({
      ...member,
      flash: { text: text('flash'), tone: 'warning' },
      paging: someOf,
      applications: [],
    }),
    'authorized application': pages.authorizedApplication({
      ...member,
      paging: someOf,
      application: authorizedInWords,
      grants: [grant, grant],
    }),
    'authorized application, once': pages.authorizedApplication({
      ...member,
      paging: everything,
      application: { ...authorizedInWords, count: 1 },
      grants: [grant],
    }),
    error: pages.error({
      ...visitor,
      status: 400,
      title: text('title'),
      message: text('message'),
      whatToDo: text('do'),
      requestId: text('request'),
    }),
    list: pages.applicationList({
      ...member,
      paging: someOf,
      applications: [
        { ...application, lastUsed: null },
        { ...application, lastUsed: at },
      ],
    }),
    'list, nothing found': pages.applicationList({ ...member, paging: someOf, applications: [] }),
    'empty list': pages.applicationList({ ...member, paging: everything, applications: [] }),
    register: pages.applicationForm({ ...member, ...form, formId: text('form-id'), application: null }),
    update: pages.applicationForm({ ...member, ...form, formId: text('form-id'), errors: {}, application }),
    credentials: pages.applicationCredentials({ ...created, clientSecret: text('secret') }),
    'credentials, shown before': pages.applicationCredentials({ ...created, clientSecret: null }),
    'credentials, with an overlap': pages.applicationCredentials({ ...created, ...used, clientSecret: text('secret') }),
    rotation: pages.applicationRotate({ ...member, application, formId: text('form-id'), oldSecret: null }),
    'rotation, with an overlap': pages.applicationRotate({
      ...member,
      application,
      formId: text('form-id'),
      oldSecret: used.oldSecret,
    }),
    detail: pages.applicationDetail(detail),
    'detail, used': pages.applicationDetail({ ...detail, ...used, activity: idle, refusals: [], logouts: null }),
    'detail, no reports of logouts': pages.applicationDetail({ ...detail, logouts: { pending: 0, outcomes: [] } }),
    'detail, old secret unused': pages.applicationDetail({
      ...detail,
      ...used,
      oldSecret: { ...used.oldSecret, lastUsed: null },
    }),
    delete: pages.applicationDelete({
      ...member,
      application,
      ends: { grants: 3, users: 2, isAll: true, maxTokens: 12 },
    }),
    'delete, a large one': pages.applicationDelete({
      ...member,
      application,
      ends: { grants: 1_000, users: 900, isAll: false, maxTokens: null },
    }),
    'delete, an unused one': pages.applicationDelete({
      ...member,
      application,
      ends: { grants: 0, users: 0, isAll: true, maxTokens: 0 },
    }),
    ...auditSamples(pages, { ...member, path: '/audit/' }, text),
    ...administratorPages(text, { ...member, path: '/admin/users/' }, { application, authorized, grant }),
  };
}

interface Samples {
  readonly application: ApplicationLocals;
  readonly authorized: AuthorizedApplicationLocals;
  readonly grant: GrantLocals;
}

function administratorPages(
  text: (place: string) => string,
  frame: PageContext,
  { application, authorized, grant }: Samples,
): Record<string, string> {
  const at = 1_700_000_000 as EpochSeconds;
  const account = {
    id: 7,
    username: text('username'),
    email: text('email'),
    active: true,
    roles: ['administrator', 'auditor'],
  } as const;
  const bare = { id: 8, username: text('username'), email: '', active: false, roles: [] } as const;
  const everything = { query: '', number: 1, previous: null, next: null };
  const someOf = { query: text('query'), number: 2, previous: '/admin/users/?page=1', next: '/admin/users/?page=3' };
  const full = { ...application, skipAuthorization: true, restrictedScopes: [text('scope')], registeredAt: at };
  const plain = {
    ...full,
    clientType: 'public',
    redirectUris: [],
    allowedOrigins: [],
    restrictedScopes: [],
    skipAuthorization: false,
    openid: { ...DEFAULT_OPENID, isSet: false },
  } as const;
  const setting = {
    name: 'port',
    environment: 'PORT',
    unit: 'seconds',
    description: text('description'),
    value: text('value'),
    default: text('default'),
    reason: text('reason'),
  } as const;
  return {
    'admin users': pages.adminUserList({ ...frame, paging: someOf, users: [account, bare] }),
    'admin users, none': pages.adminUserList({ ...frame, paging: everything, users: [] }),
    'admin user form': pages.adminUserForm({
      ...frame,
      formId: text('form-id'),
      values: {
        username: text('username'),
        email: text('email'),
        firstName: text('first'),
        lastName: text('last'),
        roles: ['auditor'],
      },
      errors: {
        username: text('e1'),
        email: text('e2'),
        first_name: text('e3'),
        last_name: text('e4'),
        password: text('e5'),
      },
    }),
    'admin user': pages.adminUser({
      ...frame,
      account: { ...account, fullName: text('full') },
      isOwn: true,
      applications: [
        { id: text('id'), name: text('name'), lastUsed: at },
        { id: text('id'), name: text('name'), lastUsed: null },
      ],
      applicationCount: 12,
      authorized: [authorized],
      authorizedCount: 12,
    }),
    'admin user, disabled': pages.adminUser({
      ...frame,
      account: { ...bare, fullName: '' },
      isOwn: false,
      applications: [],
      applicationCount: 0,
      authorized: [],
      authorizedCount: 0,
    }),
    'admin user applications': pages.adminUserApplications({
      ...frame,
      account,
      paging: someOf,
      applications: [{ id: text('id'), name: text('name'), lastUsed: at }],
    }),
    'admin user applications, none': pages.adminUserApplications({
      ...frame,
      account,
      paging: someOf,
      applications: [],
    }),
    'admin user authorizations': pages.adminUserAuthorizations({
      ...frame,
      account,
      paging: someOf,
      authorized: [authorized],
    }),
    'admin user authorizations, none': pages.adminUserAuthorizations({
      ...frame,
      account,
      paging: someOf,
      authorized: [],
    }),
    'admin user authorization': pages.adminUserAuthorization({
      ...frame,
      account,
      paging: someOf,
      application: authorized,
      grants: [grant, grant],
    }),
    'admin roles': pages.adminRoles({ ...frame, account }),
    'admin password': pages.adminPassword({
      ...frame,
      account,
      formId: text('form-id'),
      errors: { password: text('e1') },
    }),
    'admin password made': pages.adminGeneratedPassword({ ...frame, account, password: text('password') }),
    'admin password made, shown before': pages.adminGeneratedPassword({ ...frame, account, password: null }),
    'admin confirmation': pages.adminConfirm({
      ...frame,
      trail: [{ href: '/admin/users/', text: text('crumb') }],
      title: text('title'),
      text: [text('one'), text('two')],
      button: text('button'),
      action: '/admin/users/7/erase/',
      back: '/admin/users/7/',
    }),
    'admin applications': pages.adminApplicationList({
      ...frame,
      paging: someOf,
      applications: [
        { ...application, owner: account, lastUsed: at },
        { ...application, owner: null, lastUsed: null },
      ],
    }),
    'admin applications, none': pages.adminApplicationList({ ...frame, paging: everything, applications: [] }),
    'admin application': pages.adminApplication({
      ...frame,
      application: full,
      forbiddenRedirectUris: [{ uri: text('uri'), problem: text('problem'), setting: null }],
      owner: account,
      lastUsed: at,
      oldSecret: { endsAt: at, lastUsed: at },
    }),
    'admin application, public': pages.adminApplication({
      ...frame,
      application: plain,
      forbiddenRedirectUris: [],
      owner: null,
      lastUsed: null,
      oldSecret: { endsAt: at, lastUsed: null },
    }),
    'admin scopes': pages.adminScopes({
      ...frame,
      application,
      allowed: ['audit'],
      scopes: [
        { name: 'audit', description: text('description') },
        { name: 'introspection', description: text('description') },
      ],
    }),
    'admin rotation': pages.adminRotate({
      ...frame,
      application,
      formId: text('form-id'),
      oldSecret: { endsAt: at, lastUsed: null },
    }),
    'admin secret': pages.adminSecret({
      ...frame,
      application,
      clientSecret: text('secret'),
      oldSecret: { endsAt: at, lastUsed: null },
    }),
    'admin secret, shown before': pages.adminSecret({ ...frame, application, clientSecret: null, oldSecret: null }),
    'admin settings': pages.adminSettings({
      ...frame,
      settings: [
        { ...setting, origin: 'environment' },
        { ...setting, unit: null, origin: 'default', reason: null },
        { ...setting, value: null, default: null, origin: 'file' },
      ],
    }),
    'admin health': pages.adminHealth({
      ...frame,
      obstacle: null,
      groups: [{ title: text('group'), figures: [{ title: text('title'), text: text('text') }] }],
    }),
    'admin health, not ready': pages.adminHealth({ ...frame, obstacle: text('obstacle'), groups: [] }),
  };
}

const samples = Object.entries(everyPage((place) => `some ${place}`));
const viewFiles = readdirSync(VIEWS_DIRECTORY, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ejs'),
);
const views = viewFiles.map((file) => ({ file, source: readFileSync(join(VIEWS_DIRECTORY, file), 'utf8') }));

/** Tags and attribute names in order, without text and attribute values. */
function skeleton(html: string): string {
  return (html.match(/<[^>]*>/g) ?? []).join('').replace(/"[^"]*"/g, '""');
}

function matches(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, found]) => found ?? '');
}

const hostileText = fc
  .tuple(
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onfocus='alert(1)",
      '" autofocus onfocus="alert(1)',
      '</textarea><b>',
      '</title><b>',
      '<!--',
      '`<b>`',
      '<%= 1 %>',
      '&quot;<b>',
    ),
    fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '`', '=', '/', ' ', '\n', 'x') }),
  )
  .map(([known, random]) => `x${known}${random}`);

describe('The pages', () => {
  it('have the same elements and attributes whatever text they show', () => {
    const plain = everyPage(() => 'plain');
    fc.assert(
      fc.property(hostileText, (hostile) => {
        for (const [name, html] of Object.entries(everyPage(() => hostile))) {
          expect(skeleton(html), name).to.equal(skeleton(plain[name] ?? ''));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('never contain hostile text unescaped', () => {
    fc.assert(
      fc.property(hostileText, (hostile) => {
        for (const [name, html] of Object.entries(everyPage(() => hostile)))
          expect(html.includes(hostile), name).to.equal(false);
      }),
      { numRuns: 50 },
    );
  });

  it('show entered values again, even with a line break at the start', () => {
    const errors = {};
    const values = {
      name: 'a & b',
      clientType: 'public',
      grants: ['password'],
      redirectUris: '\nhttps://a.example/',
      allowedOrigins: '',
      accessTokenFormat: 'jwt',
      accessTokenAlgorithm: 'ES256',
      openid: {
        isOpen: false,
        postLogoutRedirectUris: '\nhttps://b.example/',
        backchannelLogoutUri: 'c & d',
        initiateLoginUri: '',
        idTokenAlgorithm: 'PS256',
        userinfoAlgorithm: '',
        subjectType: 'pairwise',
        sectorIdentifierUri: '',
        defaultMaxAge: 'an hour',
        requirements: ['auth-time' as const],
      },
    };
    const html = pages.applicationForm({
      user: { username: 'ada', roles: [] },
      csrfToken: 't',
      path: '/',
      flash: null,
      formId: 'f',
      application: null,
      values,
      errors,
    });
    expect(html).to.include('value="a &amp; b"').and.to.include('>\n\nhttps://a.example/</textarea>');
    expect(html)
      .to.match(/value="public"\s+required\s+checked/)
      .and.to.match(/value="password"\s+checked/)
      .and.to.match(/value="jwt"\s+checked/);
    expect(html).not.to.match(/value="authorization-code"\s+checked/);
    expect(html)
      .to.include('>\n\nhttps://b.example/</textarea>')
      .and.to.include('value="c &amp; d"')
      .and.to.include('value="an hour"')
      .and.to.match(/value="pairwise"\s+checked/)
      .and.to.match(/value="auth-time"\s+checked/)
      .and.not.to.match(/value="session"\s+checked/);
    expect(html.match(/<option value="[^"]*" selected>/g)).to.deep.equal([
      '<option value="ES256" selected>',
      '<option value="PS256" selected>',
      '<option value="" selected>',
    ]);
  });

  it('show an error beside its field, and an error of the whole form above it', () => {
    const html = pages.signup({
      user: null,
      csrfToken: 't',
      path: '/',
      flash: null,
      next: '/',
      values: { username: 'ada', email: '' },
      errors: { username: 'is taken', form: 'try later' },
    });
    expect(html)
      .to.match(/id="username-error">is taken</)
      .and.to.match(/aria-describedby="username-error"\s+aria-invalid="true"/);
    expect(html).to.include('<li>try later</li>');
  });

  it('never contain a secret that was not passed to them', () => {
    const detail = samples.find(([name]) => name === 'detail')?.[1];
    expect(detail).to.include('CLIENT_SECRET').and.not.to.include('some secret');
  });

  for (const [name, html] of samples) {
    describe(name, () => {
      it('is one document with one h1, a main landmark and a title', () => {
        expect(html.startsWith('<!doctype html>')).to.equal(true);
        for (const part of [/<h1[ >]/g, /<main /g]) expect(html.match(part) ?? []).to.have.length(1);
        expect(html.slice(0, html.indexOf('</head>')).match(/<title>[^<]+<\/title>/g) ?? []).to.have.length(1);
        expect(html).not.to.match(/undefined|\[object|NaN/);
      });

      it('has no inline style or script and uses nothing from another host', () => {
        expect(html).not.to.match(/<style|\sstyle=|\son[a-z]+="|javascript:/);
        for (const script of html.match(/<script[^>]*>[^<]*/g) ?? [])
          expect(script).to.match(
            /^<script (?:src="\/static\/[a-z-]+\.js\?v=[\w-]{16}" defer|type="module" src="\/static\/[a-z-]+\.js\?v=[\w-]{16}")>\s*$/,
          );
        for (const address of matches(html, /(?:src|href|action)="([^"]*)"(?! rel="noreferrer")/g))
          expect(address).to.match(/^(\/(?!\/)|#)/);
      });

      it('labels every control, and refers only to existing elements', () => {
        const ids = matches(html, /\sid="([^"]*)"/g);
        const labelled = matches(html, /<label[^>]* for="([^"]*)"/g);
        const controls = html.match(/<(?:input|textarea|select)[^>]*>/g) ?? [];
        expect(ids).to.deep.equal([...new Set(ids)]);
        for (const control of controls) {
          if (!control.includes('type="hidden"'))
            expect(labelled, control).to.include(/\sid="([^"]*)"/.exec(control)?.[1]);
        }
        const references = matches(html, /aria-(?:describedby|labelledby)="([^"]*)"/g).flatMap((list) =>
          list.split(' '),
        );
        expect(ids).to.include.members(references);
      });

      it('sends every form by POST with the CSRF token, except searches', () => {
        for (const form of html.match(/<form[\s\S]*?<\/form>/g) ?? []) {
          if (/^<form[^>]* method="get"/.test(form)) {
            expect(form).not.to.include('csrf');
            continue;
          }
          expect(form)
            .to.match(/^<form[^>]* method="post"/)
            .and.to.include('name="csrf_token" value="some csrf"');
        }
      });
    });
  }
});

describe('The consent form', () => {
  const html = samples.find(([name]) => name === 'authorize')?.[1] ?? '';
  const formOf = (page: string): string => /<form[^>]*action="\/o\/authorize\/"[\s\S]*?<\/form>/.exec(page)?.[0] ?? '';

  it('posts the sealed request, the scopes to leave out and the pressed button, and nothing else', () => {
    const form = formOf(html);
    expect(matches(form, /\sname="([^"]*)"/g)).to.deep.equal([
      'csrf_token',
      'request',
      'leave_out',
      'leave_out',
      'allow',
      'deny',
    ]);
    expect(form)
      .to.include('name="leave_out" value="some scope"')
      .and.to.include('name="allow" value="Authorize"')
      .and.not.to.include('checked');
  });

  it('has no scope to leave out if the request has only one', () => {
    expect(formOf(samples.find(([name]) => name === 'authorize, one scope')?.[1] ?? ''))
      .to.include('some scope')
      .and.not.to.include('leave_out');
  });

  it('names the application, its owner, the user and the host, and warns of a loopback', () => {
    expect(html).to.include('some name').and.include('some owner').and.include('some user').and.include('some host');
    expect(html).to.include('notice--warning');
    expect(samples.find(([name]) => name === 'authorize, web')?.[1]).not.to.include('notice--warning');
  });
});

describe('The views', () => {
  for (const { file, source } of views) {
    it(`${file} begins with a comment that declares its locals`, () => {
      expect(source).to.match(/^<%# locals: \{(?:(?!%>)[^])*\}(?:(?!%>)[^])* %>\n/);
    });

    it(`${file} outputs unescaped only what another view rendered`, () => {
      const raw = (source.match(/<%-[\s\S]*?%>/g) ?? []).filter((tag) => !/^<%- it\.partial\('[a-z/-]+', \{/.test(tag));
      expect(raw).to.deep.equal(file === 'layout.ejs' ? ['<%- it.body %>'] : []);
    });

    it(`${file} quotes every attribute`, () => {
      expect(source).not.to.match(/=<%/);
    });
  }
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { DEFAULT_SECURITY } from '../../../src/domain/security-settings.ts';
import { DEFAULT_OPENID } from '../../../src/domain/openid-settings.ts';
import type { ClientId, GrantId, EpochSeconds } from '../../../src/domain/values.ts';
import type { Position } from '../../../src/event-store/event-log.ts';
import type { ApplicationLocals } from '../../../src/http/pages/applications/locals.ts';
import type { AuthorizedApplicationLocals, GrantLocals } from '../../../src/http/pages/account/grant-locals.ts';
import type { ListLocals } from '../../../src/http/pages/lists/list-locals.ts';
import type { PageContext } from '../../../src/http/pages/page-context.ts';
import { confidentialMethods, tlsSubjectValues } from '../../../src/http/pages/applications/authentication-fields.ts';
import { securityValues } from '../../../src/http/pages/applications/security-fields.ts';
import { LANGUAGES } from '../../../src/http/pages/applications/try-it/languages.ts';
import { message } from '../../../src/language/message.ts';
import { createTranslators } from '../../../src/language/translators.ts';
import { createPages, type Pages } from '../../../src/http/pages/render.ts';
import { VIEWS_DIRECTORY } from '../../../src/http/pages/views.ts';
import { auditSamples } from '../../support/audit-samples.ts';
import { markedTranslator, unmarkedTexts } from '../../support/marked-texts.ts';
import { repetitions } from '../../support/repetitions.ts';
import { htmlSkeleton } from '../../support/html-skeleton.ts';

const NOW = 1_700_000_000 as EpochSeconds;
const english = createPages({ now: () => NOW, languages: ['en'] });

const TWO_STEP_OFF = {
  isOn: false,
  isRequired: false,
  app: null,
  passkeyCount: 0,
  passkeysOffered: true,
  codes: null,
};

/** Returns the locals of a list with rows, and of an empty list. */
function sampleLists(text: (place: string) => string): Readonly<Record<'someList' | 'emptyList', ListLocals>> {
  const at = NOW;
  const someList: ListLocals = {
    path: '/admin/users/',
    query: text('query'),
    searchLabel: text('label'),
    filters: [{ name: 'status', title: text('filter'), options: [{ value: text('value'), title: text('option') }] }],
    chosen: { status: text('value') },
    sorts: [{ value: 'name', title: text('order') }],
    sort: 'name',
    summary: text('summary'),
    isEmpty: false,
    isNarrowed: true,
    hasControls: true,
    empty: { icon: 'users', title: text('empty'), text: text('advice'), action: { href: '/', text: text('action') } },
    columns: [
      { title: text('column'), href: '/admin/users/?sort=-name', sorted: 'ascending' },
      { title: text('other column'), href: '/admin/users/?sort=at', sorted: null },
      { title: text('third column'), href: null, sorted: null },
    ],
    rows: [
      [{ text: text('cell'), href: '/admin/users/7/' }, { at }, { text: text('code'), code: true }],
      [{ text: text('badge'), tone: 'good' }, { text: text('none'), none: true }, { text: text('plain') }],
    ],
    caption: text('caption'),
    csvHref: '/admin/users/?format=csv',
    allHref: '/admin/users/',
    href: '/admin/users/',
    range: text('range'),
    links: { first: '/f', previous: '/p', next: '/n', last: '/l' },
  };
  const emptyList: ListLocals = {
    ...someList,
    isEmpty: true,
    isNarrowed: false,
    hasControls: false,
    rows: [],
    range: '',
    links: { first: null, previous: null, next: null, last: null },
  };
  return { someList, emptyList };
}

/** Renders every page in each of its states. `text` supplies each string of the locals. */
function renderEveryPage(text: (place: string) => string, pages = english): Record<string, string> {
  const { someList, emptyList } = sampleLists(text);
  const visitor = {
    user: null,
    csrfToken: text('csrf'),
    path: text('path'),
    flash: null,
    readerLanguage: null,
    timeZone: null,
  };
  const member = {
    user: { username: text('user'), roles: ['administrator'] },
    csrfToken: text('csrf'),
    path: '/o/applications/',
    flash: { text: text('flash'), tone: 'good' },
    readerLanguage: null,
    timeZone: null,
  } as const;
  const emptyHome = {
    documents: [],
    applications: [],
    applicationCount: 0,
    authorized: [],
    authorizedCount: 0,
    refusals: [],
    server: null,
  };
  const scopeLocals = {
    name: text('scope'),
    description: text('scope-description'),
    effects: [text('scope-effect')],
    isServerWide: true,
    icon: 'file' as const,
    isSensitive: true,
  };
  const scopes = [{ ...scopeLocals, shares: text('scope-shares') }];
  const sharedClaims = {
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
    mode: 'test',
    isDisabled: true,
    id: text('id'),
    name: text('name'),
    clientId: text('client-id'),
    clientType: 'confidential',
    grants: ['authorization-code', 'client-credentials', 'password'],
    redirectUris: [text('uri'), 'https://app.example/'],
    allowedOrigins: [text('origin')],
    accessTokenFormat: 'jwt',
    accessTokenAlgorithm: 'PS256',
    detailTypes: [text('detail type')],
    usesSecret: true,
    hasSecret: true,
    protection: {
      ...DEFAULT_SECURITY,
      profile: 'fapi2',
      dpopBoundAccessTokens: true,
      tlsBoundAccessTokens: true,
      requirePushedAuthorizationRequests: true,
      requireSignedRequestObject: true,
      requestUris: [text('request')],
      introspectionAlgorithm: 'PS256',
      methods: ['private_key_jwt'],
      keys: [text('key')],
      keysUri: null,
      tlsSubject: text('subject'),
      differsFromDefault: true,
    },
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
      differsFromDefault: true,
    },
  } as const;
  const noProblem = { error: null, application: null };
  const at = 1_700_000_000 as EpochSeconds;
  const onlyPage = { query: '', number: 1, previous: null, next: null };
  const middlePage = { query: text('query'), number: 2, previous: '/list/?page=1', next: '/list/?page=3' };
  const grant = {
    grantId: text('grant'),
    scope: [text('scope')],
    resources: [text('resource')],
    since: at,
    lastUsed: at,
    endsWithSession: true,
    managed: { action: 'merge', grantId: text('managed') as GrantId } as const,
    details: [
      {
        type: text('type'),
        api: text('api'),
        sentence: [{ text: text('sentence'), isValue: true }],
        members: text('members'),
      },
    ],
    passedOn: {
      newest: [
        { from: text('from'), to: text('to'), scope: [text('scope')], resources: [text('resource')], until: at },
        { from: text('from'), to: text('to'), scope: [text('scope')], resources: [], until: at },
      ],
      others: 1_200,
    },
    issuer: null,
  };
  const authorized = {
    id: text('id'),
    name: text('name'),
    scope: [text('scope')],
    resources: [text('resource')],
    since: at,
    lastUsed: at,
    count: 7,
    issuers: [text('issuer')],
  };
  const authorizedInWords = {
    ...authorized,
    mark: { logoUrl: '/o/applications/x/logo/', initial: text('initial'), hue: 3 },
    owner: text('owner'),
    scopes,
    sharesByName: text('by-name'),
    openUrl: text('open'),
  };
  const unknownSession = {
    how: '',
    browser: null,
    lastUse: { at, isExact: false },
    isCurrent: false,
    applications: [],
    applicationCount: 0,
    passedOn: [],
    passedOnCount: 0,
    ending: [],
    endingCount: 0,
  };
  const sessions = [
    {
      id: text('session'),
      since: at,
      lastUse: { at, isExact: true },
      how: text('how'),
      browser: text('browser'),
      isCurrent: true,
      applications: [text('first application'), text('second application')],
      applicationCount: 12,
      passedOn: [{ from: text('from'), to: text('to') }],
      passedOnCount: 9,
      ending: [text('first application')],
      endingCount: 11,
    },
    { ...unknownSession, id: text('session'), since: at },
    { ...unknownSession, id: text('session'), since: at, browser: text('browser') },
  ];
  const passkeys = [{ id: text('passkey'), name: text('passkey name'), since: at }];
  const twoStepOn = {
    isOn: true,
    isRequired: true,
    app: { since: at, lastUsed: at },
    passkeyCount: 2,
    passkeysOffered: true,
    codes: { since: at, left: 1, all: 10 },
  };
  const app = {
    action: '/accounts/two-step/app/',
    next: text('next'),
    secret: text('secret'),
    uri: text('uri'),
    qrCode: { size: 1, path: text('path') },
    errors: { code: text('e1'), password: text('e2'), other: text('e3') },
  };
  const unusedSecret = { lastUsed: null, oldSecret: null };
  const usedSecret = {
    lastUsed: 1_700_000_000 as EpochSeconds,
    oldSecret: { expiresAt: 1_700_003_600 as EpochSeconds, lastUsed: 1_700_000_060 as EpochSeconds },
  };
  const tryIt = {
    issuer: text('issuer'),
    state: text('state'),
    nonce: text('nonce'),
    pkce: { verifier: text('verifier'), challenge: text('challenge'), method: 'S256' as const },
    sampleApi: true,
    requirements: { authentication: 'secret', proof: false, boundToCertificate: false, pushed: false, signed: false },
    mtlsBase: null,
    now: 1_700_000_000 as EpochSeconds,
    rsaAlgorithm: 'PS256',
    certificateProblem: null,
  } as const;
  const tryItWithKey = {
    ...tryIt,
    requirements: { authentication: 'assertion', proof: true, boundToCertificate: false, pushed: true, signed: true },
  } as const;
  const tryItWithCertificate = {
    ...tryIt,
    requirements: {
      authentication: 'certificate',
      proof: false,
      boundToCertificate: true,
      pushed: false,
      signed: true,
    },
    mtlsBase: text('mtls'),
  } as const;
  const bar = { from: 1_700_000_000 as EpochSeconds, count: 7 };
  const activity = { hours: [{ ...bar, count: 0 }, bar], days: [bar, { ...bar, count: 0 }] };
  const idleActivity = { hours: [{ ...bar, count: 0 }], days: [{ ...bar, count: 0 }] };
  const setting = 'plainHttpRedirectUris' as const;
  const forbiddenRedirectUris = [{ uri: text('uri'), problem: text('problem'), setting }];
  const tryItLocals = {
    ...member,
    application,
    forbiddenRedirectUris,
    tryIt,
    username: text('username'),
    language: LANGUAGES[0],
    builtinCallback: { uri: text('callback'), isUsable: false },
  };
  const credentialsLocals = {
    ...member,
    application,
    oldSecret: null,
    envFile: { name: text('file'), text: text('env') },
  };
  const refusal = {
    requestId: text('request'),
    at: 1_700_000_000 as EpochSeconds,
    request: text('path'),
    error: text('error'),
    isUnverified: false,
    headline: text('headline'),
    rule: text('rule'),
    expected: text('expected'),
    seen: text('seen'),
    advice: text('advice'),
  };
  const report = { sid: text('sid'), at, attempts: 1, failure: null };
  const endpoints = [{ name: text('endpoint'), title: text('title'), uri: text('uri') }];
  const overview = { ...member, application, forbiddenRedirectUris, ...unusedSecret, activity, endpoints };
  const memberNamed = (name: string) => ({ id: 7, username: text(name), since: at, isYou: true, isActive: true });
  const peopleLocals = {
    withdrawalFormIds: { owner: 'o'.repeat(22), 'test-user': 't'.repeat(22) },
    ...member,
    application: { ...application, mode: 'live' },
    owners: [memberNamed('owner')],
    testUsers: [],
    sendsMail: false,
    errors: {},
  } as const;
  const invitationLocals = {
    ...member,
    application: { name: text('name'), mode: 'live' },
    role: 'owner',
    inviter: text('inviter'),
    expiresAt: at,
    invitation: text('invitation'),
  } as const;
  const refusalsLocals = {
    ...member,
    application,
    query: text('query'),
    refusals: [refusal, { ...refusal, error: null, isUnverified: true }],
    logouts: { pending: 2, outcomes: [report, { ...report, attempts: 6, failure: text('failure') }] },
  };
  const restrictedScopes = [{ name: 'audit', description: text('scope') }];
  const form = {
    values: {
      name: text('name'),
      clientType: text('type'),
      grants: [text('grant')],
      redirectUris: text('uris'),
      builtinCallback: true,
      secondFactor: 'optional' as const,
      detailTypeLimit: 'listed' as const,
      detailTypes: text('detail types'),
      allowedOrigins: text('origins'),
      accessTokenFormat: text('format'),
      accessTokenAlgorithm: text('algorithm'),
      openid: {
        isOpen: true,
        isIdSectionOpen: true,
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
      security: {
        isOpen: true,
        isSignatureSectionOpen: true,
        profile: 'fapi2',
        binding: 'dpop' as const,
        requirements: ['pushed' as const],
        requestObjectAlgorithm: 'ES256',
        requestUris: text('request uris'),
        authorizationResponseAlgorithm: 'PS256',
        introspectionAlgorithm: 'PS256',
      },
      authentication: {
        methods: confidentialMethods(),
        chosen: ['private_key_jwt'],
        tls: { ...tlsSubjectValues(null), subject: text('subject') },
        keys: text('keys'),
      },
      presentation: {
        isOpen: true,
        description: text('description'),
        homepageUri: text('homepage'),
        policyUri: text('policy'),
        tosUri: text('terms'),
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
    application: {
      name: text('name'),
      mark: { logoUrl: '/o/applications/x/logo/', initial: text('initial'), hue: 3 },
      presentation: {
        description: text('description'),
        links: [{ title: text('link'), href: text('address') }],
      },
      owner: text('owner'),
      isSelfRegistered: false,
      isOwn: false,
      twoStep: { isOn: false, hasFactor: false },
      registeredAt: 1_700_000_000 as EpochSeconds,
      isNew: true,
      isTest: true,
      described: null,
    },
    allowedBefore: [],
    authorizedSince: null,
    switchUserUrl: text('again'),
    update: null,
    resources: [text('resource')],
    scopes: [{ ...scopeLocals, shared: sharedClaims }],
    sharedBesides: sharedClaims,
    details: [
      {
        type: text('type'),
        api: text('api'),
        sentence: [{ text: text('sentence'), isValue: true }],
        members: text('members'),
      },
    ],
  };
  const deviceRequest = {
    ...request,
    userCode: text('code'),
    device: { agent: null, address: text('address'), isHere: false, requestedAt: at, expiresAt: at },
  };
  return {
    'home of a visitor': pages.home({
      ...visitor,
      ...emptyHome,
      signupOpen: true,
      lacksAdministrator: true,
      documents: [{ title: text('document'), href: '/.well-known/x' }],
    }),
    'home of a member': pages.home({
      ...member,
      signupOpen: false,
      lacksAdministrator: true,
      documents: [],
      applicationCount: 9,
      authorizedCount: 2,
      refusals: [
        {
          href: '/o/refusals/x/',
          at: 1_700_000_000 as EpochSeconds,
          headline: text('fault'),
          application: text('app'),
        },
      ],
      server: {
        attention: [{ tone: 'danger', text: text('problem'), href: '/admin/health/', link: text('link') }],
        totals: [{ title: text('title'), text: text('total'), href: '/admin/users/' }],
      },
      applications: [
        { id: text('id'), name: text('name'), lastUsed: 1_700_000_000 as EpochSeconds },
        { id: text('id'), name: text('name'), lastUsed: null },
      ],
      authorized: [{ ...authorized, permissions: [text('permission')] }],
    }),
    'home of a new member': pages.home({ ...member, ...emptyHome, signupOpen: false, lacksAdministrator: false }),
    'API description': pages.apiDescription({
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
              responses: [{ status: '200', text: text('answer'), type: text('type'), schema: 'Thing' }],
              refusals: ['401'],
              example: text('example'),
            },
          ],
        },
      ],
      statuses: [{ status: '401', texts: [text('meaning')] }],
      schemas: [{ title: 'Thing', fields: [{ name: text('name'), isRequired: true, type: text('type'), text: '' }] }],
    }),
    login: pages.login({
      ...visitor,
      next: text('next'),
      username: text('username'),
      error: text('error'),
      signupOpen: true,
      application: {
        name: text('name'),
        mark: { logoUrl: null, initial: text('initial'), hue: 1 },
        needsConsent: true,
      },
      isMailOn: true,
      hasPasswords: true,
      providers: [{ id: text('id'), name: text('provider') }],
      passkeyOrigin: text('origin'),
    }),
    'login, first time': pages.login({
      ...visitor,
      next: '/o/authorize/',
      username: '',
      error: null,
      signupOpen: false,
      application: null,
      isMailOn: false,
      hasPasswords: false,
      providers: [],
      passkeyOrigin: null,
    }),
    'forgotten password': pages.forgotPassword({ ...visitor, isMailOn: true, error: text('e1') }),
    'forgotten password, without mail': pages.forgotPassword({ ...visitor, isMailOn: false, error: null }),
    'requested link': pages.resetRequested(visitor),
    'logout from an application': pages.logOut({
      ...member,
      request: text('request'),
      application: text('application'),
      destination: text('host'),
    }),
    'logout from an unknown application': pages.logOut({
      ...member,
      request: text('request'),
      application: null,
      destination: null,
    }),
    'after the logout': pages.loggedOut({
      ...visitor,
      returnTo: { address: 'https://app.example/', host: text('host') },
    }),
    'after the logout, without a destination': pages.loggedOut({ ...visitor, returnTo: null }),
    device: pages.device({ ...member, userCode: text('code'), error: text('error') }),
    'device, first time': pages.device({ ...member, userCode: '', error: null }),
    'device, done': pages.deviceDone(member),
    'new password': pages.resetPassword({
      ...visitor,
      token: text('token'),
      username: text('username'),
      errors: { new_password: text('e1') },
    }),
    'invitation to an account': pages.accountInvitation({
      ...visitor,
      token: text('token'),
      email: text('email'),
      username: text('username'),
      provider: null,
      errors: { username: text('e1'), password: text('e2') },
    }),
    'invitation to an account of a provider': pages.accountInvitation({
      ...visitor,
      token: text('token'),
      email: text('email'),
      username: text('username'),
      provider: text('provider'),
      errors: {},
    }),
    'e-mail address': pages.verifyEmail({
      ...visitor,
      token: text('token'),
      username: text('username'),
      email: text('email'),
    }),
    setup: pages.setup({ ...visitor, ...account, errors: accountErrors, token: text('token') }),
    signup: pages.signup({ ...visitor, ...account, next: text('next'), errors: accountErrors, ...noProblem }),
    'signup, first time': pages.signup({
      ...visitor,
      next: '/',
      values: { username: '', email: '' },
      errors: {},
      ...noProblem,
    }),
    account: pages.account({
      ...member,
      values: { email: text('email'), firstName: text('first'), lastName: text('last') },
      email: { isVerified: false, canSendLink: true, adminPage: null },
      needsPassword: true,
      groups: [text('group')],
      errors: { email: text('e1'), first_name: text('e2'), last_name: text('e3'), current_password: text('e4') },
      sessions,
      sessionCount: 9,
      endingAccess: text('ending'),
      passkeys,
      passkeyCount: 9,
      passkeysOffered: true,
      twoStep: twoStepOn,
    }),
    secondStep: pages.secondStep({
      ...visitor,
      username: text('username'),
      next: text('next'),
      error: text('error'),
      hasApp: true,
      passkeyOrigin: text('origin'),
      codesLeft: 3,
    }),
    'secondStep, passkey only': pages.secondStep({
      ...visitor,
      username: text('username'),
      next: '/',
      error: null,
      hasApp: false,
      passkeyOrigin: text('origin'),
      codesLeft: 0,
    }),
    addApp: pages.addApp({ ...member, ...app, isRequired: false, needsPassword: true }),
    'addApp, required': pages.addApp({ ...visitor, ...app, isRequired: true, needsPassword: false }),
    recoveryCodes: pages.recoveryCodes({
      ...member,
      recoveryCodes: [text('code 1'), text('code 2')],
      next: '/accounts/',
    }),
    'recoveryCodes, again': pages.recoveryCodes({ ...member, recoveryCodes: null, next: '/' }),
    twoStep: pages.twoStep({ ...member, status: twoStepOn }),
    'twoStep, off': pages.twoStep({ ...member, status: { ...TWO_STEP_OFF, passkeyCount: 2 } }),
    'twoStep, nothing': pages.twoStep({ ...member, status: { ...TWO_STEP_OFF, passkeysOffered: false } }),
    confirmTwoStep: pages.confirmTwoStep({
      ...member,
      change: 'remove-app',
      status: twoStepOn,
      needsPassword: true,
      error: text('error'),
      formId: 'f'.repeat(22),
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
      email: null,
      needsPassword: false,
      groups: [],
      errors: {},
      sessions,
      sessionCount: 2,
      endingAccess: '',
      passkeys: [],
      passkeyCount: 0,
      passkeysOffered: false,
      twoStep: TWO_STEP_OFF,
    }),
    sessions: pages.sessions({ ...member, paging: middlePage, sessions, endingAccess: text('ending') }),
    'sessions, none on the page': pages.sessions({ ...member, paging: middlePage, sessions: [], endingAccess: '' }),
    activity: pages.activity({
      ...member,
      paging: middlePage,
      filters: [
        { href: '/accounts/activity/', label: text('filter'), isCurrent: true },
        { href: '/accounts/activity/?type=login', label: text('filter'), isCurrent: false },
      ],
      entries: [
        {
          position: 7 as Position,
          at,
          kind: 'application' as const,
          sentence: message('activity.access-given', { application: text('application') }),
          details: [
            { text: message('activity.passed-on', { from: text('from'), to: text('to'), scope: text('scope') }), at },
            { text: message('activity.may', { text: text('detail') }), at: null },
          ],
          clientId: text('client') as ClientId,
          grantId: text('grant') as GrantId,
        },
      ],
      linksToEvents: true,
    }),
    'activity, none on the page': pages.activity({
      ...member,
      paging: middlePage,
      filters: [],
      entries: [],
      linksToEvents: false,
    }),
    passkeys: pages.passkeys({ ...member, paging: middlePage, passkeys, passkeysOffered: true }),
    'passkeys, none on the page': pages.passkeys({
      ...member,
      paging: middlePage,
      passkeys: [],
      passkeysOffered: false,
    }),
    'password change': pages.changePassword({
      ...member,
      needsPassword: true,
      endingAccess: text('ending'),
      errors: { current_password: text('e1'), new_password: text('e2') },
    }),
    'first password': pages.changePassword({
      ...member,
      needsPassword: false,
      endingAccess: '',
      errors: { new_password: text('e1') },
    }),
    'new passkey': pages.addPasskey({
      ...member,
      origin: text('origin'),
      needsPassword: true,
      name: text('name'),
      error: text('error'),
    }),
    erasure: pages.eraseAccount({
      ...member,
      isLastAdministrator: false,
      needsPassword: true,
      applicationCount: 2,
      keyNote: text('note'),
      errors: { username: text('e1'), password: text('e2') },
    }),
    'erasure, last administrator': pages.eraseAccount({
      ...member,
      isLastAdministrator: true,
      needsPassword: false,
      applicationCount: 0,
      keyNote: null,
      errors: { account: text('e1') },
    }),
    authorize: pages.authorize({
      ...request,
      scopes: [...request.scopes, ...request.scopes],
      destination: { kind: 'loopback', name: text('host'), uri: text('uri') },
    }),
    'authorize, one scope': pages.authorize({
      ...request,
      authorizedSince: 1_700_000_000 as EpochSeconds,
      destination: { kind: 'app', name: text('host'), uri: text('uri') },
    }),
    'authorize, built-in callback page': pages.authorize({
      ...request,
      destination: { kind: 'builtin', name: text('host'), uri: text('uri') },
    }),
    'authorize, web': pages.authorize({
      ...request,
      application: { ...request.application, isNew: false, isTest: false },
      scopes: [],
      sharedBesides: NOTHING_SHARED,
      details: [],
      destination: { kind: 'web', name: text('host'), uri: text('uri') },
    }),
    'device consent': pages.deviceConsent({ ...deviceRequest, scopes: [...request.scopes, ...request.scopes] }),
    'device consent, one scope': pages.deviceConsent({
      ...deviceRequest,
      authorizedSince: at,
      device: { ...deviceRequest.device, agent: text('agent'), isHere: true },
    }),
    ways: pages.waysToLogIn({
      ...member,
      password: 'usable',
      passkeyCount: 2,
      isTwoStepOn: true,
      accounts: [{ id: 'a', provider: text('provider'), email: text('email'), since: at, isUsable: false }],
      providers: [{ id: 'p', name: text('provider') }],
    }),
    'ways, nothing': pages.waysToLogIn({
      ...member,
      password: 'none',
      passkeyCount: 0,
      isTwoStepOn: false,
      accounts: [],
      providers: [],
    }),
    'authorized applications': pages.authorizedApplications({
      ...member,
      list: someList,
      applications: [authorizedInWords, { ...authorizedInWords, count: 1 }],
    }),
    'no authorized applications': pages.authorizedApplications({ ...member, list: emptyList, applications: [] }),
    'authorized applications, none on the page': pages.authorizedApplications({
      ...member,
      flash: { text: text('flash'), tone: 'warning' },
      list: someList,
      applications: [],
    }),
    'authorized application': pages.authorizedApplication({
      ...member,
      paging: middlePage,
      application: authorizedInWords,
      grants: [grant, grant],
    }),
    'authorized application, once': pages.authorizedApplication({
      ...member,
      paging: onlyPage,
      application: { ...authorizedInWords, count: 1, issuers: [] },
      grants: [{ ...grant, managed: null, details: [], passedOn: { newest: [], others: 0 }, issuer: text('issuer') }],
    }),
    'connected agents': pages.connectedAgents({
      ...member,
      paging: middlePage,
      count: 2,
      agents: [
        { ...authorizedInWords, places: [{ kind: 'web', host: text('host') }, { kind: 'device' }] },
        { ...authorizedInWords, count: 1, resources: [], issuers: [], places: [{ kind: 'device' }] },
      ],
    }),
    'no connected agents': pages.connectedAgents({ ...member, paging: onlyPage, count: 0, agents: [] }),
    'connected agents, none on the page': pages.connectedAgents({
      ...member,
      paging: middlePage,
      count: 1,
      agents: [],
    }),
    'test mode': pages.testMode({
      ...member,
      application: text('name'),
      host: text('host'),
      back: { address: 'https://app.example/?error=access_denied', fields: null },
    }),
    error: pages.error({
      ...visitor,
      status: 400,
      title: text('title'),
      message: text('message'),
      advice: text('do'),
      requestId: text('request'),
      facts: [{ title: text('fact'), text: text('value') }],
      refusal: null,
      explanationHref: '/o/refusals/x/',
      loginHref: '/accounts/login/',
      resetHref: '/accounts/forgot/',
      retry: { href: '/again/', text: text('again') },
      changeHref: '/o/applications/x/update/',
      link: { href: '/list/', text: text('list') },
    }),
    'error, explained': pages.error({
      ...member,
      status: 400,
      title: text('title'),
      message: text('message'),
      advice: text('do'),
      requestId: text('request'),
      facts: [],
      refusal,
      explanationHref: '/o/refusals/x/',
      loginHref: null,
      resetHref: null,
      retry: null,
      changeHref: null,
      link: null,
    }),
    refusal: pages.refusal({
      ...member,
      refusal,
      application: { name: text('name'), href: '/o/applications/x/' },
      list: { href: '/admin/refusals/', text: text('list') },
      isAdministration: true,
      steps: [{ href: '/somewhere/', text: message('refusals.events') }],
    }),
    'refusal, to an owner': pages.refusal({
      ...member,
      refusal,
      application: null,
      list: { href: '/o/applications/x/refusals/', text: text('list') },
      isAdministration: false,
      steps: [],
    }),
    'admin refusals': pages.adminRefusals({
      ...member,
      list: someList,
      retentionLimits: { proven: 50, named: 20 },
      refusals: [
        {
          ...refusal,
          application: { id: text('id'), name: text('name') },
          repair: { href: '/admin/applications/x/scopes/', text: message('refusals.repair.scopes') },
        },
        { ...refusal, application: null, repair: null, isUnverified: true },
      ],
    }),
    list: pages.applicationList({
      ...member,
      list: someList,
      applications: [
        { ...application, registeredAt: at, lastUsed: null },
        { ...application, registeredAt: at, lastUsed: at },
      ],
    }),
    'list of one': pages.applicationList({
      ...member,
      list: { ...someList, hasControls: false },
      applications: [{ ...application, registeredAt: at, lastUsed: null }],
    }),
    'list, nothing found': pages.applicationList({
      ...member,
      list: someList,
      applications: [],
    }),
    'empty list': pages.applicationList({ ...member, list: emptyList, applications: [] }),
    'registration by kind': pages.applicationKindForm({
      ...member,
      formId: text('form-id'),
      values: {
        kind: 'web',
        name: text('name'),
        redirectUris: text('uris'),
        builtinCallback: true,
        presentation: form.values.presentation,
      },
      errors: {
        application_kind: text('e1'),
        name: text('e2'),
        redirect_uris: text('e3'),
        builtin_callback: text('e4'),
        policy_uri: text('e5'),
        other: text('e6'),
      },
    }),
    register: pages.applicationForm({
      kind: 'browser',
      ...member,
      ...form,
      formId: text('form-id'),
      application: null,
      administration: null,
    }),
    'register as an administrator': pages.applicationForm({
      kind: 'browser',
      ...member,
      ...form,
      formId: text('form-id'),
      application: null,
      administration: {
        userNames: [text('suggestion')],
        owner: text('owner'),
        skipAuthorization: false,
        restrictedScopes: [],
        scopes: restrictedScopes,
      },
    }),
    'update as an administrator': pages.applicationForm({
      kind: null,
      ...member,
      ...form,
      formId: text('form-id'),
      application: { ...application, logoUrl: null },
      administration: {
        userNames: [],
        owner: '',
        skipAuthorization: true,
        restrictedScopes: ['audit'],
        scopes: restrictedScopes,
      },
    }),
    update: pages.applicationForm({
      kind: null,
      administration: null,
      ...member,
      ...form,
      formId: text('form-id'),
      errors: {},
      application: { ...application, logoUrl: null },
    }),
    'update, with a logo': pages.applicationForm({
      kind: null,
      administration: null,
      ...member,
      ...form,
      formId: text('form-id'),
      errors: { logo: text('logo error') },
      application: { ...application, logoUrl: `/o/applications/id/logo/?v=${text('logo')}` },
    }),
    credentials: pages.applicationCredentials({ ...credentialsLocals, clientSecret: text('secret') }),
    'credentials, already shown': pages.applicationCredentials({ ...credentialsLocals, clientSecret: null }),
    'credentials, with an overlap': pages.applicationCredentials({
      ...credentialsLocals,
      ...usedSecret,
      clientSecret: text('secret'),
    }),
    rotation: pages.applicationRotate({ ...member, application, formId: text('form-id'), oldSecret: null }),
    'rotation, with an overlap': pages.applicationRotate({
      ...member,
      application,
      formId: text('form-id'),
      oldSecret: usedSecret.oldSecret,
    }),
    'first secret': pages.applicationRotate({
      ...member,
      application: { ...application, hasSecret: false },
      formId: text('form-id'),
      oldSecret: null,
    }),
    overview: pages.applicationOverview(overview),
    'overview, published keys and no secret': pages.applicationOverview({
      ...overview,
      application: {
        ...application,
        hasSecret: false,
        protection: {
          ...DEFAULT_SECURITY,
          methods: ['client_secret_basic'],
          keys: [],
          keysUri: text('keys'),
          tlsSubject: null,
          differsFromDefault: true,
        },
      },
    }),
    'overview, nothing set': pages.applicationOverview({
      ...overview,
      application: { ...application, protection: { ...application.protection, differsFromDefault: false } },
    }),
    'overview, used': pages.applicationOverview({ ...overview, ...usedSecret, activity: idleActivity }),
    'overview, old secret unused': pages.applicationOverview({
      ...overview,
      ...usedSecret,
      oldSecret: { ...usedSecret.oldSecret, lastUsed: null },
    }),
    try: pages.applicationTry(tryItLocals),
    'try, in this tab': pages.applicationTry({
      ...tryItLocals,
      builtinCallback: { uri: text('callback'), isUsable: true },
    }),
    'try, with a key': pages.applicationTry({ ...tryItLocals, tryIt: tryItWithKey }),
    'try, with a certificate': pages.applicationTry({ ...tryItLocals, tryIt: tryItWithCertificate }),
    'try, certificates not accepted': pages.applicationTry({
      ...tryItLocals,
      tryIt: { ...tryItWithCertificate, certificateProblem: text('problem') },
    }),
    'callback, with a code, certificates not accepted': pages.applicationCallback({
      ...tryItLocals,
      tryIt: { ...tryItWithCertificate, certificateProblem: text('problem') },
      response: { kind: 'code', code: text('code'), isSigned: false },
    }),
    'callback, with a code and a key': pages.applicationCallback({
      ...tryItLocals,
      tryIt: tryItWithKey,
      response: { kind: 'code', code: text('code'), isSigned: true },
    }),
    callback: pages.applicationCallback({ ...tryItLocals, response: null }),
    'callback, with a code': pages.applicationCallback({
      ...tryItLocals,
      response: { kind: 'code', code: text('code'), isSigned: true },
    }),
    'callback, with an error': pages.applicationCallback({
      ...tryItLocals,
      response: { kind: 'error', error: text('error'), isSigned: false },
    }),
    'callback for others': pages.applicationCallbackForOthers(member),
    'callback for visitors': pages.applicationCallbackForOthers({ ...member, user: null }),
    refusals: pages.applicationRefusals(refusalsLocals),
    'refusals, none, with logout reports': pages.applicationRefusals({
      ...refusalsLocals,
      refusals: [],
      logouts: { pending: 0, outcomes: [] },
    }),
    'refusals, no logout reports': pages.applicationRefusals({ ...refusalsLocals, logouts: null }),
    keys: pages.applicationKeys({
      ...member,
      isAdministration: false,
      path: '/o/applications/1/',
      application,
      formId: text('form-id'),
      methods: confidentialMethods(),
      chosen: ['private_key_jwt'],
      tls: { ...tlsSubjectValues(null), subject: text('subject') },
      keysUri: null,
      keys: [
        { thumbprint: text('thumbprint'), kid: text('kid'), kind: text('kind'), algorithm: 'PS256', lastUsed: at },
        { thumbprint: text('other'), kid: null, kind: text('kind'), algorithm: 'ES256', lastUsed: null },
      ],
      enteredKeys: text('entered'),
      enteredUri: text('entered-uri'),
      errors: {
        client_keys: text('key error'),
        auth_method: text('method error'),
        jwks_uri: text('uri error'),
        tls_subject: text('subject error'),
      },
    }),
    'keys, published': pages.applicationKeys({
      ...member,
      isAdministration: true,
      path: '/admin/applications/1/',
      application: { ...application, clientType: 'public' },
      formId: text('form-id'),
      methods: confidentialMethods(),
      chosen: [],
      tls: tlsSubjectValues(null),
      keysUri: text('keys address'),
      keys: [],
      enteredKeys: '',
      enteredUri: text('keys-uri'),
      errors: {},
    }),
    people: pages.applicationPeople({
      ...peopleLocals,
      owners: [memberNamed('owner'), { ...memberNamed('other'), isYou: false, isActive: false }],
      testUsers: [{ ...memberNamed('tester'), isYou: false }],
      sendsMail: true,
      errors: { email: text('error') },
      authorizations: { grants: 3, users: 2, isExact: true },
    }),
    'people, none': pages.applicationPeople({
      ...peopleLocals,
      application: { ...application, mode: 'test' },
      authorizations: { grants: 0, users: 0, isExact: true },
    }),
    invitation: pages.applicationInvitation({ ...member, application, url: text('link') }),
    'invitation, already shown': pages.applicationInvitation({ ...member, application, url: null }),
    ...resourcePages(text, pages, member, { someList, emptyList }),
    'change confirmation': pages.applicationConfirm({
      ...member,
      trail: [{ href: '/o/applications/', text: text('crumb') }],
      title: text('title'),
      text: [text('paragraph')],
      button: text('button'),
      action: '/o/applications/A/people/1/remove/',
      back: '/o/applications/A/people/',
    }),
    'invitation link, as owner': pages.invitation(invitationLocals),
    'invitation link, as test user': pages.invitation({
      ...invitationLocals,
      application: { ...invitationLocals.application, mode: 'test' },
      role: 'test-user',
    }),
    'people, many authorizations': pages.applicationPeople({
      ...peopleLocals,
      authorizations: { grants: 1_000, users: 900, isExact: false },
    }),
    delete: pages.applicationDelete({
      ...member,
      application,
      revokedAccess: { grants: 3, users: 2, isExact: true, maxTokens: 12 },
      asksForName: true,
      errors: { name: text('error') },
    }),
    'delete, large': pages.applicationDelete({
      ...member,
      application,
      revokedAccess: { grants: 1_000, users: 900, isExact: false, maxTokens: null },
      asksForName: true,
      errors: {},
    }),
    'delete, unused': pages.applicationDelete({
      ...member,
      application,
      revokedAccess: { grants: 0, users: 0, isExact: true, maxTokens: 0 },
      asksForName: false,
      errors: {},
    }),
    ...auditSamples(pages, { ...member, path: '/audit/' }, text),
    ...administratorPages(text, pages, { ...member, path: '/admin/users/' }, { application, authorized, grant }),
  };
}

/** Renders the resource server pages. */
function resourcePages(
  text: (place: string) => string,
  pages: Pages,
  member: PageContext,
  { someList, emptyList }: ReturnType<typeof sampleLists>,
): Record<string, string> {
  const values = {
    uri: text('uri'),
    name: text('name'),
    scopes: text('scopes'),
    format: 'jwt',
    algorithm: '',
    lifetime: text('lifetime'),
    publishesMetadata: true,
    detailTypes: text('types'),
    introspectionClient: text('client'),
  };
  const resource = { id: text('id'), name: text('name'), uri: text('uri'), metadataUrl: text('metadata') };
  return {
    'resource servers': pages.resourceList({
      ...member,
      canRegister: true,
      fixedUris: [text('fixed')],
      list: someList,
    }),
    'resource servers, none': pages.resourceList({ ...member, canRegister: false, fixedUris: [], list: emptyList }),
    'resource server': pages.resourceForm({ ...member, resource, formId: text('form-id'), values, errors: {} }),
    'resource server, new': pages.resourceForm({
      ...member,
      resource: null,
      formId: text('form-id'),
      values,
      errors: { resource_uri: text('e1'), other: text('e2') },
    }),
    'resource server, removal': pages.resourceConfirm({
      ...member,
      trail: [{ href: '/o/resources/', text: text('crumb') }],
      title: text('title'),
      text: [text('paragraph')],
      facts: [{ title: text('fact'), text: text('count') }],
      button: text('button'),
      action: '/o/resources/A/delete/',
      back: '/o/resources/A/',
    }),
  };
}

interface Samples {
  readonly application: ApplicationLocals;
  readonly authorized: AuthorizedApplicationLocals;
  readonly grant: GrantLocals;
}

function administratorPages(
  text: (place: string) => string,
  pages: Pages,
  pageContext: PageContext,
  { application, authorized }: Samples,
): Record<string, string> {
  const at = 1_700_000_000 as EpochSeconds;
  const providerForm = {
    provider: { id: text('id'), name: text('name'), hasSecret: true, isDisabled: true },
    lastTest: {
      at: 0 as EpochSeconds,
      by: 'test' as const,
      result: 'unknown' as const,
      steps: [{ result: 'unknown' as const, headline: text('step'), text: text('result') }],
    },
    callback: text('callback'),
    presets: [
      {
        value: text('preset'),
        title: text('preset'),
        help: text('help'),
        example: text('example'),
        advice: text('advice'),
      },
    ],
    formId: text('form'),
    values: {
      id: text('id'),
      preset: text('preset'),
      name: text('name'),
      issuer: text('issuer'),
      tenants: text('tenants'),
      clientId: text('client'),
      authentication: 'none',
      scopes: text('scopes'),
      linking: 'explicit',
      options: ['required'],
      domains: text('domains'),
      groupsClaim: text('claim'),
      roles: text('roles'),
      groups: text('groups'),
      secondFactorValues: text('values'),
    },
    errors: { provider_name: text('error') },
  };
  const account = {
    id: 7,
    username: text('username'),
    email: text('email'),
    emailVerified: true,
    active: true,
    roles: ['administrator', 'auditor'],
  } as const;
  const minimalAccount = {
    id: 8,
    username: text('username'),
    email: '',
    emailVerified: false,
    active: false,
    roles: [],
  } as const;
  const { someList, emptyList } = sampleLists(text);
  const group = { id: 1, name: text('group'), title: text('group title') };
  const fullApplication = {
    ...application,
    skipAuthorization: true,
    restrictedScopes: [text('scope')],
    registeredAt: at,
    presentation: {
      description: text('description'),
      homepageUri: text('homepage'),
      policyUri: text('policy'),
      tosUri: text('terms'),
      logoUrl: '/o/applications/id/logo/?v=1',
    },
  };
  const publicApplication = {
    ...fullApplication,
    presentation: { description: null, homepageUri: null, policyUri: null, tosUri: null, logoUrl: null },
    clientType: 'public',
    redirectUris: [],
    allowedOrigins: [],
    restrictedScopes: [],
    skipAuthorization: false,
    usesSecret: false,
    hasSecret: false,
    protection: { ...application.protection, methods: ['none'], differsFromDefault: false },
    openid: { ...DEFAULT_OPENID, differsFromDefault: false },
  } as const;
  const times = { registeredAt: at, lastLoginAt: at };
  const setting = {
    name: 'port',
    environment: 'PORT',
    title: text('title'),
    description: text('description'),
    value: [
      { text: text('value'), isLiteral: true, note: text('note') },
      { text: text('value'), isLiteral: false, note: null },
    ],
    default: [{ text: text('default'), isLiteral: true, note: null }],
    reason: text('reason'),
    fixedBy: 'start',
  } as const;
  const settingLocals = {
    ...pageContext,
    setting: {
      name: 'requirePkce',
      environment: 'ENV',
      title: text('title'),
      description: text('description'),
      value: setting.value,
      default: setting.default,
      origin: 'change',
      fixedBy: null,
      ignored: null,
      isChanged: true,
    },
    input: { kind: 'choice', options: [text('option')] },
    options: [{ value: 'all', title: text('option'), help: text('help') }],
    units: ['seconds', 'days'],
    help: '',
    hasForecast: true,
    seeAlso: { href: '/somewhere/', title: text('page') },
    entered: { value: text('entered'), unit: 'seconds' },
    error: null,
    proposal: null,
    history: [
      { at: NOW, by: text('by'), value: setting.value, isCurrent: true, restorableValue: text('value'), position: 7 },
      { at: NOW, by: text('by'), value: setting.value, isCurrent: false, restorableValue: text('value'), position: 6 },
      { at: NOW, by: text('by'), value: null, isCurrent: false, restorableValue: null, position: 5 },
    ],
    hasOlderChanges: true,
    formId: text('form-id'),
  } as const;
  const forecast = {
    kind: 'simulated',
    because: '',
    since: 1_000_000,
    requests: 9,
    refused: 1,
    answered: 1,
    findings: [
      {
        application: text('application'),
        href: '/admin/applications/a/',
        outcome: 'refused',
        difference: text('difference'),
        count: 2,
      },
      {
        application: text('application'),
        href: null,
        outcome: 'answered otherwise',
        difference: text('difference'),
        count: 1,
      },
    ],
  } as const;
  const listedScope = {
    name: text('scope'),
    description: text('description'),
    icon: 'card',
    sensitivity: 'sensitive',
    isBuiltIn: false,
    origin: 'added',
  } as const;
  const brandPage = {
    ...pageContext,
    values: {
      brand_name: text('name'),
      brand_color: '#9a1f5c',
      brand_color_dark: '',
      brand_support: text('support'),
      brand_privacy: text('privacy'),
      brand_terms: text('terms'),
    },
    errors: {},
    swatches: { brand_color: '#9a1f5c', brand_color_dark: '#ffb3d9' },
    fixed: [],
    preview: {
      note: null,
      name: text('name'),
      stylesheet: '/admin/brand/preview.css',
      logos: { light: '/static/brand-logo', dark: '/static/brand-logo-dark' },
    },
    logos: [
      { scheme: 'light', url: '/static/brand-logo' },
      { scheme: 'dark', url: null },
    ],
    texts: 3,
    mail: {
      href: '/admin/brand/mail/?mail=reset&language=en',
      from: text('from'),
      subject: text('subject'),
      example: 'reset',
      language: 'en',
      examples: [{ value: 'reset', title: text('example') }],
      languages: [{ value: 'en', title: text('language') }],
    },
    formId: text('form id'),
  } as const;
  const brandText = {
    ...pageContext,
    key: text('key'),
    placeholders: [text('placeholder')],
    versions: [
      {
        language: 'en',
        title: text('title'),
        field: 'own_text_en',
        standard: text('standard'),
        own: text('own'),
        problem: text('problem'),
      },
      { language: 'de', title: text('other title'), field: 'own_text_de', standard: null, own: '', problem: null },
    ],
    errors: {},
    fixedBy: null,
    isReplaced: true,
    formId: text('form id'),
  } as const;
  const scopeForm = {
    ...pageContext,
    scope: listedScope,
    values: { ...listedScope, icon: 'card' },
    errors: {},
    fixedBy: { scopes: null, scopeDisplay: null },
    formId: text('form-id'),
    icons: ['card', 'file'],
    use: null,
    isRestricted: false,
    isRemoval: false,
  } as const;
  const exchangePolicy = {
    id: text('id'),
    client: { id: text('id'), name: text('name') },
    subject: { id: text('id'), name: text('name') },
  };
  const exchangePolicyValues = {
    client: text('client'),
    subject: text('subject'),
    modes: ['delegation'],
    scope: text('scope'),
    resources: text('resources'),
  };
  const issuerForm = {
    presets: [{ value: text('preset'), title: text('preset'), help: text('help') }],
    preset: {
      value: text('preset'),
      advice: text('advice'),
      examples: {
        issuer: text('example'),
        keysUri: text('example'),
        claims: text('example'),
        clients: text('example'),
        audience: text('example'),
      },
    },
    applications: [{ id: text('id'), name: text('name') }],
    scopes: [text('scope')],
  };
  const trustedIssuerValues = {
    issuer: text('issuer'),
    keys: text('keys'),
    keysUri: text('address'),
    audience: text('audience'),
    uses: ['assertion'],
    claims: text('claims'),
    mapping: 'table',
    nameClaim: text('claim'),
    users: text('users'),
    clients: text('clients'),
    scope: text('scope'),
    resources: text('resources'),
    tokenLifetime: text('lifetime'),
    assertionAge: text('age'),
  };
  const membership = { since: 1_700_000_000 as EpochSeconds, isActive: true };
  return {
    'admin dashboard': pages.adminDashboard({
      ...pageContext,
      attention: [
        { tone: 'danger', text: text('problem'), href: '/admin/health/', link: text('link') },
        { tone: 'warning', text: text('problem'), href: '/admin/users/', link: text('link') },
      ],
      totals: [{ title: text('total'), text: text('number'), href: '/admin/users/' }],
      providers: {
        columns: [text('column'), text('other column')],
        rows: [
          [
            { text: text('provider'), href: '/href/' },
            { at, mark: { text: text('mark'), tone: 'danger' } },
          ],
        ],
      },
      charts: [
        {
          id: 'tokens',
          title: text('chart'),
          noun: 'tokens',
          note: text('note'),
          link: { href: '/admin/refusals/', text: text('link') },
          counts: { hours: [{ from: at, count: 7 }], days: [{ from: at, count: 0 }] },
        },
      ],
    }),
    'admin dashboard, nothing to do': pages.adminDashboard({
      ...pageContext,
      attention: [],
      totals: [],
      providers: null,
      charts: [],
    }),
    'admin users': pages.adminUserList({ ...pageContext, isMailOn: true, list: someList }),
    'admin users, none': pages.adminUserList({ ...pageContext, isMailOn: false, list: emptyList }),
    'admin users, none on this page': pages.adminUserList({
      ...pageContext,
      isMailOn: true,
      list: { ...someList, rows: [] },
    }),
    'admin invitation': pages.adminInvite({
      ...pageContext,
      values: { email: text('email'), roles: ['auditor'] },
      isMailOn: true,
      formId: text('form-id'),
      errors: { email: text('e1') },
    }),
    'admin invitation, without mail': pages.adminInvite({
      ...pageContext,
      values: { email: '', roles: [] },
      isMailOn: false,
      formId: text('form-id'),
      errors: {},
    }),
    'admin invitation link': pages.adminInvitationLink({ ...pageContext, link: text('link') }),
    'admin invitation link, already shown': pages.adminInvitationLink({ ...pageContext, link: null }),
    'admin invitations': pages.adminInvitations({ ...pageContext, isMailOn: true, list: someList }),
    'admin invitations, none': pages.adminInvitations({ ...pageContext, isMailOn: false, list: emptyList }),
    'admin user form': pages.adminUserForm({
      ...pageContext,
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
    'admin groups': pages.adminGroups({ ...pageContext, list: someList }),
    'admin groups, none': pages.adminGroups({ ...pageContext, list: emptyList }),
    'admin group form': pages.adminGroupForm({
      ...pageContext,
      values: { name: text('group') },
      errors: { group_name: text('e1'), other: text('e2') },
    }),
    'admin group': pages.adminGroup({ ...pageContext, group: { ...group, createdAt: at }, list: someList }),
    'admin group, nobody': pages.adminGroup({ ...pageContext, group: { ...group, createdAt: at }, list: emptyList }),
    'admin group title': pages.adminGroupTitle({
      ...pageContext,
      group,
      value: text('title'),
      formId: text('form-id'),
      errors: { group_title: text('e1') },
    }),
    'admin group addition': pages.adminGroupAddition({ ...pageContext, group, list: someList }),
    'admin user groups': pages.adminUserGroups({ ...pageContext, account, list: someList }),
    'admin user groups, none': pages.adminUserGroups({ ...pageContext, account, list: emptyList }),
    'admin user': pages.adminUser({
      ...pageContext,
      account: { ...account, ...times, fullName: text('full') },
      sessionCount: 3,
      groups: [{ id: 1, name: text('group'), title: null }],
      isLastAdministrator: true,
      verifiedBy: text('holder'),
      isOwnAccount: true,
      twoStep: { isOn: true, hasFactor: true },
      applications: [
        { id: text('id'), name: text('name'), lastUsed: at },
        { id: text('id'), name: text('name'), lastUsed: null },
      ],
      applicationCount: 12,
      authorized: [authorized],
      authorizedCount: 12,
    }),
    'admin user, disabled': pages.adminUser({
      ...pageContext,
      account: { ...minimalAccount, registeredAt: null, lastLoginAt: null, fullName: '' },
      sessionCount: 0,
      groups: [],
      isLastAdministrator: false,
      twoStep: { isOn: false, hasFactor: false },
      verifiedBy: null,
      isOwnAccount: false,
      applications: [],
      applicationCount: 0,
      authorized: [],
      authorizedCount: 0,
    }),
    'admin user names': pages.adminUserNames({
      ...pageContext,
      account,
      values: { email: text('email'), firstName: text('first'), lastName: text('last') },
      formId: text('form-id'),
      errors: { email: text('e1'), first_name: text('e2'), last_name: text('e3') },
    }),
    'admin user sessions': pages.adminUserSessions({
      ...pageContext,
      account,
      list: someList,
      sessions: [
        {
          id: text('session'),
          since: at,
          lastUse: { at, isExact: true },
          how: text('how'),
          browser: text('browser'),
          isCurrent: false,
          applications: [],
          applicationCount: 0,
          passedOn: [],
          passedOnCount: 0,
          ending: [],
          endingCount: 0,
        },
      ],
    }),
    'admin user sessions, none': pages.adminUserSessions({ ...pageContext, account, list: emptyList, sessions: [] }),
    'admin user applications': pages.adminUserApplications({ ...pageContext, account, list: someList }),
    'admin user applications, none': pages.adminUserApplications({ ...pageContext, account, list: emptyList }),
    'admin user authorizations': pages.adminUserAuthorizations({ ...pageContext, account, list: someList }),
    'admin user authorizations, none': pages.adminUserAuthorizations({ ...pageContext, account, list: emptyList }),
    'admin user authorization': pages.adminUserAuthorization({
      ...pageContext,
      account,
      list: someList,
      application: authorized,
    }),
    'admin roles': pages.adminRoles({
      ...pageContext,
      account,
      isLastAdministrator: true,
      isOwnAccount: false,
      formId: text('form-id'),
    }),
    'admin roles, own': pages.adminRoles({
      ...pageContext,
      account,
      isLastAdministrator: false,
      isOwnAccount: true,
      formId: text('form-id'),
    }),
    'admin password': pages.adminPassword({
      ...pageContext,
      account,
      isOwnAccount: true,
      facts: [{ title: text('ends'), text: text('fact') }],
      formId: text('form-id'),
      errors: { password: text('e1') },
    }),
    'admin generated password': pages.adminGeneratedPassword({ ...pageContext, account, password: text('password') }),
    'admin generated password, already shown': pages.adminGeneratedPassword({
      ...pageContext,
      account,
      password: null,
    }),
    'admin confirmation': pages.adminConfirm({
      ...pageContext,
      trail: [{ href: '/admin/users/', text: text('crumb') }],
      title: text('title'),
      text: [text('one'), text('two')],
      facts: [{ title: text('fact'), text: text('count') }],
      button: text('button'),
      action: '/admin/users/7/erase/',
      back: '/admin/users/7/',
    }),
    'admin applications': pages.adminApplicationList({ ...pageContext, list: someList }),
    'admin applications, none': pages.adminApplicationList({ ...pageContext, list: emptyList }),
    'admin application': pages.adminApplication({
      ...pageContext,
      exchanges: [{ id: text('id'), name: text('name') }],
      exchangedBy: [{ id: text('id'), name: text('name') }],
      application: fullApplication,
      forbiddenRedirectUris: [{ uri: text('uri'), problem: text('problem'), setting: null }],
      owners: [{ ...account, ...membership }],
      testUsers: 2,
      users: { count: 3, isExact: true },
      maxTokens: 6,
      lastUsed: at,
      oldSecret: { expiresAt: at, lastUsed: at },
    }),
    'admin application, public': pages.adminApplication({
      ...pageContext,
      exchanges: [],
      exchangedBy: [],
      application: publicApplication,
      forbiddenRedirectUris: [],
      owners: [],
      testUsers: 0,
      users: { count: 1000, isExact: false },
      maxTokens: null,
      lastUsed: null,
      oldSecret: { expiresAt: at, lastUsed: null },
    }),
    'admin transfer': pages.adminTransfer({
      ...pageContext,
      application: { id: text('id'), name: text('name') },
      owners: [{ id: 1, username: text('owner'), since: at, isActive: true }],
      username: text('username'),
      userNames: [text('suggestion')],
      errors: { username: text('e1') },
    }),
    'admin transfer, without owners': pages.adminTransfer({
      ...pageContext,
      application: { id: text('id'), name: text('name') },
      owners: [],
      username: '',
      userNames: [text('suggestion')],
      errors: {},
    }),
    'admin application users': pages.adminApplicationUsers({
      ...pageContext,
      application,
      examinedCount: 20_000,
      list: someList,
    }),
    'admin application users, none': pages.adminApplicationUsers({
      ...pageContext,
      application,
      examinedCount: null,
      list: emptyList,
    }),
    'admin people': pages.adminPeople({
      ...pageContext,
      application,
      owners: [{ ...account, ...membership }],
      testUsers: [{ ...account, ...membership, isActive: false }],
      username: text('username'),
      userNames: [text('suggestion')],
      errors: { username: text('e1') },
    }),
    'admin people, nobody': pages.adminPeople({
      ...pageContext,
      application,
      owners: [],
      testUsers: [],
      username: '',
      userNames: [text('suggestion')],
      errors: {},
    }),
    'admin scopes': pages.adminScopes({
      ...pageContext,
      application,
      allowedScopes: ['audit'],
      formId: text('form-id'),
      scopes: [
        { name: text('audit'), description: text('description') },
        { name: text('introspection'), description: text('description') },
      ],
    }),
    'admin rotation': pages.adminRotate({
      ...pageContext,
      application,
      formId: text('form-id'),
      oldSecret: { expiresAt: at, lastUsed: null },
    }),
    'admin secret': pages.adminSecret({
      ...pageContext,
      application,
      clientSecret: text('secret'),
      oldSecret: { expiresAt: at, lastUsed: null },
    }),
    'admin secret, already shown': pages.adminSecret({
      ...pageContext,
      application,
      clientSecret: null,
      oldSecret: null,
    }),
    'admin exchange policies': pages.adminExchangePolicies({ ...pageContext, list: someList }),
    'admin exchange policies, none': pages.adminExchangePolicies({ ...pageContext, list: emptyList }),
    'admin exchange policy': pages.adminExchangePolicy({
      ...pageContext,
      policy: exchangePolicy,
      formId: text('form'),
      clients: null,
      warning: text('warning'),
      values: exchangePolicyValues,
      errors: {},
    }),
    'admin exchange policy, new': pages.adminExchangePolicy({
      ...pageContext,
      policy: null,
      formId: text('form'),
      clients: { exchanging: [exchangePolicy.client], all: [exchangePolicy.client, exchangePolicy.subject] },
      warning: null,
      values: exchangePolicyValues,
      errors: {
        exchange_client: text('error'),
        exchange_subject: text('error'),
        exchange_mode: text('error'),
        exchange_scope: text('error'),
        exchange_resources: text('error'),
      },
    }),
    'admin domains': pages.adminDomains({
      ...pageContext,
      setting: 'list',
      list: someList,
      values: { domain: text('domain'), rule: 'blocked' },
      errors: { domain: text('error') },
    }),
    'admin providers': pages.adminProviders({ ...pageContext, list: someList }),
    'admin provider': pages.adminProvider({ ...pageContext, ...providerForm }),
    'admin provider, new': pages.adminProvider({ ...pageContext, ...providerForm, provider: null }),
    'admin trusted issuers': pages.adminTrustedIssuers({ ...pageContext, list: someList }),
    'admin trusted issuers, none': pages.adminTrustedIssuers({ ...pageContext, list: emptyList }),
    'admin trusted issuer': pages.adminTrustedIssuer({
      ...pageContext,
      trusted: {
        id: text('id'),
        issuer: text('issuer'),
        isUrl: false,
        keysUri: text('address'),
        applications: [{ id: text('client id'), name: text('application') }],
      },
      ...issuerForm,
      formId: text('form'),
      values: trustedIssuerValues,
      errors: {},
    }),
    'admin trusted issuer, new': pages.adminTrustedIssuer({
      ...pageContext,
      trusted: null,
      ...issuerForm,
      formId: text('form'),
      values: trustedIssuerValues,
      errors: {
        trust_issuer: text('error'),
        client_keys: text('error'),
        jwks_uri: text('error'),
        trust_audience: text('error'),
        trust_use: text('error'),
        trust_claims: text('error'),
        trust_mapping: text('error'),
        trust_name_claim: text('error'),
        trust_users: text('error'),
        trust_clients: text('error'),
        trust_scope: text('error'),
        trust_resources: text('error'),
        trust_token_lifetime: text('error'),
        trust_assertion_age: text('error'),
      },
    }),
    'admin settings': pages.adminSettings({
      ...pageContext,
      list: someList,
      ignored: [{ name: 'port', because: text('because') }],
      sections: [
        { id: 'changed', title: text('section'), settings: [{ ...setting, origin: 'environment' }] },
        {
          id: 'login',
          title: text('section'),
          settings: [
            { ...setting, origin: 'default', default: null, fixedBy: null },
            { ...setting, value: [], reason: null, origin: 'file' },
          ],
        },
      ],
    }),
    'admin settings, in another order': pages.adminSettings({
      ...pageContext,
      list: someList,
      ignored: [],
      sections: [{ id: '', title: text('section'), settings: [{ ...setting, origin: 'change' }] }],
    }),
    'admin settings, none found': pages.adminSettings({ ...pageContext, list: emptyList, ignored: [], sections: [] }),
    'admin setting': pages.adminSetting(settingLocals),
    'admin setting, refused': pages.adminSetting({
      ...settingLocals,
      error: text('error'),
      help: text('help'),
      input: { kind: 'number', canBeNull: false, unit: 'seconds', min: 1, max: 9 },
    }),
    'admin setting, a list': pages.adminSetting({
      ...settingLocals,
      help: text('help'),
      input: { kind: 'lines' },
      history: [],
    }),
    'admin setting, a list of choices': pages.adminSetting({
      ...settingLocals,
      input: { kind: 'choices', options: ['all'] },
    }),
    'admin setting, fixed': pages.adminSetting({
      ...settingLocals,
      setting: {
        ...settingLocals.setting,
        fixedBy: 'file',
        ignored: { value: setting.value, because: text('because') },
      },
    }),
    'admin setting, proposed': pages.adminSetting({
      ...settingLocals,
      proposal: { value: setting.value, isReset: false, forecast },
    }),
    'admin setting, proposed before any request': pages.adminSetting({
      ...settingLocals,
      proposal: { value: setting.value, isReset: false, forecast: { ...forecast, requests: 0, findings: [] } },
    }),
    'admin setting, proposed without effect': pages.adminSetting({
      ...settingLocals,
      proposal: {
        value: setting.value,
        isReset: false,
        forecast: { ...forecast, kind: 'indifferent', because: text('because'), findings: [] },
      },
    }),
    'admin setting, reset without a forecast': pages.adminSetting({
      ...settingLocals,
      proposal: {
        value: setting.value,
        isReset: true,
        forecast: { ...forecast, kind: 'unknown', because: text('because'), findings: [] },
      },
    }),
    'admin scope list': pages.adminScopeList({
      ...pageContext,
      list: someList,
      fixedBy: { scopes: null, scopeDisplay: null },
    }),
    'admin scope list, fixed': pages.adminScopeList({
      ...pageContext,
      list: someList,
      fixedBy: { scopes: 'file', scopeDisplay: null },
    }),
    'admin brand': pages.adminBrand(brandPage),
    'admin brand, entered': pages.adminBrand({
      ...brandPage,
      errors: { brand_color: text('error'), 'logo-dark': text('error') },
      preview: { ...brandPage.preview, note: text('note'), logos: { light: null, dark: null } },
    }),
    'admin brand, fixed': pages.adminBrand({ ...brandPage, fixed: ['brandName', 'brandLinks'], logos: [] }),
    'admin signing keys': pages.adminKeys({ ...pageContext, list: someList }),
    'admin signing key rotation': pages.adminKeyRotation({
      ...pageContext,
      algorithms: [
        { value: 'ES256', title: text('algorithm'), help: text('next key') },
        { value: 'EdDSA', title: text('other algorithm'), help: text('') },
      ],
      chosenAlgorithms: ['ES256'],
      start: 'later',
      errors: { key_algorithm: text('error'), key_start: text('other error') },
      formId: text('form id'),
    }),
    'admin sessions': pages.adminSessions({
      ...pageContext,
      list: { ...someList, rows: [[{ check: { name: 'session_hash', value: text('hash'), label: text('label') } }]] },
    }),
    'admin sessions, none': pages.adminSessions({ ...pageContext, list: { ...someList, rows: [] } }),
    'admin texts': pages.adminBrandTexts({ ...pageContext, list: someList, fixedBy: null, ignored: 2 }),
    'admin texts, fixed': pages.adminBrandTexts({ ...pageContext, list: someList, fixedBy: 'file', ignored: 0 }),
    'admin text': pages.adminBrandText(brandText),
    'admin text, refused': pages.adminBrandText({ ...brandText, errors: { own_text_en: text('error') } }),
    'admin text, fixed': pages.adminBrandText({
      ...brandText,
      fixedBy: 'environment',
      placeholders: [],
      isReplaced: false,
    }),
    'admin text, unknown': pages.adminBrandText({
      ...brandText,
      versions: brandText.versions.map((version) => ({ ...version, standard: null })),
    }),
    'admin scope': pages.adminScope(scopeForm),
    'admin scope, new': pages.adminScope({
      ...scopeForm,
      scope: null,
      errors: { scope_name: text('error'), scope_description: text('error'), scope_icon: text('error') },
    }),
    'admin scope, fixed': pages.adminScope({ ...scopeForm, fixedBy: { scopes: 'file', scopeDisplay: 'environment' } }),
    'admin scope, removal': pages.adminScope({
      ...scopeForm,
      isRemoval: true,
      use: {
        since: NOW,
        applications: [{ name: text('application'), href: '/href/', mayRequest: true, tokens: 3 }],
      },
    }),
    'admin scope, restricted': pages.adminScope({
      ...scopeForm,
      isRestricted: true,
      use: {
        since: NOW,
        applications: [
          { name: text('allowed application'), href: '/href/', mayRequest: true, tokens: 0 },
          { name: text('removed application'), href: null, mayRequest: false, tokens: 3 },
        ],
      },
    }),
    'admin settings, none changed': pages.adminSettings({
      ...pageContext,
      list: { ...someList, isNarrowed: false },
      ignored: [],
      sections: [
        { id: 'changed', title: text('section'), settings: [] },
        { id: 'login', title: text('section'), settings: [{ ...setting, origin: 'default' }] },
      ],
    }),
    'admin health': pages.adminHealth({
      ...pageContext,
      obstacle: null,
      problems: [],
      usageProblemCount: 0,
      groups: [
        {
          title: text('group'),
          note: text('note'),
          figures: [
            { title: text('title'), text: text('text'), href: '/somewhere/' },
            { title: text('title'), text: text('text'), tone: 'danger' },
          ],
        },
        { title: text('group'), note: text('note'), figures: [] },
      ],
    }),
    'admin health, not ready': pages.adminHealth({
      ...pageContext,
      obstacle: text('obstacle'),
      problems: [
        { tone: 'danger', text: text('problem'), advice: text('advice') },
        { tone: 'warning', text: text('problem') },
      ],
      usageProblemCount: 0,
      groups: [],
    }),
    'admin health, a problem': pages.adminHealth({
      ...pageContext,
      obstacle: null,
      problems: [{ tone: 'danger', text: text('problem'), advice: text('advice') }],
      usageProblemCount: 2,
      groups: [],
    }),
  };
}

const samples = Object.entries(renderEveryPage((place) => `some ${place}`));
const viewFiles = readdirSync(VIEWS_DIRECTORY, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ejs'),
);
const views = viewFiles.map((file) => ({ file, source: readFileSync(join(VIEWS_DIRECTORY, file), 'utf8') }));

function matches(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, group]) => group ?? '');
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
  .map(([payload, suffix]) => `x${payload}${suffix}`);

const SCRIPT_SOURCE = String.raw`src="/static/[a-z-]+\.js\?v=[\w-]{16}"`;
/** A script element that refers to a file. A classic script may receive messages as data attributes. */
const SCRIPT = new RegExp(
  String.raw`^<script (?:${SCRIPT_SOURCE} defer(?:\s+data-[a-z\d-]+="[^"]*")*|type="module" ${SCRIPT_SOURCE})>\s*$`,
);

describe('The pages', () => {
  it('have the same elements and attributes whatever text they show, and never contain it unescaped', () => {
    const plainPages = renderEveryPage(() => 'plain');
    fc.assert(
      fc.property(hostileText, (injectedText) => {
        for (const [name, html] of Object.entries(renderEveryPage(() => injectedText))) {
          expect(html.includes(injectedText), name).to.equal(false);
          expect(htmlSkeleton(html), name).to.equal(htmlSkeleton(plainPages[name] ?? ''));
        }
      }),
      { numRuns: repetitions(50) },
    );
  });

  it('show entered values again, even with a leading line break', () => {
    const errors = {};
    const values = {
      name: 'a & b',
      clientType: 'public',
      grants: ['password'],
      redirectUris: '\nhttps://a.example/',
      builtinCallback: false,
      secondFactor: 'optional' as const,
      detailTypeLimit: 'all' as const,
      detailTypes: '',
      allowedOrigins: '',
      accessTokenFormat: 'jwt',
      accessTokenAlgorithm: 'ES256',
      openid: {
        isOpen: false,
        isIdSectionOpen: false,
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
      security: securityValues({}, {}),
      authentication: null,
      presentation: { isOpen: false, description: '', homepageUri: '', policyUri: '', tosUri: '' },
    };
    const html = english.applicationForm({
      kind: 'browser',
      administration: null,
      user: { username: 'ada', roles: [] },
      csrfToken: 't',
      path: '/',
      flash: null,
      readerLanguage: null,
      timeZone: null,
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
      '<option value="" selected>',
      '<option value="RS256" selected>',
      '<option value="RS256" selected>',
      '<option value="PS256" selected>',
      '<option value="" selected>',
    ]);
  });

  it('show an error beside its field, and an error for the whole form above it', () => {
    const html = english.signup({
      user: null,
      csrfToken: 't',
      path: '/',
      flash: null,
      readerLanguage: null,
      timeZone: null,
      next: '/',
      values: { username: 'ada', email: '' },
      errors: { username: 'is taken', form: 'try later' },
      error: null,
      application: null,
    });
    expect(html)
      .to.match(/id="username-error">is taken</)
      .and.to.match(/aria-describedby="username-error"\s+aria-invalid="true"/);
    expect(html).to.include('<li>try later</li>');
  });

  it('show a placeholder for the client secret on the try-it page', () => {
    const tryItPage = samples.find(([name]) => name === 'try')?.[1];
    expect(tryItPage).to.include('CLIENT_SECRET').and.not.to.include('some secret');
  });

  for (const [name, html] of samples) {
    describe(`include “${name}”, which`, () => {
      it('is one document with one h1, a main landmark and a title', () => {
        expect(html.startsWith('<!doctype html>')).to.equal(true);
        for (const part of [/<h1[ >]/g, /<main /g]) expect(html.match(part) ?? []).to.have.length(1);
        expect(html.slice(0, html.indexOf('</head>')).match(/<title>[^<]+<\/title>/g) ?? []).to.have.length(1);
        expect(html).not.to.match(/undefined|\[object|NaN/);
      });

      it('has no inline style or script, and loads nothing from other hosts', () => {
        expect(html).not.to.match(/<style|\sstyle=|\son[a-z]+="|javascript:/);
        for (const script of html.match(/<script[^>]*>[^<]*/g) ?? []) expect(script).to.match(SCRIPT);
        for (const url of matches(html, /(?:src|href|action)="([^"]*)"(?! rel="noreferrer")/g))
          expect(url).to.match(/^(\/(?!\/)|#|data:text\/plain;charset=utf-8,)/);
      });

      it('labels every control, and refers only to existing elements', () => {
        const ids = matches(html, /\sid="([^"]*)"/g);
        const labeledIds = matches(html, /<label[^>]* for="([^"]*)"/g);
        const controls = html.match(/<(?:input|textarea|select)[^>]*>/g) ?? [];
        expect(ids).to.deep.equal([...new Set(ids)]);
        for (const control of controls) {
          if (!control.includes('type="hidden"') && !/\saria-label="[^"]+"/.test(control))
            expect(labeledIds, control).to.include(/\sid="([^"]*)"/.exec(control)?.[1]);
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
  const extractForm = (page: string): string =>
    /<form[^>]*action="\/o\/authorize\/"[\s\S]*?<\/form>/.exec(page)?.[0] ?? '';

  it('posts the sealed request, the selected scopes and the pressed button, and nothing else', () => {
    const form = extractForm(html);
    expect(matches(form, /\sname="([^"]*)"/g)).to.deep.equal([
      'csrf_token',
      'request',
      'scope',
      'scope',
      'allow',
      'deny',
    ]);
    expect(form)
      .to.match(/name="scope" value="some scope"\s+checked/)
      .and.to.match(/name="allow"\s+value="ticked"/);
  });

  it('has no checkbox if the request has only one scope', () => {
    expect(extractForm(samples.find(([name]) => name === 'authorize, one scope')?.[1] ?? ''))
      .to.include('some scope')
      .and.to.match(/name="allow"\s+value="Authorize"/)
      .and.not.to.include('checkbox');
  });

  it('has a button to authorize and a button to deny, and no links to other pages', () => {
    expect(extractForm(html)).to.match(
      /<button class="button button--primary"[^>]*>Authorize<[^]*<button class="button"[^>]*>Deny</,
    );
    expect(html).not.to.match(/<nav|<a [^>]*href="\//);
  });

  it('shows the application, its owner, the user and the host, and warns about a loopback address', () => {
    expect(html).to.include('some name').and.include('some owner').and.include('some user').and.include('some host');
    expect(html).to.include('notice--warning');
    expect(samples.find(([name]) => name === 'authorize, web')?.[1]).not.to.include('notice--warning');
  });
});

describe('The notice about an action', () => {
  const pagesWithMenu = Object.entries(renderEveryPage((place) => `some ${place}`)).filter(
    ([, html]) =>
      html.includes('class="flash') &&
      /<nav class="sections[^>]*aria-label="(?:Administration|Audit|Account)/.test(html),
  );

  it('is placed below the menu, and does not move it', () => {
    expect(pagesWithMenu).to.have.length.above(50);
    for (const [name, html] of pagesWithMenu) {
      const [menu, notice] = [html.lastIndexOf('</nav>', html.indexOf('class="flash')), html.indexOf('class="flash')];
      expect(html.slice(0, notice), name).to.include('class="sections');
      expect(html.slice(menu, notice), name).to.match(/^<\/nav>\s*<div $/);
      expect(html, name).not.to.include('end of the menu');
    }
  });
});

describe('The view', () => {
  for (const { file, source } of views) {
    it(`${file} begins with a comment that declares its locals`, () => {
      expect(source).to.match(/^<%# locals: \{(?:(?!%>)[^])*\}(?:(?!%>)[^])* %>\n/);
    });

    it(`${file} outputs nothing unescaped except HTML from other views and from messages`, () => {
      const unescapedTags = (source.match(/<%-[\s\S]*?%>/g) ?? []).filter(
        (tag) => !/^<%-\s+it\.(?:partial\('[a-z/-]+', \{|(?:tHtml|breakable)\()/.test(tag),
      );
      expect(unescapedTags).to.deep.equal(file === 'layout.ejs' ? ['<%- it.menu %>', '<%- it.body %>'] : []);
    });

    it(`${file} quotes every attribute`, () => {
      expect(source).not.to.match(/\s[\w-]+=<%/);
    });
  }
});

/** Names, URLs and examples that are the same in every language. */
const LANGUAGE_INDEPENDENT = new RegExp(
  [
    /Grantlog|OpenAPI|openapi\.json|UTC|OpenID Connect|FAPI 2\.0 Security Profile|JSON|Userinfo|[RPE]S256|EdDSA/,
    /https:[^\s⟧]*|-----BEGIN PUBLIC KEY-----|\[\{.*\}\]|^(?:GET|curl|JavaScript|Python|Go|Java|C#)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
);

/** The pages whose text consists only of messages. */
const TRANSLATED_PAGES: readonly string[] = [
  'activity',
  'activity, none on the page',
  'home of a visitor',
  'home of a member',
  'home of a new member',
  'error',
  'error, explained',
  'authorized applications',
  'no authorized applications',
  'authorized applications, none on the page',
  'authorized application',
  'authorized application, once',
  'connected agents',
  'no connected agents',
  'connected agents, none on the page',
  'recoveryCodes, again',
  'account',
  'account, no passkeys',
  'addApp',
  'addApp, required',
  'recoveryCodes',
  'twoStep',
  'twoStep, off',
  'twoStep, nothing',
  'confirmTwoStep',
  'profile',
  'sessions',
  'sessions, none on the page',
  'passkeys',
  'passkeys, none on the page',
  'password change',
  'first password',
  'new passkey',
  'erasure',
  'erasure, last administrator',
  'ways',
  'ways, nothing',
  'authorize',
  'authorize, one scope',
  'authorize, built-in callback page',
  'authorize, web',
  'device consent',
  'device consent, one scope',
  'admin users',
  'admin users, none',
  'admin user form',
  'admin user',
  'admin user, disabled',
  'admin user names',
  'admin user applications',
  'admin user applications, none',
  'admin user authorizations',
  'admin user authorizations, none',
  'admin user authorization',
  'admin roles',
  'admin password',
  'admin generated password',
  'admin confirmation',
  'admin invitation',
  'admin invitation, without mail',
  'admin invitation link',
  'admin invitations',
  'admin invitations, none',
  'admin group form',
  'admin user groups',
  'admin user groups, none',
  'admin users, none on this page',
  'admin groups',
  'admin groups, none',
  'admin group',
  'admin group, nobody',
  'admin group title',
  'admin group addition',
  'login',
  'login, first time',
  'forgotten password',
  'forgotten password, without mail',
  'requested link',
  'logout from an application',
  'logout from an unknown application',
  'after the logout',
  'after the logout, without a destination',
  'device',
  'device, first time',
  'device, done',
  'new password',
  'invitation to an account',
  'e-mail address',
  'setup',
  'signup',
  'signup, first time',
  'secondStep',
  'secondStep, passkey only',
  'test mode',
  'registration by kind',
  'register',
  'update',
  'update, with a logo',
  'overview',
  'overview, published keys and no secret',
  'overview, nothing set',
  'overview, old secret unused',
  'overview, used',
  'credentials',
  'credentials, already shown',
  'credentials, with an overlap',
  'rotation',
  'rotation, with an overlap',
  'first secret',
  'keys',
  'keys, published',
  'people',
  'people, none',
  'people, many authorizations',
  'invitation',
  'invitation, already shown',
  'invitation link, as owner',
  'invitation link, as test user',
  'try',
  'try, in this tab',
  'try, with a key',
  'try, with a certificate',
  'try, certificates not accepted',
  'callback, with a code, certificates not accepted',
  'callback, with a code and a key',
  'callback',
  'callback, with a code',
  'callback, with an error',
  'callback for others',
  'callback for visitors',
  'refusals',
  'refusal',
  'API description',
  'resource servers',
  'resource servers, none',
  'resource server',
  'resource server, new',
  'resource server, removal',
  'change confirmation',
  'list',
  'list, nothing found',
  'empty list',
  'refusals, none, with logout reports',
  'refusals, no logout reports',
  'delete',
  'delete, large',
  'delete, unused',
  'admin exchange policies',
  'admin exchange policies, none',
  'admin exchange policy',
  'admin exchange policy, new',
  'admin trusted issuers',
  'admin trusted issuers, none',
  'admin trusted issuer',
  'admin trusted issuer, new',
  'admin domains',
  'admin providers',
  'admin provider',
  'admin provider, new',
  'admin brand',
  'admin brand, entered',
  'admin brand, fixed',
  'admin applications',
  'admin applications, none',
  'admin application',
  'admin application, public',
  'admin transfer',
  'admin transfer, without owners',
  'admin people',
  'admin people, nobody',
  'admin scopes',
  'admin rotation',
  'admin secret',
  'admin secret, already shown',
  'admin scope list',
  'admin scope list, fixed',
  'admin scope',
  'admin scope, new',
  'admin scope, fixed',
  'admin scope, removal',
  'admin refusals',
  'admin generated password, already shown',
  'admin invitation link, already shown',
  'admin user sessions, none',
  'admin dashboard, nothing to do',
  'admin dashboard',
  'admin user sessions',
  'audit: events',
  'audit: a search that continues',
  'audit: a search that continues with newer events',
  'audit: no events',
  'audit: invalid filters',
  'audit: event',
  'audit: event in a long stream',
  'audit: event without a hash',
  'audit: exchanges around a grant',
  'audit: grant without exchanges',
  'audit: grant that had not begun',
  'audit: blast radius, no result',
  'audit: blast radius, invalid input',
  'audit: blast radius',
  'audit: blast radius at an earlier position',
  'audit: empty blast radius',
  'audit: access, empty form',
  'audit: access',
  'audit: no access',
  'audit: log',
  'audit: log, invalid filters',
  'admin settings',
  'admin settings, in another order',
  'admin settings, none found',
  'admin settings, none changed',
  'admin setting',
  'admin setting, refused',
  'admin setting, a list',
  'admin setting, a list of choices',
  'admin setting, fixed',
  'admin setting, proposed',
  'admin setting, proposed before any request',
  'admin setting, proposed without effect',
  'admin setting, reset without a forecast',
  'admin health',
  'admin health, not ready',
  'admin health, a problem',
];

describe('In a language that marks every message,', () => {
  const pages = createPages({
    now: () => NOW,
    languages: ['en'],
    translators: { ...createTranslators(), en: markedTranslator() },
  });
  const markedPages = renderEveryPage((place) => `⟦${place}⟧`, pages);

  for (const name of TRANSLATED_PAGES)
    it(`page “${name}” has no unmarked text`, () => {
      const html = markedPages[name] ?? '';
      expect(html).to.include('⟦');
      const body = html.slice(html.indexOf('<body')).replaceAll(/<(script|code|bdi|time)\b[\s\S]*?<\/\1>/g, '');
      // Placeholders are example values. An option whose text equals its value is a protocol name.
      const labels = matches(body, /\s(?:title|aria-label|alt)="([^"]*)"/g);
      const visibleHtml = body.replaceAll(/<option value="([^"]*)"[^>]*>\s*\1\s*<\/option>/g, '');
      const texts = [...labels, visibleHtml.replaceAll(/<[^>]*>/g, '\n')]
        .join('\n')
        .replaceAll(LANGUAGE_INDEPENDENT, '');
      expect(unmarkedTexts(texts)).to.deep.equal([]);
    });
});

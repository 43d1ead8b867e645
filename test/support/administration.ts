/**
 * The catalog of administrative operations: how each can be reached, apart from the command of the same name. Tests
 * compare it with the operations of the API, the commands and the forms on the pages.
 */

/** The reason why the operation cannot be reached in this way. */
export interface Missing {
  readonly reason: string;
}

const READ = { reason: 'a page shows it, so no form is needed' };
const OWN_FILES = { reason: 'it reads or writes files on the machine that the server runs on' };
const AUDITORS = { reason: 'auditors read the log at /o/events/ and its proofs at /o/log/, with the audit scope' };
const BESIDE_THE_LOG = {
  reason: 'it checks the whole log, for anyone who can read the files; the pages show the result',
};
const ONLY_AT_THE_MACHINE = { reason: 'only a person at the machine can judge it' };
const COMMAND_ONLY = { reason: 'it is rarely needed, and the command says what to expect' };

/** Operations that the management API does not have. */
export const NOT_IN_API: Readonly<Record<string, Missing>> = {
  backup: OWN_FILES,
  import: OWN_FILES,
  'log archive': OWN_FILES,
  'log bundle': OWN_FILES,
  'log export': AUDITORS,
  'log tail': AUDITORS,
  'log key': AUDITORS,
  'log checkpoint': AUDITORS,
  'log prove': AUDITORS,
  'log prove-chain': AUDITORS,
  'log receipt': AUDITORS,
  'log replay': BESIDE_THE_LOG,
  'log verify': BESIDE_THE_LOG,
  'log what-if': {
    reason: 'it walks the whole log and reports progress; the command and the page of a setting run it',
  },
  'clock confirm': ONLY_AT_THE_MACHINE,
  'provider requirement': {
    reason: 'turning passwords off is left to people; the command counts the users that it affects, and asks',
  },
};

/** Operations whose command has a different name. */
export const COMMANDS: Readonly<Record<string, string>> = {
  'client members': 'client owners',
  'client keys add': 'client keys',
  'client keys remove': 'client keys',
  'domain set': 'domain block',
  'grant revoke-all': 'grant revoke',
  'log blast-radius end': 'log blast-radius',
  'log prove-chain': 'log prove',
  'log bundle': 'log prove',
  'provider requirement': 'provider set',
};

/** The forms of each operation, or the reason why it has none. The forms below `/o/` are for owners. */
export const PAGES: Readonly<Record<string, readonly string[] | Missing>> = {
  'user list': READ,
  'user show': READ,
  'user add': ['/admin/users/add'],
  'user invite': ['/admin/users/invite'],
  'invitation list': READ,
  'invitation resend': ['/admin/users/invitations/:id/resend'],
  'invitation withdraw': ['/admin/users/invitations/:id/withdraw'],
  'user profile': ['/admin/users/:pk/profile', '/admin/users/:pk/verify_email'],
  'user passwd': ['/admin/users/:pk/password'],
  'user roles': ['/admin/users/:pk/roles'],
  'user disable': ['/admin/users/:pk/disable'],
  'user enable': ['/admin/users/:pk/enable'],
  'user erase': ['/admin/users/:pk/erase'],
  'user second-factor': ['/admin/users/:pk/remove_second_factors'],
  'user sessions': READ,
  'user logout': ['/admin/users/:pk/sign_out'],
  'user agents': READ,
  'user end-agents': ['/admin/users/:pk/authorizations/:client/revoke'],
  'session list': READ,
  'session end': ['/admin/users/:pk/sessions/:id/end', '/admin/sessions/end'],
  'grant list': READ,
  'grant revoke': ['/admin/users/:pk/grants/:grant'],
  'grant revoke-all': ['/admin/users/:pk/revoke_access', '/admin/users/:pk/authorizations/:client/revoke'],
  'group list': READ,
  'group show': READ,
  'group add': ['/admin/groups/add'],
  'group update': ['/admin/groups/:group/title'],
  'group remove': ['/admin/groups/:group/remove'],
  'group add-user': [
    '/admin/groups/:group/add',
    '/admin/groups/:group/members/:pk/add',
    '/admin/users/:pk/groups/:group/add',
  ],
  'group remove-user': ['/admin/groups/:group/members/:pk/remove', '/admin/users/:pk/groups/:group/remove'],
  'client list': READ,
  'client show': READ,
  'client add': ['/o/applications/register', '/admin/applications/register'],
  'client update': [
    '/o/applications/:id/update',
    '/o/applications/:id/mode',
    '/o/applications/:id/authentication',
    '/o/applications/:id/jwks_uri',
    '/admin/applications/:id/update',
    '/admin/applications/:id/authentication',
    '/admin/applications/:id/jwks_uri',
    '/admin/applications/:id/mode',
    '/admin/applications/:id/scopes',
  ],
  'client logo': [
    '/o/applications/:id/logo',
    '/o/applications/:id/logo/remove',
    '/admin/applications/:id/logo',
    '/admin/applications/:id/logo/remove',
  ],
  'client rotate-secret': ['/o/applications/:id/rotate_secret', '/admin/applications/:id/rotate_secret'],
  'client forecast': READ,
  'client remove': ['/o/applications/:id/delete', '/admin/applications/:id/remove'],
  'client members': [
    '/admin/applications/:id/people',
    '/admin/applications/:id/people/:pk/remove',
    '/o/applications/:id/people/:pk/remove',
  ],
  'client transfer': ['/admin/applications/:id/transfer'],
  'client disable': ['/admin/applications/:id/disable'],
  'client enable': ['/admin/applications/:id/enable'],
  'client keys': READ,
  'client keys add': ['/o/applications/:id/keys', '/admin/applications/:id/keys'],
  'client keys remove': ['/o/applications/:id/keys/:key/remove', '/admin/applications/:id/keys/:key/remove'],
  'client logouts': READ,
  'resource list': READ,
  'resource show': READ,
  'resource add': ['/o/resources/register'],
  'resource update': ['/o/resources/:id'],
  'resource forecast': READ,
  'resource remove': ['/o/resources/:id/delete'],
  'domain list': READ,
  'domain show': READ,
  'domain set': ['/admin/domains'],
  'exchange-policy list': READ,
  'exchange-policy show': READ,
  'exchange-policy set': ['/admin/exchange-policies/add', '/admin/exchange-policies/:id'],
  'exchange-policy remove': ['/admin/exchange-policies/:id/remove'],
  'trusted-issuer list': READ,
  'trusted-issuer show': READ,
  'trusted-issuer keys': ['/admin/trusted-issuers/:id/test'],
  'trusted-issuer set': ['/admin/trusted-issuers/add', '/admin/trusted-issuers/:id'],
  'trusted-issuer forecast': READ,
  'trusted-issuer remove': ['/admin/trusted-issuers/:id/remove'],
  'provider list': READ,
  'provider show': READ,
  'provider set': [
    '/admin/providers/add',
    '/admin/providers/:id',
    '/admin/providers/:id/enable',
    '/admin/providers/:id/disable',
  ],
  'provider test': ['/admin/providers/:id/test'],
  'provider forecast': READ,
  'provider remove': ['/admin/providers/:id/remove'],
  'setting list': READ,
  'setting show': READ,
  'setting set': ['/admin/settings/:setting/change', '/admin/brand', '/admin/brand/logo'],
  'setting reset': ['/admin/settings/:setting/reset', '/admin/brand/logo/remove'],
  'setting forecast': ['/admin/settings/:setting', '/admin/brand/preview'],
  'brand-text list': READ,
  'brand-text set': ['/admin/brand/texts/:text'],
  'brand-text reset': ['/admin/brand/texts/:text/reset'],
  'scope list': READ,
  'scope show': READ,
  'scope add': ['/admin/scopes/add'],
  'scope update': ['/admin/scopes/edit'],
  'scope remove': ['/admin/scopes/remove'],
  'scope forecast': READ,
  'setting history': READ,
  'key list': READ,
  'key rotate': ['/admin/keys/rotate'],
  'key retire': ['/admin/keys/:key/retire'],
  'log as-of': READ,
  'log chain': READ,
  'log blast-radius': ['/audit/blast-radius'],
  'log blast-radius end': ['/audit/blast-radius/end'],
  'log export': READ,
  'log tail': READ,
  'log key': READ,
  'log checkpoint': READ,
  'log prove': READ,
  'log prove-chain': READ,
  'log receipt': READ,
  'log replay': BESIDE_THE_LOG,
  'log verify': BESIDE_THE_LOG,
  'log what-if': COMMAND_ONLY,
  'log archive': OWN_FILES,
  'log bundle': OWN_FILES,
  backup: OWN_FILES,
  import: OWN_FILES,
  why: READ,
  'mail test': COMMAND_ONLY,
  'provider requirement': COMMAND_ONLY,
  doctor: READ,
  'clock confirm': ONLY_AT_THE_MACHINE,
};

/** Forms on the `ADMINISTRATION` pages that correspond to no operation. */
export const FORMS_WITHOUT_OPERATION: Readonly<Record<string, Missing>> = {
  '/o/applications/:id/try': { reason: 'it sends an example request, and changes no registration' },
  '/o/applications/:id/people/invite': {
    reason: 'it creates a link; the user who accepts the invitation becomes a member',
  },
  '/o/applications/:id/people/withdraw': { reason: 'it withdraws these links' },
};

/** The pages for administrators, owners and auditors. */
export const ADMINISTRATION = /^\/(?:admin|audit|o\/applications|o\/resources)\//;

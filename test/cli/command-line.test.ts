import { withOperations } from '../support/with-operations.ts';
import { expect } from 'chai';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operate } from '../../src/operations/operations.ts';
import { runCommand } from '../../src/cli/command-line.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { readConfig, type Config } from '../../src/config/config.ts';
import { serveControl, type ControlServer } from '../../src/operations/control/server.ts';
import { systemClock, systemEntropy, type PasswordHasher } from '../../src/platform/ports.ts';
import { openInspection } from '../../src/composition/inspection.ts';
import { openService } from '../../src/composition/open-service.ts';
import type { Service } from '../../src/composition/service.ts';
import { keyPairFor } from '../support/assertions.ts';
import { png } from '../support/images.ts';
import { withoutDatabase } from '../support/without-database.ts';

interface CommandResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** A fast hasher for tests. Its output has the format of password hashes. */
const quickHasher: PasswordHasher = {
  hash: async (password) => `$argon2id$quick$${Buffer.from(password).toString('hex')}`,
  verify: async (phc, password) => phc === `$argon2id$quick$${Buffer.from(password).toString('hex')}`,
};

function open(config: Config): Promise<Service> {
  return openService(config, {
    clock: systemClock,
    entropy: systemEntropy(),
    hasher: quickHasher,
    issuer: () => 'http://localhost',
  });
}

describe('the command line', () => {
  let directory: string;
  let dataDir: string;
  let env: Record<string, string>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    dataDir = join(directory, 'data');
    env = { DATA_DIR: dataDir };
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  async function run(
    args: readonly string[],
    input = '',
    controller = new AbortController(),
    onOutput: (text: string) => void = () => {},
  ): Promise<CommandResult> {
    const output = { out: '', err: '' };
    const terminal: Terminal = {
      signal: controller.signal,
      out: async (text) => {
        output.out += text;
        onOutput(text);
      },
      err: (text) => {
        output.err += text;
      },
      readInput: async () => input,
    };
    const status = await runCommand(args, {
      version: '1.2.3',
      terminal,
      readSettings: () => readConfig(env, () => '{}'),
      open,
      inspect: (config) => openInspection(config, systemEntropy()),
      now: async () => 0,
      ...withoutDatabase,
      ...withOperations,
      serve: async () => 0,
    });
    return { status, ...output };
  }

  async function runForJson(args: readonly string[], input = ''): Promise<unknown> {
    const { status, out, err } = await run([...args, '--json'], input);
    expect(err).to.equal('');
    expect(status).to.equal(0);
    return JSON.parse(out);
  }

  const addAda = (): Promise<unknown> =>
    runForJson(['user', 'add', 'ada', '--email', 'ada@example.org', '--admin', '--password-stdin'], 'correct horse\n');
  const addClient = (...options: string[]): Promise<unknown> =>
    runForJson([
      'client',
      'add',
      '--name',
      'App',
      '--type',
      'confidential',
      '--grant',
      'client-credentials',
      ...options,
    ]);

  async function addClientAndReturnId(): Promise<string> {
    return ((await addClient()) as { client_id: string }).client_id;
  }

  /** Runs `body` while a server has the log open and listens on the control socket. */
  async function whileServing(body: (service: Service) => Promise<void>): Promise<void> {
    const service = await open(readConfig(env, () => '{}').config);
    let control: ControlServer | undefined;
    try {
      control = await serveControl(controlSocketPath(dataDir), operate(service));
      await body(service);
    } finally {
      await control?.close();
      await service.close();
    }
  }

  for (const [target, withTarget] of [
    ['on a stopped log', async (body: () => Promise<void>) => body()],
    ['on a running server', whileServing],
  ] as const) {
    describe(target, () => {
      it('adds, lists and changes users', () =>
        withTarget(async () => {
          expect(await addAda()).to.deep.equal({ id: 1, username: 'ada', roles: ['administrator'] });
          expect(await runForJson(['user', 'roles', 'ada', '--admin', '--auditor'])).to.deep.equal({
            id: 1,
            username: 'ada',
            roles: ['administrator', 'auditor'],
          });
          for (const args of [
            ['disable', 'ada', '--yes'],
            ['erase', 'ada', '--yes'],
            ['roles', 'ada', '--auditor'],
            ['roles', 'ada', '--none'],
          ]) {
            const { status, err } = await run(['user', ...args]);
            expect({ status, err }, args.join(' ')).to.deep.equal({
              status: 1,
              err:
                'grantlog: "ada" is the last administrator who can log in; add another first: ' +
                'grantlog user roles NAME --admin\n',
            });
          }
          await runForJson(['user', 'add', 'bob', '--password-stdin'], 'correct horse\n');
          expect((await run(['user', 'roles', 'bob', '--admin', '--auditor'])).out).to.equal(
            'bob has the roles administrator, auditor\n',
          );
          expect((await run(['user', 'roles', 'ada', '--none'])).out).to.equal('ada has no role\n');
          for (const args of [[], ['--none', '--admin']])
            expect((await run(['user', 'roles', 'ada', ...args])).status, args.join(' ')).to.equal(2);
          expect(await runForJson(['user', 'disable', 'ada', '--yes'])).to.deep.equal({ id: 1, username: 'ada' });
          const [ada] = (await runForJson(['user', 'list'])) as readonly [{ readonly created_at: string }];
          expect(ada.created_at).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
          expect(ada).to.deep.equal({
            id: 1,
            username: 'ada',
            created_at: ada.created_at,
            last_login_at: null,
            email: 'ada@example.org',
            first_name: '',
            last_name: '',
            email_verified: false,
            active: false,
            roles: [],
          });
          expect((await run(['user', 'enable', 'ada'])).out).to.equal('ada is enabled\n');
          expect((await run(['user', 'passwd', 'ada'], 'another one')).out).to.equal(
            'ada has a new password, and all sessions ended\n',
          );
          for (const name of ['Notes', 'Calendar'])
            await runForJson([
              'client',
              'add',
              '--name',
              name,
              '--type',
              'confidential',
              '--grant',
              'client-credentials',
              '--owner',
              'ada',
            ]);
          const [sharedClient] = (await runForJson(['client', 'list'])) as readonly [{ readonly client_id: string }];
          expect((await run(['user', 'erase', 'ada', '--yes'])).out).to.equal(
            'ada is erased; 2 applications now have no owner\n',
          );
          await runForJson(['client', 'owners', sharedClient.client_id, '--add', 'bob']);
          expect(await runForJson(['user', 'list'])).to.have.length(1);
          const noFactorOutput = 'bob has no second factor; nothing was removed\n';
          expect((await run(['user', 'second-factor', 'bob', '--remove'])).out, 'no confirmation is required').to.equal(
            noFactorOutput,
          );
          expect((await run(['user', 'second-factor', 'bob', '--remove', '--yes'])).out).to.equal(noFactorOutput);
        }));

      it("shows and changes users' claims", () =>
        withTarget(async () => {
          await addAda();
          const changeProfile = (...args: string[]) => run(['user', 'profile', 'ada', ...args]);
          const profile = (await runForJson(['user', 'profile', 'ada'])) as Readonly<Record<string, unknown>>;
          expect(profile).to.deep.include({ id: 1, username: 'ada', email: 'ada@example.org', nickname: null });
          expect(
            await runForJson(['user', 'profile', 'ada', '--set', 'nickname=Countess', '--unset', 'email']),
          ).to.include({
            nickname: 'Countess',
            email: null,
          });
          expect(
            (await changeProfile('--set', 'given_name= Ada ', '--set', 'birthdate=1815-12-10', '--unset', 'nickname'))
              .out,
          )
            .to.include('given_name: Ada\n')
            .and.to.include('birthdate: 1815-12-10\n')
            .and.not.to.include('nickname');
          for (const [status, args, message] of [
            [2, ['--set', 'birthdate=then'], 'grantlog: birthdate: Enter a date'],
            [2, ['--set', `given_name=${'x'.repeat(151)}`], 'grantlog: given_name: Use at most 150 characters.'],
            [2, ['--set', 'shoe_size=38'], 'grantlog: --set shoe_size: no such claim; use one of given_name'],
            [2, ['--set', 'nickname'], 'must be NAME=VALUE, such as nickname=Countess'],
            [2, ['--unset', 'nickname', '--set', 'nickname=x'], 'nickname is both set and unset'],
            [2, ['--unset', 'address'], 'is not one of given_name'],
          ] as const) {
            const result = await changeProfile(...args);
            expect(result.status, result.err).to.equal(status);
            expect(result.err).to.include(message);
          }
          expect((await run(['user', 'profile', 'nobody'])).err).to.include('no user is named "nobody"');
        }));

      it('registers clients and manages them', () =>
        withTarget(async () => {
          await addAda();
          const registration = (await addClient(
            '--owner',
            'ada',
            '--grant',
            'authorization_code',
            '--redirect-uri',
            'https://a.example/cb',
          )) as Record<string, string>;
          expect(Object.keys(registration)).to.deep.equal(['client_id', 'client_secret']);
          const id = registration['client_id'] ?? '';
          expect(await runForJson(['client', 'show', id])).to.deep.include({
            name: 'App',
            owner: 'ada',
            redirect_uris: ['https://a.example/cb'],
            grant_types: ['authorization-code', 'client-credentials'],
          });
          expect(await runForJson(['client', 'update', id, '--name', 'New', '--skip-authorization'])).to.deep.include({
            name: 'New',
            skip_authorization: true,
            redirect_uris: ['https://a.example/cb'],
          });
          expect(
            await runForJson(['client', 'update', id, '--allow-scope', 'audit', '--allow-scope', 'introspection']),
          ).to.deep.include({ name: 'New', allowed_scopes: ['audit', 'introspection'] });
          expect(await runForJson(['client', 'update', id, '--name', 'Newer'])).to.deep.include({
            allowed_scopes: ['audit', 'introspection'],
          });
          expect(await runForJson(['client', 'update', id, '--no-allow-scope'])).to.deep.include({
            name: 'Newer',
            allowed_scopes: [],
          });
          expect((await run(['client', 'update', id, '--allow-scope', 'read'])).status).not.to.equal(0);
          expect(await runForJson(['client', 'update', id, '--access-token-format', 'jwt'])).to.deep.include({
            name: 'Newer',
            access_token_format: 'jwt',
          });
          expect(await runForJson(['client', 'update', id, '--name', 'Newest'])).to.deep.include({
            access_token_format: 'jwt',
          });
          expect((await run(['client', 'update', id, '--access-token-format', 'saml'])).status).not.to.equal(0);
          const rotation = (await runForJson(['client', 'rotate-secret', id, '--yes'])) as Record<string, string>;
          expect(rotation['client_secret']).to.be.a('string').and.not.equal(registration['client_secret']);
          expect(rotation).to.include({ previous_secret_ends_at: null });
          expect(await runForJson(['client', 'show', id])).to.include({
            last_used_at: null,
            last_used_position: null,
            previous_secret_ends_at: null,
          });
          const textResult = await run(['client', 'rotate-secret', id, '--yes']);
          expect(textResult.out).to.match(/^client_secret: \S+$/m);
          expect(textResult.err).to.equal(
            'the client secret will not be shown again\nthe previous secret no longer works\n',
          );
          const overlapRotation = (await runForJson(['client', 'rotate-secret', id, '--overlap', '36h'])) as Record<
            string,
            string
          >;
          const endsAt = overlapRotation['previous_secret_ends_at'] ?? '';
          expect(endsAt).to.match(/^\d{4}-.*Z$/);
          expect(((await runForJson(['client', 'list'])) as readonly unknown[])[0]).to.include({
            previous_secret_ends_at: endsAt,
            previous_secret_last_used_at: null,
            previous_secret_last_used_position: null,
          });
          expect((await run(['client', 'rotate-secret', id, '--overlap', '31d'])).err).to.include('at most 30 days');
          expect((await run(['client', 'rotate-secret', id, '--overlap', 'a while'])).status).to.equal(2);
          expect((await run(['client', 'disable', id])).out).to.equal(`${id} is disabled; its tokens are refused\n`);
          expect(await runForJson(['client', 'show', id]))
            .to.have.property('disabled_at')
            .that.is.a('string');
          expect(await runForJson(['client', 'enable', id])).to.deep.equal({ client_id: id, disabled: false });
          expect(await runForJson(['client', 'show', id])).to.include({ disabled_at: null });
          expect((await run(['client', 'disable', 'unknown'])).status).to.equal(1);
          expect((await run(['client', 'remove', id, '--yes'])).out).to.equal(`${id} was removed\n`);
          expect(await runForJson(['client', 'list'])).to.deep.equal([]);
        }));

      it("sets and removes a client's description, links and logo", () =>
        withTarget(async () => {
          const registration = await addClient('--grant', 'client-credentials', '--description', 'Weaves.');
          const { client_id: id = '' } = registration as Record<string, string>;
          const noLinks = { client_uri: null, policy_uri: null, tos_uri: null };
          expect(await runForJson(['client', 'show', id])).to.deep.include({ ...noLinks, description: 'Weaves.' });
          const policy = ['--policy-uri', 'https://a.example/privacy'];
          const changedClient = await runForJson(['client', 'update', id, '--no-description', ...policy]);
          expect(changedClient).to.deep.include({ ...noLinks, description: null, policy_uri: policy[1] });
          const result = await run(['client', 'update', id, '--tos-uri', 'http://a.example/']);
          expect(result.err).to.include('must use https');

          const file = join(directory, 'logo.png');
          writeFileSync(file, png());
          expect(await runForJson(['client', 'logo', id, file])).to.include({ logo_media_type: 'image/png' });
          expect(await runForJson(['client', 'logo', id, '--remove'])).to.include({ logo_media_type: null });
          writeFileSync(file, '<svg/>');
          expect((await run(['client', 'logo', id, file])).err).to.include('SVG is not accepted');
          writeFileSync(file, Buffer.alloc(30_000));
          const largeLogoResult = await run(['client', 'logo', id, file]);
          expect(largeLogoResult.status).to.equal(2);
          expect(largeLogoResult.err).to.include(`${file}: `).and.include('KiB');
          expect((await run(['client', 'logo', id, '--remove'])).out).to.equal(
            `${id} has no logo; nothing was removed\n`,
          );
          expect((await run(['client', 'logo', id])).err).to.include('--remove');
          expect((await run(['client', 'logo', id, join(directory, 'missing')])).err).to.include('does not exist');
        }));

      it('sets up clients for OpenID Connect, and changes only the given options', () =>
        withTarget(async () => {
          const uris = [
            '--redirect-uri',
            'https://a.example/cb',
            '--post-logout-redirect-uri',
            'https://a.example/bye',
          ];
          const registration = await addClient('--grant', 'authorization-code', ...uris, '--default-max-age', '8h');
          const { client_id: id = '' } = registration as Record<string, string>;
          const registeredValues = {
            access_token_algorithm: 'RS256',
            id_token_algorithm: 'RS256',
            userinfo_algorithm: null,
            subject_type: 'public',
            sector_identifier_uri: null,
            post_logout_redirect_uris: ['https://a.example/bye'],
            backchannel_logout_uri: null,
            backchannel_logout_session_required: false,
            initiate_login_uri: null,
            default_max_age: 28_800,
            require_auth_time: false,
          };
          expect(await runForJson(['client', 'show', id])).to.deep.include(registeredValues);
          const changes = {
            'access-token-algorithm': 'PS256',
            'id-token-algorithm': 'ES256',
            'userinfo-algorithm': 'EdDSA',
            'subject-type': 'pairwise',
            'backchannel-logout-uri': 'https://a.example/logout',
            'initiate-login-uri': 'https://a.example/login',
          };
          const options = Object.entries(changes).flatMap(([name, value]) => [`--${name}`, value]);
          const changedValues = {
            ...registeredValues,
            ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [name.replaceAll('-', '_'), value])),
            backchannel_logout_session_required: true,
            require_auth_time: true,
          };
          expect(
            await runForJson([
              'client',
              'update',
              id,
              ...options,
              '--backchannel-logout-session-required',
              '--require-auth-time',
            ]),
          ).to.deep.include(changedValues);
          expect(((await runForJson(['client', 'list'])) as readonly unknown[])[0]).to.deep.include(changedValues);
          expect(await runForJson(['client', 'update', id, '--name', 'Other'])).to.deep.include(changedValues);
          const removals = [
            'userinfo-algorithm',
            'post-logout-redirect-uri',
            'backchannel-logout-uri',
            'backchannel-logout-session-required',
            'initiate-login-uri',
            'default-max-age',
            'require-auth-time',
          ].map((name) => `--no-${name}`);
          expect(await runForJson(['client', 'update', id, ...removals])).to.deep.include({
            ...registeredValues,
            access_token_algorithm: 'PS256',
            id_token_algorithm: 'ES256',
            subject_type: 'pairwise',
            post_logout_redirect_uris: [],
            default_max_age: null,
          });
        }));

      it('refuses invalid OpenID Connect settings, and gives the reason', () =>
        withTarget(async () => {
          const { client_id: id = '' } = (await addClient()) as Record<string, string>;
          for (const [option, value, status, reason] of [
            ['--id-token-algorithm', 'HS256', 2, 'is not one of RS256, ES256, PS256, EdDSA'],
            ['--subject-type', 'private', 2, 'is not one of public, pairwise'],
            ['--default-max-age', '-1', 2, 'a number of seconds'],
            ['--default-max-age', '9999d', 2, '--default-max-age: The default maximum age'],
            ['--post-logout-redirect-uri', 'https://a.example/#', 2, 'must not have a fragment'],
            ['--backchannel-logout-uri', 'http://a.example/', 2, 'must use https'],
            ['--initiate-login-uri', 'http://localhost/', 2, 'must use https'],
            ['--sector-identifier-uri', 'http://localhost/', 2, 'must use https'],
            ['--sector-identifier-uri', 'https://127.0.0.1/', 1, 'https://127.0.0.1/'],
          ] as const) {
            const result = await run(['client', 'update', id, option, value]);
            expect(result.status, option).to.equal(status);
            expect(result.err, option).to.include(reason);
          }
        }));

      it('changes how tokens and messages are protected', () =>
        withTarget(async () => {
          const { client_id: id = '' } = (await addClient()) as Record<string, string>;
          const keys = join(directory, 'keys.json');
          writeFileSync(keys, JSON.stringify({ keys: [keyPairFor('ES256').jwk] }));
          const boundClient = await runForJson(['client', 'update', id, '--require-dpop', '--require-pushed-requests']);
          expect(boundClient).to.include({
            dpop_bound_access_tokens: true,
            require_pushed_authorization_requests: true,
          });
          const options = {
            jwks: keys,
            'request-object-algorithm': 'ES256',
            'request-uri': 'https://a.example/request',
            'authorization-response-algorithm': 'EdDSA',
            'introspection-algorithm': 'PS256',
          };
          const optionArguments = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
          const signedClient = await runForJson([
            'client',
            'update',
            id,
            '--require-signed-requests',
            ...optionArguments,
          ]);
          const settings = {
            dpop_bound_access_tokens: true,
            require_pushed_authorization_requests: true,
            require_signed_request_object: true,
            request_object_signing_alg: 'ES256',
            request_uris: ['https://a.example/request'],
            authorization_signed_response_alg: 'EdDSA',
            introspection_signed_response_alg: 'PS256',
          };
          expect(signedClient).to.deep.include(settings);
          const removals = ['dpop', 'pushed-requests', 'signed-requests'].map((name) => `--no-require-${name}`);
          const otherOptions = ['--no-request-object-algorithm', '--no-request-uri', '--bind-tokens-to-certificate'];
          expect(await runForJson(['client', 'update', id, ...removals, ...otherOptions])).to.deep.include({
            dpop_bound_access_tokens: false,
            tls_client_certificate_bound_access_tokens: true,
            require_pushed_authorization_requests: false,
            require_signed_request_object: false,
            request_object_signing_alg: null,
            request_uris: [],
          });
          for (const [option, value, status, reason] of [
            ['--profile', 'fapi1', 2, 'it must be fapi2'],
            ['--introspection-algorithm', 'none', 2, 'is not one of RS256'],
            ['--request-object-algorithm', 'EdDSA', 2, 'No public key of the client works with EdDSA'],
            ['--request-uri', 'http://localhost/', 2, 'must use https'],
          ] as const) {
            const result = await run(['client', 'update', id, option, value]);
            expect(result.status, option).to.equal(status);
            expect(result.err, option).to.include(reason);
          }
        }));

      it('turns on the requirements of a profile, or lists every reason why it cannot', () =>
        withTarget(async () => {
          const { client_id: id = '' } = (await addClient()) as Record<string, string>;
          const refusal = await run(['client', 'update', id, '--profile', 'fapi2', '--grant', 'password']);
          expect(refusal.status).to.equal(2);
          expect(refusal.err).to.include('FAPI 2.0 (§5.3.2.1) forbids the password grant');
          expect(refusal.err).to.include('FAPI 2.0 (§5.3.2.1) requires private_key_jwt or a client certificate');
          const keys = join(directory, 'keys.json');
          writeFileSync(keys, JSON.stringify({ keys: [keyPairFor('ES256').jwk] }));
          const validOptions = ['--profile', 'fapi2', '--jwks', keys, '--grant', 'client-credentials'];
          expect(await runForJson(['client', 'update', id, ...validOptions])).to.deep.include({
            profile: 'fapi2',
            dpop_bound_access_tokens: true,
            require_pushed_authorization_requests: true,
            id_token_algorithm: 'PS256',
            authorization_signed_response_alg: 'PS256',
            auth_methods: ['private_key_jwt'],
          });
          expect((await run(['client', 'update', id, '--no-require-dpop'])).err).to.include(
            'requires bound access tokens',
          );
          expect((await run(['client', 'update', id, '--id-token-algorithm', 'RS256'])).err).to.include('§5.4.1');
          expect(await runForJson(['client', 'update', id, '--no-profile', '--no-require-dpop'])).to.include({
            profile: null,
            dpop_bound_access_tokens: false,
            require_pushed_authorization_requests: true,
          });
        }));

      it('imports a client with its credentials, and does not print the secret', () =>
        withTarget(async () => {
          const args = [
            'client',
            'add',
            '--name',
            'Old',
            '--type',
            'confidential',
            '--grant',
            'password',
            '--client-id',
            'old-id',
            '--client-secret-stdin',
          ];
          expect(await runForJson(args, 'its old secret\n')).to.deep.equal({
            client_id: 'old-id',
            client_secret: null,
          });
          expect(await runForJson(['client', 'show', 'old-id'])).to.deep.include({ client_id: 'old-id', name: 'Old' });
        }));

      it('adds and lists groups', () =>
        withTarget(async () => {
          expect(await runForJson(['group', 'add', 'editors'])).to.deep.equal({ id: 1, name: 'editors' });
          const [group] = (await runForJson(['group', 'list'])) as readonly object[];
          expect(group).to.deep.include({ id: 1, name: 'editors', members: 0 });
          expect((await run(['group', 'add', 'editors'])).status).to.equal(1);
        }));

      it('adds users to groups, lists them, and removes them', () =>
        withTarget(async () => {
          await addAda();
          await runForJson(['group', 'add', 'editors']);
          const succeed = async (...args: readonly string[]) => {
            const { status, out, err } = await run(args);
            expect([status, err]).to.deep.equal([0, '']);
            return out;
          };
          expect(await succeed('group', 'add-user', 'editors', 'ada')).to.equal('ada is in the group editors\n');
          const [member] = (await runForJson(['group', 'show', 'editors'])) as readonly object[];
          expect(member).to.include({ id: 1, username: 'ada', active: true });
          expect(await succeed('group', 'add-user', 'editors', 'ada')).to.equal(
            'ada was already in the group editors; nothing changed\n',
          );
          expect(await runForJson(['group', 'add-user', 'editors', 'ada'])).to.deep.equal({
            id: 1,
            username: 'ada',
            groups: ['editors'],
          });
          expect(await runForJson(['group', 'remove-user', 'editors', 'ada'])).to.deep.equal({
            id: 1,
            username: 'ada',
            groups: [],
          });
          expect(await succeed('group', 'remove-user', 'Editors', 'ada')).to.equal(
            'ada was not in the group Editors; nothing changed\n',
          );
          expect(await runForJson(['group', 'remove-user', 'editors', 'ada'])).to.deep.include({ groups: [] });
          expect((await run(['group', 'remove-user', 'editors', 'nobody'])).status).to.equal(1);
          for (const args of [
            ['group', 'show', 'none'],
            ['group', 'add-user', 'none', 'ada'],
            ['group', 'remove-user', 'none', 'ada'],
            ['group', 'remove', 'none', '--yes'],
          ])
            expect(await run(args)).to.deep.include({
              status: 1,
              err: 'grantlog: no group is named "none"; see: grantlog group list\n',
            });
          await runForJson(['group', 'add-user', 'editors', 'ada']);
          expect(await runForJson(['group', 'remove', 'editors', '--yes'])).to.deep.equal({
            id: 1,
            name: 'editors',
            members: 1,
          });
          expect(await runForJson(['group', 'list'])).to.deep.equal([]);
        }));

      it('shows and updates an account, and lists its sessions and grants', () =>
        withTarget(async () => {
          await addAda();
          const account = await runForJson([
            'user',
            'update',
            'ada',
            '--email',
            'ada@example.org',
            '--first-name',
            'Ada',
          ]);
          expect(account).to.deep.include({ username: 'ada', email: 'ada@example.org', first_name: 'Ada', groups: [] });
          expect(await runForJson(['user', 'show', 'ada'])).to.deep.equal(account);
          expect((await run(['user', 'update', 'ada'])).status).to.equal(2);
          for (const group of ['session', 'grant']) {
            expect(await runForJson([group, 'list'])).to.deep.equal([]);
            expect(
              (
                await run([
                  group,
                  group === 'grant' ? 'revoke' : 'end',
                  'none',
                  ...(group === 'grant' ? ['--yes'] : []),
                ])
              ).status,
            ).to.equal(1);
          }
          expect(
            (await run(['grant', 'revoke', 'none'])).status,
            'the id is looked up before a confirmation is required',
          ).to.equal(1);
          expect((await run(['user', 'sign-out', 'ada', '--yes'])).out).to.equal('ada had no open session\n');
          const revokeAll = ['grant', 'revoke', '--user', 'ada'];
          const nothingRevoked = { status: 0, out: 'ada had no valid grant\n', err: '' };
          expect(await run(revokeAll), 'no confirmation is required if there are no grants').to.deep.equal(
            nothingRevoked,
          );
          const noAgents = { status: 0, out: 'ada had no agents\n', err: '' };
          expect(
            await run(['user', 'end-agents', 'ada']),
            'no confirmation is required if there are no agents',
          ).to.deep.equal(noAgents);
          expect((await run([...revokeAll, '--yes'])).out).to.equal('ada had no valid grant\n');
          const emptyResult = { username: 'ada', client_id: null, revoked: 0 };
          expect(await runForJson([...revokeAll, '--yes'])).to.deep.equal(emptyResult);
          expect((await run([...revokeAll, '--client', 'nope', '--yes'])).err).to.include(
            'no client has the id "nope"',
          );
          for (const args of [[], ['x', '--user', 'ada'], ['--client', 'x'], ['x', '--client', 'x']])
            expect((await run(['grant', 'revoke', ...args, '--yes'])).status, args.join(' ')).to.equal(2);
          expect(await runForJson(['client', 'transfer', await addClientAndReturnId(), '--to', 'ada'])).to.include({
            owner: 'ada',
          });
        }));

      it('prints a refusal on one line and exits with status 1', () =>
        withTarget(async () => {
          await addAda();
          for (const args of [
            ['user', 'add', 'ada', '--password-stdin'],
            ['user', 'erase', 'bob', '--yes'],
            ['client', 'show', 'nobody'],
            ['client', 'rotate-secret', 'nobody', '--yes'],
            ['client', 'add', '--name', 'A', '--type', 'public', '--grant', 'password', '--owner', 'bob'],
          ]) {
            const { status, out, err } = await run(args, 'secret');
            expect({ args, status, out }).to.deep.equal({ args, status: 1, out: '' });
            expect(err).to.match(/^grantlog: [^\n]+\n$/);
          }
        }));

      it("shows a group's title with its members", () =>
        withTarget(async () => {
          await addAda();
          await run(['group', 'add', 'editors', '--title', 'Editors of the site']);
          await run(['group', 'add-user', 'editors', 'ada']);
          const { out, err } = await run(['group', 'show', 'editors']);
          expect({ err, title: out.split('\n').at(-2) }).to.deep.equal({
            err: '',
            title: 'title: Editors of the site',
          });
          const [member] = (await runForJson(['group', 'show', 'editors'])) as readonly object[];
          expect(member).to.include({ username: 'ada', group_title: 'Editors of the site' });
          expect((await run(['group', 'update', 'editors', '--title', ''])).out).to.equal(
            'title: - (was Editors of the site)\n',
          );
        }));

      it('creates no group if its title is invalid', () =>
        withTarget(async () => {
          await addAda();
          expect((await run(['group', 'add', 'editors', '--title', 'a\u200bb'])).status).to.equal(2);
          expect(await runForJson(['group', 'list'])).to.deep.equal([]);
        }));

      it('treats group names that differ only in case as equal, in group add and in other commands', () =>
        withTarget(async () => {
          await addAda();
          await run(['group', 'add', 'editors']);
          expect((await run(['group', 'add', 'Editors'])).status).to.equal(1);
          for (const args of [
            ['group', 'add-user', 'Editors', 'ada'],
            ['group', 'add-user', 'EDITORS', 'ada'],
            ['group', 'show', 'Editors'],
            ['group', 'update', 'Editors', '--title', 'Editors of the site'],
            ['group', 'remove-user', 'Editors', 'ada'],
            ['group', 'remove', 'Editors', '--yes'],
          ])
            expect((await run(args)).status, args.join(' ')).to.equal(0);
          expect(await runForJson(['group', 'list'])).to.deep.equal([]);
        }));

      it("prints a client's keys after adding one, in the same format as client keys", () =>
        withTarget(async () => {
          const { client_id: id = '' } = (await addClient()) as Record<string, string>;
          const keys = join(directory, 'keys.json');
          writeFileSync(keys, JSON.stringify({ keys: [{ ...keyPairFor('ES256').jwk, kid: 'k1' }] }));
          expect(
            (await run(['client', 'update', id, '--auth-method', 'private_key_jwt', '--jwks', keys])).status,
          ).to.equal(0);
          const additionResult = await run(['client', 'keys', id, '--add', keys]);
          expect(additionResult).to.include({ status: 0, out: (await run(['client', 'keys', id])).out });
          expect(additionResult.out).to.match(/^THUMBPRINT +KID .*\n\S+ +k1 /);
        }));

      it("accepts an application's unique name where client commands expect an id", () =>
        withTarget(async () => {
          await addAda();
          const add = (name: string) =>
            runForJson(['client', 'add', '--name', name, '--type', 'confidential', '--grant', 'client-credentials']);
          const { client_id: id } = (await add('Demo')) as { readonly client_id: string };
          for (const args of [
            ['client', 'show', 'Demo'],
            ['client', 'update', 'Demo', '--mode', 'test'],
            ['client', 'disable', 'Demo'],
            ['client', 'keys', 'Demo'],
            ['client', 'owners', 'Demo', '--add', 'ada'],
          ])
            expect((await run(args)).status, args.join(' ')).to.equal(0);
          expect(await runForJson(['client', 'show', 'Demo'])).to.include({ client_id: id, mode: 'test' });
          await add('Demo');
          const { status, err } = await run(['client', 'remove', 'Demo', '--yes']);
          expect(status).to.equal(1);
          expect(err).to.include('2 applications are named "Demo"; specify the client id of one: ');
        }));

      it('reports the option or argument with an invalid value, and exits with status 2', () =>
        withTarget(async () => {
          await addAda();
          const client = ['client', 'add', '--name', 'A', '--type', 'public', '--grant', 'authorization-code'];
          for (const [args, location] of [
            [[...client, '--redirect-uri', 'javascript:x'], '--redirect-uri'],
            [['user', 'update', 'ada', '--email', 'bad'], '--email'],
            [['user', 'update', 'ada', '--first-name', 'x'.repeat(151)], '--first-name'],
            [['user', 'add', ' eve', '--password-stdin'], 'name'],
            [['user', 'invite', 'bad'], 'address'],
            [['mail', 'test', 'bad'], 'address'],
            [['group', 'add', ''], 'name'],
            [['domain', 'allow', 'a b'], 'domain'],
            [['scope', 'add', 'a b', '--description', 'x'], 'scope'],
            [['resource', 'add', 'files.example', '--name', 'Files'], 'uri'],
            [['setting', 'set', 'requirePkce', 'banana'], 'requirePkce'],
          ] as const) {
            const { status, out, err } = await run(args, 'a long passphrase');
            expect({ args, status, out }).to.deep.equal({ args, status: 2, out: '' });
            expect(err).to.match(new RegExp(`^grantlog: ${location}: [^\\n]+\\n$`));
          }
        }));

      it('exports the stored records with their positions', () =>
        withTarget(async () => {
          await addAda();
          await addClientAndReturnId();
          const { out } = await run(['log', 'export']);
          const lines = out.trimEnd().split('\n');
          expect(lines.map((line) => (JSON.parse(line) as { position: number }).position)).to.deep.equal([1, 2]);
          expect(lines[0]).to.match(/^\{"position":1,"record":\{"stream":"user-.*\}\}$/);
          expect((await run(['log', 'tail', '--limit', '1', '--json'])).out).to.equal(`${lines[1]}\n`);
          expect((await run(['log', 'tail'])).out).to.match(
            /^1 {2}\S+Z {2}The operator created the account of ada.*\n2 {2}\S+Z {2}The operator registered the application /,
          );
        }));

      it('exports the selected records, also as CSV', () =>
        withTarget(async () => {
          await addAda();
          await addClientAndReturnId();
          const wholeExport = (await run(['log', 'export'])).out.split('\n');
          expect(
            (await run(['log', 'export', '--type', 'UserErased', '--type', 'UserRegistered', '--since', '2020-01-01']))
              .out,
          ).to.equal(`${wholeExport[0]}\n`);
          expect((await run(['log', 'tail', '--user', 'ada', '--until', '2020-01-01T00:00:00Z'])).out).to.equal('');
          expect((await run(['log', 'export', '--format', 'csv', '--user', 'ada'])).out).to.match(
            /^position,recorded_at,type,[^\r]+\r\n1,[^,]+Z,UserRegistered,user-[^\r]+\r\n$/,
          );
          await runForJson(['user', 'add', 'bob', '--admin', '--password-stdin'], 'correct horse\n');
          await run(['user', 'erase', 'ada', '--yes']);
          const { status, out, err } = await run(['log', 'export', '--format', 'csv', '--user', 'ada']);
          expect({ status, out }).to.deep.equal({ status: 1, out: '' });
          expect(err).to.match(/^grantlog: no user is named "ada"; erased users [^\n]+\n$/);
        }));

      it('replays the log to the same state as the running server', () =>
        withTarget(async () => {
          await addAda();
          await addClientAndReturnId();
          expect(await runForJson(['log', 'replay'])).to.deep.include({ position: 2, same: true });
        }));
    });
  }

  it('exports the exact bytes of the records', () =>
    whileServing(async ({ log }) => {
      await addAda();
      const records: string[] = [];
      for await (const events of log.readAll(0 as never)) records.push(...events.map(({ record }) => record));
      const { out } = await run(['log', 'export']);
      expect(out).to.equal(records.map((record, index) => `{"position":${index + 1},"record":${record}}\n`).join(''));
    }));

  it('reports a running state that does not match the log', () =>
    whileServing(async (service) => {
      await addAda();
      const ada = service.projections.users.findByName('ada');
      if (ada !== undefined) Object.assign(ada, { roles: [] });
      const { status, out, err } = await run(['log', 'replay']);
      expect(status).to.equal(1);
      expect(out).to.match(/users +no/);
      expect(err).to.match(
        /^grantlog: the running state does not match the log: users from the entry created at position 1; /,
      );
    }));

  it('prints the progress, speed and remaining time of a replay on standard error', async () => {
    await addAda();
    const control = await serveControl(controlSocketPath(dataDir), async function* () {
      yield { replayed: 250_000, head: 1_000_000, seconds: 2 };
      yield { position: 1_000_000, same: true, projections: [] };
    });
    const { status, err } = await run(['log', 'replay']);
    await control.close();
    expect({ status, err }).to.deep.equal({
      status: 0,
      err: 'replayed 250000 of 1000000 events, 125000 per second, 6 s left\n',
    });
  });

  it('follows the log of a running server until it is interrupted', () =>
    whileServing(async () => {
      await addAda();
      const controller = new AbortController();
      let output = '';
      const tail = run(['log', 'tail', '--follow', '--json'], '', controller, (text) => {
        output += text;
        if (output.split('\n').length === 3) controller.abort('enough');
        else void run(['group', 'add', 'later']);
      });
      expect((await tail).status).to.equal(0);
      expect(output).to.contain('UserRegistered').and.to.contain('GroupCreated');
    }));

  it('prints each setting with its source, but no secrets', async () => {
    env = { ...env, GRANTLOG_ADMIN_USERNAME: 'root', GRANTLOG_ADMIN_PASSWORD: 'hush-hush' };
    const rows = (await runForJson(['config'])) as readonly Record<string, unknown>[];
    expect(rows.find(({ name }) => name === 'dataDir')).to.deep.include({
      environment: 'DATA_DIR',
      value: dataDir,
      origin: 'environment',
    });
    expect(rows.find(({ name }) => name === 'adminPassword')).to.deep.include({ value: '(hidden)' });
    expect((await run(['config'])).out)
      .to.match(/accessTokenLifetimeSeconds +36000 +default +36000 +seconds/)
      .and.not.contain('hush');
  });

  it('lists every invalid setting and exits with status 2', async () => {
    env = { PORT: 'x', GRANTLOG_SIGNUP: 'y' };
    const { status, err } = await run(['user', 'list']);
    expect(status).to.equal(2);
    expect(err.split('\n')).to.have.length(3);
  });

  it('creates the data directory for a command that writes, but not for one that reads', async () => {
    const { status, err } = await run(['user', 'list']);
    expect({ status, dataDirExists: existsSync(dataDir) }).to.deep.equal({ status: 2, dataDirExists: false });
    expect(err).to.match(/^grantlog: the data directory .* does not exist; /);
    await addAda();
    expect(existsSync(dataDir)).to.equal(true);
  });

  it('reports that another process has the log open and is not responding', async () => {
    const service = await open(readConfig(env, () => '{}').config);
    const { status, err } = await run(['user', 'list']);
    await service.close();
    expect(status).to.equal(2);
    expect(err).to.match(/^grantlog: another process has the event log in [^\n]+ open but is not responding[^\n]+\n$/);
  });

  it('reads secrets only from standard input, without the trailing newline', async () => {
    await runForJson(['user', 'add', 'ada', '--password-stdin'], ' pass word \n\n');
    const service = await open(readConfig(env, () => '{}').config);
    const login = await service.accounts.verify('ada', ' pass word \n', quickHasher);
    expect(login?.user.username).to.equal('ada');
    await service.close();
  });

  it('warns about a weak password that a script sets, but accepts it', async () => {
    const { status, out, err } = await run(['user', 'add', 'ada', '--password-stdin', '--json'], 'short\n');
    expect({ status, out: JSON.parse(out) }).to.deep.equal({ status: 0, out: { id: 1, username: 'ada' } });
    expect(err).to.equal(
      'grantlog: warning: weak password. Use at least 8 characters. A few unrelated words work well.\n',
    );
    expect(await run(['user', 'passwd', 'ada', '--password-stdin'], 'correct horse\n')).to.deep.equal({
      status: 0,
      out: 'ada has a new password, and all sessions ended\n',
      err: '',
    });
  });

  describe('with invalid arguments', () => {
    for (const args of [
      [],
      ['nonsense'],
      ['nonsense', '--help'],
      ['user'],
      ['user', 'add', 'ada'],
      ['user', 'add', '--password-stdin'],
      ['user', 'list', '--nonsense'],
      ['client', 'add', '--name', 'A', '--type', 'secret', '--grant', 'password'],
      ['client', 'add', '--name', 'A', '--type', 'public', '--grant', 'implicit'],
      ['client', 'add', '--name', 'A', '--type', 'public'],
      ['client', 'update', 'id'],
      ['log', 'tail', '--limit', '-1'],
      ['log', 'export', '--format', 'xml'],
      ['log', 'export', '--format', 'csv', '--json'],
      ['log', 'export', '--since', 'yesterday'],
      ['log', 'export', '--bundle', 'there', '--user', 'ada'],
    ]) {
      it(`exits with status 2 and an empty standard output: ${args.join(' ') || '(no arguments)'}`, async () => {
        const { status, out, err } = await run(args);
        expect({ status, out }).to.deep.equal({ status: 2, out: '' });
        expect(err).not.to.equal('');
      });
    }

    it('exits with status 2 if the password is missing from standard input', async () => {
      expect(await run(['user', 'add', 'ada', '--password-stdin'])).to.deep.equal({
        status: 2,
        out: '',
        err: 'grantlog: standard input is empty; pass the password on standard input\n',
      });
    });
  });

  describe('help', () => {
    for (const args of [
      [],
      ['serve'],
      ['config'],
      ['user'],
      ...['add', 'list', 'passwd', 'disable', 'enable', 'erase'].map((name) => ['user', name]),
      ['group'],
      ...['add', 'list', 'show', 'add-user', 'remove-user', 'remove'].map((name) => ['group', name]),
      ['client'],
      ...['add', 'list', 'show', 'update', 'rotate-secret', 'remove'].map((name) => ['client', name]),
      ['log'],
      ...['tail', 'export', 'replay'].map((name) => ['log', name]),
    ]) {
      it(`exists for ${['grantlog', ...args].join(' ')}`, async () => {
        const { status, out } = await run([...args, '--help']);
        expect(status).to.equal(0);
        expect(out).to.match(new RegExp(`^Usage: ${['grantlog', ...args].join(' ')}`));
      });
    }
  });
});

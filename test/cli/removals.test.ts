import { expect } from 'chai';
import { Command } from 'commander';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CliContext } from '../../src/cli/context.ts';
import { formatFields, wrapMessage } from '../../src/cli/print.ts';
import { clientFacts, issuerFacts, providerFacts, resourceFacts } from '../../src/cli/removal-facts.ts';
import { removalCommands } from '../../src/cli/removals.ts';
import { runCommandOn } from '../support/run-command.ts';

describe('A command that removes something permanently', () => {
  /** @param answer the operator's answer; undefined without a terminal */
  async function run(answer: string | undefined, ...words: readonly string[]) {
    const [messages, output, operations]: [string[], string[], string[]] = [[], [], []];
    const context: CliContext = {
      terminal: {
        out: async (text) => void output.push(text),
        err: (text) => void messages.push(text),
        readInput: async () => expect.fail('nothing is read'),
        ask:
          answer === undefined
            ? undefined
            : async (question) => {
                messages.push(question);
                return answer;
              },
        signal: new AbortController().signal,
      },
      async *call(operation, input) {
        operations.push(`${operation} ${JSON.stringify(input)}`);
        yield operation === 'provider forecast' ? { users: 3, locked_out: 1 } : {};
      },
    };
    const program = new Command();
    removalCommands(program.command('provider'), context, {
      group: 'provider',
      member: 'providerId',
      argument: '<id>',
      argumentDescription: 'its id',
      description: 'remove it',
      consequence: (id) => `nobody logs in through ${id}`,
      done: (id) => `${id} was removed`,
      facts: ({ users, locked_out: lockedOut }) => `${String(users)} users, ${String(lockedOut)} locked out.`,
    });
    const failure = await program.parseAsync(['provider', ...words], { from: 'user' }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    return { operations, failure, messages: messages.join(''), output: output.join('') };
  }

  const FORECAST = 'provider forecast {"providerId":"corp"}';
  const REMOVE = 'provider remove {"providerId":"corp"}';

  it('says at a terminal what the removal would end, and asks for confirmation', async () => {
    const declined = await run('n', 'remove', 'corp');
    expect(declined.messages).to.equal(
      '3 users, 1 locked out.\nThis cannot be undone: nobody logs in through corp. Continue? [y/N] ',
    );
    expect(declined).to.deep.include({ operations: [FORECAST], failure: 'not confirmed; nothing was changed' });
    expect(await run('y', 'remove', 'corp')).to.deep.include({
      operations: [FORECAST, REMOVE],
      output: 'corp was removed\n',
    });
  });

  it('removes nothing in scripts without --yes, and does not ask with --yes', async () => {
    const result = await run(undefined, 'remove', 'corp');
    expect(result.operations).to.deep.equal([FORECAST]);
    expect(result.failure).to.match(/nobody logs in through corp\. Add --yes to confirm/);
    const removal = { operations: [REMOVE], failure: undefined, messages: '', output: 'corp was removed\n' };
    expect(await run(undefined, 'remove', 'corp', '--yes')).to.deep.equal(removal);
    expect(await run('n', 'remove', 'corp', '--yes')).to.deep.equal(removal);
  });

  it('has a separate forecast command, which removes nothing', async () => {
    const { operations, output } = await run(undefined, 'forecast', 'corp', '--json');
    expect(operations).to.deep.equal([FORECAST]);
    expect(JSON.parse(output)).to.deep.equal({ users: 3, locked_out: 1 });
  });
});

describe('The sentence before a removal', () => {
  const client = {
    client_id: 'n1',
    name: 'Notes',
    users: 1,
    grants: 2,
    exact: true,
    tokens_at_most: 3,
    owners: ['ada'],
  };

  it('counts what the removal of a client would end', () => {
    expect(clientFacts({ ...client, exchange_policies: 0, trusted_issuers: 0 })).to.equal(
      'Notes (n1) has 1 user, 2 grants and at most 3 tokens; owner ada.',
    );
    const changes = { exact: false, tokens_at_most: null, owners: [], exchange_policies: 2, trusted_issuers: 1 };
    expect(clientFacts({ ...client, ...changes })).to.equal(
      'Notes (n1) has at least 1 user, 2 grants and an unknown number of tokens; no owner; ' +
        'used in 2 exchange policies and 1 trusted issuer.',
    );
  });

  it('counts what the removal of a resource server, a trusted issuer or a provider would end', () => {
    const [uri, issuer] = ['https://api.example', 'https://login.example'];
    const counts = { applications: 1, users: 2, grants: 3, tokens: 4, exact: true };
    expect(
      resourceFacts({ uri, scopes: 1, ...counts, ending_tokens: 2, exchange_policies: 1, trusted_issuers: 0 }),
    ).to.equal(
      'https://api.example defines 1 scope; 3 grants and 4 tokens of 1 application are restricted to it ' +
        '(2 tokens to it alone); used in 1 exchange policy.',
    );
    expect(issuerFacts({ issuer, ...counts })).to.equal(
      '1 application may present tokens from https://login.example; ' +
        'these tokens have led to 3 grants and 4 tokens for 2 users.',
    );
    expect(providerFacts({ provider_id: 'corp', linked_accounts: 3, users: 2, locked_out: 1 })).to.equal(
      '2 users linked 3 accounts at corp; 1 of these users would no longer be able to log in.',
    );
    const lastProvider = { provider_id: 'corp', linked_accounts: 1, users: 1, locked_out: 0, turns_passwords_on: true };
    expect(providerFacts(lastProvider)).to.equal(
      '1 user linked 1 account at corp; 0 of these users would no longer be able to log in; ' +
        'passwords would work again, because no other enabled provider is required.',
    );
  });
});

describe('A message or question at a terminal', () => {
  it('is wrapped at spaces, but never within a word, such as a link', () => {
    expect(wrapMessage('This cannot be undone: staff ends. Continue? [y/N] ', 20)).to.equal(
      'This cannot be\nundone: staff ends.\nContinue? [y/N] ',
    );
    const link = `https://grantlog.example/${'x'.repeat(30)}`;
    expect(wrapMessage(`see ${link} now\nshort\n`, 20)).to.equal(`see\n${link}\nnow\nshort\n`);
    expect(wrapMessage(`  ${link} now`, 20)).to.equal(`  ${link} now`);
  });

  it('has times without zero fractions of a second', () => {
    const [wholeTime, fractionalTime] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.120Z'];
    expect(formatFields({ whole: wholeTime, precise: fractionalTime })).to.equal(
      `whole: 2026-01-01T00:00:00Z\nprecise: ${fractionalTime}\n`,
    );
  });
});

describe('A confirmation question', () => {
  let directory: string;
  let env: Record<string, string>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    env = { DATA_DIR: join(directory, 'data') };
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is not asked about an object that does not exist', async () => {
    await runCommandOn(env, ['group', 'add', 'staff']);
    for (const [args, message] of [
      [['user', 'erase', 'zoe'], 'no user is named "zoe"; see: grantlog user list'],
      [['user', 'disable', 'zoe'], 'no user is named "zoe"; see: grantlog user list'],
      [['user', 'end-agents', 'zoe'], 'no user is named "zoe"; see: grantlog user list'],
      [['user', 'second-factor', 'zoe', '--remove'], 'no user is named "zoe"; see: grantlog user list'],
      [['group', 'remove', 'nope'], 'no group is named "nope"; see: grantlog group list'],
      [['grant', 'revoke', 'x'], 'no user grant has the id "x"; see: grantlog grant list'],
      [['key', 'retire', 'nope'], 'there is no signing key "nope"; see: grantlog key list'],
      [['client', 'remove', 'nope'], 'no client has the id "nope"; see: grantlog client list'],
      [['client', 'rotate-secret', 'nope'], 'no client has the id "nope"; see: grantlog client list'],
      [['client', 'keys', 'nope', '--remove', 'k'], 'no client has the id "nope"; see: grantlog client list'],
      [['user', 'sign-out', 'zoe'], 'no user is named "zoe"; see: grantlog user list'],
      [['session', 'end', 'x'], 'no open session has the id "x"; see: grantlog session list'],
      [['scope', 'remove', 'nope'], 'there is no scope "nope"; see: grantlog scope list'],
    ] as const) {
      const neverAsk = () => expect.fail(`${args.join(' ')} asked`);
      const refusal = { status: 1, out: '', err: `grantlog: ${message}\n` };
      expect(await runCommandOn(env, args, '', undefined, neverAsk)).to.deep.equal(refusal);
      expect(await runCommandOn(env, args), 'without a terminal').to.deep.equal(refusal);
    }
  });

  it('is not asked about the secret of a public client, which has no secret', async () => {
    const grant = ['--grant', 'authorization-code', '--builtin-callback'];
    const settings = ['--name', 'Notes', '--type', 'public', ...grant, '--json'];
    const registration = await runCommandOn(env, ['client', 'add', ...settings]);
    const id =
      registration.out === ''
        ? expect.fail(registration.err)
        : (JSON.parse(registration.out) as { client_id: string }).client_id;
    const neverAsk = () => expect.fail('asked for confirmation');
    const { status, err } = await runCommandOn(env, ['client', 'rotate-secret', id], '', undefined, neverAsk);
    expect({ status, err }).to.deep.equal({
      status: 1,
      err: `grantlog: ${id} is a public client and has no secret\n`,
    });
  });

  it('is not asked about the last administrator, who can neither be disabled nor erased', async () => {
    await runCommandOn(env, ['user', 'add', 'ada', '--admin', '--password-stdin'], 'a long password\n');
    const neverAsk = () => expect.fail('asked for confirmation');
    for (const command of ['disable', 'erase'])
      for (const ask of [neverAsk, undefined])
        expect(await runCommandOn(env, ['user', command, 'ada'], '', undefined, ask)).to.deep.equal({
          status: 1,
          out: '',
          err:
            'grantlog: "ada" is the last administrator who can log in; add another first: ' +
            'grantlog user roles NAME --admin\n',
        });
    await runCommandOn(env, ['user', 'add', 'bob', '--admin', '--password-stdin'], 'a long password\n');
    const { status, err } = await runCommandOn(env, ['user', 'disable', 'ada']);
    expect({ status, err }).to.deep.include({ status: 0 });
    expect(err).to.match(/^grantlog: warning: this cannot be undone: ada will lose .* release will require --yes/);
  });

  it('is not asked about the sessions of a user who has none', async () => {
    await runCommandOn(env, ['user', 'add', 'ada', '--password-stdin'], 'a long password\n');
    const neverAsk = () => expect.fail('asked for confirmation');
    const noSession = { status: 0, out: 'ada had no open session\n', err: '' };
    expect(await runCommandOn(env, ['user', 'sign-out', 'ada'], '', undefined, neverAsk)).to.deep.equal(noSession);
    expect(await runCommandOn(env, ['user', 'sign-out', 'ada'])).to.deep.equal(noSession);
  });

  it('states the extent of the loss', async () => {
    const questions: string[] = [];
    const decline = async (question: string) => {
      questions.push(question);
      return 'n';
    };
    const ask = (...args: readonly string[]) => runCommandOn(env, args, '', undefined, decline);
    await runCommandOn(env, ['user', 'add', 'ada', '--password-stdin'], 'a long password\n');
    await runCommandOn(env, ['group', 'add', 'staff']);
    await runCommandOn(env, ['group', 'add-user', 'staff', 'ada']);
    const settings = ['--name', 'Notes', '--type', 'confidential', '--grant', 'client-credentials', '--owner', 'ada'];
    const { out } = await runCommandOn(env, ['client', 'add', ...settings, '--json']);
    const { client_id: id } = JSON.parse(out) as { readonly client_id: string };

    await ask('group', 'remove', 'staff');
    await ask('user', 'erase', 'ada');
    await ask('client', 'rotate-secret', id);
    const { err } = await ask('client', 'remove', id);
    expect(questions).to.deep.equal(
      [
        'the group staff and its 1 membership will be removed',
        'ada and all personal data of the account will be permanently deleted; 1 application will have no owner',
        `the current secret of Notes (${id}) will stop working immediately`,
        `${id} will be removed, and its tokens will be revoked for all users`,
      ].map((loss) => `This cannot be undone: ${loss}. Continue? [y/N] `),
    );
    expect(err).to.equal(
      `Notes (${id}) has 0 users, 0 grants and at most 0 tokens; owner ada.\n` +
        'grantlog: not confirmed; nothing was changed\n',
    );
  });
});

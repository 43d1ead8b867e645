import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { askSecrets } from '../../src/cli/ask-secrets.ts';
import { readSecret } from '../../src/cli/context.ts';
import { CannotRunError } from '../../src/cli/exit.ts';
import { readConfig, type Config } from '../../src/config/config.ts';
import { openService } from '../../src/composition/open-service.ts';
import { argon2idHasher, systemClock, systemEntropy } from '../../src/platform/ports.ts';
import { hasPseudoTerminals, runInTerminal, type TypedInput } from '../support/pseudo-terminal.ts';

describe('A secret that a command needs', () => {
  const ask = (answers: readonly string[], questions: string[] = []) =>
    readSecret(
      {
        readInput: async () => expect.fail('standard input is a terminal'),
        askSecrets: async (prompts) => {
          questions.push(...prompts);
          return answers;
        },
      },
      'password',
    );

  async function expectRefusal(secret: Promise<string>): Promise<string> {
    return secret.then(
      () => expect.fail('the secret was accepted'),
      (error: Error) => `${error.name}: ${error.message}`,
    );
  }

  it('is asked for twice in a terminal', async () => {
    const questions: string[] = [];
    expect(await ask(['owl moon tea', 'owl moon tea'], questions)).to.equal('owl moon tea');
    expect(questions).to.deep.equal(['Password: ', 'Password, again: ']);
  });

  it('is refused if the two entries differ or are empty', async () => {
    expect(await expectRefusal(ask(['one', 'two']))).to.equal(
      'CannotRunError: the two entries for the password do not match; nothing was changed',
    );
    expect(await expectRefusal(ask(['', '']))).to.equal('CannotRunError: the password is empty; nothing was changed');
  });

  it('is read without the trailing newline if standard input is not a terminal', async () => {
    for (const text of ['owl moon tea', 'owl moon tea\n', 'owl moon tea\r\n']) {
      expect(await readSecret({ readInput: async () => text }, 'password')).to.equal('owl moon tea');
    }
    expect(await expectRefusal(readSecret({ readInput: async () => '\n' }, 'password'))).to.equal(
      'CannotRunError: standard input is empty; pass the password on standard input',
    );
  });
});

describe('Hidden input', () => {
  function simulateTerminal(chunks: readonly string[]) {
    const modes: boolean[] = [];
    const output: string[] = [];
    const keys = Object.assign(Readable.from(chunks), { setRawMode: (raw: boolean) => modes.push(raw) });
    const answers = askSecrets(keys, (text) => output.push(text), ['One: ', 'Two: ']);
    return { answers, modes, shown: () => output.join('') };
  }

  for (const [manner, chunks] of [
    ['key by key', ['a', 'b', '\r', 'c', '\r']],
    ['in one chunk', ['ab\rc\r']],
    ['pasted with line ends of any kind', ['ab\r\nc\n']],
    ['with corrections', ['x\u0015abé\u007f', '\r', 'cc\b\r']],
    ['with keys other than characters', ['a\u001b[D\u001b[3~\tb\u001bOA\r', '\u001bc\r']],
  ] as const) {
    it(`answers one question with each line: ${manner}`, async () => {
      const { answers, modes, shown } = simulateTerminal(chunks);
      expect(await answers).to.deep.equal(['ab', 'c']);
      expect(modes, 'raw mode during the input').to.deep.equal([true, false]);
      expect(shown()).to.equal('One: \nTwo: \n');
    });
  }

  for (const [event, chunks] of [
    ['Ctrl-C', ['a\u0003']],
    ['Ctrl-D', ['a\rb\u0004']],
    ['the end of its input', ['a']],
  ] as const) {
    it(`is canceled by ${event}`, async () => {
      const { answers, modes } = simulateTerminal(chunks);
      const failure: unknown = await answers.catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(CannotRunError).with.property('message', 'canceled; nothing was changed');
      expect(modes).to.deep.equal([true, false]);
    });
  }
});

describe('In a terminal, a command that needs a secret', () => {
  const PASSWORD = 'pässwörd 1';
  let directory: string;
  let env: Record<string, string>;

  before(function () {
    if (!hasPseudoTerminals()) this.skip(); // the tests above cover prompts with a simulated terminal
  });
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    env = { DATA_DIR: join(directory, 'data') };
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const type = (first: string, second = first): TypedInput => [
    ['Password: ', `${first}\r`],
    ['again: ', `${second}\r`],
  ];

  async function hasPassword(username: string, password: string): Promise<boolean> {
    const { config }: { readonly config: Config } = readConfig(env, () => '{}');
    const hasher = argon2idHasher();
    const service = await openService(config, {
      clock: systemClock,
      entropy: systemEntropy(),
      hasher,
      issuer: () => 'http://localhost',
    });
    const user = await service.accounts.verify(username, password, hasher);
    await service.close();
    return user !== undefined;
  }

  for (const options of [[], ['--password-stdin']]) {
    it(`prompts for it twice and does not show it: user add ${options.join(' ')}`, async () => {
      const { status, output } = await runInTerminal(['user', 'add', 'ada', ...options], env, type(PASSWORD));
      expect(output).to.equal('Password: \r\nPassword, again: \r\nid: 1\r\nusername: ada\r\n');
      expect(status).to.equal(0);
      expect(await hasPassword('ada', PASSWORD)).to.equal(true);
    });
  }

  it('prints the roles of the new account', async () => {
    const { output } = await runInTerminal(['user', 'add', 'ada', '--admin', '--auditor'], env, type(PASSWORD));
    expect(output).to.match(/id: 1\r\nusername: ada\r\nroles: administrator auditor\r\n$/);
  });

  it('lets the operator correct the input while typing: user passwd', async () => {
    await runInTerminal(['user', 'add', 'ada'], env, type(PASSWORD));
    const { status, output } = await runInTerminal(
      ['user', 'passwd', 'ada'],
      env,
      type('owl moon tëxx\u007f\u007f\u007fea', 'nonsense\u0015owl\u001b[A\u001bOB\t moon tea'),
    );
    expect(output).to.equal('Password: \r\nPassword, again: \r\nada has a new password, and all sessions ended\r\n');
    expect(status).to.equal(0);
    expect(await hasPassword('ada', 'owl moon tea')).to.equal(true);
  });

  it('refuses a weak password', async () => {
    const { status, output } = await runInTerminal(['user', 'add', 'ada'], env, type('short'));
    expect(output.trimEnd().split('\r\n').at(-1)).to.equal(
      'grantlog: password: Use at least 8 characters. A few unrelated words work well.',
    );
    expect(status).to.equal(2);
    expect(await hasPassword('ada', 'short')).to.equal(false);
  });

  it('changes nothing if the two entries differ or the prompt is canceled', async () => {
    for (const [input, message] of [
      [type('one', 'two'), 'grantlog: the two entries for the password do not match; nothing was changed'],
      [[['Password: ', '\u0003']], 'grantlog: canceled; nothing was changed'],
      [[['Password: ', '\u0004']], 'grantlog: canceled; nothing was changed'],
    ] as const) {
      const { status, output } = await runInTerminal(['user', 'add', 'ada'], env, input);
      expect({ status, message: output.trimEnd().split('\r\n').at(-1) }).to.deep.equal({ status: 2, message });
    }
    expect(await hasPassword('ada', 'one')).to.equal(false);
  });

  it('changes nothing if a question is interrupted, and says so on a new line', async () => {
    for (const key of ['\u0003', '\u0004']) {
      const { status, output } = await runInTerminal(['key', 'rotate', '--now'], env, [['[y/N] ', key]]);
      const [question, ...lines] = output.trimEnd().split(/\r?\n(?=grantlog: )/);
      expect(question).to.match(/Continue\? \[y\/N\]/);
      expect({ status, lines }).to.deep.equal({ status: 2, lines: ['grantlog: not confirmed; nothing was changed'] });
    }
  });

  it('prompts for a client secret, too: client add', async () => {
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
    const { status, output } = await runInTerminal(args, env, [
      ['Client secret: ', 'its old secret\r'],
      ['again: ', 'its old secret\r'],
    ]);
    expect({ status, shown: output }).to.deep.equal({
      status: 0,
      shown: 'Client secret: \r\nClient secret, again: \r\nclient_id: old-id\r\n',
    });
  });
});

import { withOperations } from '../support/with-operations.ts';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { runCommand } from '../../src/cli/command-line.ts';
import { createTable } from '../../src/cli/print.ts';
import { readConfig } from '../../src/config/config.ts';
import { parseSubcommands } from '../support/run-command.ts';
import { withoutDatabase } from '../support/without-database.ts';

interface CommandResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command that must not open anything. */
async function run(args: readonly string[], ask?: (question: string) => Promise<string>): Promise<CommandResult> {
  let [out, err] = ['', ''];
  const neverCalled = (): never => expect.fail('nothing is opened');
  const status = await runCommand(args, {
    version: '1',
    readSettings: (dataDir = '/none') => readConfig({ DATA_DIR: dataDir }, () => '{}'),
    open: neverCalled,
    inspect: neverCalled,
    now: neverCalled,
    ...withoutDatabase,
    ...withOperations,
    serve: neverCalled,
    terminal: {
      signal: new AbortController().signal,
      readInput: neverCalled,
      out: async (text) => void (out += text),
      err: (text) => void (err += text),
      ask,
    },
  });
  return { status, out, err };
}

/** Returns the names of the subcommands, from their parent's help. */
async function listSubcommands(path: readonly string[]): Promise<readonly string[]> {
  return parseSubcommands((await run([...path, '--help'])).out);
}

async function listCommands(path: readonly string[] = []): Promise<readonly (readonly string[])[]> {
  const names = await listSubcommands(path);
  if (names.length === 0) return [path];
  return (await Promise.all(names.map((name) => listCommands([...path, name])))).flat();
}

/** Returns the words of the example in a help text, without the leading `grantlog`. */
function parseExample(help: string): readonly string[] {
  const [, example = ''] = /Example:\n {2}grantlog (.*?)\n\n/s.exec(help) ?? [];
  const words = example.replaceAll(/ \\\n */g, ' ').match(/"[^"]*"|\S+/g) ?? [];
  return words.map((word) => word.replaceAll('"', ''));
}

describe("every command's help", () => {
  it('has one example, the exit statuses, and no line longer than 100 columns', async () => {
    const commands = await listCommands();
    expect(commands).to.have.length.above(60);
    const groups = new Set(commands.filter(({ length }) => length > 1).map(([group = '']) => group));
    for (const path of [[], ...commands, ...[...groups].map((group) => [group])]) {
      const { status, out } = await run([...path, '--help']);
      expect(status, path.join(' ')).to.equal(0);
      expect(out.replaceAll(/\s+/g, ' ')).to.include(
        'Exit status: 0 success; 1 a finding or a refusal; 2 a usage error',
      );
      for (const line of out.split('\n')) expect(line.length, `${path.join(' ')}: ${line}`).to.be.at.most(100);
      expect(out, `${path.join(' ')}: one empty line between blocks`).to.not.match(/\n\n\n/);
      expect(out, path.join(' ')).to.include('--data-dir <directory>');
      if (path.length === 0) continue;
      expect(out.match(/Examples?:/g), path.join(' ')).to.deep.equal(['Example:']);
      expect(parseExample(out).join(' '), path.join(' '))
        .to.match(new RegExp(`^${path.join(' ')}( |$)`))
        .and.not.match(/VALUE|[A-Z]_ID/);
    }
  });

  it('has an example with arguments that the command accepts', async () => {
    const changePattern =
      /^(?:add|add-user|set|update|profile|roles|owners|test-users|logo|rotate-secret|transfer|rotate)$/;
    const commands = (await listCommands()).filter(
      (path) => path[0] !== 'keys' && changePattern.test(path.at(-1) ?? ''),
    );
    expect(commands).to.have.length.above(15);
    for (const path of commands) {
      const example = parseExample((await run([...path, '--help'])).out);
      const { status, err } = await run(example);
      expect(status, example.join(' ')).to.equal(2);
      // The arguments were accepted: the command failed only when it tried to read something.
      expect(err, example.join(' ')).to.match(/\/none does not exist|nothing is opened|standard input|\.png/);
    }
  });

  it('wraps each paragraph as a whole, even if its last line ends with a colon', async () => {
    const [paragraph = ''] = /^Settings come from[^]*?:$/m.exec((await run(['serve', '--help'])).out) ?? [];
    const lengths = paragraph.split('\n').map(({ length }) => length);
    expect(Math.max(...lengths)).to.be.at.most(100);
    expect(Math.min(...lengths.slice(0, -1)), 'no short line before the last one').to.be.at.least(85);
  });

  it('is also printed by grantlog help', async () => {
    expect(await run(['help', 'user', 'add'])).to.deep.equal(await run(['user', 'add', '--help']));
    expect((await run(['help'])).out)
      .to.include('DATA_DIR')
      .and.include('GRANTLOG_CONFIG')
      .and.include('Examples:');
  });

  it('is mentioned if an argument is missing', async () => {
    expect(await run(['user', 'add'])).to.deep.equal({
      status: 2,
      out: '',
      err: 'grantlog: a required argument is missing: name; see grantlog user add --help\n',
    });
  });

  it('is not mentioned for a misspelled event type', async () => {
    for (const command of ['tail', 'export']) {
      const { status, err } = await run(['log', command, '--type', 'GrantRevokd']);
      expect({ status, err }).to.deep.equal({
        status: 2,
        err: 'grantlog: --type: unknown event type "GrantRevokd"; did you mean GrantRevoked?\n',
      });
    }
    expect((await run(['log', 'tail', '--type', 'x'])).err).to.equal(
      'grantlog: --type: unknown event type "x"; event types have names like GrantRevoked\n',
    );
  });

  it('marks required options, and the command reports all missing options together', async () => {
    const { out } = await run(['client', 'add', '--help']);
    for (const name of ['name', 'type', 'grant']) expect(out).to.match(new RegExp(`--${name} <[^]*?\\(required\\)`));
    expect(await run(['client', 'add'])).to.deep.equal({
      status: 2,
      out: '',
      err:
        'grantlog: required options are missing: --name <name>, --type <type>, --grant <grant>; ' +
        'see grantlog client add --help\n',
    });
  });

  it('is mentioned with a missing option rather than an extra argument, which may belong to the option', async () => {
    expect((await run(['client', 'transfer', 'ID', 'ada'])).err).to.equal(
      'grantlog: a required option is missing: --to <user>; see grantlog client transfer --help\n',
    );
    expect(await run(['client', 'transfer', 'ID', 'ada', '--to', 'ada'])).to.include({
      status: 2,
      err: 'grantlog: too many arguments: expected 1 argument, but got 2; see grantlog client transfer --help\n',
    });
  });
});

describe('a command that does not exist', () => {
  it('is refused in the usual error format, and a similar command is suggested', async () => {
    expect(await run(['usr', 'list'])).to.include({
      status: 2,
      err: 'grantlog: unknown command usr; did you mean grantlog user?\n',
    });
    expect((await run(['xyzzy'])).err).to.equal('grantlog: unknown command xyzzy; see grantlog --help\n');
    for (const [args, message] of [
      [['user', 'lst'], 'unknown command lst; did you mean grantlog user list?'],
      [['client', 'members', '--help'], 'unknown command members; did you mean grantlog client owners?'],
      [['invitation', 'revoke', '1'], 'unknown command revoke; did you mean grantlog invitation withdraw?'],
      [['user', 'lock', 'ada'], 'unknown command lock; did you mean grantlog user disable?'],
      [['user', 'help'], 'unknown command help; did you mean grantlog user --help?'],
      [['user', 'delete', 'ada'], 'unknown command delete; did you mean grantlog user erase?'],
      [
        ['--data-dir', '/none', 'grant', 'foo'],
        'unknown command foo; available commands: list, revoke; see grantlog grant --help',
      ],
      [
        ['import', 'nofile.json'],
        'unknown source nofile.json; available sources: django-oauth-toolkit, keycloak, jsonl',
      ],
    ] as const)
      expect(await run(args)).to.deep.equal({ status: 2, out: '', err: `grantlog: ${message}\n` });
    expect((await run(['user', 'sign-out', '--help'])).status, 'an alias').to.equal(0);
  });
});

describe('--data-dir', () => {
  it('specifies the data directory, before or after the command', async () => {
    for (const args of [
      ['--data-dir', '/nowhere', 'user', 'list'],
      ['user', 'list', '--data-dir', '/nowhere'],
    ])
      expect(await run(args)).to.deep.include({
        status: 2,
        err:
          'grantlog: the data directory /nowhere does not exist; ' +
          "set DATA_DIR or --data-dir to the server's data directory\n",
      });
  });

  it('must have an event log, so that a command that reads creates nothing in another directory', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'grantlog-other-'));
    try {
      writeFileSync(join(directory, 'hosts'), 'localhost');
      const { status, err } = await run(['user', 'list', '--data-dir', directory]);
      expect({ status, err }).to.deep.equal({
        status: 2,
        err:
          `grantlog: there is no event log in ${directory}; ` +
          "set DATA_DIR or --data-dir to the server's data directory\n",
      });
      expect(readdirSync(directory)).to.deep.equal(['hosts']);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe('a usage error', () => {
  it('names the option or argument and its value, and says what to do, also with --json', async () => {
    for (const [problem, ...args] of [
      [
        '--role: "root" is not one of administrator, auditor, none; see grantlog user list --help',
        'user',
        'list',
        '--role',
        'root',
      ],
      [
        '--role: "auditr" is not one of administrator, auditor, none; did you mean auditor?',
        'user',
        'list',
        '--role',
        'auditr',
      ],
      [
        '--algorithm: "x" is not one of RS256, ES256, PS256, EdDSA; see grantlog key rotate --help',
        'key',
        'rotate',
        '--algorithm',
        'x',
      ],
      [
        'key: "log" is not valid: it must be cookies; see grantlog keys drop-previous --help',
        'keys',
        'drop-previous',
        'log',
      ],
      [
        '--limit: "-1" is not valid: it must be a whole number; see grantlog log tail --help',
        'log',
        'tail',
        '--limit=-1',
      ],
      ['a value is missing: --limit <count>; see grantlog log tail --help', 'log', 'tail', '--limit'],
      ['unknown option --roles; did you mean --role?', 'user', 'list', '--roles'],
      ['unknown option --quiet; see grantlog doctor --help', 'doctor', '--quiet'],
      ['unknown option --quiet; see grantlog --help', '--quiet'],
      ['a required argument is missing: name; see grantlog user show --help', 'user', 'show'],
      [
        'too many arguments: expected 1 argument, but got 2; see grantlog user show --help',
        'user',
        'show',
        'ada',
        'eve',
      ],
      [
        'specify only one of --as-of and --end; see grantlog log blast-radius --help',
        'log',
        'blast-radius',
        '--as-of',
        '1',
        '--end',
      ],
    ] as const)
      for (const words of [args, ['--data-dir', 'there', ...args]])
        expect(await run(words), words.join(' ')).to.deep.equal({ status: 2, out: '', err: `grantlog: ${problem}\n` });
    const withJson = await run(['user', 'list', '--json', '--role', 'root']);
    expect(withJson).to.deep.equal(await run(['user', 'list', '--role', 'root']));
  });
});

describe('an empty path', () => {
  it('is refused for every option and argument, because it is usually an unset variable of a script', async () => {
    for (const [name, kind, ...args] of [
      ['--data-dir', 'directory', 'user', 'list', '--data-dir', ''],
      ['--data-dir', 'directory', '--data-dir=', 'serve'],
      ['--bundle', 'directory', 'log', 'export', '--bundle', ''],
      ['--bundle', 'directory', 'log', 'verify', '--bundle', ''],
      ['--from', 'location', 'log', 'copy', '--from', '', '--to', 'there'],
      ['--jwks', 'file', 'client', 'update', 'notes', '--jwks', ''],
      ['file', 'file', 'backup', ''],
      ['dir', 'directory', 'restore', 'backup', ''],
      ['file', 'file', 'import', 'keycloak', ''],
    ]) {
      const isOption = name?.startsWith('--') === true;
      const advice = `must not be empty; specify a ${kind}${isOption ? ', or omit the option' : ''}`;
      const { status, out, err } = await run(args);
      expect({ status, out, err }, args.join(' ')).to.deep.equal({
        status: 2,
        out: '',
        err: `grantlog: ${name}: ${advice}\n`,
      });
    }
  });
});

describe('a command that cannot be undone', () => {
  const missingDirectory = 'the data directory /none does not exist';

  it('asks for confirmation at a terminal, and does nothing without it', async () => {
    for (const args of [
      ['key', 'rotate', '--now'],
      ['log', 'archive', '--before', '2026-01-01T00:00:00Z'],
    ]) {
      const questions: string[] = [];
      const answerWith = (answer: string) => async (question: string) => {
        questions.push(question);
        return answer;
      };
      for (const answer of ['', 'n', 'yep'])
        expect((await run(args, answerWith(answer))).err).to.equal('grantlog: not confirmed; nothing was changed\n');
      expect((await run(args, answerWith('y'))).err).to.include(missingDirectory);
      expect(questions[0]).to.match(/^This cannot be undone: .*\. Continue\? \[y\/N\] $/);
      expect((await run([...args, '--yes'], () => expect.fail('asked for confirmation'))).err).to.include(
        missingDirectory,
      );
    }
  });

  it('looks up the consequences before it asks at a terminal', async () => {
    for (const args of [
      ['user', 'disable', 'ada'],
      ['user', 'erase', 'ada'],
      ['user', 'end-agents', 'ada'],
      ['user', 'second-factor', 'ada', '--remove'],
      ['group', 'remove', 'staff'],
      ['grant', 'revoke', 'g1'],
      ['key', 'retire', 'k1'],
      ['exchange-policy', 'remove', 'notes', 'calendar'],
      ['log', 'blast-radius', '--client', 'notes', '--end'],
      ['client', 'rotate-secret', 'notes'],
      ['client', 'keys', 'notes', '--remove', 'k1'],
      ['user', 'logout', 'ada'],
      ['session', 'end', 's1'],
      ['client', 'remove', 'notes'],
      ['resource', 'remove', 'https://api.example'],
      ['trusted-issuer', 'remove', 'https://login.example'],
      ['provider', 'remove', 'corp'],
    ]) {
      const neverAsk = () => expect.fail('asked about something that may not exist');
      expect((await run(args, neverAsk)).err).to.include(missingDirectory);
      expect((await run([...args, '--yes'], neverAsk)).err).to.include(missingDirectory);
    }
  });

  it('asks before it rotates a key without an overlap', async () => {
    for (const args of [
      ['keys', 'rotate', 'cookies', '--drop-previous'],
      ['key', 'rotate', '--now'],
    ])
      expect((await run(args, async () => 'n')).err).to.equal('grantlog: not confirmed; nothing was changed\n');
  });

  it('is refused with status 2 if there is neither a terminal nor --yes', async () => {
    for (const args of [
      ['key', 'rotate', '--now'],
      ['keys', 'rotate', 'cookies', '--drop-previous'],
      ['log', 'archive', '--before', '2026-01-01T00:00:00Z'],
    ]) {
      const { status, err } = await run(args);
      expect(status, args.join(' ')).to.equal(2);
      expect(err).to.match(
        /^grantlog: this cannot be undone: .* Add --yes to confirm; there is no terminal to prompt on\n$/,
      );
      if (args[0] !== 'keys') expect((await run([...args, '--yes'])).err).to.include(missingDirectory);
    }
  });

  it('checks that the object exists before it requires --yes without a terminal', async () => {
    for (const args of [
      ['group', 'remove', 'staff'],
      ['resource', 'remove', 'https://api.example'],
      ['trusted-issuer', 'remove', 'https://login.example'],
      ['provider', 'remove', 'corp'],
      ['exchange-policy', 'remove', 'notes', 'calendar'],
      ['scope', 'remove', 'invoices:read'],
      ['grant', 'revoke', 'g1'],
      ['user', 'end-agents', 'ada'],
      ['user', 'second-factor', 'ada', '--remove'],
      ['key', 'retire', 'k1'],
    ]) {
      expect((await run(args)).err, args.join(' ')).to.include(missingDirectory);
      expect((await run([...args, '--yes'])).err).to.include(missingDirectory);
    }
  });

  it('explains in its help when scripts need --yes', async () => {
    const readHelp = async (...args: readonly string[]) => (await run([...args, '--help'])).out.replaceAll(/\s+/g, ' ');
    for (const args of [
      ['user', 'erase'],
      ['user', 'disable'],
      ['client', 'remove'],
      ['client', 'rotate-secret'],
      ['client', 'keys'],
      ['user', 'logout'],
      ['session', 'end'],
      ['invitation', 'withdraw'],
    ])
      expect(await readHelp(...args)).to.include('a later release will require this option without a terminal');
    for (const args of [
      ['group', 'remove'],
      ['scope', 'remove'],
      ['provider', 'remove'],
      ['user', 'second-factor'],
      ['key', 'retire'],
      ['grant', 'revoke'],
      ['log', 'blast-radius'],
    ])
      expect(await readHelp(...args)).to.include('(required without a terminal)');
    for (const [condition, ...args] of [
      ['with --drop-previous', 'keys', 'rotate'],
      ['with --now', 'key', 'rotate'],
      ['with --end', 'log', 'blast-radius'],
      ['with --remove', 'user', 'second-factor'],
      ['with --remove', 'client', 'keys'],
      ['without --overlap', 'client', 'rotate-secret'],
      ['with --required or --disabled', 'provider', 'set'],
    ])
      expect(await readHelp(...args)).to.include(`--yes ${condition}: do not ask for confirmation`);
  });

  it('does not warn in scripts about an object that it did not find', async () => {
    for (const args of [
      ['user', 'erase', 'ada'],
      ['user', 'logout', 'ada'],
      ['user', 'sign-out', 'ada', '--session', 's1'],
      ['session', 'end', 's1'],
      ['client', 'remove', 'notes'],
      ['client', 'rotate-secret', 'notes'],
      ['client', 'keys', 'notes', '--remove', 'k1'],
      ['user', 'disable', 'ada'],
      ['invitation', 'withdraw', '1'],
    ]) {
      expect((await run(args)).err, args.join(' '))
        .to.include(missingDirectory)
        .and.not.include('warning');
      expect((await run([...args, '--yes'])).err).to.not.include('warning');
    }
  });
});

describe('a table', () => {
  const print = (columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[], width?: number) => {
    const table = createTable(columns, width);
    rows.forEach(table.add);
    return [...table.lines()].join('');
  };

  it('fits into 100 columns at a terminal for any values, and loses none of them', () => {
    const columns = ['id', 'name', 'scope', 'expires_at', 'client_id', 'resource', 'login', 'browser'];
    const longRow = Object.fromEntries(columns.map((column) => [column, `${column} `.repeat(20) + 'x'.repeat(150)]));
    const lines = print(columns, [longRow, {}], 100).split('\n');
    for (const line of lines) expect(line.length).to.be.at.most(100);
    expect(lines.join('').match(/x/g)?.length ?? 0).to.be.at.least(150 * columns.length);
    expect(lines.slice(-9, -1).map((line) => line.replace(/^[A-Z ]+/, ''))).to.deep.equal(columns.map(() => '-'));
  });

  it('does not break ids, names, times or headings', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('');
    const id = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 43 });
    const time = fc
      .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
      .map((date) => `${date.toISOString().slice(0, 19)}Z`);
    const words = fc.array(id, { minLength: 1, maxLength: 12 }).map((ids) => ids.join(' '));
    const cell = fc.oneof(id, time, words, fc.constant(null));
    const table = fc.integer({ min: 1, max: 9 }).chain((count) =>
      fc.record({
        columns: fc.uniqueArray(fc.stringMatching(/^[ab]{1,8}(?:_[ab]{1,8}){0,2}$/), {
          minLength: count,
          maxLength: count,
        }),
        rows: fc.array(fc.array(cell, { minLength: count, maxLength: count }), { minLength: 1, maxLength: 5 }),
      }),
    );
    fc.assert(
      fc.property(table, fc.integer({ min: 80, max: 100 }), ({ columns, rows }, width) => {
        const items = rows.map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index]])));
        const output = print(columns, items, width);
        for (const line of output.split('\n')) expect(line.length).to.be.at.most(width);
        const outputWords = output.split(/\s+/);
        const headings = columns.map((column) => column.toUpperCase().replaceAll('_', ' '));
        for (const text of [...headings, ...rows.flat().filter((value) => value !== null)])
          expect(outputWords).to.include.members(text.split(' '));
      }),
    );
  });

  it('is printed as one record per row if the rows do not fit, with times in whole seconds', () => {
    const columns = ['kid', 'use', 'from', 'until'];
    const row = {
      kid: 'k'.repeat(43),
      use: 'sig',
      from: '2026-11-29T02:10:07.123Z',
      until: '2027-02-27T02:10:07.000Z',
    };
    expect(print(columns, [row, { ...row, until: null }], 90)).to.equal(
      [
        `KID    ${row.kid}`,
        'USE    sig',
        'FROM   2026-11-29T02:10:07Z',
        'UNTIL  2027-02-27T02:10:07Z',
        '',
        `KID    ${row.kid}`,
        'USE    sig',
        'FROM   2026-11-29T02:10:07Z',
        'UNTIL  -',
        '',
      ].join('\n'),
    );
    const [heading, first] = print(columns, [row], 100).split('\n');
    expect(heading).to.match(/^KID +USE +FROM +UNTIL$/);
    expect(first).to.match(/^k{43} {2}sig {2}2026-11-29T02:10:07Z {2}2027-02-27T02:10:07Z$/);
  });

  it('has each row on one line with unchanged values if a program reads it', () => {
    const row = { id: 'x'.repeat(200), entries: { lines: ['a: 1', 'b: 2'] }, at: '2026-11-29T02:10:07.123Z' };
    expect(print(Object.keys(row), [row]).split('\n')[1]).to.equal(`${row.id}  a: 1 b: 2  2026-11-29T02:10:07.123Z`);
  });
});

describe('completion', () => {
  const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).error === undefined;
  const printScript = async (shell: string): Promise<string> => (await run(['completion', shell])).out;

  it('completes commands and options in bash', async function () {
    if (!isInstalled('bash')) return this.skip();
    const complete = async (...words: readonly string[]): Promise<readonly string[]> => {
      const quotedWords = words.map((word) => `'${word}'`).join(' ');
      const program = `${await printScript('bash')}
COMP_WORDS=(grantlog ${quotedWords}); COMP_CWORD=${words.length}; _grantlog; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', program], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line !== '');
    };
    expect(await complete('us')).to.deep.equal(['user']);
    expect(await complete('group', 'add')).to.deep.equal(['add', 'add-user']);
    expect(await complete('group', '')).to.have.members(await listSubcommands(['group']));
    expect(await complete('log', 'tail', '--f')).to.deep.equal(['--follow']);
    expect(await complete('config', '--j')).to.deep.equal(['--json']);
    expect(await complete('')).to.have.members(await listSubcommands([]));
  });

  /** For each shell, returns the completions that it offers for the last word of a command line. */
  const SHELLS: Readonly<Record<string, (directory: string, words: readonly string[]) => readonly string[]>> = {
    bash: (directory, words) => {
      const quotedWords = words.map((word) => `'${word}'`).join(' ');
      const program = `source ${directory}/bash
COMP_WORDS=(grantlog ${quotedWords}); COMP_CWORD=${words.length}; _grantlog; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return linesOf('bash', ['-c', program], directory);
    },
    zsh: (directory, words) => {
      const program = `compdef() {}
compadd() { shift; print -l -- "$@" }
_files() { print -l -- FILES }
source ${directory}/zsh
words=(grantlog ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; _grantlog_entry`;
      return linesOf('zsh', ['-f', '-c', program], directory).filter((word) => word.startsWith(words.at(-1) ?? ''));
    },
    fish: (directory, words) => {
      const program = `source ${directory}/fish; complete -C 'grantlog ${words.join(' ')}'`;
      return linesOf('fish', ['--no-config', '-c', program], directory);
    },
  };

  /** Runs a shell that finds the program `grantlog` in `directory`, and returns the lines of its output. */
  function linesOf(shell: string, args: readonly string[], directory: string): readonly string[] {
    const env = { ...process.env, PATH: `${directory}:${process.env['PATH'] ?? ''}` };
    return execFileSync(shell, args, { encoding: 'utf8', env })
      .split('\n')
      .filter((line) => line !== '');
  }

  /** Words before the cursor, and the arguments that the script passes to `grantlog` to list names. */
  const NAME_LOOKUPS: readonly (readonly [words: readonly string[], names: readonly string[]])[] = [
    [['session', 'end', ''], ['session']],
    [['grant', 'revoke', ''], ['grant']],
    [['invitation', 'withdraw', ''], ['invitation']],
    [['domain', 'show', ''], ['domain']],
    [['resource', 'show', ''], ['resource']],
    [['provider', 'test', ''], ['provider']],
    [['trusted-issuer', 'keys', ''], ['issuer']],
    [['key', 'retire', ''], ['key']],
    [['brand-text', 'set', ''], ['brand-text']],
    [['group', 'add-user', 'editors', ''], ['user']],
    [
      ['group', 'remove-user', 'editors', ''],
      ['member-of-group', 'editors'],
    ],
    [
      ['user', 'sign-out', 'ada', '--session', ''],
      ['session-of-user', 'ada'],
    ],
    [
      ['setting', 'set', 'requirePkce', ''],
      ['value', 'requirePkce'],
    ],
  ];

  for (const [shell, completeIn] of Object.entries(SHELLS)) {
    it(`offers in ${shell} what is valid at the cursor (needs ${shell})`, async function () {
      this.timeout(60_000);
      if (!isInstalled(shell)) return this.skip();
      const directory = mkdtempSync(join(tmpdir(), 'grantlog-completion-'));
      try {
        writeFileSync(join(directory, shell), await printScript(shell));
        // Prints its arguments, which the script then offers as names.
        const program = '#!/bin/sh\nfor word in "$@"; do echo "$word"; done\n';
        writeFileSync(join(directory, 'grantlog'), program, { mode: 0o755 });
        const complete = (...words: readonly string[]): readonly string[] => completeIn(directory, words);
        expect(complete('--data-dir', 'x', 'user', 'li'), 'after an option').to.deep.equal(['list']);
        expect(complete('--d'), 'an option before the command').to.deep.equal(['--data-dir']);
        expect(complete('user', 'list', '--da'), 'an option after the command').to.deep.equal(['--data-dir']);
        const roles = ['administrator', 'auditor', 'none'];
        expect(complete('user', 'list', '--role', ''), 'choices').to.have.members(roles);
        expect(complete('client', 'add', '--name', 'x', '--type', 'p'), 'after a value').to.deep.equal(['public']);
        expect(complete('client', 'add', '--grant', 'authorization'), 'values of repeatable options').to.deep.equal([
          'authorization-code',
        ]);
        expect(complete('log', 'tail', '--type', 'GrantRev'), 'event types').to.deep.equal(['GrantRevoked']);
        expect(complete('completion', ''), 'arguments').to.have.members(['bash', 'zsh', 'fish']);
        expect(complete('setting', 'set', 'accessTokenL'), 'settings').to.deep.equal(['accessTokenLifetimeSeconds']);
        expect(complete('setting', 'show', 'dataD')).to.deep.equal(['dataDir']);
        expect(complete('setting', 'set', 'dataD'), 'settings that can change').to.deep.equal([]);
        expect(complete('user', 'list', '--role=ad'), 'after an equals sign').to.deep.equal(['--role=administrator']);
        expect(complete('keys', 'rotate', 'coo')).to.deep.equal(['cookies']);
        expect(complete('user', 'sign'), 'aliases').to.deep.equal(['sign-out']);
        expect(complete('user', 'sign-out', 'ada', '--ses'), 'below an alias').to.deep.equal(['--session']);
        expect(complete('help', 'us'), 'after help').to.deep.equal(['user']);
        expect(complete('group', 'list', ''), 'no more arguments')
          .to.include('--json')
          .and.not.include('add');
        expect(complete('user', 'show', 'comp'), 'names').to.deep.equal(['complete-names']);
        expect(
          complete('--data-dir', 'x', 'log', 'tail', '--user', 'us'),
          'names in that data directory',
        ).to.deep.equal(['user']);
        expect(complete('client', 'update', 'cl')).to.deep.equal(['client']);
        for (const [words, names] of NAME_LOOKUPS)
          expect(complete(...words), words.join(' ')).to.include.members(names);
        expect(complete('grant', 'revoke', 'no-such-fi'), 'no files for ids').to.deep.equal([]);
        expect(complete('user', 'add', 'comp'), 'no names of existing things').to.deep.equal([]);
      } finally {
        rmSync(directory, { recursive: true });
      }
    });
  }

  it('completes names with characters at which bash splits words (needs bash)', async function () {
    if (!isInstalled('bash')) return this.skip();
    const directory = mkdtempSync(join(tmpdir(), 'grantlog-completion-'));
    try {
      writeFileSync(join(directory, 'bash'), await printScript('bash'));
      const names = "echo 'https://api.example invoices:read invoices:write bob@example.org'";
      writeFileSync(join(directory, 'grantlog'), `#!/bin/sh\n${names}\n`, { mode: 0o755 });
      const complete = (...words: readonly string[]): readonly string[] => {
        const line = `grantlog ${words.join(' ')}`;
        const splitWords = line.split(/([=:@]+|[^=:@ ]+)/).filter((word) => word.trim() !== '');
        if (line.endsWith(' ')) splitWords.push('');
        const program = `source ${directory}/bash
COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:@'; COMP_LINE='${line}'; COMP_POINT=${line.length}
COMP_WORDS=(${splitWords.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${splitWords.length - 1}
_grantlog; printf '%s\\n' "\${COMPREPLY[@]}"`;
        return linesOf('bash', ['-c', program], directory);
      };
      expect(complete('scope', 'show', 'invoices:')).to.deep.equal(['read', 'write']);
      expect(complete('resource', 'show', 'https://a')).to.deep.equal(['//api.example']);
      expect(complete('user', 'show', 'bob@ex')).to.deep.equal(['example.org']);
      expect(complete('user', 'list', '--role=')).to.deep.equal(['administrator', 'auditor', 'none']);
      expect(complete('user', 'list', '--role=ad')).to.deep.equal(['administrator']);
      expect(complete('exchange-policy', 'set', '--scope=invoices:r')).to.deep.equal(['read']);
      expect(complete('--data-dir=/x', 'user', 'li')).to.deep.equal(['list']);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('offers commands and options in zsh (needs zsh)', async function () {
    if (!isInstalled('zsh')) return this.skip();
    const complete = async (...words: readonly string[]): Promise<readonly string[]> => {
      // There is no line editor here to call the function and select the words that begin with the typed word.
      const program = `compdef() {}
compadd() { shift; print -l -- "$@" }
${await printScript('zsh')}
words=(grantlog ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; _grantlog_entry`;
      return execFileSync('zsh', ['-f', '-c', program], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line !== '');
    };
    expect(await complete('us')).to.have.members(await listSubcommands([]));
    expect(await complete('group', 'add')).to.have.members(await listSubcommands(['group']));
    expect(await complete('log', 'tail', '--f')).to.include('--follow');
    expect(await complete('log', 'tail', '--user', 'ada', '--')).to.include('--follow');
  });

  for (const [shell, argumentsFor] of [
    ['zsh', (file: string) => ['-n', file]],
    // Loads the script, and completes a partial command.
    ['fish', (file: string) => ['--no-config', '-c', `source ${file}; complete -C 'grantlog us' | grep -q user`]],
  ] as const) {
    it(`prints a valid script for ${shell} that contains every command (needs ${shell})`, async function () {
      const text = await printScript(shell);
      for (const name of await listSubcommands([])) expect(text).to.include(name);
      if (!isInstalled(shell)) {
        console.warn(`      ${shell} is not installed, so its script was not tested`);
        return this.skip();
      }
      const directory = mkdtempSync(join(tmpdir(), 'grantlog-completion-'));
      try {
        const file = join(directory, 'script');
        writeFileSync(file, text);
        const { status, stderr } = spawnSync(shell, argumentsFor(file), { encoding: 'utf8' });
        expect([status, stderr]).to.deep.equal([0, '']);
      } finally {
        rmSync(directory, { recursive: true });
      }
    });
  }

  it('exists only for bash, zsh and fish', async () => {
    const { status, err } = await run(['completion', 'tcsh']);
    expect(status).to.equal(2);
    expect(err).to.match(/^grantlog: .*bash, zsh, fish/);
  });
});

import { expect } from 'chai';
import { createApp } from '../../../src/http/app.ts';
import { MANAGEMENT_TABLE } from '../../../src/http/management/table.ts';
import { operationNames } from '../../../src/operations/operations.ts';
import {
  ADMINISTRATION,
  COMMANDS,
  FORMS_WITHOUT_OPERATION,
  NOT_IN_API,
  PAGES,
  type Missing,
} from '../../support/administration.ts';
import { methodsOf, routesOf } from '../../support/app-routes.ts';
import { runningService } from '../../support/running-service.ts';
import { printHelp } from '../../support/run-command.ts';

const isMissing = (entry: readonly string[] | Missing): entry is Missing => 'reason' in entry;

/** Expects that there are no names. Otherwise, `todo` says what to do. */
function expectNone(names: readonly string[], todo: string): void {
  expect(names, `${names.join(', ')}: ${todo}`).to.deep.equal([]);
}

/** Reports whether `grantlog NAME --help` describes exactly this command. */
async function isCommand(name: string): Promise<boolean> {
  const { status, out } = await printHelp(name.split(' '));
  return status === 0 && out.includes(`grantlog ${name}`);
}

describe('The administrative operations', () => {
  const operations = operationNames();
  const apiOperations = new Set(MANAGEMENT_TABLE.map(({ operation }) => operation));

  it('are in the management API, or the catalog says why not', () => {
    expectNone(
      operations.filter((name) => !apiOperations.has(name) && NOT_IN_API[name] === undefined),
      'add a row to src/http/management/tables, or a reason to NOT_IN_API in test/support/administration.ts',
    );
    expectNone(
      Object.keys(NOT_IN_API).filter((name) => apiOperations.has(name) || !operations.includes(name)),
      'remove the reason from NOT_IN_API in test/support/administration.ts',
    );
    expectNone(
      [...apiOperations].filter((name) => !operations.includes(name)),
      'src/http/management/tables contains an operation that does not exist',
    );
  });

  it('are commands', async () => {
    const operationsWithoutCommand: string[] = [];
    for (const name of operations) if (!(await isCommand(COMMANDS[name] ?? name))) operationsWithoutCommand.push(name);
    expectNone(
      operationsWithoutCommand,
      'add a command of this name, or set its command in COMMANDS in test/support/administration.ts',
    );
  });

  it('are forms on pages, or the catalog says why not, and there is no other administrative form', async () => {
    const running = await runningService();
    const routes = routesOf(createApp(running.service(), { error: () => {} }));
    await running.close();
    const forms = routes
      .filter((route) => route.kind === 'page' && methodsOf(route).includes('POST') && ADMINISTRATION.test(route.path))
      .map(({ path }) => path);
    const formsInPages = Object.values(PAGES).flatMap((entry) => (isMissing(entry) ? [] : entry));
    expectNone(
      operations.filter((name) => PAGES[name] === undefined),
      'list its forms in PAGES in test/support/administration.ts, or give the reason why it has no form',
    );
    expectNone(
      Object.keys(PAGES).filter((name) => !operations.includes(name)),
      'remove it from PAGES in test/support/administration.ts',
    );
    expectNone(
      forms.filter((path) => !formsInPages.includes(path) && FORMS_WITHOUT_OPERATION[path] === undefined),
      'list it under the operation that does the same, in PAGES in test/support/administration.ts, or add one',
    );
    expectNone(
      [...formsInPages, ...Object.keys(FORMS_WITHOUT_OPERATION)].filter((path) => !forms.includes(path)),
      'no page has this form; correct test/support/administration.ts',
    );
  });
});

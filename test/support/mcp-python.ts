import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'mcp==2.3.0';
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/grantlog/', import.meta.url));
const TIMEOUT_SECONDS = 180;

/**
 * Returns a Python interpreter that has the MCP SDK: `MCP_PYTHON`, or the one in an environment that the first call
 * creates. If the package cannot be installed, prints a line to standard error and returns undefined.
 */
export function prepareMcpPython(): string | undefined {
  const { MCP_PYTHON } = process.env;
  if (MCP_PYTHON !== undefined) return MCP_PYTHON;
  const environment = `${CACHE}${PACKAGE.replace('==', '-')}`;
  const python = `${environment}/bin/python`;
  if (existsSync(python) && run(python, ['-c', 'import mcp']) === undefined) return python;
  mkdirSync(CACHE, { recursive: true });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PACKAGE];
  const problem = run('python3', ['-m', 'venv', '--clear', environment]) ?? run(python, pip);
  if (problem === undefined) return python;
  rmSync(environment, { recursive: true, force: true });
  console.error(`SKIPPED: the MCP SDK for Python cannot be installed: ${problem}`);
  return undefined;
}

/**
 * Runs a program.
 * @returns the error message; undefined if the program succeeded
 */
function run(program: string, args: readonly string[]): string | undefined {
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: TIMEOUT_SECONDS * 1000 });
  return status === 0 ? undefined : (error?.message ?? (stderr.trim().split('\n').at(-1) || `status ${status}`));
}

import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { findImport } from './imports.ts';

/** The suite, and the kinds of tests that have their own command. */
export type TestKind = 'suite' | 'browser' | 'sweeps' | 'system' | 'distribution';

/** The folders in which every test has the same kind. */
const FOLDERS: Readonly<Record<string, TestKind>> = {
  browser: 'browser',
  sweeps: 'sweeps',
  crash: 'system',
  cluster: 'system',
  clients: 'system',
  distribution: 'distribution',
};

/** Modules that test code uses to start Grantlog as a process, PostgreSQL, or programs in other languages. */
const STARTS_PROGRAMS = [
  /^test\/support\/(?:typescript|server-process|drill-client|login-drill|snippets)\.ts$/,
  /^scripts\/(?:postgres\/server|cluster\/node-process)\.ts$/,
];

/** Returns the test files of a kind, relative to the project root. Every test file has exactly one kind. */
export function findTests(kind: TestKind): readonly string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => join('test', file))
    .filter(isTestFile)
    .filter((file) => findKind(file) === kind)
    .toSorted();
}

/** @param file relative to the project root */
export const isTestFile = (file: string): boolean => file.startsWith(`test${sep}`) && file.endsWith('.test.ts');

function findKind(file: string): TestKind {
  const [, folder = ''] = file.split('/');
  return FOLDERS[folder] ?? (findImport(file, STARTS_PROGRAMS) === undefined ? 'suite' : 'system');
}

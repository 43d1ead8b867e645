#!/usr/bin/env node
// This is plain JavaScript without dependencies, because it also runs before anything is built or installed.
//
//   node scripts/check-build.mjs           fails unless dist was built from the current sources
//   node scripts/check-build.mjs --write   records the sources from which dist was built (part of `npm run build`)
//   node scripts/check-build.mjs --build   builds dist if it is missing or outdated (part of `npm ci`)
//
// It compares contents instead of file times, because a checkout of a different commit changes the times.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const RECORD = join(ROOT, 'dist', '.sources.json');
const PROGRAM = join(ROOT, 'dist', 'main.js');

/** Hashes each file that the compiler reads. Returns no hashes in the npm package, which has no sources. */
function hashSources() {
  if (!existsSync(join(ROOT, 'src'))) return {};
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name));
  const paths = ['tsconfig.json', 'tsconfig.build.json', ...sources].toSorted();
  const digest = (path) =>
    createHash('sha256')
      .update(readFileSync(join(ROOT, path)))
      .digest('base64url');
  return Object.fromEntries(paths.map((path) => [path, digest(path)]));
}

function readRecord() {
  try {
    return JSON.parse(readFileSync(RECORD, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Returns the problem with dist, or undefined if it was built from the current sources. */
function findProblem() {
  if (!existsSync(PROGRAM)) return 'The server is not built: dist/main.js does not exist.';
  const sources = hashSources();
  if (Object.keys(sources).length === 0) return undefined;
  const record = readRecord();
  if (record === undefined) return 'dist has no record of the sources it was built from.';
  const changedFiles = [...new Set([...Object.keys(sources), ...Object.keys(record)])].filter(
    (path) => sources[path] !== record[path],
  );
  if (changedFiles.length === 0) return undefined;
  const files = changedFiles.length === 1 ? '1 source file has' : `${changedFiles.length} source files have`;
  return `dist is outdated: ${files} changed since it was built, such as ${changedFiles[0]}.`;
}

function build() {
  if (findProblem() === undefined) return 0;
  if (!existsSync(join(ROOT, 'node_modules', 'typescript'))) {
    console.log('dist was not built, because the compiler is a development dependency that is not installed.');
    return 0;
  }
  console.log('Building the server …');
  return spawnSync('npm', ['run', '-s', 'build'], { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}

function check() {
  const problem = findProblem();
  if (problem === undefined) return 0;
  const isInstalled = existsSync(join(ROOT, 'node_modules', 'typescript'));
  console.error(`${problem}\n${isInstalled ? 'Run: npm run build' : 'Run: npm ci'}`);
  return 1;
}

const [option] = process.argv.slice(2);
if (option === '--write') writeFileSync(RECORD, JSON.stringify(hashSources()));
else process.exitCode = option === '--build' ? build() : check();

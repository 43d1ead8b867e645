import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeImage, type Image } from './flip-image.ts';
import type { Look, Observed } from './flip-trial.ts';
import { seededChoice, type Choice } from './seeded-choice.ts';
import { RUN_TYPESCRIPT } from './typescript.ts';

/** The outcome of one damage: a flipped bit, or a truncated file. */
export type Outcome =
  /** The server refuses to start, with a reason. */
  | 'refused'
  /** LevelDB aborts the process, at the start or soon after. */
  | 'aborted'
  /** Nothing has changed, and nothing reports the damage. */
  | 'harmless'
  /** Nothing has changed. The start, the check after it, `log verify` or `doctor` reports the damage. */
  | 'harmless, told'
  /** Something has changed, and one of them reports the damage. */
  | 'wrong, told'
  /** Only events that were acknowledged in the last moment before the server died are missing. */
  | 'in the window'
  | 'silently wrong';

export const OUTCOMES: readonly Outcome[] = [
  'refused',
  'aborted',
  'harmless',
  'harmless, told',
  'wrong, told',
  'in the window',
  'silently wrong',
];

export interface Trial {
  readonly kind: string;
  readonly damage: 'flip' | 'cut';
  readonly outcome: Outcome;
  /** The file, and the place of the damage. */
  readonly where: string;
  /** The message, or the difference. */
  readonly detail: string;
}

export interface FlipDrill {
  /** An empty directory to work in. */
  readonly workplace: string;
  readonly flips: number;
  readonly cuts: number;
  readonly seed: number;
  /** The only kind of files to damage, such as "tile"; all kinds if omitted. */
  readonly kind?: string | undefined;
  readonly progress: (done: readonly Trial[]) => void;
}

/** The kinds of files by path; the first match counts. */
const KINDS: readonly (readonly [kind: string, path: RegExp])[] = [
  ['LevelDB table', /^log\/.*\.ldb$/],
  ['LevelDB write-ahead log', /^log\/.*\.log$/],
  ['LevelDB MANIFEST', /^log\/MANIFEST/],
  ['LevelDB CURRENT', /^log\/CURRENT$/],
  ['LevelDB LOG, LOCK', /^log\//],
  ['recorded head', /^log\.head$/],
  ['snapshot', /^snapshots\//],
  ['archive, records', /^archive\/.*\.gz$/],
  ['archive, index', /^archive\/.*\.index$/],
  ['archive, seal', /^archive\/.*\.seal$/],
  ['tile', /^tile\//],
  ['checkpoints', /^checkpoints\//],
  ['users.keys', /^keys\/users\.keys$/],
  ['clients.keys', /^keys\/clients\.keys$/],
  ['server keys', /^keys\//],
  ['other', /(?:)/],
];

export const KIND_NAMES: readonly string[] = KINDS.map(([kind]) => kind);

/** Flips bits and truncates files in copies of a data directory, and compares a server on each with the original. */
export async function flipDrill(drill: FlipDrill): Promise<readonly Trial[]> {
  const { workplace, flips, cuts, seed, kind, progress } = drill;
  const original = join(workplace, 'image');
  const image = await makeImage(join(workplace, 'made'), original, `image ${seed}`);
  rmSync(join(workplace, 'made'), { recursive: true });
  const files = filesByKind(original, kind);
  const looker = createLooker();
  try {
    const reference = await onCopy(original, (dataDir) => looker.look<Observed>({ look: 'observe', dataDir, image }));
    if (reference?.refusal !== undefined || reference?.said.length !== 0) {
      const { refusal, said } = reference ?? {};
      throw new Error(`the original is not sound: ${JSON.stringify({ refusal, said })}`);
    }
    const choice = seededChoice(seed);
    const trials: Trial[] = [];
    for (let at = 0; at < flips + cuts; at += 1) {
      trials.push(await oneTrial(at < flips ? 'flip' : 'cut', { original, image, files, reference, choice, looker }));
      progress(trials);
    }
    return trials;
  } finally {
    looker.end();
  }
}

interface Looker {
  /** Undefined when the damage has ended the process that looks. */
  look<Found>(asked: Look): Promise<Found | undefined>;
  end(): void;
}

interface Answer<Found> {
  readonly found?: Found;
  readonly failed?: string;
}

const TRIAL = fileURLToPath(new URL('flip-trial.ts', import.meta.url));

/** One process inspects many directories; another one replaces it after a crash. */
function createLooker(): Looker {
  let child: ChildProcess | undefined;
  let ended: Promise<undefined> = Promise.resolve(undefined);

  async function start(): Promise<ChildProcess> {
    const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const;
    const started = spawn(process.execPath, [RUN_TYPESCRIPT, TRIAL], { stdio: [...stdio] });
    ended = once(started, 'exit').then(() => {
      child = undefined;
      return undefined;
    });
    await once(started, 'message');
    child = started;
    return started;
  }

  return {
    async look<Found>(asked: Look) {
      const looking = child ?? (await start());
      const answer = once(looking, 'message').then(([message]) => message as Answer<Found>);
      looking.send(asked);
      const answered = await Promise.race([answer, ended]);
      if (answered?.failed !== undefined) throw new Error(answered.failed);
      return answered?.found;
    },
    end: () => void child?.kill(),
  };
}

/** @throws Error there are no files of the kind `wanted` */
function filesByKind(directory: string, wanted: string | undefined): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = relative(directory, join(entry.parentPath, entry.name));
    if (!entry.isFile() || statSync(join(directory, path)).size === 0) continue;
    const [kind = 'other'] = KINDS.find(([, pattern]) => pattern.test(path)) ?? [];
    if (wanted !== undefined && kind !== wanted) continue;
    files.set(kind, [...(files.get(kind) ?? []), path].toSorted());
  }
  if (files.size === 0) throw new Error(`the data directory has no files of the kind ${wanted}`);
  return files;
}

interface Drilling {
  readonly original: string;
  readonly image: Image;
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly reference: Observed;
  readonly choice: Choice;
  readonly looker: Looker;
}

async function oneTrial(damage: Trial['damage'], drilling: Drilling): Promise<Trial> {
  const { original, image, files, reference, choice, looker } = drilling;
  const kind = choice.of([...files.keys()]) ?? '';
  const file = choice.of(files.get(kind) ?? []) ?? '';
  const at = choice.below(statSync(join(original, file)).size);
  const bit = choice.below(8);
  const inflict = (directory: string): void => inflictOn(join(directory, file), damage, at, bit);
  const where = `${file} ${damage === 'flip' ? `byte ${at} bit ${bit}` : `cut at ${at}`}`;
  const looking = <Found>(ask: (dataDir: string) => Look): Promise<Found | undefined> =>
    onCopy(original, (dataDir) => looker.look<Found>(ask(dataDir)), inflict);
  const told = await looking<readonly string[]>((dataDir) => ({ look: 'tellings', dataDir }));
  const observed = await looking<Observed>((dataDir) => ({ look: 'observe', dataDir, image }));
  const judged = judge(observed, { told: told ?? ['log verify: it ended the process'], reference, image });
  return { kind, damage, where, ...judged };
}

function inflictOn(path: string, damage: Trial['damage'], at: number, bit: number): void {
  if (damage === 'cut') return truncateSync(path, at);
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  writeFileSync(path, bytes);
}

async function onCopy<T>(
  original: string,
  use: (directory: string) => Promise<T>,
  change: (directory: string) => void = () => {},
): Promise<T> {
  const directory = mkdtempSync(`${original}-`);
  try {
    cpSync(original, directory, { recursive: true });
    change(directory);
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function judge(
  observed: Observed | undefined,
  { told, reference, image }: { readonly told: readonly string[]; readonly reference: Observed; readonly image: Image },
): Pick<Trial, 'outcome' | 'detail'> {
  if (observed === undefined) return { outcome: 'aborted', detail: told.join(' | ') };
  if (observed.refusal !== undefined) return { outcome: 'refused', detail: observed.refusal };
  const { seen } = observed;
  const different = Object.entries(reference.seen).flatMap(([name, value]) => (seen[name] === value ? [] : [name]));
  if (observed.records.join('\n') !== reference.records.join('\n')) different.push('records');
  const words = [...observed.said, ...told];
  const detail = [...(different.length === 0 ? [] : [`different: ${different.join(', ')}`]), ...words].join(' | ');
  if (different.length === 0) return { outcome: words.length > 0 ? 'harmless, told' : 'harmless', detail };
  if (words.length > 0) return { outcome: 'wrong, told', detail };
  const { records } = observed;
  const isShorter = records.length >= image.recorded && records.length < reference.records.length;
  const isBeginning = records.every((record, at) => record === reference.records[at]);
  return { outcome: isShorter && isBeginning ? 'in the window' : 'silently wrong', detail };
}

/** The number of each outcome for each kind of file. */
export function countOutcomes(trials: readonly Trial[]): ReadonlyMap<string, Readonly<Record<Outcome, number>>> {
  const counted = new Map<string, Record<Outcome, number>>();
  for (const [kind] of KINDS) {
    const of = trials.filter((trial) => trial.kind === kind);
    if (of.length === 0) continue;
    const count = (outcome: Outcome): number => of.filter((trial) => trial.outcome === outcome).length;
    const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, count(outcome)]));
    counted.set(kind, counts as Record<Outcome, number>);
  }
  return counted;
}

/** One sample of a metric. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^([a-z_:]\w*)(?:\{(.*)\})? (\S+)$/i;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/**
 * Parses the Prometheus text format.
 * @throws Error if a line is malformed
 */
export function parseSamples(text: string): readonly Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !/^# (?:HELP|TYPE) \w+ \S/.test(line))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
      if (
        name === '' ||
        labels.replaceAll(LABEL, '').replaceAll(',', '') !== '' ||
        Number.isNaN(Number(value.replace('+Inf', 'Infinity')))
      )
        throw new Error(`not a sample: ${line}`);
      return {
        name,
        labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, label = '', content = '']) => [label, content])),
        value: Number(value),
      };
    });
}

/** Sums up all samples of `name` that have at least these labels. */
export function sumSamples(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number {
  return parseSamples(text)
    .filter(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);
}

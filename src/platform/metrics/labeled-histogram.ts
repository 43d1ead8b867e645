import type { Histogram, MetricType, MetricValueWithName, Registry } from 'prom-client';

export interface HistogramDescription {
  readonly name: string;
  readonly help: string;
  /** The name of the only label. */
  readonly label: string;
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
}

/** The observations for one value of the label. */
export interface Series {
  observe(value: number): void;
}

/**
 * Registers a histogram with one label whose values are declared in advance. It is fast enough to use on every
 * request: prom-client's histogram validates and hashes the labels of each observation, which is more than ten times
 * slower (`npm run bench -- micro`). The registry collects it like any other metric. Series
 * without observations are left out.
 * @returns a function that adds the series for a value of the label
 */
export function registerHistogram(
  { name, help, label, buckets }: HistogramDescription,
  registry: Registry,
): (value: string) => Series {
  const series = new Map<string, { readonly counts: number[]; sum: number }>();

  function seriesValues(
    labelValue: string,
    { counts, sum }: { readonly counts: number[]; readonly sum: number },
  ): MetricValueWithName<string>[] {
    let cumulative = 0;
    const bucketValues = [...buckets, '+Inf'].map((le, index) => ({
      metricName: `${name}_bucket`,
      labels: { le, [label]: labelValue },
      value: (cumulative += counts[index] ?? 0),
    }));
    return cumulative === 0
      ? []
      : [
          ...bucketValues,
          { metricName: `${name}_sum`, labels: { [label]: labelValue }, value: sum },
          { metricName: `${name}_count`, labels: { [label]: labelValue }, value: cumulative },
        ];
  }

  const get = async () => ({
    name,
    help,
    type: 'histogram' as unknown as MetricType.Histogram,
    aggregator: 'sum' as const,
    values: [...series].flatMap(([labelValue, totals]) => seriesValues(labelValue, totals)),
  });
  registry.registerMetric({ name, get, reset: () => series.clear() } as unknown as Histogram);

  return (labelValue) => {
    const totals = { counts: [...buckets, '+Inf'].map(() => 0), sum: 0 };
    series.set(labelValue, totals);
    return {
      observe(value) {
        let index = 0;
        while (index < buckets.length && value > (buckets[index] ?? 0)) index += 1;
        totals.counts[index] = (totals.counts[index] ?? 0) + 1;
        totals.sum += value;
      },
    };
  };
}

/** A line chart over a few equidistant labels. */
export interface LineChart {
  readonly title: string;
  readonly unit: string;
  readonly labels: readonly string[];
  /** One value per label; NaN for a gap. */
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const [WIDTH, HEIGHT] = [640, 300];
const PLOT = { left: 70, right: WIDTH - 20, top: 60, bottom: HEIGHT - 40 };
const GRID_LINES = 4;
/** Readable on white and black backgrounds. */
const [INK, GRID] = ['#768390', '#76839055'];
const COLORS = ['#3f83f8', '#d97706', '#16a34a'];

/** Draws a chart as SVG without style sheets or scripts, so that it works as an image. */
export function drawLineChart({ title, unit, labels, series }: LineChart): string {
  const top = niceCeiling(Math.max(...series.flatMap(({ values }) => values.filter(Number.isFinite)), 0));
  const x = (index: number): number => PLOT.left + ((index + 0.5) * (PLOT.right - PLOT.left)) / labels.length;
  const y = (value: number): number => PLOT.bottom - (value / top) * (PLOT.bottom - PLOT.top);
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" ` +
      `font-family="system-ui, sans-serif" font-size="13" fill="${INK}">`,
    `<title>${escapeXml(title)}</title>`,
    `<text x="${PLOT.left}" y="22" font-size="15" font-weight="600">${escapeXml(title)}</text>`,
    `<text x="8" y="${PLOT.top - 14}">${escapeXml(unit)}</text>`,
    ...Array.from({ length: GRID_LINES + 1 }, (_, line) => drawGridLine((top * line) / GRID_LINES, y)),
    ...labels.map(
      (label, index) =>
        `<text x="${round(x(index))}" y="${PLOT.bottom + 22}" text-anchor="middle">${escapeXml(label)}</text>`,
    ),
    ...series.flatMap(({ name, values }, index) =>
      drawSeries(name, values, { color: COLORS[index % COLORS.length] ?? INK, index, x, y }),
    ),
    '</svg>',
  ].join('\n')}\n`;
}

function drawGridLine(value: number, y: (value: number) => number): string {
  const top = round(y(value));
  const line = `<path d="M${PLOT.left} ${top}H${PLOT.right}" stroke="${GRID}"/>`;
  const label = `<text x="${PLOT.left - 8}" y="${top + 4}" text-anchor="end">${formatValue(value)}</text>`;
  return line + label;
}

function drawSeries(
  name: string,
  values: readonly number[],
  {
    color,
    index: seriesIndex,
    x,
    y,
  }: {
    readonly color: string;
    readonly index: number;
    readonly x: (index: number) => number;
    readonly y: (value: number) => number;
  },
): readonly string[] {
  const points = values.flatMap((value, index) =>
    Number.isFinite(value) ? [{ left: round(x(index)), top: round(y(value)), value }] : [],
  );
  const legend = PLOT.left + 40 + seriesIndex * 160;
  const corners = points.map(({ left, top }) => `${left},${top}`).join(' ');
  return [
    `<polyline points="${corners}" fill="none" stroke="${color}" stroke-width="2"/>`,
    ...points.map(
      ({ left, top, value }) =>
        `<circle cx="${left}" cy="${top}" r="4" fill="${color}">` +
        `<title>${escapeXml(name)}: ${formatValue(value)}</title></circle>`,
    ),
    `<path d="M${legend} ${PLOT.top - 18}h18" stroke="${color}" stroke-width="3"/>` +
      `<text x="${legend + 24}" y="${PLOT.top - 14}">${escapeXml(name)}</text>`,
  ];
}

/** Smaller values are treated as zero, because powers of ten would underflow. */
const NEGLIGIBLE = 1e-300;

/** Returns the smallest of 1, 2, 2.5 or 5 times a power of ten that is at least `value`; 1 for negligible values. */
export function niceCeiling(value: number): number {
  if (!(value > NEGLIGIBLE)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5].find((step) => step * power >= value) ?? 10) * power;
}

function formatValue(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

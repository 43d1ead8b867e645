import { encode } from 'uqr';

/** A QR code (ISO/IEC 18004) as a path in an SVG image. Each module of the code is one unit wide. */
export interface QrCode {
  readonly size: number;
  readonly path: string;
}

/** Returns the QR code of the text. Pages can show it without scripts or requests to other servers. */
export function qrCode(text: string): QrCode {
  const { size, data } = encode(text, { border: 2 });
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: modules.join('') };
}

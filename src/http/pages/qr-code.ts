import { encode } from 'uqr';

/** A QR code (ISO/IEC 18004) as the path of an SVG whose units are the code's modules. */
export interface QrCode {
  readonly size: number;
  readonly path: string;
}

/** Returns the text's QR code, generated on this server so that pages need no scripts or other servers to show it. */
export function qrCode(text: string): QrCode {
  const { size, data } = encode(text, { border: 2 });
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: modules.join('') };
}

import { expect } from 'chai';
import fc from 'fast-check';
import { readLogo } from '../../../src/platform/logos/read-logo.ts';
import { jpeg, jpegSegment, png, pngChunk, webp, webpChunk } from '../../support/images.ts';
import { englishProblem } from '../../support/english-problems.ts';

const findProblem = (file: Buffer): string | undefined => {
  const result = readLogo(file);
  return 'problem' in result ? englishProblem(result.problem) : undefined;
};
const readBytes = (file: Buffer): Buffer => {
  const result = readLogo(file);
  if ('problem' in result) throw new Error(result.problem.key);
  return Buffer.from(result.image.base64, 'base64');
};
const SECRET = Buffer.from('52.5200 N, 13.4050 E <script>alert(1)</script>');
const FORMATS = { 'image/png': png, 'image/jpeg': jpeg, 'image/webp': webp } as const;
const WITH_METADATA = {
  'image/png': png({ more: [pngChunk('tEXt', SECRET), pngChunk('eXIf', SECRET), pngChunk('acTL', Buffer.alloc(8))] }),
  'image/jpeg': jpeg({ more: [jpegSegment(0xe1, SECRET), jpegSegment(0xfe, SECRET)] }),
  'image/webp': webp({ after: [webpChunk('EXIF', SECRET), webpChunk('XMP ', SECRET)] }),
};

describe('A logo', () => {
  for (const [mediaType, image] of Object.entries(FORMATS)) {
    describe(`of the type ${mediaType}`, () => {
      it('is recognized by its content, and is not changed', () => {
        const file = image();
        expect(readLogo(file)).to.deep.equal({ image: { mediaType, base64: file.toString('base64') } });
      });

      it('has from 16 to 1,024 pixels on each side', () => {
        for (const side of [16, 1_024]) expect(findProblem(image({ width: side, height: side }))).to.equal(undefined);
        for (const [width, height] of [
          [15, 64],
          [64, 15],
          [1_025, 64],
          [64, 1_025],
        ] as const)
          expect(findProblem(image({ width, height })), `${width} × ${height}`).to.include(
            `${width} × ${height} pixels`,
          );
      });

      it('is stripped of its metadata', () => {
        const file = WITH_METADATA[mediaType as keyof typeof WITH_METADATA];
        expect(file.includes('<script>')).to.equal(true);
        expect(readBytes(file)).to.deep.equal(image());
      });

      it('is refused if data follows it', () => {
        for (const tail of ['\0', '<script>alert(1)</script>', 'PK\u0003\u0004'])
          expect(findProblem(Buffer.concat([image(), Buffer.from(tail)]))).to.include(
            'The file contains more than the image',
          );
      });

      it('is refused if it is truncated at any byte', () => {
        const file = image();
        for (let length = 1; length < file.length; length += 1)
          expect(findProblem(file.subarray(0, length)), String(length)).to.be.a('string');
      });

      it('is read without an exception for any content, and an accepted image is read back unchanged', () => {
        const file = image();
        const change = fc.record({ at: fc.nat(file.length - 1), byte: fc.nat(255) });
        fc.assert(
          fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
            const damagedFile = Buffer.from(file);
            for (const { at, byte } of changes) damagedFile[at] = byte;
            const result = readLogo(damagedFile);
            if ('image' in result) expect(readLogo(Buffer.from(result.image.base64, 'base64'))).to.deep.equal(result);
          }),
        );
      });
    });
  }

  it('is refused if it has more than 24 KiB, and the problem states its size', () => {
    const maxBytes = 24_576 - png({ more: [pngChunk('tEXt', Buffer.alloc(0))] }).length;
    expect(findProblem(png({ more: [pngChunk('tEXt', Buffer.alloc(maxBytes))] }))).to.equal(undefined);
    expect(findProblem(png({ more: [pngChunk('tEXt', Buffer.alloc(maxBytes + 1))] }))).to.include('24.0 KiB');
    expect(findProblem(Buffer.alloc(250_000))).to.include('244.1 KiB');
  });

  it('is refused if it is not an image, with advice for SVG', () => {
    expect(findProblem(Buffer.alloc(0))).to.equal('Choose a file.');
    for (const text of ['GIF89a', '<html>', '%PDF-1.7', '#!/bin/sh', 'RIFF....WAVE'])
      expect(findProblem(Buffer.from(text)), text).to.equal('The file is not a PNG, JPEG or WebP image.');
    for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '\n<?xml version="1.0"?><svg/>', '<!DOCTYPE svg>'])
      expect(findProblem(Buffer.from(text)), text).to.include('SVG is not accepted');
  });

  it('is refused if it is animated', () => {
    expect(findProblem(webp({ before: [webpChunk('ANIM', Buffer.alloc(6))] }))).to.include('animated');
  });

  it('is refused if it has an image header, but contains no image', () => {
    const riff = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
    const header = webpChunk('VP8X', Buffer.from([0, 0, 0, 0, 63, 0, 0, 63, 0, 0]));
    riff.writeUInt32LE(header.length + 4, 4);
    expect(findProblem(Buffer.concat([riff, header]))).to.include('contains no image');
  });
});

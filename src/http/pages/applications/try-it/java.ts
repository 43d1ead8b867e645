import { asciiLiteral, utf16Escape } from './ascii-literal.ts';
import { formWithCredentials, headersOf, requiredBasic, type ExampleRequest } from './example-request.ts';

/** Returns the request as a program for Java 11 or newer, which `java Main.java` compiles and runs. */
export function asJava(request: ExampleRequest): string {
  const form = formWithCredentials(request);
  const basic = requiredBasic(request);
  return [
    'import java.net.URI;',
    ...(form === null ? [] : ['import java.net.URLEncoder;']),
    'import java.net.http.HttpClient;',
    'import java.net.http.HttpRequest;',
    'import java.net.http.HttpResponse;',
    ...(form === null ? [] : ['import java.nio.charset.StandardCharsets;']),
    ...(basic === null ? [] : ['import java.util.Base64;']),
    '',
    'public class Main {',
    '    public static void main(String[] args) throws Exception {',
    ...(form === null ? [] : [`${['        String form = String.join("&"', ...form.map(formatField)].join(',\n')});`]),
    ...(basic === null
      ? []
      : [
          '        String credentials = Base64.getEncoder()',
          `            .encodeToString(${literal(basic)}.getBytes(StandardCharsets.UTF_8));`,
        ]),
    `        HttpRequest request = HttpRequest.newBuilder(URI.create(${literal(request.url)}))`,
    ...headersOf(request).map(([name, value]) => `            .header(${literal(name)}, ${literal(value)})`),
    ...(basic === null ? [] : ['            .header("Authorization", "Basic " + credentials)']),
    ...(form === null
      ? []
      : [
          '            .header("Content-Type", "application/x-www-form-urlencoded")',
          '            .POST(HttpRequest.BodyPublishers.ofString(form))',
        ]),
    '            .build();',
    '        HttpResponse<String> response = HttpClient.newHttpClient()',
    '            .send(request, HttpResponse.BodyHandlers.ofString());',
    '        System.out.println(response.body());',
    '    }',
    ...(form === null ? [] : ['', ...FIELD_METHOD]),
    '}',
  ].join('\n');
}

const FIELD_METHOD = [
  '    static String field(String name, String value) {',
  '        return name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);',
  '    }',
];

function formatField([name, value]: readonly [string, string]): string {
  return `            field(${literal(name)}, ${literal(value)})`;
}

/**
 * Returns a string literal. Java decodes `\uXXXX` before it finds the end of a literal, so control characters need
 * octal escapes (JLS §3.3, §3.10.7).
 */
function literal(text: string): string {
  return asciiLiteral(text, {
    escapeControl: (code) => `\\${code.toString(8).padStart(3, '0')}`,
    escapeNonAscii: utf16Escape,
  });
}

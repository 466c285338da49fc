/** A request as code, in the languages that most people call an API with. Each text is complete and runs as it is. */
import type { Request } from './request.ts'

const isJson = ({ headers, body }: Request): boolean => {
  if (body === null || !headers.some(([name, value]) => name === 'Content-Type' && /[/+]json\b/i.test(value)))
    return false
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}

const quoted = (text: string): string => JSON.stringify(text)
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)

const curl = ({ method, url, headers, body }: Request): string =>
  [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shell(url)}`,
    ...headers.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${shell(body)}`]),
  ].join(' \\\n  ')

const javascript = (request: Request): string => {
  const { method, url, headers, body } = request
  const literal = (text: string): string => (isJson(request) ? `JSON.stringify(${indented(text, '  ')})` : quoted(text))
  const written = body === null ? '' : literal(body)
  return [
    `const response = await fetch(${quoted(url)}, {`,
    `  method: ${quoted(method)},`,
    ...(headers.length === 0
      ? []
      : ['  headers: {', ...headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`), '  },']),
    ...(body === null ? [] : [`  body: ${written},`]),
    '})',
    'console.log(response.status, await response.text())',
  ].join('\n')
}

/** A JSON value as Python writes it. */
const pythonValue = (value: unknown, indent: string): string => {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const deeper = `${indent}    `
  const parts = Array.isArray(value)
    ? value.map((it) => pythonValue(it, deeper))
    : Object.entries(value).map(([name, it]) => `${quoted(name)}: ${pythonValue(it, deeper)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return parts.length === 0
    ? open + close
    : `${open}\n${parts.map((it) => `${deeper}${it},`).join('\n')}\n${indent}${close}`
}

const python = (request: Request): string => {
  const { method, url, headers, body } = request
  const asJson = isJson(request)
  const shown = asJson ? headers.filter(([name]) => name !== 'Content-Type') : headers
  return [
    'import requests',
    '',
    'response = requests.request(',
    `    ${quoted(method)},`,
    `    ${quoted(url)},`,
    ...(shown.length === 0
      ? []
      : ['    headers={', ...shown.map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},`), '    },']),
    ...(body === null
      ? []
      : [asJson ? `    json=${pythonValue(JSON.parse(body), '    ')},` : `    data=${quoted(body)},`]),
    ')',
    'print(response.status_code, response.text)',
  ].join('\n')
}

const go = ({ method, url, headers, body }: Request): string => {
  const literal = (words: string): string => (/[`\r]/.test(words) ? quoted(words) : `\`${words}\``)
  const text = body === null ? '' : literal(body)
  const imports = ['fmt', 'io', 'net/http', ...(body === null ? [] : ['strings'])]
  return [
    'package main',
    '',
    'import (',
    ...imports.map((it) => `\t${quoted(it)}`),
    ')',
    '',
    'func main() {',
    ...(body === null ? [] : [`\tbody := strings.NewReader(${text})`]),
    `\trequest, err := http.NewRequest(${quoted(method)}, ${quoted(url)}, ${body === null ? 'nil' : 'body'})`,
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    ...headers.map(([name, value]) => `\trequest.Header.Set(${quoted(name)}, ${quoted(value)})`),
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer response.Body.Close()',
    '\ttext, err := io.ReadAll(response.Body)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tfmt.Println(response.StatusCode, string(text))',
    '}',
  ].join('\n')
}

/** A text between three quotation marks, as Java has it; what that would change is written on one line. */
const javaText = (text: string): string => {
  if (!text.includes('\n') || /[\r\t]|[ ]\n/.test(text)) return quoted(text)
  return `"""\n        ${indented(text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"""'), '        ')}"""`
}

const java = ({ method, url, headers, body }: Request): string =>
  [
    'import java.net.URI;',
    'import java.net.http.*;',
    '',
    'public class Main {',
    '    public static void main(String[] args) throws Exception {',
    `        var request = HttpRequest.newBuilder(URI.create(${quoted(url)}))`,
    ...headers.map(([name, value]) => `            .header(${quoted(name)}, ${quoted(value)})`),
    `            .method(${quoted(method)}, HttpRequest.BodyPublishers.${body === null ? 'noBody()' : `ofString(${javaText(body)})`})`,
    '            .build();',
    '        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
    '        System.out.println(response.statusCode() + " " + response.body());',
    '    }',
    '}',
  ].join('\n')

const csharp = ({ method, url, headers, body }: Request): string => {
  const raw = body !== null && body.includes('\n') && !/"""|\r/.test(body)
  const literal = (words: string): string => (raw ? `"""\n    ${indented(words, '    ')}\n    """` : quoted(words))
  const text = body === null ? '' : literal(body)
  const type = headers.find(([name]) => name === 'Content-Type')?.[1]
  return [
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(new HttpMethod(${quoted(method)}), ${quoted(url)});`,
    ...headers
      .filter(([name]) => name !== 'Content-Type')
      .map(([name, value]) => `request.Headers.TryAddWithoutValidation(${quoted(name)}, ${quoted(value)});`),
    ...(body === null
      ? []
      : [
          `request.Content = new StringContent(${text});`,
          ...(type === undefined
            ? []
            : [
                `request.Content.Headers.ContentType = System.Net.Http.Headers.MediaTypeHeaderValue.Parse(${quoted(type)});`,
              ]),
        ]),
    'using var response = await client.SendAsync(request);',
    'Console.WriteLine((int)response.StatusCode + " " + await response.Content.ReadAsStringAsync());',
  ].join('\n')
}

/** The languages of samples, in the order in which they are offered. */
export const languages = [
  { id: 'curl', name: 'curl', write: curl },
  { id: 'javascript', name: 'JavaScript', write: javascript },
  { id: 'python', name: 'Python', write: python },
  { id: 'go', name: 'Go', write: go },
  { id: 'java', name: 'Java', write: java },
  { id: 'csharp', name: 'C#', write: csharp },
] as const satisfies readonly { id: string; name: string; write: (request: Request) => string }[]

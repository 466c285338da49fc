/** Policies with requests, and what has to become of each in every engine. */
import type { Json } from '../../src/kernel/json.ts'
import { readPolicyFile } from '../../cli/gateway/compile/policy-file.ts'
import type { Policy } from '../../src/gateway-policy/model.ts'

export interface Sent {
  readonly method?: string
  readonly uri: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** From which address of the loopback network. */
  readonly ip?: string
}
/** "pass", or the status of the refusal. */
type Expected = 'pass' | number
export interface Case {
  readonly why: string
  readonly sent: Sent
  readonly expected: Expected
  /** What ModSecurity with the rule set of Debian does instead, where that differs and the settings say so. */
  readonly modsecurity?: Expected
}
export interface Scenario {
  readonly name: string
  readonly policy: Policy
  readonly document: Json
  readonly cases: readonly Case[]
}

const later = '2090-01-01T00:00:00Z'
const earlier = '2020-01-01T00:00:00Z'
const sqli = "1'+OR+'1'='1'--+"
const xss = '<script>alert(1)</script>'.replaceAll('<', '%3C').replaceAll('>', '%3E')
const json = { 'Content-Type': 'application/json' }
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

function scenario(name: string, file: Json, cases: readonly Case[], document: Json = null): Scenario {
  const given = { bot: 'off', ...(file as object) } as unknown as Json
  const read = readPolicyFile(given, document !== null)
  if (!('policy' in read)) throw new Error(`${name}: ${JSON.stringify(read)}`)
  return { name, policy: read.policy, document, cases }
}
const at = (
  why: string,
  uri: string,
  expected: Expected,
  more: Omit<Sent, 'uri'> = {},
  modsecurity?: Expected,
): Case => ({
  why,
  sent: { uri, ...more },
  expected,
  ...(modsecurity === undefined ? {} : { modsecurity }),
})
const exception = (id: string, scope: object, target: object, expiresAt = later) =>
  ({ id, scope, target, reason: 'r', expiresAt }) as Json
const rule = (id: string, action: string, expression: string | object, more: object = {}) =>
  ({ id, name: id, action, expression, ...more }) as Json

const document: Json = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': { get: { parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }], responses: {} } },
    '/pets/{id}': {
      get: { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }], responses: {} },
    },
    '/pets/mine': { get: { parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }], responses: {} } },
  },
}

export const scenarios: readonly Scenario[] = [
  scenario('tier standard', {}, [
    at('a usual request', '/pets?limit=5', 'pass'),
    at('SQL injection', `/s?p=${sqli}`, 403),
    at('a script', `/s?p=${xss}`, 403),
    at('one finding is enough', '/s', 403, { headers: { 'User-Agent': 'nikto' } }),
    at('PUT is a method of APIs', '/s', 'pass', { method: 'PUT', body: '{"a":1}', headers: json }),
    at('SQL injection in JSON', '/s', 403, { method: 'POST', body: `{"a":"1' OR '1'='1'-- "}`, headers: json }),
    at('a body that is no JSON', '/s', 400, { method: 'POST', body: '{"a":', headers: json }),
    at('a media type of JSON with a suffix', '/s', 400, {
      method: 'POST',
      body: '{"a":',
      headers: { 'Content-Type': 'Application/Merge-Patch+JSON; charset=utf-8' },
    }),
  ]),
  scenario('tier basic', { tier: 'basic' }, [
    at('one finding does not reach the threshold', '/s', 'pass', { headers: { 'User-Agent': 'nikto' } }),
    at('several do', `/s?p=${sqli}&q=${xss}`, 403),
  ]),
  scenario('tier off', { tier: 'off', rules: [rule('r', 'block', 'http.path eq "/no"')] }, [
    at('no managed group', `/s?p=${sqli}`, 'pass'),
    at('custom rules are there', '/no', 403),
  ]),
  scenario('a group off', { groups: { sqli: { mode: 'off', reason: 'r' } } }, [
    at('it finds nothing', `/s?p=${sqli}`, 'pass'),
    at('the others do', `/s?p=${xss}`, 403),
  ]),
  scenario('a group in log mode', { groups: { sqli: { mode: 'log', reason: 'r' } } }, [
    at('it adds no score', `/s?p=${sqli}`, 'pass'),
    at('the others do', `/s?p=${sqli}&q=${xss}`, 403),
  ]),
  scenario(
    'exceptions',
    {
      exceptions: [
        exception('query', { path: '/search', method: 'GET', field: 'query:q' }, { groups: ['sqli'] }),
        exception('ended', { path: '/old', field: 'query:q' }, { groups: ['sqli'] }, earlier),
        exception('all', { path: '/files/*' }, { groups: ['sqli'] }),
        exception('header', { path: '/h', field: 'header:X-Note' }, { groups: ['xss'] }),
        exception('odd', { path: '/odd', field: 'query:filter[a b]' }, { groups: ['sqli'] }),
        exception('list', { path: '/odd', field: 'query:ids[]' }, { groups: ['sqli'] }),
        exception('json', { path: '/j', field: 'json:/note' }, { groups: ['sqli'] }),
        exception('items', { path: '/j', field: 'json:/items/*/note' }, { groups: ['sqli'] }),
        exception('rule', { path: '/no/but' }, { ruleRefs: ['rule:no'] }),
      ],
      rules: [rule('no', 'block', 'http.path starts "/no"')],
    },
    [
      at('the field', `/search?q=${sqli}`, 'pass'),
      at('another field', `/search?p=${sqli}`, 403),
      at('another group in the field', `/search?q=${xss}`, 403),
      at('another place', `/search/more?q=${sqli}`, 403),
      at('another method', `/search?q=${sqli}`, 403, { method: 'DELETE' }),
      at('it ended', `/old?q=${sqli}`, 403),
      at('every field below a path', `/files/a/b?x=${sqli}`, 'pass'),
      at('the path itself is not below it', `/files/?x=${sqli}`, 403),
      at('a header', '/h', 'pass', { headers: { 'X-Note': '<script>alert(1)</script>' } }),
      at('another header', '/h', 403, { headers: { 'X-Other': '<script>alert(1)</script>' } }, 'pass'),
      at('a name with brackets and a blank', `/odd?filter%5Ba%20b%5D=${sqli}`, 'pass', {}, 403),
      at('a name with brackets', `/odd?ids%5B%5D=${sqli}`, 'pass'),
      at('a name like it', `/odd?filter%5Bb%5D=${sqli}`, 403),
      at('a property of JSON', '/j', 'pass', { method: 'POST', headers: json, body: `{"note":"1' OR '1'='1'-- "}` }),
      at('another property', '/j', 403, { method: 'POST', headers: json, body: `{"name":"1' OR '1'='1'-- "}` }),
      at(
        'a property of every item',
        '/j',
        'pass',
        { method: 'POST', headers: json, body: `{"items":[{"a":1},{"note":"1' OR '1'='1'-- "}]}` },
        403,
      ),
      at('another property of items', '/j', 403, {
        method: 'POST',
        headers: json,
        body: `{"items":[{"name":"1' OR '1'='1'-- "}]}`,
      }),
      at('a custom rule', '/no/more', 403),
      at('a custom rule that is excepted there', '/no/but', 'pass'),
    ],
  ),
  scenario(
    'custom rules',
    {
      tier: 'off',
      rules: [
        rule('let', 'allow', 'ip.src cidr ["127.0.0.3"] and http.path starts "/adm"'),
        rule('net', 'block', 'http.path starts "/adm" and not ip.src cidr ["127.0.0.0/30"]'),
        rule('both', 'block', 'http.method eq "DELETE" and http.path eq "/pets"', { status: 405 }),
        rule('none', 'block', 'http.path eq "/q" and not http.query.a eq "x"', { status: 400 }),
        rule('quoted', 'block', 'http.query.t eq "a\\"b\',deny%{tx.1}\\\\"', { status: 402 }),
        rule('host', 'block', 'http.host eq "evil.example"', { status: 421 }),
        rule('size', 'block', 'http.body.size gt 10 and http.path eq "/b"', { status: 413 }),
        rule('like', 'block', 'http.path matches "^/o[0-9]{2}$"', { status: 410 }),
        rule('eq', 'block', 'http.path eq "/exact"', { status: 409 }),
        rule('head', 'block', 'http.header.x-tool exists and http.path eq "/t"', { status: 406 }),
        rule('umlaut', 'block', 'http.query.n contains "ü"', { status: 411 }),
        rule(
          'odd',
          'block',
          {
            and: [
              { field: 'http.query.filter[a b]', op: 'eq', value: '1' },
              { not: { field: 'http.query.x/y|z', op: 'exists' } },
            ],
          },
          { status: 414 },
        ),
        rule('cookie', 'block', 'http.cookie.beta eq "1" and http.path eq "/c"', { status: 412 }),
      ],
    },
    [
      at('nothing applies', '/', 'pass'),
      at('outside of the network', '/adm', 403, { ip: '127.0.0.9' }),
      at('inside', '/adm', 'pass', { ip: '127.0.0.2' }),
      at('the first that applies decides', '/adm', 'pass', { ip: '127.0.0.3' }),
      at('both conditions', '/pets', 405, { method: 'DELETE' }),
      at('one of two conditions', '/pets', 'pass'),
      at('the other of two conditions', '/other', 'pass', { method: 'DELETE' }),
      at('a name that is not there is not the value', '/q', 400),
      at('no value is', '/q?a=y', 400),
      at('one of several is', '/q?a=y&a=x', 'pass'),
      at('quotes, commas, macros and backslashes', `/?t=a%22b%27%2Cdeny%25%7Btx.1%7D%5C`, 402),
      at('almost the same', `/?t=a%22b%27%2Cdeny%5C`, 'pass'),
      at('the host', '/', 421, { headers: { Host: 'EVIL.example:8080' } }),
      at('a large body', '/b', 413, { method: 'POST', headers: form, body: 'a=12345678901' }),
      at('a small body', '/b', 'pass', { method: 'POST', headers: form, body: 'a=1' }),
      at('a pattern', '/o12', 410),
      at('a pattern is anchored', '/o123', 'pass'),
      at('the exact path', '/exact', 409),
      at('the decoded path', '/ex%61ct', 409),
      at('a line end does not end a path', '/evil%0a/exact', 'pass'),
      at('a line end does not begin a path', '/exact%0a', 'pass'),
      at('a header that is there', '/t', 406, { headers: { 'X-Tool': '' } }),
      at('a header that is not there', '/t', 'pass'),
      at('a character beyond ASCII', '/?n=f%C3%BCr', 411),
      at('half of it', '/?n=f%C3', 'pass'),
      at('a name with brackets and a blank', '/?filter%5Ba%20b%5D=1', 414),
      at('a name with a slash is not there', '/?filter%5Ba%20b%5D=1&x%2Fy%7Cz=', 'pass'),
      at('a cookie', '/c', 412, { headers: { Cookie: 'a=2; beta=1' } }),
      at('another value of the cookie', '/c', 'pass', { headers: { Cookie: 'a=1; beta=11' } }),
    ],
  ),
  scenario(
    'skip',
    { rules: [rule('skip', 'skip', 'http.method eq "GET" and http.path eq "/raw"', { groups: ['sqli'] })] },
    [
      at('the group is skipped', `/raw?p=${sqli}`, 'pass'),
      at('other groups are not', `/raw?p=${xss}`, 403),
      at('one condition is not enough', `/other?p=${sqli}`, 403),
      at('nor is the other', `/raw?p=${sqli}`, 403, { method: 'DELETE' }),
    ],
  ),
  scenario(
    'routes',
    {
      positive: { checks: { undeclaredQuery: 'block', parameters: 'off' } },
      rules: [rule('any', 'block', 'http.route eq "/pets/{id}" and http.header.x-a exists')],
      exceptions: [
        exception('mine', { route: '/pets/mine', method: 'GET', field: 'query:q' }, { groups: ['sqli'] }),
        exception(
          'debug',
          { route: '/pets', method: 'GET', field: 'query:debug' },
          { ruleRefs: ['positive:undeclaredQuery'] },
        ),
      ],
    },
    [
      at('an operation', '/pets?limit=1', 'pass'),
      at('no operation', '/cats', 404),
      at('another method', '/pets', 405, { method: 'DELETE' }),
      at('the template', '/pets/7', 403, { headers: { 'X-A': '1' } }),
      at('a template that is more concrete', '/pets/mine', 'pass', { headers: { 'X-A': '1' } }),
      at('an encoded slash is part of the value', '/pets/a%2Fb', 403, { headers: { 'X-A': '1' } }),
      at('two slashes', '//pets', 404),
      at('dot segments', '/pets/1/../../etc/passwd', 404),
      at('the field of the template', `/pets/mine?q=${sqli}`, 'pass'),
      at('not of another template', `/pets/other?q=${sqli}`, 400),
      at('a query parameter that is not declared', '/pets?more=1', 400),
      at('one that is excepted', '/pets?debug=1', 'pass', {}, 400),
      at('beside one that is not', '/pets?debug=1&more=1', 400),
    ],
    document,
  ),
]

/** Nothing of a value leaves the machine: values are planted everywhere that a client can write to. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readAccess } from '../../../../src/gateway/log/access.ts'
import { readAudit } from '../../../../src/gateway/log/audit.ts'
import { eventOf, type Evidence } from '../../../../src/gateway/log/event.ts'
import type { MatchRecord } from '../../../../src/gateway/log/model.ts'
import { routesOf } from '../../../../src/gateway/log/routes.ts'
import { seenOf } from '../../../../src/gateway/log/seen.ts'
import { shapeOf } from '../../../../src/gateway/log/shape.ts'

const routes = routesOf([{ method: 'GET', route: '/pets/{id}', pattern: String.raw`\A/pets/[^/]+\z` }])
const release = {
  releaseId: 'r-1',
  facts: {
    rules: new Map([[30_001, { action: 'block' as const, status: 404 }]]),
    threshold: 5,
    paranoia: 1,
    detection: 2,
    levels: new Map<number, number>(),
  },
  routes,
}
const evidence = (kind: Evidence['kind']): Evidence => ({ kind, key: new Uint8Array(32).fill(7) })

const variables = [
  'ARGS:q',
  'REQUEST_COOKIES:sid',
  'REQUEST_HEADERS:Authorization',
  'ARGS:json.items.0.note',
  'REQUEST_URI',
  'ARGS_NAMES:q',
]
const uriOf = (value: string, isPath: boolean): string =>
  isPath ? `/pets/7/${encodeURIComponent(value)}` : `/pets/7?q=${encodeURIComponent(value)}`

const coraza = (value: string, variable: string, isPath: boolean): string =>
  JSON.stringify({
    transaction: {
      unix_timestamp: 1_795_427_325_038_242_304,
      id: 'tx',
      client_ip: '198.51.100.7',
      request: {
        method: 'GET',
        uri: uriOf(value, isPath),
        headers: { cookie: [value] },
        body: value,
        args: { q: value },
      },
      response: { status: 403, body: value, headers: { 'set-cookie': [value] } },
      is_interrupted: true,
    },
    messages: [
      {
        message: value,
        error_message: `[data "${value}"]`,
        data: {
          id: 942_100,
          msg: value,
          data: `Matched Data: ${value} found within ${variable}: ${value}`,
          severity: 2,
          tags: ['paranoia-level/1', value],
          raw: `SecRule ARGS "@rx a" "logdata:'Matched Data: %{TX.0} found within %{MATCHED_VAR_NAME}: %{MATCHED_VAR}'" ${value}`,
          file: value,
          ver: value,
        },
      },
      {
        message: '',
        data: {
          id: 30_001,
          data: `found within ${variable}: ${value}`,
          raw: `SecRule ARGS "@rx a" "logdata:'found within %{MATCHED_VAR_NAME}: %{MATCHED_VAR}'"`,
          tags: ['svc/positive/unknownOperation'],
          severity: -1,
        },
      },
    ],
  })
const modsecurity = (value: string, variable: string, isPath: boolean): string =>
  JSON.stringify({
    transaction: {
      time_stamp: 'Mon Nov 23 09:48:48 2026',
      unique_id: '179542732810.408328',
      client_ip: '198.51.100.7',
      server_id: value,
      request: { method: 'GET', uri: uriOf(value, isPath), headers: { Cookie: value }, body: value },
      response: { http_code: 403, body: value },
      messages: [
        {
          message: value,
          details: {
            ruleId: '942100',
            match: `Matched "Operator \`Rx' with parameter \`a' against variable \`${variable}' (Value: \`${value}' )`,
            data: `Matched Data: ${value} found within ${variable}: ${value}`,
            severity: '2',
            tags: ['paranoia-level/1', value],
            file: value,
            rev: value,
          },
        },
      ],
    },
  })

/** What a client can write: texts of any characters, words of the log format among them. */
const fragments = fc.constantFrom(
  ' found within ARGS:token: ',
  "' against variable `ARGS:other' (Value: `",
  "' )",
  '(9 characters omitted)',
  'json.',
  'svc/rule/x',
  'paranoia-level/3',
  '(Total Score: 99)',
  'Matched Data: ',
  '"',
  '\\',
  '\n',
)
const planted = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.stringMatching(/^[A-Za-z0-9]{4,12}$/) },
      fc.string({ unit: 'binary', maxLength: 8 }),
      fragments,
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((it) => it.join('').toWellFormed())
  // A value that is a small word may be the name of an undeclared path; everything else may not be told there.
  .map((it) => `${it}4711x`)

const masked = (event: MatchRecord | null): string =>
  JSON.stringify({
    ...event,
    id: '',
    clientDigest: '',
    matches: event?.matches.map((it) => ({ ...it, digest: '', shape: '' })),
  })

/** The parts of four characters of a text that another text has too. */
const leaks = (value: string, told: string, innocent: string): string[] =>
  Array.from({ length: Math.max(0, value.length - 3) }, (_, at) => value.slice(at, at + 4)).filter(
    (part) => (told.includes(part) || told.includes(JSON.stringify(part).slice(1, -1))) && !innocent.includes(part),
  )

const cases = fc.record({
  value: planted,
  variable: fc.constantFrom(...variables),
  isPath: fc.boolean(),
  kind: fc.constantFrom('digest' as const, 'shape' as const),
  engine: fc.constantFrom(coraza, modsecurity),
})

test('no four characters of a value are in an event, whatever the value is made of', () => {
  fc.assert(
    fc.property(cases, ({ value, variable, isPath, kind, engine }) => {
      const tell = (text: string) => {
        const record = readAudit(engine(text, variable, isPath), (ms) => ms)
        return record === null ? null : eventOf(record, release, evidence(kind))
      }
      const event = tell(value)
      expect(event).not.toBeNull()
      expect(leaks(value, masked(event), masked(tell('0')) + masked(tell(`' found within ARGS:q: 0`)))).toEqual([])
      for (const { shape, length } of event?.matches ?? []) {
        expect(shape === null || kind === 'shape').toBeTrue()
        expect(shape ?? '').toMatch(/^[aA0? !-/:-@[-`{-~]{0,64}$/)
        if (length === Array.from(value).length) expect(shape).toBe(kind === 'shape' ? shapeOf(value) : null)
      }
    }),
    { numRuns: 600 },
  )
})

test('nor in what was seen', () => {
  fc.assert(
    fc.property(planted, fc.boolean(), fc.constantFrom('caddy', 'nginx'), (value, isPath, server) => {
      const uri = uriOf(value, isPath)
      const line =
        server === 'caddy'
          ? JSON.stringify({
              ts: 1_795_427_325.5,
              request: { method: 'GET', uri, headers: { Cookie: [value] } },
              status: 200,
              user_id: value,
            })
          : `198.51.100.7 - - [23/Nov/2026:09:48:45 +0000] "GET ${uri} HTTP/1.1" 200 3 "-" "x"`
      const access = readAccess(line)
      expect(access).not.toBeNull()
      const { records, dropped } = seenOf(access === null ? [] : [access], routes, 'a')
      expect([records.length, dropped]).toEqual([1, 0])
      expect(
        leaks(value, JSON.stringify(records.map((it) => ({ ...it, id: '' }))), '/pets/{id}2026-11-23T09:48:00.000Z'),
      ).toEqual([])
    }),
    { numRuns: 300 },
  )
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { eventOf, type Evidence, type LogRelease } from '../../../../src/gateway/log/event.ts'
import { readAudit } from '../../../../src/gateway/log/audit.ts'
import { factsOf, includedFolders } from '../../../../src/gateway/log/release-facts.ts'
import { routesOf } from '../../../../src/gateway/log/routes.ts'

const policy = String.raw`SecAction "id:9000001,phase:1,pass,nolog,setvar:tx.blocking_paranoia_level=1,setvar:tx.detection_paranoia_level=2,\
  setvar:tx.inbound_anomaly_score_threshold=5"
SecRule REMOTE_ADDR "@ipMatch 203.0.113.0/24" "id:9001000,phase:1,deny,status:403,log,msg:'custom',tag:'svc/rule/r1'"
SecRule &TX:svc_op "@eq 0" "id:9100900,phase:1,deny,status:404,log,tag:'svc/positive/unknown-operation'"
SecRule TX:svc_op "@streq listPets" "id:9100001,phase:1,deny,status:400,log,tag:'svc/positive/query',chain"
  SecRule ARGS_GET_NAMES "!@rx \A(?:limit|tag)\z" "t:none"
SecRule TX:svc_op "@streq createPet" "id:9100011,phase:2,deny,status:400,log,tag:'svc/positive/body',chain"
  SecRule REQUEST_BODY "@validateSchema schemas/createPet.json" "t:none"
SecRule REQUEST_FILENAME "!@rx \A/(pets|search)" "id:30001,phase:1,deny,status:404,log,tag:'svc/positive/unknownOperation'"
`
const release: LogRelease = {
  releaseId: 'r-1',
  facts: factsOf([{ path: '10-setup.conf', text: policy }]),
  routes: routesOf([
    { method: 'get', route: '/pets', pattern: String.raw`\A/pets\z` },
    { method: 'post', route: '/pets', pattern: String.raw`\A/pets\z` },
    { method: 'get', route: '/pets/{id}', pattern: String.raw`\A/pets/[^/]+\z` },
  ]),
}
const evidence: Evidence = { kind: 'shape', key: new Uint8Array(32).fill(7) }
const recordsOf = (engine: string): string[] =>
  readFileSync(join(import.meta.dir, 'records', `${engine}.ndjson`), 'utf8')
    .trim()
    .split('\n')
const expectedOf = (engine: string) =>
  JSON.parse(readFileSync(join(import.meta.dir, 'records', `${engine}.events.json`), 'utf8'))
const eventsOf = (engine: string) =>
  recordsOf(engine).map((line) => {
    const record = readAudit(line, (ms) => ms)
    return record === null ? null : eventOf(record, release, evidence)
  })

test('an odd path names no route: exceptions and rules that let pass do not take it for the operation', () => {
  const routeOf = (path: string) =>
    eventOf(
      {
        id: 'a',
        atMs: 0,
        ip: null,
        method: 'GET',
        path,
        status: 403,
        interrupted: true,
        messages: [{ ruleId: 942_100, text: '', tags: [], severity: 2, found: null }],
      },
      release,
      evidence,
    )?.route
  expect(
    [
      '/pets/1',
      '/pets/1?a=%2f',
      'http://a/pets/a+b%20c',
      '/pets/a%2fb',
      '/pets/..',
      '/pets/1;x=1',
      '/pets/%61',
      '/pets/a%5Cb',
    ].map(routeOf),
  ).toEqual(['/pets/{id}', '/pets/{id}', '/pets/{id}', null, null, null, null, null])
})

test('the facts of a release: what refuses with which status, and the levels', () => {
  expect([...release.facts.rules]).toEqual([
    [9000001, { action: 'log', status: null }],
    [9001000, { action: 'block', status: 403 }],
    [9100900, { action: 'block', status: 404 }],
    [9100001, { action: 'block', status: 400 }],
    [9100011, { action: 'block', status: 400 }],
    [30001, { action: 'block', status: 404 }],
  ])
  expect({ ...release.facts, rules: null }).toEqual({
    rules: null,
    threshold: 5,
    paranoia: 1,
    detection: 2,
    levels: new Map(),
  })
})

test('levels that ModSecurity leaves out are those of the rule set on the machine', () => {
  const ruleSet = `SecRule ARGS "@detectSQLi" \\\n  "id:942100,\\\n  tag:'paranoia-level/1'"\nSecRule ARGS "@rx a" "id:942130,tag:'paranoia-level/2'"\nSecAction "id:949110"\n`
  const facts = factsOf([{ path: '10-setup.conf', text: policy }], [ruleSet])
  expect([...facts.levels]).toEqual([
    [942_100, 1],
    [942_130, 2],
  ])
  const [, , attack = ''] = recordsOf('modsecurity')
  const record = readAudit(attack, (ms) => ms)
  const event = record === null ? null : eventOf(record, { ...release, facts }, evidence)
  expect(event?.matches.slice(1, 3).map((it) => [it.ruleRef, it.paranoia])).toEqual([
    ['crs:942100', 1],
    ['crs:942130', 2],
  ])
  expect(
    includedFolders('Include 10-setup.conf\nInclude /usr/share/crs/rules/*.conf\nInclude @owasp_crs/*.conf\n'),
  ).toEqual(['/usr/share/crs/rules'])
})

const line = (returnType: ReturnType<typeof eventsOf>[number]) =>
  returnType === null
    ? null
    : [
        `${returnType.action} ${returnType.status} ${returnType.ruleRef} ${returnType.method} ${returnType.route ?? `~${returnType.pathShape}`} ${returnType.network}`,
        returnType.score?.inbound ?? null,
        returnType.matches.map(
          (m) => `${m.ruleRef} ${m.groupId}/${m.paranoia} ${m.severity} ${m.field} ${m.length} ${m.shape}`,
        ),
      ]

test('records of Coraza 3.8 with the rule set 4.25', () => {
  expect(eventsOf('coraza').map(line)).toEqual(expectedOf('coraza'))
})

test('records of libmodsecurity 3.0.9 with the rule set 3.3.4', () => {
  expect(eventsOf('modsecurity').map(line)).toEqual(expectedOf('modsecurity'))
})

test('one whole event, with its digests', () => {
  expect(eventsOf('modsecurity')[1]).toEqual({
    kind: 'match',
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    at: '2026-11-23T09:49:50.000Z',
    releaseId: 'r-1',
    action: 'block',
    ruleRef: 'positive:unknownOperation',
    groupId: null,
    method: 'GET',
    route: null,
    pathShape: '/admin',
    status: 404,
    network: '198.51.100.0/24',
    clientDigest: expect.stringMatching(/^hmac-sha256:[0-9a-f]{32}$/),
    score: { inbound: 0, threshold: 5, paranoia: 1, detection: 2 },
    matches: [
      {
        ruleRef: 'positive:unknownOperation',
        groupId: null,
        paranoia: null,
        severity: null,
        field: null,
        length: 6,
        digest: expect.stringMatching(/^hmac-sha256:[0-9a-f]{32}$/),
        shape: '/a',
      },
    ],
    exceptionIds: [],
  })
})

test('the same record has the same id, another one another, and each key its own digests', () => {
  const [first = '', second = ''] = recordsOf('coraza')
  const of = (text: string, key = 7) => {
    const record = readAudit(text, (ms) => ms)
    return record === null ? null : eventOf(record, release, { kind: 'digest', key: new Uint8Array(32).fill(key) })
  }
  expect(of(first)?.id).toBe(of(first)?.id ?? '')
  expect(of(first)?.id).not.toBe(of(second)?.id ?? '')
  expect(of(first, 1)?.clientDigest).not.toBe(of(first, 2)?.clientDigest ?? '')
  expect(of(first)?.matches.map((it) => it.shape)).toEqual([null])
})

test('ModSecurity: the time is taken from the seconds of the id, local time where the id is another', () => {
  const [first = ''] = recordsOf('modsecurity')
  const record = (over: object) => {
    const parsed = JSON.parse(first)
    return readAudit(JSON.stringify({ transaction: { ...parsed.transaction, ...over } }), (ms) => ms + 3_600_000)
  }
  const at = Date.UTC(2026, 10, 23, 9, 49, 50)
  expect(record({})?.atMs).toBe(at)
  expect(record({ time_stamp: 'Mon Nov 23 15:19:50 2026' })?.atMs).toBe(at)
  expect(record({ unique_id: 'from-nginx' })?.atMs).toBe(at + 3_600_000)
  expect(record({ time_stamp: 'soon' })).toBeNull()
})

test('what is torn, is no record, or has nothing of svc in it is no event', () => {
  const [first = ''] = recordsOf('coraza')
  const texts = [
    first.slice(0, -9),
    '',
    'null',
    '[]',
    '{"transaction":{}}',
    '{"transaction":{"id":7,"unix_timestamp":"1"}}',
  ]
  expect(texts.map((it) => readAudit(it, (ms) => ms))).toEqual(texts.map(() => null))
  const foreign = readAudit(
    first.replaceAll('"id":9100001', '"id":77').replaceAll('svc/positive/query', 'mine'),
    (ms) => ms,
  )
  expect(foreign?.messages.map((it) => it.ruleId)).toEqual([77, 77])
  expect(foreign === null ? undefined : eventOf(foreign, release, evidence)).toBeNull()
})

test('an engine that does not say whether it refused: rules that refuse, the sum, or neither', () => {
  const message = (ruleId: number, tag: string) => ({ ruleId, text: '', tags: [tag], severity: -1, found: null })
  type Messages = ReturnType<typeof message>[]
  const answered = (status: number | null, interrupted: boolean | null, messages: Messages) => {
    const record = {
      id: 'a',
      atMs: 0,
      ip: 'not an address',
      method: 'brew',
      path: '/x?y',
      status,
      interrupted,
      messages,
    }
    const event = eventOf(record, release, evidence)
    return event === null
      ? null
      : [event.action, event.ruleRef, event.status, event.method, event.network, event.exceptionIds]
  }
  const of = (interrupted: boolean | null, ...messages: Messages) => answered(null, interrupted, messages)
  expect(of(null, message(9001000, 'svc/rule/r1'))).toEqual(['block', 'rule:r1', 403, 'OTHER', null, []])
  // Around a reload the rules of the release are not always those that the request met: it passed.
  expect(answered(200, null, [message(9001000, 'svc/rule/r1')])?.slice(0, 3)).toEqual(['log', 'rule:r1', 200])
  expect(of(null, message(20_001, 'svc/rule/r2'))).toEqual(['log', 'rule:r2', null, 'OTHER', null, []])
  expect(of(true, message(20_001, 'svc/rate/r3'))).toEqual(['rate-limit', 'rate:r3', 403, 'OTHER', null, []])
  expect(of(null, message(11_001, 'svc/exception/e1'), message(942_100, 'x'))).toEqual([
    'log',
    'crs:942100',
    null,
    'OTHER',
    null,
    ['e1'],
  ])
  expect(of(null, message(942_100, 'x'), message(949_110, 'x'))).toEqual([
    'block',
    'crs:942100',
    403,
    'OTHER',
    null,
    [],
  ])
  expect(of(null, message(11_001, 'svc/exception/e1'))).toBeNull()
})

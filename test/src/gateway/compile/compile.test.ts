import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { groupIds } from '../../../../src/gateway-policy/catalogue.ts'
import { compileRelease } from '../../../../src/gateway/compile/index.ts'
import { dialectNames, type DialectName } from '../../../../src/gateway/dialects/index.ts'
import { idRanges } from '../../../../src/gateway/compile/model.ts'
import type { Policy } from '../../../../src/gateway-policy/model.ts'
import { exceptionOf, policyOf, ruleOf } from '../../gateway-policy/policy.ts'
import { blocking, documents, policies, texts } from './arbitrary.ts'
import { compile, input, settingOf } from './compiling.ts'
import { directivesOf, fileOf, idsOf, linesOf } from './seclang.ts'

const allowedActions = new Set(
  'id phase t pass deny allow status log nolog auditlog msg tag chain capture setvar ctl logdata skipAfter'.split(' '),
)

test('nothing is done before the last link of a chain held', () => {
  const policy = policyOf({
    rules: [
      ruleOf({
        action: 'skip',
        groups: ['sqli'],
        expression: {
          and: [
            { field: 'http.method', op: 'eq', value: 'GET' },
            { field: 'http.path', op: 'eq', value: '/a' },
          ],
        },
      }),
    ],
    exceptions: [exceptionOf()],
  })
  const starters = directivesOf(compile(policy)).filter(({ actions }) => actions.some(({ name }) => name === 'chain'))
  const ids = starters.flatMap(({ actions }) => actions.filter(({ name }) => name === 'id').map(({ value }) => value))
  expect(ids.filter((id) => Number(id) >= 11_000)).toEqual(['11000', '20005'])
  expect(starters.flatMap(({ actions }) => actions.filter(({ name }) => name === 'ctl' || name === 'setvar'))).toEqual(
    [],
  )
  expect(linesOf(compile(policy), '30-rules.conf').slice(0, 4)).toEqual([
    `SecRule REQUEST_FILENAME|TX:svc_path_sent|TX:svc_path_dots|TX:svc_path_parameters|TX:svc_path_backslash|TX:svc_path_mark|TX:svc_path_twice "!@rx \\A/a\\z" "id:20004,phase:1,t:none,pass,nolog,setvar:tx.svc_f1=1"`,
    `SecRule REQUEST_METHOD "@rx (?i)\\AGET\\z" "id:20005,phase:1,t:none,pass,nolog,msg:'svc rule: Admin',tag:'svc/rule/r1',chain"`,
    '  SecRule &TX:svc_f1 "@eq 0" "t:none,chain"',
    '    SecRule &TX:svc_path_unclear "@eq 0" "t:none,ctl:ruleRemoveByTag=OWASP_CRS/ATTACK-SQLI"',
  ])
})

test('no engine removes a variable: Coraza panics where it does', () => {
  const size = ruleOf({ expression: { field: 'http.body.size', op: 'gt', value: 3 } })
  for (const dialect of dialectNames) {
    const { files } = compile(policyOf({ rules: [ruleOf(), size], exceptions: [exceptionOf()] }), dialect)
    expect(files.filter(({ text }) => text.includes('setvar:!')).map(({ path }) => path)).toEqual([])
  }
})

test('a body that is sent in pieces has no size, and a host that cannot be read is none that is compared', () => {
  const of = (field: string, value: string | number) =>
    linesOf(
      compile(
        policyOf({
          presets: { ...policyOf().presets, bot: 'off' },
          rules: [ruleOf({ expression: { field, op: 'eq', value } })],
        }),
      ),
      '30-rules.conf',
    ).slice(0, -1)
  expect(of('http.body.size', 0)).toEqual([
    'SecRule &REQUEST_HEADERS:Transfer-Encoding "@eq 0" "id:20000,phase:1,t:none,pass,nolog,setvar:tx.svc_body_size=0"',
    'SecRule &REQUEST_HEADERS:Transfer-Encoding "@eq 0" "id:20001,phase:1,t:none,pass,nolog,chain"',
    '  SecRule REQUEST_HEADERS:Content-Length "@rx \\A([0-9]{1,18})\\z" "t:none,capture,setvar:tx.svc_body_size=%{tx.1}"',
  ])
  expect(of('http.host', 'a')[0]).toBe('SecAction "id:20000,phase:1,t:none,pass,nolog,setvar:tx.svc_host=?"')
})

test('readings of the path are computed where a condition asks for them, and nothing without conditions on paths', () => {
  const setupIds = (policy: Policy) => idsOf(compile(policy)).filter((id) => id >= 10_020 && id < 10_900)
  const on = (field: string, value: string) =>
    policyOf({
      rules: [ruleOf({ expression: { field, op: 'eq', value } })],
      presets: { ...policyOf().presets, bot: 'off' },
    })
  expect(setupIds(on('http.method', 'GET'))).toEqual([])
  expect(setupIds(policyOf({ exceptions: [exceptionOf()] }))).toEqual([10_020, 10_021])
  expect(setupIds(on('http.path', '/a'))).toEqual(Array.from({ length: 22 }, (_, index) => 10_020 + index))
})

test('there is one default action for each phase, and the rule set is set up without its own file', () => {
  for (const dialect of dialectNames) {
    const directives = directivesOf(compile(policyOf(), dialect))
    expect(directives.filter(({ name }) => name === 'SecDefaultAction').map(({ rest }) => rest)).toEqual([
      '"phase:1,log,auditlog,pass"',
      '"phase:2,log,auditlog,pass"',
    ])
    const [first] = directives.filter(({ name }) => name === 'SecAction')
    const set = Object.fromEntries(
      (first?.actions ?? [])
        .filter(({ name }) => name === 'setvar')
        .map(({ value }) => value.split('=') as [string, string]),
    )
    expect(set).toMatchObject({
      'tx.crs_setup_version': '400',
      'tx.blocking_paranoia_level': '1',
      'tx.detection_paranoia_level': '2',
      'tx.paranoia_level': '1',
      'tx.executing_paranoia_level': '2',
      'tx.inbound_anomaly_score_threshold': '5',
    })
  }
})

test('a group that is off is removed after the rule set, and no file of the rule set is left out', () => {
  const policy = policyOf({ groups: { sqli: { mode: 'off', reason: 'x' } } })
  const order = directivesOf(compile(policy)).map(({ name, rest }) => `${name} ${rest}`)
  const included = order.indexOf('Include @owasp_crs/*.conf')
  expect(included).toBeGreaterThan(0)
  expect(order.indexOf('SecRuleRemoveByTag "OWASP_CRS/ATTACK-SQLI"')).toBeGreaterThan(included)
  expect(linesOf(compile(policy, 'modsecurity'), '90-groups.conf')).toContain('SecRuleRemoveById 942000-942999')
})

test('no tag that spans groups is used', () => {
  const every = groupIds.map((id) => [id, { mode: 'off' as const, reason: 'x' }] as const)
  const text = dialectNames.map((dialect) =>
    fileOf(compile(policyOf({ groups: Object.fromEntries(every) }), dialect), '90-groups.conf'),
  )
  expect(text.join('').match(/"[^"]*attack-[^"]*"/g)).toBeNull()
})

test('the scores of a group in log mode are kept before its file and put back after it, in both phases', () => {
  const policy = policyOf({ groups: { scanner: { mode: 'log', reason: 'x' } } })
  const around = linesOf(compile(policy), 'svc.conf')
  const place = around.indexOf('Include @owasp_crs/REQUEST-913-*.conf')
  const shape = (line: string | undefined) =>
    /phase:\d|setvar:tx\.\w+_1=%\{tx\.\w+\}|setvar:tx\.\w+pl1=%\{tx\.\w+\}/g[Symbol.match](line ?? '')
  expect([-2, -1, 1, 2].map((it) => shape(around[place + it]))).toEqual([
    ['phase:1', 'setvar:tx.svc_keep_0_1=%{tx.inbound_anomaly_score_pl1}'],
    ['phase:2', 'setvar:tx.svc_keep_0_1=%{tx.inbound_anomaly_score_pl1}'],
    ['phase:1', 'setvar:tx.inbound_anomaly_score_pl1=%{tx.svc_keep_0_1}'],
    ['phase:2', 'setvar:tx.inbound_anomaly_score_pl1=%{tx.svc_keep_0_1}'],
  ])
  expect(settingOf(policy, 'group:scanner')).toEqual({ setting: 'group:scanner', state: 'enforced', reason: null })
})

test('an exception ends inside of the engine, a second earlier rather than later', () => {
  const exception = exceptionOf({ expiresAt: '2030-01-01T00:00:00.900Z' })
  expect(linesOf(compile(policyOf({ exceptions: [exception] })), '20-exceptions.conf')).toEqual([
    `SecRule TIME_EPOCH "@lt ${Date.UTC(2030, 0, 1) / 1000}" "id:11000,phase:1,t:none,pass,nolog,tag:'svc/exception/e1',chain"`,
    '  SecRule TX:svc_path "@rx \\A/search\\z" "t:none,chain"',
    '    SecRule &TX:svc_path_odd "@eq 0" "t:none,ctl:ruleRemoveTargetByTag=OWASP_CRS/ATTACK-SQLI;ARGS:q,ctl:ruleRemoveTargetByTag=OWASP_CRS/ATTACK-SQLI;ARGS_GET:q"',
  ])
})

test('an exception names rules of managed groups and of the policy alone, and no rule that sets up or decides', () => {
  const of = (ruleRefs: string[], field: string | null = null) =>
    settingOf(
      policyOf({
        rules: [ruleOf()],
        exceptions: [
          exceptionOf({ scope: { route: '/a', path: null, method: null, field }, target: { groups: [], ruleRefs } }),
        ],
      }),
      'exception:e1',
    )
  expect(of(['crs:949110'])?.state).toBe('not-enforced')
  expect(of(['crs:10000'])?.state).toBe('not-enforced')
  expect(of(['crs:942100', 'rule:r1', 'positive:body'])).toEqual({
    setting: 'exception:e1',
    state: 'enforced',
    reason: null,
  })
  expect(of(['rule:r1'], 'header:X-A')?.state).toBe('not-enforced')
})

test('a rule that the engine cannot decide is left out and says why', () => {
  const of = (rule: Parameters<typeof ruleOf>[0], dialect: DialectName = 'coraza') => {
    const compiled = compile(
      policyOf({ rules: [ruleOf(rule)], presets: { ...policyOf().presets, bot: 'off' } }),
      dialect,
    )
    return {
      lines: linesOf(compiled, '30-rules.conf').length,
      setting: compiled.settings.find(({ setting }) => setting === 'rule:r1'),
    }
  }
  const country = { field: 'geo.country', op: 'eq', value: 'DE' } as const
  expect(of({ expression: { or: [country, { field: 'http.path', op: 'eq', value: '/a' }] } })).toEqual({
    lines: 0,
    setting: {
      setting: 'rule:r1',
      state: 'not-enforced',
      reason: 'The engine has no database of countries, so it cannot tell where an address is.',
    },
  })
  expect(of({ action: 'rate-limit', rate: { limit: 1, windowSeconds: 1, key: 'ip' } }).setting?.state).toBe(
    'not-enforced',
  )
  expect(of({ action: 'challenge' })).toEqual({
    lines: 1,
    setting: {
      setting: 'rule:r1',
      state: 'not-enforced',
      reason: 'The engine cannot send a challenge; requests that meet it are logged.',
    },
  })
  const bytes = of({ expression: { field: 'http.path', op: 'matches', value: '^/[^/]{3}$' } }, 'modsecurity')
  expect(bytes.setting?.state).toBe('approximated')
})

test('many alternatives take about as many rules as there are conditions', () => {
  const pair = (index: number) => ({
    or: [
      { field: 'http.path', op: 'eq' as const, value: `/a${index}` },
      { field: 'http.header.x', op: 'eq' as const, value: `b${index}` },
    ],
  })
  const rule = ruleOf({ expression: { and: Array.from({ length: 32 }, (_, index) => pair(index)) } })
  expect(idsOf(compile(policyOf({ rules: [rule] }))).filter((id) => id >= 20_000).length).toBeLessThanOrEqual(130)
})

test('where the numbers of custom rules end, the remaining rules are not enforced', () => {
  const expression = {
    or: Array.from({ length: 64 }, (_, index) => ({ field: 'http.path', op: 'eq' as const, value: `/${index}` })),
  }
  const rules = Array.from({ length: 200 }, (_, index) => ruleOf({ id: `r${index}`, order: index, expression }))
  const { settings } = compile(policyOf({ rules }))
  const states = settings.filter(({ setting }) => setting.startsWith('rule:')).map(({ state }) => state)
  expect(states.indexOf('not-enforced')).toBe(Math.floor(9996 / 65))
  expect(states.slice(Math.floor(9996 / 65)).every((it) => it === 'not-enforced')).toBe(true)
})

test('no rule set is loaded where the tier is off', () => {
  const text = fileOf(compile(policyOf({ presets: { ...policyOf().presets, tier: 'off' } })), 'svc.conf')
  expect(text.includes('owasp')).toBe(false)
})

test('the rate limit of the presets is written to files for the proxy', () => {
  const rated = (key: string) =>
    policyOf({ presets: { ...policyOf().presets, rate: { limit: 120, windowSeconds: 60, key } } })
  const files = (dialect: DialectName, key: string) =>
    compile(rated(key), dialect)
      .files.filter(({ path }) => path.startsWith('proxy/'))
      .map(
        ({ path, text }) =>
          `${path}: ${text
            .split('\n')
            .filter((it) => it !== '' && !it.startsWith('#'))
            .join('|')}`,
      )
  expect(files('modsecurity', 'ip')).toEqual([
    'proxy/nginx-rate-http.conf: limit_req_zone $binary_remote_addr zone=svc:10m rate=2r/s;',
    'proxy/nginx-rate-server.conf: limit_req zone=svc burst=119 nodelay;|limit_req_status 429;',
  ])
  expect(files('coraza', 'header:X-Client')).toEqual([
    'proxy/caddy-rate-limit.caddyfile: rate_limit {|\tzone svc {|\t\tkey {http.request.header.X-Client}|\t\tevents 120|\t\twindow 60s|\t}|}',
  ])
  expect(files('coraza', 'header:}\nfile_server')).toEqual([])
})

test('the WebAssembly build gets all directives in one list', () => {
  const compiled = compile(
    policyOf({ rules: [ruleOf()], groups: { sqli: { mode: 'off', reason: 'x' } } }),
    'coraza-wasm',
  )
  const { directives_map: map } = JSON.parse(fileOf(compiled, 'proxy/wasm-plugin.json')) as {
    directives_map: { svc: string[] }
  }
  const text = directivesOf(compiled).length
  expect(map.svc).toHaveLength(text)
  expect(map.svc.at(-1)).toBe('SecRuleRemoveByTag "OWASP_CRS/WEB-SHELLS"')
})

test('networks are written so that both engines read them', () => {
  const value = ['::1', '10.1.2.3', '0.0.0.0/0', '::/0', '2001:db8::/32', '203.0.113.0/24']
  const rules = [ruleOf({ expression: { field: 'ip.src', op: 'cidr', value } })]
  expect(linesOf(compile(policyOf({ rules }), 'modsecurity'), '30-rules.conf')[0]).toStartWith(
    'SecRule REMOTE_ADDR "@ipMatch ::1,10.1.2.3,0.0.0.0/1,128.0.0.0/1,::/1,8000::/1,2001:db8::/32,203.0.113.0/24" ',
  )
})

test('ModSecurity names members in exceptions by plain characters only', () => {
  const of = (field: string) => {
    const compiled = compile(
      policyOf({
        exceptions: [
          exceptionOf({
            scope: { route: null, path: '/a', method: null, field },
            target: { groups: [], ruleRefs: ['crs:942100'] },
          }),
        ],
      }),
      'modsecurity',
    )
    return {
      state: compiled.settings.find(({ setting }) => setting === 'exception:e1')?.state,
      last: linesOf(compiled, '20-exceptions.conf').at(-1),
    }
  }
  expect(of('query:ids[]')).toEqual({
    state: 'approximated',
    last: '    SecRule &TX:svc_path_unclear "@eq 0" "t:none,ctl:ruleRemoveTargetById=942100;ARGS:ids[],ctl:ruleRemoveTargetById=942100;ARGS_GET:ids[]"',
  })
  expect([of('query:a b'), of('json:/items/*/a'), of('json:/items/0')].map(({ state }) => state)).toEqual([
    'not-enforced',
    'not-enforced',
    'not-enforced',
  ])
  expect(of('json:/note').state).toBe('approximated')
})

test('whatever a policy says, each engine gets rules of the known shapes, with numbers of their own and in their ranges', () => {
  fc.assert(
    fc.property(
      policies,
      fc.constantFrom(...dialectNames),
      texts,
      fc.option(documents),
      (drawn, dialect, name, document) => {
        const policy = document === null ? drawn : blocking(drawn)
        const given = input(policy, {
          document,
          dialect,
          releaseId: name,
          environment: { id: name, slug: name, hostnames: [name], basePaths: [name] },
        })
        const compiled = compileRelease(given)
        expect(compileRelease(given)).toEqual(compiled)
        const directives = directivesOf(compiled)
        const unknown = directives.flatMap(({ actions }) => actions.filter((it) => !allowedActions.has(it.name)))
        expect(unknown).toEqual([])
        const ids = idsOf(compiled)
        expect(new Set(ids).size).toBe(ids.length)
        const ranges = Object.values(idRanges)
        expect(ids.filter((id) => !ranges.some(([from, to]) => id >= from && id <= to))).toEqual([])
        // Every rule but the links of chains has a number, and every chain ends.
        let isOpen = false
        for (const { actions, name: directive } of directives) {
          const has = (one: string) => actions.some((it) => it.name === one)
          if (directive === 'SecRule' || directive === 'SecAction') expect(has('id')).toBe(!isOpen)
          else expect(isOpen).toBe(false)
          isOpen = has('chain')
        }
        expect(isOpen).toBe(false)
      },
    ),
    { numRuns: 300 },
  )
})

test('each setting of a policy has one state, with a reason where it is not enforced as it says', () => {
  fc.assert(
    fc.property(policies, fc.constantFrom(...dialectNames), (policy, dialect) => {
      const { settings } = compile(policy, dialect)
      expect(settings.map(({ setting }) => setting).sort()).toEqual(
        [
          'tier',
          'bot',
          ...(policy.presets.rate === null ? [] : ['rate']),
          ...(policy.presets.challenge === null ? [] : ['challenge']),
          ...groupIds.map((it) => `group:${it}`),
          ...policy.rules.filter(({ enabled }) => enabled).map(({ id }) => `rule:${id}`),
          ...policy.exceptions.filter(({ removedAt }) => removedAt === null).map(({ id }) => `exception:${id}`),
          ...(policy.positive === null
            ? []
            : ['unknownOperation', 'method', 'parameters', 'undeclaredQuery', 'contentType', 'body', 'security'].map(
                (it) => `positive:${it}`,
              )),
        ].sort(),
      )
      expect(settings.filter(({ state, reason }) => (reason === null) !== (state === 'enforced'))).toEqual([])
    }),
    { numRuns: 100 },
  )
})

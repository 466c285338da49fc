/** What the compiler decides of policies: managed groups, exceptions, rules, and the document. */
import { describe, expect, test } from 'bun:test'
import type { GroupId } from '../../../../src/gateway-policy/catalogue.ts'
import { positiveChecks, type Exception, type Policy, type Positive } from '../../../../src/gateway-policy/model.ts'
import {
  folderOf,
  groupsOff,
  includes,
  isVersion3,
  managedSettings,
  readsResponses,
  removeGroup,
  removeTarget,
} from '../../../../src/gateway/compile/crs.ts'
import { compileExceptions } from '../../../../src/gateway/compile/exceptions.ts'
import { compileRelease } from '../../../../src/gateway/compile/index.ts'
import { compileBot, compileRules } from '../../../../src/gateway/compile/rules.ts'
import { longestLine } from '../../../../src/gateway/compile/seclang.ts'
import { Templates } from '../../../../src/gateway/compile/template.ts'
import { dialectOf, type DialectName } from '../../../../src/gateway/dialects/index.ts'
import { exceptionOf, policyOf, ruleOf } from '../../gateway-policy/policy.ts'
import { documentOf, input, noDocument } from './compiling.ts'

const coraza = dialectOf('coraza')
const modsecurity = dialectOf('modsecurity')

describe('managed groups', () => {
  const withGroups = (groups: Policy['groups'], change: Partial<Policy['presets']> = {}) =>
    policyOf({ groups, presets: { ...policyOf().presets, ...change } })
  const set = (mode: 'off' | 'log' | 'challenge' | 'block') => ({ mode, reason: 'x' })

  test('are taken out by their tags, and where the rule set has none by the numbers of their rules', () => {
    expect(removeGroup('scanner', coraza)).toEqual(['ctl:ruleRemoveByTag=OWASP_CRS/SCANNER-DETECTION'])
    expect(removeGroup('scanner', modsecurity)).toEqual([
      'ctl:ruleRemoveByTag=OWASP_CRS/SCANNER-DETECTION',
      'ctl:ruleRemoveById=913000-913999',
    ])
    expect(removeTarget('scanner', 'ARGS:a', coraza)).toEqual([
      'ctl:ruleRemoveTargetByTag=OWASP_CRS/SCANNER-DETECTION;ARGS:a',
    ])
    expect(removeTarget('scanner', 'ARGS:a', modsecurity)).toEqual([
      'ctl:ruleRemoveTargetByTag=OWASP_CRS/SCANNER-DETECTION;ARGS:a',
      ...['100', '101', '102', '110', '120'].map((it) => `ctl:ruleRemoveTargetById=913${it};ARGS:a`),
    ])
    expect(() => removeGroup('unknown' as GroupId, coraza)).toThrow(RangeError)
    expect([groupsOff(withGroups({ scanner: set('off') }, { tier: 'off' }), coraza)]).toEqual([''])
  })

  test('are in the folder of the dialect, or in one that is named', () => {
    expect([folderOf(coraza, 'bundled'), folderOf(modsecurity, 'bundled'), folderOf(coraza, '/opt/crs//')]).toEqual([
      '@owasp_crs',
      '/usr/share/modsecurity-crs/rules',
      '/opt/crs',
    ])
    expect([
      isVersion3(coraza, 'bundled'),
      isVersion3(modsecurity, 'bundled'),
      isVersion3(modsecurity, '/opt'),
    ]).toEqual([false, true, false])
  })

  test('in log mode are enclosed, and the files of the version are loaded one by one', () => {
    const policy = withGroups({ scanner: set('log') })
    const numbers = (name: DialectName, crs: string) =>
      [...includes(policy, dialectOf(name), crs).matchAll(/^Include .*-(\d{3})-/gm)].map(([, number]) => number)
    const requests = '901 905 911 913 920 921 922 930 931 932 933 934 941 942 943 944 949'.split(' ')
    const responses = '950 951 952 953 954'.split(' ')
    const version4 = [...requests, '999', ...responses, '955', '956', '959', '980']
    const version3 = [...requests, ...responses, '959', '980']
    expect([numbers('coraza', 'bundled'), numbers('modsecurity', 'bundled'), numbers('modsecurity', '/opt')]).toEqual([
      version4,
      version3,
      version4,
    ])
    const enclosed = includes(policy, coraza, 'bundled')
      .split('\n')
      .filter((it) => it.startsWith('SecAction'))
    expect(enclosed).toHaveLength(4)
    expect(includes(withGroups({}), coraza, 'bundled')).toBe('Include @owasp_crs/*.conf\n')
    expect(includes(withGroups({ scanner: set('challenge') }), coraza, 'bundled')).toBe(
      includes(policy, coraza, 'bundled'),
    )
  })

  test('read responses where one of the two that do is in use', () => {
    expect([
      readsResponses(withGroups({})),
      readsResponses(withGroups({ 'data-leak': set('log') })),
      readsResponses(withGroups({ 'web-shell': set('block') })),
      readsResponses(withGroups({}, { tier: 'strict' })),
      readsResponses(withGroups({ 'data-leak': set('off'), 'web-shell': set('off') }, { tier: 'strict' })),
    ]).toEqual([false, true, true, true, false])
  })

  test('come to what the rule set and the engine have', () => {
    const states = (name: DialectName, crs: string, policy: Policy) =>
      Object.fromEntries(
        managedSettings(policy, dialectOf(name), crs).map(({ setting, state, reason }) => [
          setting.replace('group:', ''),
          reason ?? state,
        ]),
      )
    const all = withGroups(
      {
        scanner: set('off'),
        xss: set('challenge'),
        sqli: set('log'),
        'data-leak': set('block'),
        'web-shell': set('block'),
      },
      { tier: 'standard' },
    )
    const challenge = 'The engine cannot send a challenge; what its rules find is logged.'
    const enforced = Object.fromEntries(
      'tier protocol scanner lfi rfi rce php java generic xss sqli session-fixation data-leak web-shell'
        .split(' ')
        .map((it) => [it, 'enforced']),
    )
    expect(states('coraza', 'bundled', all)).toEqual({ ...enforced, xss: challenge })
    expect(states('modsecurity', '/opt/crs', all)).toEqual({ ...enforced, xss: challenge })
    expect(states('modsecurity', 'bundled', all)).toEqual({
      ...enforced,
      tier: 'The rule set 3.3 of Debian has fewer rules than 4.25, with which the tiers were measured.',
      generic: 'Of this group the rule set 3.3 has one rule, for Node.js.',
      xss: challenge,
      'data-leak': 'The rule set 3.3 has no rules for Ruby in this group.',
      'web-shell': 'The rule set 3.3 has no rules of this group.',
    })
    const { doubt } = dialectOf('coraza-wasm')
    const doubtful = Object.fromEntries(Object.keys(enforced).map((it) => [it, doubt ?? '']))
    expect(states('coraza-wasm', 'bundled', all)).toEqual({ ...doubtful, scanner: 'enforced', xss: challenge })
    expect(states('coraza-wasm', 'bundled', withGroups({}, { tier: 'off' }))).toEqual(enforced)
    expect(managedSettings(all, coraza, 'bundled')[0]).toEqual({ setting: 'tier', state: 'enforced', reason: null })
    expect(managedSettings(all, modsecurity, 'bundled')[0]?.state).toBe('approximated')
  })
})

describe('exceptions', () => {
  const compiled = (exceptions: readonly Exception[], templates = noDocument, name: DialectName = 'coraza') =>
    compileExceptions(policyOf({ exceptions, rules: [ruleOf()] }), dialectOf(name), templates)
  const scope = { route: null, path: '/a', method: null, field: null }
  const onRoute = { ...scope, route: '/a', path: null }
  const one = (change: Partial<Exception>, templates?: Templates, name?: DialectName) => {
    const { text, settings } = compiled([exceptionOf({ scope, ...change })], templates, name)
    const actions = [...text.matchAll(/ctl:(\w+=[^",]+)/g)].map(([, action]) => action)
    return { actions, state: settings[0]?.state, reason: settings[0]?.reason }
  }
  const ofField = (field: string, method: string | null = 'GET') =>
    one({ scope: { ...scope, field, method }, target: { groups: [], ruleRefs: ['crs:942100'] } })

  test('take a field out by the name that the engine has for it', () => {
    const targets = (field: string) => ofField(field).actions
    const named = (...list: string[]) => list.map((it) => `ruleRemoveTargetById=942100;${it}`)
    expect(targets('header:X-A')).toEqual(named('REQUEST_HEADERS:X-A'))
    expect(targets('cookie:sid')).toEqual(named('REQUEST_COOKIES:sid'))
    expect(targets('query:a b')).toEqual(named('ARGS:/^a\\x20b$/', 'ARGS_GET:/^a\\x20b$/'))
    expect(targets('json:/note')).toEqual(named('ARGS:/^json\\x2enote$/', 'ARGS_POST:/^json\\x2enote$/'))
    expect(targets('json:/Items/*/no')).toEqual(
      named('ARGS:/^json\\.items\\.[^.]+\\.no$/', 'ARGS_POST:/^json\\.items\\.[^.]+\\.no$/'),
    )
    expect(ofField('body:x').reason).toBe('"body:x" is not a field that the engine has.')
  })

  test('say what else is exempt with a field', () => {
    const anyCase = 'Names are compared without regard to case.'
    const form = 'A field of the same name in a form in the body is exempt, too.'
    expect(
      ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PUT', null].map((method) => ofField('query:1', method).reason),
    ).toEqual([null, null, null, null, form, form, form])
    expect([ofField('query:q').reason, ofField('cookie:q').reason, ofField('cookie:1').reason]).toEqual([
      anyCase,
      anyCase,
      null,
    ])
    expect([ofField('header:q').reason, ofField('json:/q').reason]).toEqual([null, anyCase])
  })

  test('name rules of managed groups, checks of the document, and rules of the policy', () => {
    const of = (ref: string, field: string | null = null) =>
      one({ scope: { ...scope, field, method: 'GET' }, target: { groups: [], ruleRefs: [ref] } })
    expect([of('positive:body').actions, of('rule:r1').actions, of('rule:bot').actions]).toEqual([
      ['ruleRemoveByTag=svc/positive/body'],
      ['ruleRemoveByTag=svc/rule/r1'],
      ['ruleRemoveByTag=svc/rule/bot'],
    ])
    expect([of('positive:nothing').reason, of('rule:nothing').reason]).toEqual([
      '"nothing" is not a check.',
      '"nothing" is not a rule of the policy.',
    ])
    expect(of('positive:undeclaredQuery', 'query:1').actions).toEqual([
      'ruleRemoveTargetByTag=svc/positive/undeclaredQuery;ARGS_GET_NAMES:1',
    ])
    expect([of('positive:body', 'query:1').reason, of('rule:r1', 'query:1').reason]).toEqual([
      'The check "body" looks at a request as a whole; leave the field out, or except a managed group.',
      'A custom rule decides about a request as a whole; leave the field out.',
    ])
  })

  test('that name nothing, or no place, or no end are not enforced', () => {
    const groups = ['unknown' as GroupId]
    expect(one({ target: { groups, ruleRefs: [] } })).toEqual({
      actions: [],
      state: 'not-enforced',
      reason: 'It names nothing that the engine could leave out.',
    })
    expect(one({ scope: { ...scope, path: null } }).state).toBe('not-enforced')
    expect(one({ expiresAt: 'never' }).reason).toBe('Its end is not an instant.')
    // What can be left out is, with the reason why the rest is not.
    const some = one({ target: { groups: ['scanner'], ruleRefs: ['rule:nothing'] } })
    expect(some).toEqual({
      actions: ['ruleRemoveByTag=OWASP_CRS/SCANNER-DETECTION'],
      state: 'approximated',
      reason: '"nothing" is not a rule of the policy.',
    })
  })

  test('of a template say what else it has without a document, and that the document lacks it', () => {
    const of = (route: string, templates: Templates) =>
      one({ scope: { ...scope, path: null, route } }, templates).reason
    expect([of('/a', noDocument), of('/{x}', noDocument), one({}, noDocument).reason]).toEqual([
      null,
      'No document is given: a more concrete template for the same path is exempt, too.',
      null,
    ])
    const document = documentOf('/a', '/{x}')
    expect([of('/a', document), of('/{x}', document), of('/{y}', document)]).toEqual([
      null,
      null,
      'The document has no operation with the template /{y}.',
    ])
  })

  test('of many actions are several rules, of a hundred actions each', () => {
    const rulesOf = (count: number) => {
      const ruleRefs = Array.from({ length: count }, (_, n) => `crs:942${String(n).padStart(3, '0')}`)
      const { text } = compiled([exceptionOf({ scope: onRoute, target: { groups: [], ruleRefs } })])
      return [...text.matchAll(/id:(\d+)/g)].map(([, id]) => id)
    }
    expect([rulesOf(100), rulesOf(101)]).toEqual([['11000'], ['11000', '11001']])
  })

  test('beyond the numbers that are meant for them are not enforced; what cannot be written is an error', () => {
    const many = Array.from({ length: 9002 }, (_, n) => exceptionOf({ id: `e${n}`, scope: onRoute }))
    const { settings } = compiled(many)
    const refused = settings.filter(({ state }) => state === 'not-enforced')
    expect(refused).toEqual(
      ['exception:e9000', 'exception:e9001'].map((setting) => ({
        setting,
        state: 'not-enforced',
        reason: 'The exceptions before it use all rule numbers that are meant for exceptions.',
      })),
    )
    expect(() => compiled([exceptionOf({ id: 'e'.repeat(longestLine), scope })])).toThrow(RangeError)
  })
})

describe('rules', () => {
  const compiled = (...rules: Policy['rules']) => compileRules(policyOf({ rules }), coraza, noDocument)
  const expression = { field: 'http.method', op: 'eq', value: 'PUT' } as const

  test('that skip no managed group are not enforced', () => {
    const of = (groups: readonly string[]) =>
      compiled(ruleOf({ action: 'skip', expression, groups: groups as GroupId[] })).settings.map(({ reason }) => reason)
    const none = ['It names no managed group to skip.']
    expect([of([]), of(['unknown']), of(['unknown', 'sqli']), of(['sqli'])]).toEqual([none, none, [null], [null]])
  })

  test('beyond the numbers that are meant for them say so; what cannot be written is an error', () => {
    const many = Array.from({ length: 9998 }, (_, n) => ruleOf({ id: `r${n}`, order: n, expression }))
    const { settings } = compiled(...many)
    const reasons = settings.flatMap(({ setting, reason }) => (reason === null ? [] : [`${setting} ${reason}`]))
    expect(reasons).toEqual(
      ['r9996', 'r9997'].map(
        (id) => `rule:${id} The rules before it use all 10,000 rule numbers that are meant for custom rules.`,
      ),
    )
    expect(() => compiled(ruleOf({ id: 'r'.repeat(longestLine), expression }))).toThrow(RangeError)
  })

  test('about automated clients deny, log, or are off', () => {
    const of = (bot: Policy['presets']['bot']) => {
      const { text, settings } = compileBot(policyOf({ presets: { ...policyOf().presets, bot } }))
      const actions = text.split('\n').flatMap((it) => /t:none,(\w+),/.exec(it)?.[1] ?? [])
      return [actions, settings.map(({ setting, state }) => `${setting} ${state}`)]
    }
    expect(of('off')).toEqual([[], ['bot enforced']])
    expect(of('log')).toEqual([['pass', 'pass'], ['bot approximated']])
    expect(of('block')).toEqual([['deny', 'deny'], ['bot approximated']])
    expect(of('challenge')).toEqual([['pass', 'pass'], ['bot not-enforced']])
  })
})

test('a document counts where the policy asks for what it allows', () => {
  const rules = [ruleOf({ expression: { field: 'http.route', op: 'starts', value: '/a' } })]
  const asked: Positive = {
    projectId: 'p',
    version: 'latest',
    mode: 'log',
    checks: Object.fromEntries(positiveChecks.map((it) => [it, 'log'])) as Positive['checks'],
    stripPrefix: null,
  }
  const of = (document: unknown, isAsked: boolean) => {
    const policy = policyOf({ rules, positive: isAsked ? asked : null })
    const { settings } = compileRelease(input(policy, { document }))
    const reasonOf = (name: string) => settings.find(({ setting }) => setting === name)?.reason
    return [reasonOf('rule:r1'), reasonOf('positive:body')]
  }
  const unknown = 'No document is given, so the templates of its operations are not known.'
  const nothing = 'No document was given, so nothing is known of what it allows.'
  const none = 'No operation of the document has such a template.'
  const empty = { openapi: '3.1.0', info: { title: 'Empty', version: '1' }, paths: {} }
  expect([of(null, true), of(undefined, true), of(null, false), of(empty, false)]).toEqual([
    [unknown, nothing],
    [unknown, nothing],
    [unknown, undefined],
    [unknown, undefined],
  ])
  expect(of(empty, true)[0]).toBe(none)
})

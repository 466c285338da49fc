/** Policies as nobody would write them: whatever passes for a text stands everywhere. */
import fc from 'fast-check'
import { groupIds, groupModes, tierIds } from '../../../../src/gateway-policy/catalogue.ts'
import type { Expression } from '../../../../src/gateway-policy/expression.ts'
import {
  positiveChecks,
  ruleActions,
  type Exception,
  type Policy,
  type Rule,
} from '../../../../src/gateway-policy/model.ts'

const hostile = fc.constantFrom(
  '"\nSecRuleEngine Off\n#',
  "',allow,msg:'",
  '" "id:1,phase:1,allow"',
  '%{tx.blocking_paranoia_level}',
  '`',
  '\\',
  'a\\\r\nSecAction "id:1"',
  ';ARGS,ctl:ruleEngine=Off',
  '|REQUEST_URI',
  '/../',
  'é \u2028 \u0085 😀',
  '\ud800',
  '{id}',
  '*',
)
/** Any text, and such as would leave the place where it is put. */
export const texts = fc.oneof(
  hostile,
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.array(hostile, { maxLength: 3 }).map((it) => it.join('')),
)

const fields = fc.oneof(
  fc.constantFrom('ip.src', 'http.method', 'http.host', 'http.path', 'http.route', 'http.body.size', 'geo.country'),
  fc
    .tuple(fc.constantFrom('http.query.', 'http.header.', 'http.cookie.'), texts)
    .map(([prefix, name]) => prefix + name),
  texts,
)
const values = fc.oneof(
  texts,
  fc.array(texts, { minLength: 1, maxLength: 4 }),
  fc.constantFrom<unknown>(['10.0.0.0/8', '2001:db8::/32'], 5, [1, 2], '^/a(?:b|c)+[^"\\s]$', '(a)\\p{L}', '['),
)
const leaf = fc.record({
  field: fields,
  op: fc.constantFrom('eq', 'in', 'contains', 'starts', 'ends', 'matches', 'cidr', 'exists', 'lt', 'gt'),
  value: values,
})
const { node } = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('node'), { minLength: 1, maxLength: 5 }).map((and) => ({ and })),
    fc.array(tie('node'), { minLength: 1, maxLength: 5 }).map((or) => ({ or })),
    tie('node').map((not) => ({ not })),
  ),
}))
const groups = fc.uniqueArray(fc.constantFrom(...groupIds), { maxLength: 4 })
const rates = fc.option(
  fc.record({
    limit: fc.integer({ min: 1, max: 5000 }),
    windowSeconds: fc.integer({ min: 1, max: 86_400 }),
    key: fc.oneof(fc.constantFrom('ip', 'header:X-Client'), texts),
  }),
)
const rules: fc.Arbitrary<Rule> = fc.record({
  id: texts,
  name: texts,
  enabled: fc.boolean(),
  action: fc.constantFrom(...ruleActions),
  status: fc.option(fc.integer({ min: 400, max: 599 })),
  expression: node.map((it) => it as Expression),
  order: fc.integer({ min: 0, max: 100 }),
  reason: texts,
  groups,
  rate: rates,
  version: fc.constant(1),
  createdBy: fc.constant(null),
  createdAt: texts,
})
const exceptions: fc.Arbitrary<Exception> = fc.record({
  id: texts,
  scope: fc.record({
    route: fc.option(texts),
    path: fc.option(texts),
    method: fc.option(texts),
    field: fc.option(
      fc.oneof(
        texts,
        fc.tuple(fc.constantFrom('query:', 'header:', 'cookie:', 'json:/', 'json:/*/'), texts).map((it) => it.join('')),
      ),
    ),
  }),
  target: fc.record({
    groups,
    ruleRefs: fc.array(
      fc.oneof(fc.constantFrom('crs:942100', 'crs:949110', 'crs:10000', 'rule:r1', 'positive:body'), texts),
      { maxLength: 3 },
    ),
  }),
  reason: texts,
  ticket: fc.option(texts),
  createdAt: texts,
  createdBy: fc.constant(null),
  expiresAt: fc.oneof(texts, fc.constant('2030-01-01T00:00:00.500Z')),
  removedAt: fc.constantFrom(null, null, '2026-01-01T00:00:00.000Z'),
  policyVersion: fc.constant(1),
  approvalId: fc.option(texts),
})

export const policies: fc.Arbitrary<Policy> = fc.record({
  presets: fc.record({
    tier: fc.constantFrom(...tierIds),
    paranoia: fc.option(fc.integer({ min: 1, max: 4 })),
    threshold: fc.option(fc.integer({ min: 1, max: 1000 })),
    bot: fc.constantFrom(...groupModes),
    rate: rates,
    challenge: fc.option(fc.constant({ kind: 'managed' as const, passMinutes: 5 })),
    reasons: fc.constant({}),
  }),
  groups: fc.dictionary(
    fc.constantFrom(...groupIds),
    fc.record({ mode: fc.constantFrom(...groupModes), reason: fc.option(texts) }),
    { maxKeys: 5 },
  ),
  rules: fc.array(rules, { maxLength: 5 }),
  removedRules: fc.constant([]),
  exceptions: fc.array(exceptions, { maxLength: 5 }),
  positive: fc.option(
    fc.record({
      projectId: texts,
      version: texts,
      mode: fc.constantFrom('off', 'log', 'block'),
      checks: fc.constant(Object.fromEntries(positiveChecks.map((it) => [it, 'block'])) as never),
      stripPrefix: fc.option(texts),
    }),
  ),
})

/** Names as real descriptions have them, which mean something else to an engine. */
const oddNames = fc.constantFrom(
  "q['a']",
  'filter[%]',
  'x"y',
  '%{y}',
  '$filter',
  'name~1~',
  'größe',
  '名前',
  'a|b',
  'a,b',
  'a:b',
  '/slash/',
)
const names = fc.oneof(oddNames, texts).map((it) => it.toWellFormed() || 'n')
const templates = fc.oneof(
  fc.constantFrom("/Products('{id}')", "/users/{id}/drive/root:/{path}:/content('{name}')", '/a/{id}.json', '/größe'),
  fc.array(names, { minLength: 1, maxLength: 3 }).map((it) => `/${it.join('/')}`),
)
const schemas = fc.constantFrom<unknown>(
  { type: 'string', minLength: 1 },
  { type: 'integer', maximum: 100 },
  { type: 'array', items: { type: 'string' } },
  { enum: ["it's", '%{tx.a}', '"'] },
)
const parameter = fc.record({
  name: names,
  in: fc.constantFrom('query', 'header', 'cookie', 'path'),
  required: fc.boolean(),
  schema: schemas,
})
const properties = fc.dictionary(names, schemas, { maxKeys: 3 })
const operation = fc.record({
  operationId: names,
  parameters: fc.array(parameter, { maxLength: 3 }),
  requestBody: fc.record({
    content: fc.dictionary(
      fc.oneof(fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'), names),
      properties.map((it) => ({ schema: { type: 'object', properties: it, required: Object.keys(it) } })),
      { maxKeys: 2 },
    ),
  }),
  security: fc.array(
    names.map((name) => ({ [name]: [] })),
    { maxLength: 2 },
  ),
  responses: fc.constant({}),
})
const keyScheme = fc.record({
  type: fc.constant('apiKey'),
  in: fc.constantFrom('query', 'header', 'cookie'),
  name: names,
})

/** Descriptions whose names stand where an engine reads more than a name. */
export const documents = fc.record({
  openapi: fc.constant('3.1.0'),
  info: fc.record({ title: names, version: names }),
  paths: fc.dictionary(
    templates,
    fc.dictionary(fc.constantFrom('get', 'post', 'delete'), operation, { minKeys: 1, maxKeys: 2 }),
    { minKeys: 1, maxKeys: 3 },
  ),
  components: fc.record({ securitySchemes: fc.dictionary(names, keyScheme, { maxKeys: 2 }) }),
})

/** Every check of the document blocks. */
export const blocking = (policy: Policy): Policy => ({
  ...policy,
  positive: {
    projectId: 'p',
    version: 'latest',
    mode: 'block',
    stripPrefix: null,
    checks: Object.fromEntries(positiveChecks.map((it) => [it, 'block'])) as NonNullable<Policy['positive']>['checks'],
  },
})

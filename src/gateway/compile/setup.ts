/** What comes before all rules: settings of the engine, bodies, and the levels and thresholds of the rule set. */
import { levelsOf, type Policy } from '../../gateway-policy/door.ts'
import { readsResponses } from './crs.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { chain } from './seclang.ts'

const rule = (id: number, phase: 1 | 2, target: string, operator: string, actions: string[], then: string[] = []) =>
  chain({ id, phase, links: [{ target, operator }], actions, then })

/**
 * A target has no fragment (RFC 9112, section 3.2). ModSecurity reads none of what is behind a raw "#", and servers behind the gateway
 * read it as a part of the query.
 */
const fragment = (): string =>
  rule(10_014, 1, 'REQUEST_URI_RAW', '@contains #', [
    'deny',
    'status:400',
    'log',
    'auditlog',
    "msg:'svc: the target has a raw #'",
    "tag:'svc/rule/target'",
  ])

/** How bodies are read. Content types are compared without regard to case and parameters. */
function bodies(): string {
  const type = 'REQUEST_HEADERS:Content-Type'
  const quiet = ['pass', 'nolog']
  return [
    ...(['XML', 'JSON'] as const).map((kind, index) =>
      rule(
        10_010 + index,
        1,
        type,
        `@rx (?i)\\A\\s*[^;\\s\\x2f]+\\x2f(?:[^;\\s]+\\x2b)?${kind.toLowerCase()}\\s*(?:;|\\z)`,
        quiet,
        [`ctl:requestBodyProcessor=${kind}`],
      ),
    ),
    rule(10_012, 2, 'REQBODY_ERROR', '!@eq 0', [
      'deny',
      'status:400',
      'log',
      'auditlog',
      "msg:'svc: the body cannot be read'",
      "tag:'svc/rule/body'",
    ]),
    rule(10_013, 2, 'MULTIPART_STRICT_ERROR', '!@eq 0', [
      'deny',
      'status:400',
      'log',
      'auditlog',
      "msg:'svc: the multipart body is ambiguous'",
      "tag:'svc/rule/body'",
    ]),
  ].join('')
}

const methods = 'GET HEAD POST OPTIONS PUT PATCH DELETE'
const usualTypes = [
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/xml',
  'application/xml',
  'application/soap+xml',
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json',
]

const objectOf = (it: unknown): Readonly<Record<string, unknown>> =>
  typeof it === 'object' && it !== null ? (it as Readonly<Record<string, unknown>>) : {}

/** Media types that a document declares for the bodies of its requests; ranges and odd texts are left out. */
function requestTypes(document: unknown): string[] {
  const { paths, components } = objectOf(document)
  const operations = Object.values(objectOf(paths)).flatMap((it) => Object.values(objectOf(it)))
  const declared = [
    ...operations.map((it) => objectOf(it)['requestBody']),
    ...Object.values(objectOf(objectOf(components)['requestBodies'])),
  ]
  const types = declared
    .flatMap((it) => Object.keys(objectOf(objectOf(it)['content'])))
    .map((it) => it.split(';', 1)[0]?.trim().toLowerCase() ?? '')
    .filter((it) => /^[a-z0-9][a-z0-9!#$&^_.+-]{0,60}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,60}$/.test(it))
  return [...new Set(types)].sort().slice(0, 200)
}

/** Sets what the rule set reads; both versions, whose names differ, find theirs. */
function levels(policy: Policy, document: unknown): string {
  const { blocking, detection, threshold } = levelsOf(policy.presets)
  const types = [...new Set([...usualTypes, ...requestTypes(document)])].map((it) => `|${it}|`).join(' ')
  const set = (values: Readonly<Record<string, string | number>>) =>
    Object.entries(values).map(([name, value]) => `setvar:'tx.${name}=${value}'`)
  return chain({
    id: 10_000,
    links: [],
    actions: ['pass', 'nolog'],
    then: set({
      crs_setup_version: 400,
      blocking_paranoia_level: blocking,
      detection_paranoia_level: detection,
      paranoia_level: blocking,
      executing_paranoia_level: detection,
      inbound_anomaly_score_threshold: threshold,
      outbound_anomaly_score_threshold: Math.max(1, threshold - 1),
      allowed_methods: methods,
      allowed_request_content_type: types,
    }),
  })
}

/** The text of `10-setup.conf`. */
export function setup(policy: Policy, dialect: Dialect, document: unknown): string {
  const responses = readsResponses(policy)
  const directives = [
    'SecRuleEngine On',
    'SecRequestBodyAccess On',
    'SecRequestBodyLimit 13107200',
    'SecRequestBodyNoFilesLimit 13107200',
    'SecRequestBodyLimitAction Reject',
    `SecResponseBodyAccess ${responses ? 'On' : 'Off'}`,
    ...(responses
      ? [
          'SecResponseBodyMimeType text/plain text/html text/xml application/json application/xml',
          'SecResponseBodyLimit 524288',
          'SecResponseBodyLimitAction ProcessPartial',
        ]
      : []),
    'SecAuditEngine RelevantOnly',
    'SecAuditLogFormat JSON',
    'SecAuditLogType Serial',
    // No headers and no bodies: parts of values that matched are removed before anything leaves the machine.
    'SecAuditLogParts AHKZ',
    // Once for each phase: engines refuse a second one, and rules that say "block" mean these.
    'SecDefaultAction "phase:1,log,auditlog,pass"',
    'SecDefaultAction "phase:2,log,auditlog,pass"',
  ]
  const skipped = dialect.limitsBodiesWithoutFiles ? [] : ['SecRequestBodyNoFilesLimit']
  const kept = directives.filter((it) => !skipped.some((name) => it.startsWith(name)))
  const rules = policy.presets.tier === 'off' ? '' : levels(policy, document)
  return `${kept.join('\n')}\n${rules}${fragment()}${bodies()}`
}

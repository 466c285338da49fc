/** What the commands about gateway security share: arguments, options of writes, and how answers are shown. */
import type { Environment } from '../../src/api/environments.ts'
import type { SecurityApproval, SecurityEvent } from '../../src/api/gateway-record-shapes.ts'
import type { ManagedGroup, SecurityException, SecurityPreview, SecurityRule } from '../../src/api/gateway-shapes.ts'
import { parseDuration } from '../../src/kernel/duration.ts'
import { effectSentences } from '../../src/gateway-policy/door.ts'
import { plural } from '../../src/kernel/plural.ts'
import { SvcError } from '../../src/errors.ts'
import type { Connection } from '../connection/connection.ts'
import { renderFacts, renderTable, shortTime } from '../table.ts'

export const environmentArgument = {
  name: 'environment',
  required: true,
  summary: 'slug or id of the environment',
} as const
export const reasonOption = {
  type: 'string',
  placeholder: 'TEXT',
  summary: 'why; kept in the policy and in the audit trail',
} as const

/** The options of every command whose change may need another person. */
export const approvalOptions = {
  approval: {
    type: 'string',
    placeholder: 'ID',
    summary: 'id of the request that another person approved',
    field: 'approvalId',
  },
  'apply-when-approved': {
    type: 'boolean',
    summary: 'where the change needs approval: let the approval make it',
    field: 'applyWhenApproved',
  },
} as const

/** The options of every command that changes a policy. */
export const writeOptions = {
  'dry-run': {
    type: 'boolean',
    summary: 'store nothing; show the change and its effect on recorded events',
  },
  'expected-version': {
    type: 'integer',
    placeholder: 'N',
    summary: 'refuse the change if the policy has another version',
    field: 'expectedPolicyVersion',
  },
  ...approvalOptions,
} as const

interface WriteValues {
  readonly 'dry-run': boolean
  readonly 'expected-version': number | undefined
  readonly approval: string | undefined
  readonly 'apply-when-approved': boolean
}

/** These options as requests have them. */
export const controlsOf = (options: WriteValues) => ({
  ...(options['dry-run'] ? { dryRun: true } : {}),
  ...(options['expected-version'] === undefined ? {} : { expectedPolicyVersion: options['expected-version'] }),
  ...(options.approval === undefined ? {} : { approvalId: options.approval }),
  ...(options['apply-when-approved'] ? { applyWhenApproved: true } : {}),
})

/** The call with the organization that a person who belongs to several means. */
export async function securityCall(connection: () => Promise<Connection>) {
  const { call, tenant } = await connection()
  return { call, query: { tenantSlug: await tenant() } }
}

const gatewaysText = ({ total, current, behind, silent }: Environment['enforcers']): string =>
  total === 0 ? 'none' : `${total}: ${current} current, ${behind} behind, ${silent} silent`

export const environmentText = (environment: Environment): string =>
  renderFacts([
    ['id', environment.id],
    ['name', environment.name],
    ['slug', environment.slug],
    ['kind', environment.kind],
    ['tier', environment.tier],
    ['policy version', String(environment.policy_version)],
    [
      'approvals',
      environment.approvals.required ? `${environment.approvals.approvers_min} of another person` : 'not required',
    ],
    ['projects', environment.project_ids.join(', ') || null],
    ['hostnames', environment.hostnames.join(', ') || null],
    ['base paths', environment.base_paths.join(', ') || null],
    ['evidence', environment.evidence === 'shape' ? 'digests and shapes of values' : 'digests of values'],
    ['gateways', gatewaysText(environment.enforcers)],
  ])

/** What recorded events say about a change: the policy in force beside the one with the change. */
export function previewText(preview: SecurityPreview): string {
  if (preview.events === 0) return 'Recorded events: none in the last 7 days.\n'
  const routes = preview.byRoute.filter((one) => one.newlyBlocked + one.newlyAllowed + one.unknown > 0).slice(0, 10)
  const table = renderTable(
    ['ROUTE', 'NEWLY REFUSED', 'NEWLY PASSED', 'UNDECIDED'],
    routes.map((one) => [one.route ?? '(not known)', ...[one.newlyBlocked, one.newlyAllowed, one.unknown].map(String)]),
  )
  const sentences = effectSentences(preview).map((one) => `${one}\n`)
  return `${sentences.join('')}${routes.length === 0 ? '' : table}`
}

interface Written {
  readonly policyVersion: number
  readonly changed: boolean
  readonly dryRun: boolean
  readonly changes: readonly { readonly sentence: string; readonly risk: string | null }[]
  readonly approvalRequired: boolean
  readonly preview: SecurityPreview | null
}

/** What a write did, or would do. */
export function writtenText(written: Written): string {
  if (!written.changed)
    return `Nothing changes: the policy is like this already, at version ${written.policyVersion}.\n`
  const lines = written.changes.map(({ sentence, risk }) => `${sentence}${risk === null ? '' : ` ${risk}`}\n`).join('')
  if (!written.dryRun) return `${lines}The policy is at version ${written.policyVersion}.\n`
  const approval = written.approvalRequired ? 'It needs the approval of another person.\n' : ''
  return `${lines}${approval}${written.preview === null ? '' : previewText(written.preview)}Nothing was stored.\n`
}

export const groupTable = (groups: readonly ManagedGroup[]): string =>
  renderTable(
    ['GROUP', 'MODE', 'DEFAULT', 'RULES', 'REQUESTS 24 H', 'WHY'],
    groups.map((it) => [it.id, it.effective, it.catalogDefault, String(it.rules), String(it.hits24h), it.because]),
  )

const stateOfRule = ({ removedAt, enabled }: SecurityRule): string => {
  if (removedAt !== null) return 'removed'
  return enabled ? 'on' : 'off'
}

export const ruleTable = (rules: readonly SecurityRule[]): string =>
  rules.length === 0
    ? 'No custom rules.\n'
    : renderTable(
        ['ID', 'ORDER', 'ACTION', 'STATE', 'NAME', 'WHERE'],
        rules.map((rule) => [
          rule.id,
          String(rule.order),
          rule.action,
          stateOfRule(rule),
          rule.name,
          rule.expressionText,
        ]),
      )

const placeOf = ({ method, route, path, field }: SecurityException['scope']): string =>
  [method, route ?? path, field].filter((it) => it !== null).join(' ')

export const exceptionTable = (exceptions: readonly SecurityException[]): string =>
  exceptions.length === 0
    ? 'No exceptions.\n'
    : renderTable(
        ['ID', 'STATE', 'UNTIL', 'PLACE', 'EXEMPT FROM', 'LET THROUGH', 'REASON'],
        exceptions.map((exception) => [
          exception.id,
          exception.state,
          shortTime(exception.expiresAt),
          placeOf(exception.scope),
          [...exception.target.groups, ...exception.target.ruleRefs].join(', '),
          String(exception.hits.active),
          exception.reason,
        ]),
      )

export const approvalText = (approval: SecurityApproval): string =>
  `${approval.id}  ${approval.state}\n` +
  approval.summary.map((line) => `  ${line}\n`).join('') +
  approval.risks.map((line) => `  Risk: ${line}\n`).join('') +
  `  Requested by ${approval.requestedBy.name}, ${shortTime(approval.requestedAt)}, for version ${approval.policyVersion}\n` +
  approval.approvals
    .map(({ by, at, note }) => `  Approved by ${by.name}, ${shortTime(at)}${note === '' ? '' : `: ${note}`}\n`)
    .join('') +
  (approval.applyWhenApproved && approval.state === 'pending' ? '  The approval makes the change.\n' : '') +
  (approval.notApplied === null ? '' : `  Not made: ${approval.notApplied.message}\n`) +
  (approval.preview === null ? '' : previewText(approval.preview).replaceAll(/^(?=.)/gm, '  '))

/** The rule that decided, and how many others matched. */
export const rulesOf = ({ ruleRef, matches }: Pick<SecurityEvent, 'ruleRef' | 'matches'>): string => {
  const others = new Set(matches.map((match) => match.ruleRef).filter((ref) => ref !== ruleRef)).size
  return others === 0 ? ruleRef : `${ruleRef} +${others}`
}

export const eventTable = (events: readonly SecurityEvent[]): string =>
  events.length === 0
    ? 'No events.\n'
    : renderTable(
        ['AT', 'ID', 'ACTION', 'RULE', 'METHOD', 'ROUTE', 'REQUESTS', 'SOURCE'],
        events.map((entry) => [
          shortTime(entry.at),
          entry.id,
          entry.action,
          rulesOf(entry),
          entry.method ?? '',
          entry.route ?? entry.pathShape ?? '',
          String(entry.count),
          entry.source,
        ]),
      )

/**
 * "100/60" as a rate, "100/60/header:X-Client" with another key; "none" clears it.
 * @throws SvcError `usage`
 */
export function rateOf(text: string) {
  if (text === 'none') return null
  const found = /^(\d+)\/(\d+)(?:\/(ip|header:.+))?$/.exec(text)
  if (found === null)
    throw new SvcError('usage', { reason: `--rate is REQUESTS/SECONDS, as "100/60", or "none", not "${text}"` })
  const [, limit, windowSeconds, key] = found
  return { limit: Number(limit), windowSeconds: Number(windowSeconds), ...(key === undefined ? {} : { key }) }
}

/**
 * The end of an exception: a duration from now ("12h"), or an instant.
 * @throws SvcError `usage`
 */
export function endOf(text: string, now: number): string {
  const ms = parseDuration(text)
  if (ms !== null) return new Date(now + ms).toISOString()
  const at = Date.parse(text)
  if (Number.isNaN(at))
    throw new SvcError('usage', { reason: `--until is a duration such as "12h" or an instant, not "${text}"` })
  return new Date(at).toISOString()
}

/**
 * The beginning of a time: a duration before now ("2h"), or an instant.
 * @throws SvcError `usage`
 */
export function sinceOf(text: string, now: number): string {
  const ms = parseDuration(text)
  const at = ms === null ? Date.parse(text) : now - ms
  if (Number.isNaN(at))
    throw new SvcError('usage', { reason: `--since is a duration such as "2h" or an instant, not "${text}"` })
  return new Date(at).toISOString()
}

export const countText = (shown: number, total: number, one: string): string =>
  shown < total ? `${shown} of ${plural(total, one)}\n` : ''

interface Confirmed {
  readonly engine: string | null
  readonly setting: string
  readonly state: string
  readonly reason: string | null
}

/** Settings that are not enforced in full, by what is known of them. */
export const lackText = (settings: readonly Confirmed[]): string =>
  [...Map.groupBy(settings, ({ engine, state, reason }) => JSON.stringify([engine, state, reason])).values()]
    .flatMap((alike) => {
      const [first] = alike
      if (first === undefined || first.state === 'enforced') return []
      const shown = alike.length > 3 ? plural(alike.length, 'setting') : alike.map(({ setting }) => setting).join(', ')
      const state = first.state === 'unknown' ? 'not confirmed' : first.state
      return [`${first.engine === null ? '' : `${first.engine}: `}${shown}: ${state}. ${first.reason ?? ''}\n`]
    })
    .join('')

/** An event with what matched, whose values are redacted. */
export function eventText(event: SecurityEvent): string {
  const { client, matches, score } = event
  const facts = renderFacts([
    ['at', event.at],
    ['action', event.action],
    ['rule', event.ruleRef],
    ['request', [event.method, event.route].filter((it) => it !== null).join(' ') || null],
    ['status', event.status === null ? null : String(event.status)],
    ['requests', String(event.count)],
    ['client', client.network],
    ['source', event.source],
    ['score', score === null ? null : `${score.inbound} of ${score.threshold}`],
  ])
  const rows = matches.map((match) => [
    match.ruleRef,
    match.groupId ?? '',
    match.severity ?? '',
    match.field ?? '',
    match.length === null ? '' : String(match.length),
    match.digest ?? '',
  ])
  if (rows.length === 0) return facts
  return `${facts}\n${renderTable(['RULE', 'GROUP', 'SEVERITY', 'FIELD', 'LENGTH', 'DIGEST'], rows)}`
}

import type { Call } from '../../src/api/endpoint.ts'
import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { type PolicySettings, type StyleGuideOut, type StyleGuideRule } from '../../src/api/style-guide-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import type { Invocation } from '../declare.ts'
import { findInPages } from '../paging.ts'
import { renderFacts, renderTable, shortTime } from '../table.ts'
import { plural } from '../../src/kernel/plural.ts'

/** A call with the parameters that every operation on a guide takes. */
export interface GuideAddress {
  readonly call: Call
  readonly params: { readonly tenant_slug: string; readonly guide_id: string }
}

/** The tenant to ask, and how. */
export async function tenantAddress(connection: Invocation['connection']) {
  const { call, tenant } = await connection()
  return { call, params: { tenant_slug: await tenant() } }
}

/**
 * The guide of that id or name.
 * @throws SvcError `style-guide-not-found`, with the name that was probably meant
 */
export async function guideAddress(connection: Invocation['connection'], ref: string): Promise<GuideAddress> {
  const { call, params } = await tenantAddress(connection)
  const names: string[] = []
  let byName: StyleGuideOut | undefined
  const byId = await findInPages(
    (page) => call(styleGuidesApi.list, { params, query: page }),
    (it) => {
      names.push(it.name)
      if (it.name === ref) byName ??= it
      return it.id === ref
    },
  )
  const found = byId ?? byName
  if (found !== undefined) return { call, params: { ...params, guide_id: found.id } }
  const near = suggest(ref, names)
  throw new SvcError('style-guide-not-found', { guide: ref, near })
}

export const guideArgument = { name: 'guide', summary: 'name or id of a style guide', required: true } as const

/** The id of the guide of that id or name, as a field of a request has it. */
export const guideIdOf = async (ref: string, { connection }: Invocation): Promise<string> =>
  (await guideAddress(connection, ref)).params.guide_id

/** The guide as a parameter of the path. */
export const guideIdArgument = { ...guideArgument, read: guideIdOf } as const

/** A guide, for a person. */
export const guideFacts = (out: StyleGuideOut): string =>
  renderFacts([
    ['Guide', out.name],
    ['Id', out.id],
    ['Kind', out.builtin ? 'builtin, read-only' : 'own'],
    ['Default', out.isDefault ? 'yes' : 'no'],
    ['Rules on', `${out.rulesOn} of ${out.rulesTotal}`],
    ['Custom rules', String(out.customRules)],
    ['Assigned to', plural(out.assignments, 'project')],
    ['Description', out.description === '' ? null : out.description],
    ['Changed', out.updatedAt === null ? null : shortTime(out.updatedAt)],
  ])

/** Rules, one a line. */
export const renderRules = (rules: readonly StyleGuideRule[]): string =>
  rules.length === 0
    ? 'No rules.\n'
    : renderTable(
        ['RULE', 'ON', 'SEVERITY', 'FROM', 'WHAT HOLDS'],
        rules.map((it) => [it.id, it.enabled ? 'on' : 'off', it.severity, it.origin, it.description ?? '']),
      )

/** A review rule in one line: what it matches, and who must approve. */
const ruleWords = ({ match, reviewers = [], role, min = 1 }: PolicySettings['reviewRules'][number]): string => {
  const conditions = Object.entries(match).map(([name, value]) => (value === true ? name : `${name} ${String(value)}`))
  const who = [
    ...(reviewers.length === 0 ? [] : [plural(reviewers.length, 'named member')]),
    ...(role === undefined ? [] : [`role ${role}`]),
  ]
  return `${conditions.join(' and ')}: ${plural(min, 'approval')} of ${who.join(' or ')}`
}

/** A policy, for a person. */
export function policyFacts({ policyGates, ...policy }: Omit<PolicySettings, 'guideId' | 'updatedAt'>): string {
  const { minGrade, failOn, ...levels } = policyGates
  const { required, minApprovals } = policy.approvalPolicy
  return renderFacts([
    ...Object.entries(levels).map(([id, level]): [string, string] => [
      `Gate ${id}`,
      id === 'lint-grade' ? `${level}, below ${minGrade}` : id === 'lint-findings' ? `${level}, from ${failOn}` : level,
    ]),
    ['Breaking changes', policy.breakingPublishGuardrail],
    ['Approvals', required ? String(minApprovals) : 'none'],
    ['Reviewer role', policy.requiredReviewerRole ?? 'any'],
    ['Approvals survive', policy.approvalsSurvive],
    ...policy.reviewRules.map((rule, at): [string, string] => [`Review rule ${at + 1}`, ruleWords(rule)]),
  ])
}

/** Shows how much of long work is done: in place on a terminal, in lines of their own elsewhere, where it takes longer. */
export function countOn(io: Invocation['io'], what: string) {
  const terminal = io.errorTerminal
  let last = ''
  return {
    async show(done: number, total: number): Promise<void> {
      const line = `${done} of ${total} ${what}`
      if (line === last || total === 0) return
      last = line
      if (terminal?.redraws === true) await terminal.draw(line)
      else io.log.log(line)
    },
    async end(): Promise<void> {
      if (terminal?.redraws === true && last !== '') await terminal.draw('')
    },
  }
}

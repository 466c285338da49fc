import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Call } from '../../src/api/endpoint.ts'
import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { type PolicySettings, type StyleGuideOut, type StyleGuideRule } from '../../src/api/style-guide-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { suggest } from '../../src/suggest.ts'
import type { Invocation } from '../declare.ts'
import { findInPages } from '../paging.ts'
import { unreadableFile } from '../input/file-error.ts'
import { renderFacts, renderTable, shortTime } from '../table.ts'
import { plural } from '../../src/plural.ts'

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

/**
 * Reads a file that a command line names, or standard input for "-".
 * @throws SvcError `usage`
 */
export async function readText(name: string, { cwd, io }: Pick<Invocation, 'cwd' | 'io'>): Promise<string> {
  if (name === '-') return new TextDecoder().decode(await io.stdin())
  const path = resolve(cwd, name)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw await unreadableFile(name, path, error)
  }
}

export const guideArgument = { name: 'guide', summary: 'name or id of a style guide', required: true } as const

/** A guide, for a person. */
export const guideFacts = (it: StyleGuideOut): string =>
  renderFacts([
    ['Guide', it.name],
    ['Id', it.id],
    ['Kind', it.builtin ? 'builtin, read-only' : 'own'],
    ['Default', it.isDefault ? 'yes' : 'no'],
    ['Rules on', `${it.rulesOn} of ${it.rulesTotal}`],
    ['Custom rules', String(it.customRules)],
    ['Assigned to', plural(it.assignments, 'project')],
    ['Description', it.description === '' ? null : it.description],
    ['Changed', it.updatedAt === null ? null : shortTime(it.updatedAt)],
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
      if (terminal?.redraws === true) await terminal.draw(`\r\u001B[2K${line}`)
      else io.log.log(line)
    },
    async end(): Promise<void> {
      if (terminal?.redraws === true && last !== '') await terminal.draw('\r\u001B[2K')
    },
  }
}

/** What makes a rule unsafe, by name. The questions are decided for all requests at once, not by how the rule is written. */
import { costOf } from '../regex/cost.ts'
import { readStructure, UnknownSyntax, type Tree } from '../regex/structure.ts'
import { effortOfRule, Question, withinEffort } from './decide.ts'
import type { Effort } from './effort.ts'
import { mostCharacters, termsOf, type Expression, type Term } from './expression.ts'
import { readField, type Field } from './field.ts'
import type { GroupId } from './catalogue.ts'
import type { RuleAction } from './model.ts'
import { lastOf, rangeOf, type Family, type Range } from './network.ts'
import { printExpression } from './text.ts'

export const ruleRefusals = [
  'rule-expression-too-long',
  'rule-too-complex',
  'rule-regex-unsafe',
  'rule-reads-credential',
  'rule-untrusted-forwarded-ip',
  'rule-matches-all',
  'rule-cidr-any',
  'rule-allow-unscoped',
  'rule-skip-all-managed',
  'rule-blocks-health',
  'rule-challenge-on-api',
] as const
export type RuleRefusal = (typeof ruleRefusals)[number]
export interface Refusal {
  readonly code: RuleRefusal
  readonly reason: string
}

/** A rule as far as its safety depends on it. */
export interface CheckedRule {
  readonly action: RuleAction
  readonly expression: Expression
  /** Of the action "skip". */
  readonly groups: readonly GroupId[]
}
export interface RuleSurroundings {
  /** The managed groups that are not off. */
  readonly groupsInUse: readonly GroupId[]
  /** What the paths of the APIs begin with; health checks may be below each. */
  readonly basePaths: readonly string[]
}

const credentialHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key'])
const credentialWords =
  /(?:^|[-_.])(?:auth|authorization|token|jwt|sid|sess|session|sessionid|secret|password|passwd|pwd|api[-_]?key|credential|csrf|xsrf)(?:$|[-_.])|(?:session|token|apikey|secret|password)(?:id)?$/i

/** Headers in which anyone can write any address. */
const forwardedHeaders = new Set([
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'x-azure-clientip',
  'client-ip',
])

const healthPaths = ['/healthz', '/readyz', '/livez', '/health', '/health/live', '/health/ready', '/ping', '/_health']

const fieldOf = (term: Term): Field => {
  const field = readField(term.field)
  if (typeof field === 'string') throw new RangeError(field)
  return field
}

const readsCredential = (term: Term): boolean => {
  const { prefix, name } = fieldOf(term)
  if (prefix === null || name === null || term.op === 'exists') return false
  return (prefix === 'http.header' && credentialHeaders.has(name)) || credentialWords.test(name)
}

const someTree = (tree: Tree, is: (it: Tree) => boolean): boolean => {
  if (is(tree)) return true
  if ('parts' in tree) return tree.parts.some((it) => someTree(it, is))
  return 'part' in tree && someTree(tree.part, is)
}

/** Why not every engine can run a pattern in time that grows with the text alone; null: it can. */
export function patternProblem(source: string): string | null {
  try {
    // The runtime says what is wrong with a pattern that is not one.
    const { flags } = new RegExp(source, 'u')
    const { tree } = readStructure(source, flags)
    if (someTree(tree, (it) => it.kind === 'look')) return 'it looks ahead or behind, which RE2 does not have'
    if (someTree(tree, (it) => it.kind === 'back')) return 'it refers back to a group, which RE2 does not have'
    if (someTree(tree, (it) => it.kind === 'repeat' && Math.max(it.min, it.max === Infinity ? 0 : it.max) > 1000))
      return 'it repeats a part more than 1,000 times, which RE2 refuses'
    const { ways, power } = costOf(tree)
    if (ways === Infinity)
      return 'a repetition in it contains a choice or another repetition, which some engines try in exponential time'
    return power > 3
      ? 'it has several unlimited repetitions, so that some engines need very long for long values'
      : null
  } catch (error) {
    if (error instanceof UnknownSyntax) return 'it uses syntax that not every engine has'
    if (error instanceof SyntaxError) return `it is not a regular expression: ${error.message.replace(/^.*: /, '')}`
    throw error
  }
}

function wordingRefusals({ action, expression }: CheckedRule): Refusal[] {
  const found: Refusal[] = []
  const add = (code: RuleRefusal, reason: string) => found.push({ code, reason })
  const length = printExpression(expression).length
  if (length > mostCharacters)
    add('rule-expression-too-long', `it has ${length} characters as text, at most ${mostCharacters} are allowed`)
  for (const term of termsOf(expression)) {
    const problem = term.op === 'matches' ? patternProblem(String(term.value)) : null
    if (problem !== null) add('rule-regex-unsafe', `"${String(term.value).slice(0, 80)}": ${problem}`)
    if (readsCredential(term)) add('rule-reads-credential', `it compares the value of ${term.field}`)
    if (action !== 'log' && forwardedHeaders.has(fieldOf(term).name ?? '') && fieldOf(term).prefix === 'http.header')
      add('rule-untrusted-forwarded-ip', `clients write ${term.field} themselves; compare ip.src`)
  }
  return found
}

const sizeOf = (ranges: readonly Range[]): bigint => ranges.reduce((sum, it) => sum + it.to - it.from + 1n, 0n)

/** Public IPv6 addresses; the rest of the space has none. */
const publicV6 = rangeOf('2000::/3')

/** Whether the addresses are half of a family or more. */
function isHalf(ranges: readonly Range[], family: Family): boolean {
  const whole: Range = family === 4 ? { family, from: 0n, to: lastOf(4) } : publicV6
  const inside = ranges.flatMap((it) => {
    const from = it.from > whole.from ? it.from : whole.from
    const to = it.to < whole.to ? it.to : whole.to
    return from > to ? [] : [{ family, from, to }]
  })
  return sizeOf(inside) * 2n >= whole.to - whole.from + 1n
}

function addressRefusal({ action, expression }: CheckedRule, question: Question): Refusal[] {
  const networks = termsOf(expression).flatMap((it) =>
    fieldOf(it).type === 'ip' ? (it.value as readonly string[]).map(rangeOf) : [],
  )
  for (const family of [4, 6] as const) {
    if (!networks.some((it) => it.family === family)) continue
    if (!question.dependsOnAddress(family))
      return [{ code: 'rule-cidr-any', reason: `its networks leave out no address of IPv${family}` }]
    const isPass = action === 'allow' || action === 'skip'
    if (isPass && isHalf(question.addressesOf(family), family))
      return [{ code: 'rule-cidr-any', reason: `it applies to half of all addresses of IPv${family} or more` }]
  }
  return []
}

const isHtml: Expression = {
  or: [
    { field: 'http.header.accept', op: 'contains', value: 'text/html' },
    { field: 'http.header.sec-fetch-mode', op: 'eq', value: 'navigate' },
    { field: 'http.header.sec-fetch-dest', op: 'eq', value: 'document' },
  ],
}

/** The request of a health check: what it does not fix may be anything. */
const probes = (basePaths: readonly string[]): Expression[] =>
  [...new Set(['', ...basePaths.map((it) => it.replace(/\/+$/, ''))])]
    .flatMap((base) => healthPaths.map((path) => base + path))
    .map((path) => ({
      and: [
        { field: 'http.path', op: 'eq', value: path },
        { field: 'http.method', op: 'eq', value: 'GET' },
        { field: 'http.body.size', op: 'eq', value: 0 },
      ],
    }))

/** Whether every request of a health check meets the expression, from any address and with any header. */
function blockedProbe(expression: Expression, basePaths: readonly string[], effort: Effort): string | null {
  const named = termsOf(expression).filter((it) => /^http\.(?:query|cookie)\./.test(it.field))
  for (const probe of probes(basePaths)) {
    const [path] = termsOf(probe)
    const sent: Expression = {
      and: [probe, ...named.map((it): Expression => ({ not: { field: it.field, op: 'exists' } }))],
    }
    const escapes: Expression = { and: [sent, { not: expression }] }
    if (!new Question(escapes, effort).some()) return String(path?.value)
  }
  return null
}

/** Where a request goes to and comes from: what a client cannot choose freely and still reach the same thing. */
const isScope = ({ id, type }: Field): boolean => type === 'ip' || id === 'http.path' || type === 'route'

function meaningRefusals(rule: CheckedRule, { groupsInUse, basePaths }: RuleSurroundings): Refusal[] {
  const { action, expression } = rule
  const effort = effortOfRule()
  const question = new Question(expression, effort)
  const found: Refusal[] = []
  if (!question.some(false)) found.push({ code: 'rule-matches-all', reason: 'every request meets it' })
  found.push(...addressRefusal(rule, question))
  if ((action === 'allow' || action === 'skip') && question.everyFor((field) => !isScope(field)))
    found.push({
      code: 'rule-allow-unscoped',
      reason:
        'a client that sends the right method, host, query, headers or cookies meets it on every path from every address',
    })
  const left = groupsInUse.filter((it) => !rule.groups.includes(it))
  if (action === 'skip' && left.length === 0)
    found.push({ code: 'rule-skip-all-managed', reason: 'no managed group would be left that looks at these requests' })
  if (action === 'block' || action === 'challenge' || action === 'rate-limit') {
    const path = blockedProbe(expression, basePaths, effort)
    if (path !== null) found.push({ code: 'rule-blocks-health', reason: `it applies to every GET ${path}` })
  }
  const noHtml: Expression = { and: [expression, { not: isHtml }] }
  if (action === 'challenge' && new Question(noHtml, effort).some())
    found.push({
      code: 'rule-challenge-on-api',
      reason: 'clients of APIs cannot answer a challenge; add: http.header.accept contains "text/html"',
    })
  return found
}

/**
 * What makes a rule unsafe.
 * @returns every refusal that applies, each with its reason; empty for a safe rule
 */
export function refusalsOf(rule: CheckedRule, surroundings: RuleSurroundings): Refusal[] {
  const wording = wordingRefusals(rule)
  // Questions about all requests are asked of expressions that can be read in bounded time.
  if (wording.some(({ code }) => code === 'rule-expression-too-long' || code === 'rule-regex-unsafe')) return wording
  const meaning = withinEffort(() => meaningRefusals(rule, surroundings))
  if (meaning !== null) return [...wording, ...meaning]
  const reason = 'its effect on all requests could not be decided; use fewer conditions or split the rule'
  return [...wording, { code: 'rule-too-complex', reason }]
}

/** Whether no request can meet it. Null where that could not be decided. */
export const matchesNothing = (expression: Expression): boolean | null =>
  withinEffort(() => !new Question(expression, effortOfRule()).some())
